import type { FactorMeta, FactorRef, factorScopes, SecurityFactors } from '@convexa/contract'
import { rangeRefusal } from '../base/problem.ts'
import { compileRef, type Expression, evaluate, evaluateAll, type Names, namesOf, type Problem } from '../expression/index.ts'
import { rankRow, rankScratch } from '../kernels/index.ts'
import type { FactorDefinition, Field, Market, StatementItem } from '../market/market.ts'
import { placesByCode } from '../panel/codes.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { type Newest, panelOf } from '../panel-views/recent.ts'
import { panelFor, resolveFactor } from './compiled-screen.ts'
import type { ResolvedFactor } from './resolved-factor.ts'

type Scope = (typeof factorScopes)[number]

const inScope: Readonly<Record<Scope, (meta: FactorMeta) => boolean>> = {
  all: () => true,
  base: (meta) => meta.factor_type === 0,
  custom: (meta) => meta.factor_type === 1,
  history: (meta) => meta.factor_type === 2,
  call: (meta) => meta.factor_type === 3,
  stock: (meta) => meta.category === '正股',
}

/**
 * Built-in factors of a scope: the market's fields, its derived factors and its report items, each key once (a column that the data
 * have wins over a formula). What the data cannot give is listed as not available, with what is missing.
 * A parametric key has `N` for its window: `bias_N` is asked for as `bias_20`.
 */
export function factorList(
  market: Market,
  available: ReadonlySet<string>,
  scope: Scope,
  coverageOf?: (key: string) => number | null,
  benchmarks?: ReadonlySet<string>,
): FactorMeta[] {
  const names = namesOf(market, available, benchmarks && { benchmarks })
  const derived = new Map(market.factors.map((factor) => [factor.key, factor]))
  const metas: FactorMeta[] = []
  for (const field of market.fields) {
    const formula = derived.get(field.key)
    if (formula && !names.fields.has(field.key)) continue
    const has = names.fields.has(field.key)
    metas.push({
      ...ofField(field),
      ...availability(has ? null : field.derived ? lackOf(field.key, names) : `当前数据没有「${field.label}」`),
      coverage: coverageOf?.(field.key) ?? null,
    })
  }
  for (const factor of market.factors) {
    if (names.fields.has(factor.key)) continue
    const sample = factor.window ? factor.key.replace(/(^|_)N(?=_|$)/, `$1${factor.window.default}`) : factor.key
    metas.push({ ...ofFactor(factor), ...availability(lackOf(sample, names)), coverage: coverageOf?.(sample) ?? null })
  }
  for (const item of market.reportItems ?? []) {
    const has = available.has(item.key)
    metas.push({ ...ofItem(item), ...availability(has ? null : lackedField(item.label)), coverage: coverageOf?.(item.key) ?? null })
  }
  return metas.filter(inScope[scope])
}

/** The values of some factors for all securities listed on a day; values[column][code index]. Enumerations are their indices. */
export function crossSection(
  panel: Panel,
  market: Market,
  refs: readonly FactorRef[],
  day: number,
): { ok: true; columns: string[]; codes: string[]; values: (number | null)[][] } | { ok: false; problem: Problem } {
  if (!(day >= 0 && day < panel.dates.length)) {
    return { ok: false, problem: rangeRefusal(panel.dates[0], panel.dates[panel.dates.length - 1]) }
  }
  const names = namesOf(market, availableIn(panel, market.fields))
  const factors: ResolvedFactor[] = []
  for (const ref of refs) {
    const made = resolveFactor(market, names, ref)
    if (!made.ok) return made
    factors.push(made.factor)
  }
  const full = panelFor(
    panel,
    factors.map(({ expression }) => expression),
  )
  const listed = listedOn(panel, day)
  const values = factors.map(({ expression }) => {
    const column = evaluate(expression, full, [day])
    return listed.map((i) => (column[i] === column[i] ? column[i] : null))
  })
  return { ok: true, columns: [...refs], codes: listed.map((i) => panel.securities[i].code), values }
}

/**
 * One security's factors on the newest day with their place among all listed that day: `percentile` 0 = smallest … 1 = largest,
 * `rank` 1 = best in the factor's own direction. Parametric factors have their default window, dear ones are left out. Null when the code is unknown.
 */
export function securityFactors(newest: Newest, market: Market, code: string): Omit<SecurityFactors, 'data_time'> | null {
  const { dates, securities } = newest.recent
  const at = placesByCode(securities).get(code) ?? -1
  if (at < 0 || dates.length === 0) return null
  const names = namesOf(market, availableIn(newest.recent, market.fields))
  const count = securities.length
  const scratch = rankScratch(count)
  const ranks = new Float64Array(count)
  const values: SecurityFactors['values'] = []
  const factors = everyFactor(market, newest.recent).flatMap(({ ref, prefer }) => {
    const made = resolveFactor(market, names, ref)
    return made.ok && !isDear(made.factor.expression, newest.whole) ? [{ prefer, ...made.factor }] : []
  })
  const columns = onNewestDay(
    newest,
    factors.map(({ expression }) => expression),
  )
  for (const { ref, prefer, expression, values: texts } of factors) {
    const column = columns.get(expression.text) as Float64Array
    const population = rankRow(column, 0, count, null, ranks, scratch)
    const value = column[at]
    const present = value === value
    const ascending = ranks[at]
    values.push({
      factor_key: ref,
      value: present ? (texts?.[value] ?? value) : null,
      percentile: present ? (population > 1 ? (ascending - 1) / (population - 1) : 1) : null,
      rank: present ? (prefer === 'small' ? ascending : population + 1 - ascending) : null,
      population,
    })
  }
  return { code: securities[at].code, name: securities[at].name, trade_date: dates[dates.length - 1], values }
}

/** The shares of the securities listed on the newest day that have a value of each factor; null where it has none to tell, or is dear. */
export function coverageOf(newest: Newest, market: Market, refs: readonly FactorRef[]): Map<FactorRef, number | null> {
  const { recent, whole } = newest
  const names = namesOf(market, availableIn(recent, market.fields))
  const listed = listedOn(recent, recent.dates.length - 1)
  const found = new Map(
    refs.flatMap((ref) => {
      const made = resolveFactor(market, names, ref)
      return made.ok && listed.length > 0 && !isDear(made.factor.expression, whole) ? [[ref, made.factor.expression] as const] : []
    }),
  )
  const columns = onNewestDay(newest, [...found.values()])
  const shareOf = (ref: FactorRef): number | null => {
    const column = columns.get(found.get(ref)?.text ?? '')
    return column ? listed.filter((i) => column[i] === column[i]).length / listed.length : null
  }
  return new Map(refs.map((ref) => [ref, shareOf(ref)]))
}

/** Built-in factors of a scope with their coverage on the newest day. */
export function coveredFactors(newest: Newest, market: Market, available: ReadonlySet<string>, scope: Scope): FactorMeta[] {
  const benchmarks = new Set(newest.recent.benchmarks.keys())
  const refs: FactorRef[] = []
  factorList(
    market,
    available,
    'all',
    (ref) => {
      refs.push(ref)
      return null
    },
    benchmarks,
  )
  const shares = coverageOf(newest, market, refs)
  return factorList(market, available, scope, (ref) => shares.get(ref) ?? null, benchmarks)
}

// Each security whose factors are looked at is asked for all of them, and so is the list of factors: they are of one day and one market.
const newestColumns = new WeakMap<Panel, Map<string, Float64Array>>()
const mostColumns = 512

/** Columns of the newest day by the texts of expressions. What is not known yet is computed together, so that they share their parts. */
function onNewestDay(newest: Newest, expressions: readonly Expression[]): ReadonlyMap<string, Float64Array> {
  const known = newestColumns.get(newest.recent) ?? new Map<string, Float64Array>()
  newestColumns.set(newest.recent, known)
  const missing = new Map(expressions.filter(({ text }) => !known.has(text)).map((expression) => [expression.text, expression]))
  if (known.size + missing.size > mostColumns) known.clear()
  for (const panel of new Set([newest.recent, newest.whole])) {
    const own = [...missing.values()].filter((expression) => panelOf(newest, expression) === panel)
    if (own.length === 0) continue
    const columns = evaluateAll(own, panelFor(panel, own), [panel.dates.length - 1])
    for (const [k, { text }] of own.entries()) known.set(text, columns[k])
  }
  return known
}

/** Values of all days for one day's answer: what counts from the listing on is left out of lists where the data are long. */
const mostHistory = 60_000_000

function isDear({ historyCost }: Expression, { dates, securities }: Panel): boolean {
  return historyCost * dates.length * securities.length > mostHistory
}

/** Built-in factors that the data can give, parametric ones with their default window, then the user's own. */
function everyFactor(market: Market, panel: Panel): { ref: FactorRef; prefer: 'small' | 'large' }[] {
  const builtIn = factorList(market, availableIn(panel, market.fields), 'all', undefined, new Set(panel.benchmarks.keys())).filter(
    (meta) => meta.available,
  )
  return [
    ...builtIn.map(({ factor_key: key, window, prefer_default: prefer }) => ({
      ref: window ? key.replace(/(^|_)N(?=_|$)/, `$1${window.default}`) : key,
      prefer,
    })),
    ...[...(market.custom?.values() ?? [])].map(({ key, prefer = 'large' }) => ({ ref: key, prefer })),
  ]
}

/** A security's values of some factors from a day on, oldest first. The code is known. */
export function securityHistory(
  panel: Panel,
  market: Market,
  code: string,
  refs: readonly FactorRef[],
  from: number,
): { ok: true; history: NonNullable<SecurityFactors['history']> } | { ok: false; problem: Problem } {
  const at = placesByCode(panel.securities).get(code) ?? -1
  const names = namesOf(market, availableIn(panel, market.fields))
  const days = panel.dates.map((_, day) => day).slice(from)
  const series: NonNullable<SecurityFactors['history']>['series'] = {}
  for (const ref of refs) {
    const made = resolveFactor(market, names, ref)
    if (!made.ok) return made
    const { expression } = made.factor
    const column = evaluate(expression, panelFor(panel, [expression]), days)
    series[ref] = days.map((_, k) => {
      const value = column[k * panel.stride + at]
      return value === value ? value : null
    })
  }
  return { ok: true, history: { dates: days.map((day) => panel.dates[day]), series } }
}

function listedOn(panel: Panel, day: number): number[] {
  return panel.securities.flatMap((_, i) => (panel.listed[day * panel.stride + i] === 1 ? [i] : []))
}

function ofField(field: Field): Omit<FactorMeta, 'available' | 'coverage'> {
  return {
    factor_key: field.key,
    factor_name: field.label,
    factor_type: field.category === '强赎' ? 3 : 0,
    category: field.category,
    unit: field.unit,
    decimals: field.decimals,
    prefer_default: field.prefer,
    realtime: field.realtime ?? true,
    description: field.description,
    ...(field.values ? { values: [...field.values] } : {}),
  }
}

function ofFactor(factor: FactorDefinition): Omit<FactorMeta, 'available' | 'coverage'> {
  return {
    factor_key: factor.key,
    factor_name: factor.label,
    factor_type: factor.type,
    category: factor.category,
    unit: factor.unit,
    decimals: factor.decimals,
    prefer_default: factor.prefer,
    realtime: factor.realtime,
    ...(factor.window ? { window: { ...factor.window } } : {}),
    description: factor.description,
    formula: factor.formula,
  }
}

function ofItem({ key, label, unit, description }: StatementItem): Omit<FactorMeta, 'available' | 'coverage'> {
  return {
    factor_key: key,
    factor_name: label,
    factor_type: 0,
    category: '财报科目',
    unit,
    decimals: unit === null || unit === '户' ? 0 : 4,
    prefer_default: 'large',
    realtime: false,
    description: `${description}；最新已公告报告期`,
  }
}

/** What the data lack for a factor, in words; null when it can be computed. */
function lackOf(ref: string, names: Names): string | null {
  const compiled = compileRef(ref, names)
  if (compiled.ok) return null
  const { missing, part, message } = compiled.problem
  if (missing === undefined) return message
  const label = (key: string) => `「${names.missing?.get(key)?.label ?? key}」`
  return `当前数据没有${label(missing)}${part === undefined ? '' : `，也没有计算它所需的${label(part)}`}`
}

function lackedField(label: string): string {
  return `当前数据没有「${label}」`
}

function availability(lack: string | null): { available: boolean; reason?: string } {
  return lack === null ? { available: true } : { available: false, reason: lack }
}
