import type { FactorProbe, FactorRef } from '@convexa/contract'
import { lastUpTo } from '../base/calendar.ts'
import { rangeRefusal } from '../base/problem.ts'
import { formulaOf } from '../expression/compile.ts'
import { type Expression, evaluate, type Names, namesOf, type Problem } from '../expression/index.ts'
import { type FormulaNode, nodesOf } from '../expression/nodes.ts'
import { pairOf, spearman } from '../kernels/correlation.ts'
import type { Market } from '../market/market.ts'
import { placesByCode } from '../panel/codes.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { panelFor, resolveFactor } from './compiled-screen.ts'
import { listColumns } from './list-columns.ts'
import { priceLevels } from './price-levels.ts'
import { priceNotesOf } from './price-notes.ts'

export interface FactorPreviewRequest {
  readonly factor: FactorRef
  /** Securities whose values and series are wanted, with the formula's parts if it is only one. The values of all when absent. */
  readonly codes?: readonly string[] | undefined
  /** The last trading day on or before it; the newest when absent. */
  readonly date?: string | undefined
  /** Trading days of the series, the day itself included. */
  readonly span?: number | undefined
}

/**
 * Preview of a factor on one day (试算): values, their distribution, securities without one, correlated factors, and the parts of a value.
 * Its column is made of the days up to that one alone: no formula can name a later one.
 */
export function previewFactor(
  panel: Panel,
  market: Market,
  { factor: ref, codes, date, span = 0 }: FactorPreviewRequest,
): { ok: true; preview: Omit<FactorProbe, 'elapsed_ms'> } | { ok: false; problem: Problem } {
  const { dates, securities, stride } = panel
  const day = date === undefined ? dates.length - 1 : lastUpTo(dates, date)
  if (day < 0 || (date !== undefined && date > dates[dates.length - 1]))
    return { ok: false, problem: rangeRefusal(dates[0], dates[dates.length - 1]) }
  const names = namesOf(market, availableIn(panel, market.fields))
  const made = resolveFactor(market, names, ref)
  if (!made.ok) return made
  const { expression } = made.factor
  const places = placesByCode(securities)
  const wanted = codes?.flatMap((code) => places.get(code) ?? [])
  const from = wanted ? Math.max(0, day + 1 - Math.max(1, span)) : day
  const days = dates.map((_, t) => t).slice(from, day + 1)
  const column = evaluate(expression, panelFor(panel, [expression]), days)
  const today = column.subarray((days.length - 1) * stride, days.length * stride)
  const listed = securities.flatMap((_, i) => (panel.listed[day * stride + i] === 1 ? [i] : []))
  const present = listed.filter((i) => today[i] === today[i]).sort((a, b) => today[a] - today[b] || a - b)
  const sorted = Float64Array.from(present, (i) => today[i])
  const ranked = (i: number) => ({ code: securities[i].code, name: securities[i].name, value: today[i] })
  const one = wanted?.length === 1 ? wanted[0] : undefined
  return {
    ok: true,
    preview: {
      formula: expression.formula,
      ok: true,
      trade_date: dates[day],
      values: (wanted ?? listed).map((i): [string, number | null] => [securities[i].code, finiteOrNull(today[i])]),
      ...(wanted && span > 0 ? { series: seriesOf(panel, column, days, wanted) } : {}),
      ...(one === undefined ? {} : { nodes: valuesOfNodes(panel, market, names, textOf(ref, names), one, day) }),
      coverage: listed.length > 0 ? present.length / listed.length : null,
      missing: listed
        .filter((i) => today[i] !== today[i])
        .map((i) => securities[i].code)
        .slice(0, mostMissing),
      histogram: histogram(sorted),
      quantiles: sorted.length > 0 ? shares.map((share) => ({ share, value: quantile(sorted, share) })) : [],
      top: present.slice(-mostRanked).reverse().map(ranked),
      bottom: present.slice(0, mostRanked).map(ranked),
      correlation: correlations(panel, market, expression, today, day),
      lookahead: false,
      warnings: [
        ...unknown(codes ?? [], places),
        ...remarks(sorted, listed.length),
        ...priceNotesOf(made.factor, priceLevels(panel, market)(made.factor)),
      ],
    },
  }
}

/** Expressions that a preview reads besides the factor itself. */
export function previewColumns(market: Market, available: ReadonlySet<string>): Expression[] {
  return commonFactors(market, available).map(({ expression }) => expression)
}

const mostMissing = 500
const mostRanked = 10
const bins = 30
const shares = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1]
const extreme = 1e6

/** The market's own columns that are numbers. */
function commonFactors(market: Market, available: ReadonlySet<string>) {
  return listColumns(market, available).filter(({ values }) => values === null)
}

/** The text whose parts are shown: of a formula, of an own factor, or the name itself. */
function textOf(ref: FactorRef, names: Names): string {
  return formulaOf(ref) ?? names.custom?.get(ref.trim())?.formula ?? ref
}

function valuesOfNodes(panel: Panel, market: Market, names: Names, text: string, i: number, day: number): FactorProbe['nodes'] {
  return nodesOf(text, names).map((node: FormulaNode) => {
    const { pos, text: part, expression, literal } = node
    if (!expression) return { pos, text: part, value: literal }
    const value = evaluate(expression, panelFor(panel, [expression]), [day])[i]
    const texts = market.fields.find(({ key }) => key === expression.text)?.values
    return { pos, text: part, value: texts?.[value] ?? finiteOrNull(value) }
  })
}

function seriesOf({ dates, securities, stride }: Panel, column: Float64Array, days: readonly number[], wanted: readonly number[]) {
  const values = wanted.map((i): [string, (number | null)[]] => [
    securities[i].code,
    days.map((_, k) => finiteOrNull(column[k * stride + i])),
  ])
  return { dates: days.map((t) => dates[t]), values: Object.fromEntries(values) }
}

function histogram(sorted: Float64Array): FactorProbe['histogram'] {
  const { length } = sorted
  if (length === 0) return { edges: [], counts: [] }
  const [low, high] = [sorted[0], sorted[length - 1]]
  if (low === high) return { edges: [low, high], counts: [length] }
  const counts = Array<number>(bins).fill(0)
  for (const value of sorted) counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))]++
  return { edges: Array.from({ length: bins + 1 }, (_, k) => low + ((high - low) * k) / bins), counts }
}

/** Between neighbours in proportion. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below)
}

/** Rank correlation with the market's columns among those that have both, the strongest first. */
function correlations(panel: Panel, market: Market, own: Expression, today: Float64Array, day: number): FactorProbe['correlation'] {
  const count = panel.securities.length
  const pair = pairOf(count)
  return commonFactors(market, availableIn(panel, market.fields))
    .filter(({ expression }) => expression.text !== own.text)
    .flatMap(({ ref, expression }) => {
      const other = evaluate(expression, panelFor(panel, [expression]), [day])
      const value = spearman(today.subarray(0, count), other.subarray(0, count), pair)
      return value === value ? [{ factor_key: ref, value }] : []
    })
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
}

function unknown(codes: readonly string[], places: ReadonlyMap<string, number>): string[] {
  const missing = codes.filter((code) => !places.has(code))
  return missing.length > 0 ? [`不在当前行情数据中：${missing.slice(0, 5).join('、')}`] : []
}

function remarks(sorted: Float64Array, listed: number): string[] {
  const { length } = sorted
  if (length === 0) return ['当日没有任何证券有值']
  const large = sorted.filter((value) => Math.abs(value) > extreme).length
  return [
    ...(sorted[0] === sorted[length - 1] ? ['当日取值全部相同，没有区分度'] : []),
    ...(large > 0 ? [`有 ${large} 只的绝对值超过 100 万，请检查单位或除数`] : []),
    ...(length < listed / 2 ? ['超过一半的证券没有值'] : []),
  ]
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
