import type { Parameters, ScreenResult, ScreenRow } from '@convexa/contract'
import { exitsOf } from '../backtest/exits.ts'
import { evaluate, type Problem } from '../expression/index.ts'
import { rankScratch } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import { listColumns } from '../panel/needs.ts'
import type { Panel } from '../panel/panel.ts'
import { rangeRefusal } from '../problem.ts'
import { conditionRules } from './conditions.ts'
import { bestFirst } from './order.ts'
import { expressionsOf, panelFor, placesOf, type Recipe, recipeOf } from './recipe.ts'
import { rowMaker, type ValueColumn } from './rows.ts'
import { Scorer } from './score.ts'
import { select } from './select.ts'
import { universeRules } from './universe.ts'

export interface ScreenRequest {
  readonly parameters: Parameters
  /** Index of the day in the panel's dates. */
  readonly day: number
  /** Codes held now, for `change` and the buffer. */
  readonly previous?: readonly string[]
  /** Parts to answer; absent = all. */
  readonly need?: readonly ('list' | 'reserve' | 'excluded' | 'funnel')[]
}

export type ScreenOutcome = { ok: true; result: Omit<ScreenResult, 'data_time' | 'realtime'> } | { ok: false; problem: Problem }

/** How many of the next best are listed as reserves. */
const reserves = 20

/**
 * Universe, exclusions, conditions and ranking on one day → rows, best first.
 *
 * The rows are the whole ranking; of `previous` those that left the pool follow it without a rank. A last day is known from
 * its announcement on. Fields the request needs and the panel lacks are a problem that names them.
 */
export function screen(panel: Panel, market: Market, request: ScreenRequest): ScreenOutcome {
  const { parameters, day } = request
  const available = new Set(panel.columns.keys())
  const made = recipeOf(market, available, parameters, 'screen')
  if (!made.ok) return made
  if (!(day >= 0 && day < panel.dates.length)) {
    return { ok: false, problem: rangeRefusal(panel.dates[0], panel.dates[panel.dates.length - 1]) }
  }
  const { recipe } = made
  const wants = (part: 'list' | 'reserve' | 'excluded' | 'funnel') => request.need === undefined || request.need.includes(part)

  const listed = listColumns(market, available)
  const full = panelFor(panel, [...expressionsOf(recipe), ...listed.map(({ expression }) => expression)])
  const count = panel.securities.length
  const exits = exitsOf(panel, market, 'last_day_close', true)
  const { rules: universe, warnings } = universeRules(full, market, parameters, exits.leave)
  const scorer = new Scorer(full, recipe, [...universe, ...conditionRules(recipe, count)], true)
  scorer.load(Int32Array.of(day))
  scorer.score(0)
  warnings.push(...withoutData(scorer, recipe, count))

  const order = new Int32Array(count)
  bestFirst(scorer.cost, count, order, rankScratch(count))
  const places = new Int32Array(count)
  for (let p = 0; p < scorer.size; p++) places[order[p]] = p + 1
  const previous = indicesOf(panel, request.previous ?? [])
  warnings.push(...unknownCodes(panel, request.previous ?? []))
  const selection = selectToday(recipe, panel, scorer.size, order, places, previous)

  const columns = valueColumns(full, day, recipe, scorer, listed)
  const row = rowMaker({ panel: full, day, recipe, scorer, columns, places, selection, previous, compared: request.previous !== undefined })
  const chosen = new Set(selection)
  const waiting: number[] = []
  const { first } = placesOf(recipe.holdRange, scorer.size)
  for (let p = first - 1; p < scorer.size && waiting.length < reserves; p++) if (!chosen.has(order[p])) waiting.push(order[p])
  const reserve = new Set(waiting)
  const list: ScreenRow[] = []
  if (wants('list')) {
    for (let p = 0; p < scorer.size; p++) list.push(row(order[p], reserve.has(order[p])))
    for (const i of previous) if (places[i] === 0) list.push(row(i, false))
  }
  return {
    ok: true,
    result: {
      trade_date: panel.dates[day],
      data_mode: panel.dataMode,
      data_version: panel.dataVersion,
      total: scorer.size,
      selected: selection.length,
      list_items: list,
      ...(wants('reserve') ? { reserve_items: waiting.map((i) => row(i, true)) } : {}),
      ...(wants('excluded') ? { excluded: excludedOf(panel, recipe, scorer) } : {}),
      funnel: wants('funnel') ? funnelOf(scorer, count, selection.length) : [],
      warnings,
    },
  }
}

function indicesOf(panel: Panel, codes: readonly string[]): number[] {
  if (codes.length === 0) return []
  const wanted = new Set(codes)
  return panel.securities.flatMap(({ code }, i) => (wanted.has(code) ? [i] : []))
}

function unknownCodes(panel: Panel, codes: readonly string[]): string[] {
  if (codes.length === 0) return []
  const known = new Set(panel.securities.map(({ code }) => code))
  const unknown = codes.filter((code) => !known.has(code))
  if (unknown.length === 0) return []
  return [`名单中有 ${unknown.length} 个代码不在当前行情数据中：${unknown.slice(0, 3).join('、')}${unknown.length > 3 ? ' 等' : ''}`]
}

function selectToday(recipe: Recipe, panel: Panel, size: number, order: Int32Array, places: Int32Array, held: readonly number[]): number[] {
  const { hold_method: hold, universe } = recipe.parameters
  const issuers = [...new Set(panel.securities.map(({ issuer }) => issuer))]
  const numbers = new Map(issuers.map((issuer, n) => [issuer, n]))
  return select(
    { size, at: (place) => order[place - 1], place: (i) => places[i], nearPlace: (i) => places[i] },
    {
      ...placesOf(recipe.holdRange, size),
      buffer: hold.hold_threshold,
      perIssuer: universe.max_per_issuer ?? 0,
      issuer: Int32Array.from(panel.securities, ({ issuer }) => numbers.get(issuer) as number),
      emptySlot: hold.empty_slot,
    },
    held,
    () => false,
    () => true,
  )
}

/** The factors of the request, then the market's own columns, each once. */
function valueColumns(panel: Panel, day: number, recipe: Recipe, scorer: Scorer, listed: ReturnType<typeof listColumns>): ValueColumn[] {
  const columns = new Map<string, ValueColumn>()
  for (const { factor } of [...recipe.filters, ...recipe.ranks]) {
    columns.set(factor.ref, { ref: factor.ref, values: factor.values, ...scorer.values(factor, 0) })
  }
  for (const { ref, expression, values } of listed) {
    if (!columns.has(ref)) columns.set(ref, { ref, values, column: evaluate(expression, panel, [day]), offset: 0 })
  }
  return [...columns.values()]
}

function withoutData(scorer: Scorer, recipe: Recipe, count: number): string[] {
  return [...recipe.filters, ...recipe.ranks].flatMap(({ factor }) => {
    const { column, offset } = scorer.values(factor, 0)
    for (let i = 0; i < count; i++) if (column[offset + i] === column[offset + i]) return []
    return [`当日没有「${factor.label}」的数据`]
  })
}

/** `rule_index` is the place of the rule's step in the funnel. */
function excludedOf(panel: Panel, recipe: Recipe, scorer: Scorer): NonNullable<ScreenResult['excluded']> {
  const { fail, rules } = scorer
  const factors = new Map(recipe.filters.map(({ factor, index }) => [`filter.${index}`, factor]))
  const out: NonNullable<ScreenResult['excluded']> = []
  panel.securities.forEach(({ code, name }, i) => {
    if (fail[i] <= leading) return
    const rule = rules[fail[i] - 1]
    const factor = factors.get(rule.key)
    const told = factor ? scorer.values(factor, 0) : null
    const value = told ? told.column[told.offset + i] : Number.NaN
    const text = factor?.values?.[value]
    out.push({ code, name, rule: rule.label, rule_index: fail[i] - 1 - leading, value: text ?? (value === value ? value : null) })
  })
  return out
}

/** Rules before those of the request: who is not listed that day is not part of the market, so nothing excludes it. */
const leading = 1

/** How many of the listed remain after each rule, and how many are selected in the end. */
function funnelOf(scorer: Scorer, count: number, selected: number): ScreenResult['funnel'] {
  const failed = new Int32Array(scorer.rules.length)
  for (let i = 0; i < count; i++) if (scorer.fail[i] > 0) failed[scorer.fail[i] - 1]++
  let left = count - failed[0]
  const steps = scorer.rules.slice(leading).map(({ key, label }, r) => {
    const before = left
    left -= failed[r + leading]
    return { step: key, label, before, after: left }
  })
  return [...steps, { step: 'select', label: '入选', before: left, after: selected }]
}
