import type { GridAxis, Parameters, Settings } from '@convexa/contract'
import {
  binningNeeds,
  compileRef,
  cornersOf,
  type Expression,
  factorList,
  figuresOf,
  glanceFields,
  isRecent,
  judgedFields,
  listColumns,
  type Market,
  namesOf,
  needsOf,
  type Problem,
  previewColumns,
  reachBack,
  returnPrice,
  storedFor,
} from '@convexa/engine'
import type { Calls } from '../context/compute.ts'
import type { Reads } from './panel-cache.ts'
import type { Work } from './protocol.ts'
import { rulesOf } from './protocol.ts'

/**
 * What a piece of work reads of a market that has `available`: exactly that is loaded. Most of what is shown while one screens is of
 * the newest day and looks back a year at most; a run, a day of the past and what counts from the listing on need all days.
 */
export function readsOf(
  work: Exclude<Work, { call: 'storedParts' }>,
  market: Market,
  available: ReadonlySet<string>,
): { ok: true; reads: Reads } | RejectedWork {
  switch (work.call) {
    case 'coverage': {
      const made = expressionsOf(work.input.refs, market, available)
      return made.ok ? { ok: true, reads: split(made.expressions, available) } : made
    }
    case 'factors': {
      const all = everyExpression(market, available)
      return { ok: true, reads: { recent: everyStored(market, available), whole: split(all, available).whole } }
    }
    case 'securityFactors': {
      const whole = new Set(split(everyExpression(market, available), available).whole)
      if (!isHistoryRecent(work.input, market, available)) {
        const { expressions } = historyOf(work.input, market, available)
        for (const key of fieldsRead(expressions, available)) whole.add(key)
      }
      return { ok: true, reads: { recent: everyStored(market, available), whole } }
    }
    default: {
      const needs = needsOfWork(work, market, available)
      if (!needs.ok) return needs
      const { fields, back = null } = needs
      return { ok: true, reads: isRecent(back) ? { recent: fields, whole: none } : { recent: none, whole: fields } }
    }
  }
}

/** Whether a security's factor history can be read from a panel of recent days alone. */
export function isHistoryRecent(input: History, market: Market, available: ReadonlySet<string>): boolean {
  const { back } = historyOf(input, market, available)
  return isRecent(back)
}

type RejectedWork = { readonly ok: false; readonly problem: Problem }
/** `back`: trading days before the newest that are read; null or absent: all. */
type FieldNeeds = { readonly ok: true; readonly fields: ReadonlySet<string>; readonly back?: number | null } | RejectedWork
type History = Calls['securityFactors']['input']

const none: ReadonlySet<string> = new Set()

type OneView = Exclude<Work, { call: 'coverage' | 'factors' | 'securityFactors' | 'storedParts' }>

function needsOfWork(work: OneView, market: Market, available: ReadonlySet<string>): FieldNeeds {
  switch (work.call) {
    case 'screen': {
      const needs = needsOf(market, available, work.input.parameters, null)
      if (!needs.ok) return needs
      const { fields, lookback, sinceListing } = needs.needs
      return { ok: true, fields, back: work.input.date || sinceListing ? null : lookback }
    }
    case 'running': {
      const refs = work.input.factors.map(({ factor }) => factor)
      const own = fieldsOfRefs(refs, market, available)
      return own.ok ? { ok: true, fields: new Set([...own.fields, ...fieldsRead(previewColumns(market, available), available)]) } : own
    }
    case 'historyScreen': {
      const needs = fieldNeeds(needsOf(market, available, work.input.parameters, null))
      return needs.ok ? { ok: true, fields: new Set([...needs.fields, ...storedFor(returnPrice(market), available)]) } : needs
    }
    case 'quick':
      return fieldNeeds(needsOf(market, available, work.input.parameters, { ...work.input.settings, execution: 'ideal' }))
    case 'grid':
    case 'checks':
      return gridFields(work.input, market, available)
    case 'binning':
      return fieldNeeds(binningNeeds(market, available, work.input.body))
    case 'backtest':
      return fieldsOfRules(rulesOf(work.input.rule), work.input.settings, market, available)
    case 'partsAgain':
    case 'dayAgain':
    case 'coreOfReport':
      return fieldsOfRules(rulesOf(work.input.run.rule), work.input.run.settings, market, available)
    case 'glance': {
      const needs = fieldNeeds(needsOf(market, available, work.input.parameters, work.input.settings))
      const beside = glanceFields(market).flatMap((key) => storedFor(key, available))
      return needs.ok ? { ok: true, fields: new Set([...needs.fields, ...beside]) } : needs
    }
    case 'crossSection': {
      const made = expressionsOf(work.input.refs, market, available)
      if (!made.ok) return made
      const judged = work.input.facts ? judgedFields(market) : []
      const fields = new Set([...fieldsRead(made.expressions, available), ...judged.flatMap((key) => storedFor(key, available))])
      return { ok: true, fields, back: work.input.date ? null : reachBack(made.expressions, available, judged) }
    }
    case 'figures': {
      const expressions = figuresOf(market, namesOf(market, available)).map(({ expression }) => expression)
      const back = reachBack(expressions, available)
      // Figures come with their values of the day before, or of `history` days.
      const days = Math.max(1, work.input.history)
      return { ok: true, fields: fieldsRead(expressions, available), back: back === null ? null : back + days }
    }
  }
}

/** All that the store has for the factors of a market. */
function everyStored({ fields, reportItems = [] }: Market, available: ReadonlySet<string>): Set<string> {
  return new Set([...fields.filter(({ fact }) => !fact), ...reportItems].flatMap(({ key }) => storedFor(key, available)))
}

/** Every factor of a market that can be computed, parametric ones with their default window. */
function everyExpression(market: Market, available: ReadonlySet<string>): Expression[] {
  const names = namesOf(market, available)
  const expressions: Expression[] = []
  factorList(market, available, 'all', (ref) => {
    const compiled = compileRef(ref, names)
    if (compiled.ok) expressions.push(compiled.expression)
    return null
  })
  for (const key of market.custom?.keys() ?? []) {
    const compiled = compileRef(key, names)
    if (compiled.ok) expressions.push(compiled.expression)
  }
  return expressions
}

function split(expressions: readonly Expression[], available: ReadonlySet<string>): Reads {
  const recent = expressions.filter((expression) => isRecent(reachBack([expression], available)))
  const whole = expressions.filter((expression) => !recent.includes(expression))
  return {
    recent: recent.length > 0 ? fieldsRead(recent, available) : none,
    whole: whole.length > 0 ? fieldsRead(whole, available) : none,
  }
}

function historyOf({ refs, history }: History, market: Market, available: ReadonlySet<string>) {
  if (history === 0) return { expressions: [], back: 0 }
  const made = refs.length > 0 ? expressionsOf(refs, market, available) : null
  const expressions = made?.ok ? made.expressions : listColumns(market, available).map(({ expression }) => expression)
  const back = reachBack(expressions, available)
  return { expressions, back: back === null ? null : back + history }
}

/** What any cell of a grid reads: its axes may switch rows on. */
function gridFields(
  { parameters, settings, axes }: Pick<Calls['grid']['input'], 'parameters' | 'settings'> & { axes: readonly GridAxis[] },
  market: Market,
  available: ReadonlySet<string>,
): FieldNeeds {
  const fields = new Set<string>()
  for (const cell of cornersOf({ parameters, settings }, axes)) {
    const needs = fieldNeeds(needsOf(market, available, cell.parameters, cell.settings))
    if (!needs.ok) return needs
    for (const field of needs.fields) fields.add(field)
  }
  return { ok: true, fields }
}

const fieldNeeds = (needs: ReturnType<typeof needsOf>): FieldNeeds => (needs.ok ? { ok: true, fields: needs.needs.fields } : needs)

/** Union of what the rules of a run read. */
function fieldsOfRules(rules: readonly Parameters[], settings: Settings, market: Market, available: ReadonlySet<string>): FieldNeeds {
  const fields = new Set<string>()
  for (const rule of rules) {
    const needs = fieldNeeds(needsOf(market, available, rule, settings))
    if (!needs.ok) return needs
    for (const field of needs.fields) fields.add(field)
  }
  return { ok: true, fields }
}

function fieldsOfRefs(refs: readonly string[], market: Market, available: ReadonlySet<string>): FieldNeeds {
  const made = expressionsOf(refs, market, available)
  return made.ok ? { ok: true, fields: fieldsRead(made.expressions, available) } : made
}

function expressionsOf(
  refs: readonly string[],
  market: Market,
  available: ReadonlySet<string>,
): { ok: true; expressions: Expression[] } | RejectedWork {
  const names = namesOf(market, available)
  const expressions: Expression[] = []
  for (const ref of refs) {
    const compiled = compileRef(ref, names)
    if (!compiled.ok) return compiled
    expressions.push(compiled.expression)
  }
  return { ok: true, expressions }
}

/** Columns of the store: of a derived field those that it is made of. */
function fieldsRead(expressions: readonly Expression[], available: ReadonlySet<string>): Set<string> {
  return new Set(['close', ...expressions.flatMap(({ needs }) => [...needs.fields].flatMap((key) => storedFor(key, available)))])
}
