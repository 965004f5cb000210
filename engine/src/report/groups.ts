import type { Report } from '@convexa/contract'
import { compileRef, evaluate, namesOf } from '../expression/index.ts'
import type { Grouping, Market } from '../market/market.ts'
import { areAdjusted } from '../market/price-limits.ts'
import { textOn, textsOf } from '../panel/dated.ts'
import type { Panel, Security } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { panelFor } from '../screen/compiled-screen.ts'
import type { Ledger } from '../simulation/ledger.ts'
import type { DayGain } from './daily-contribution.ts'

const unknown = '未知'

/** What a run earned, sorted in ways of the market: shares of the starting capital, of each way they sum to the total return. */
export function groupsOf(
  gains: readonly (readonly DayGain[])[],
  { capital, first }: Pick<Ledger, 'capital' | 'first'>,
  panel: Panel,
  market: Market,
): Report['by_group'] {
  return market.groupings.flatMap((grouping) => {
    const keyOf = keysOf(grouping, panel, market, first, gains.length)
    if (keyOf === null) return []
    const shares = new Map<string, number>()
    gains.forEach((day, k) => {
      for (const { security, value } of day) {
        const key = keyOf(security, first + k)
        shares.set(key, (shares.get(key) ?? 0) + value / capital)
      }
    })
    const { dimension } = grouping
    const label = 'of' in grouping && grouping.of === 'close' && areAdjusted(panel, market) ? `${grouping.label}（复权价）` : grouping.label
    return [...shares].sort(inOrder(grouping)).map(([key, share]) => ({ dimension, label, key, share }))
  })
}

/** Fields that the groupings read, where the data have them: they refine a report, none is needed. */
export function groupingFields(market: Market, available: ReadonlySet<string>): string[] {
  const names = namesOf(market, available)
  return market.groupings.flatMap((grouping) => {
    if (!('of' in grouping)) return []
    const compiled = compileRef(grouping.of, names)
    return compiled.ok ? [...compiled.expression.needs.fields] : []
  })
}

/** The group of a security on a day: by where its number stood at the close before, or that day when it was not listed then. */
function keysOf(
  grouping: Grouping,
  panel: Panel,
  market: Market,
  first: number,
  days: number,
): ((security: number, t: number) => string) | null {
  if ('attributes' in grouping) {
    const { securities, dates } = panel
    const textAt = (security: number, date: string) => {
      for (const key of grouping.attributes) {
        const text = textOn(securities[security], key, date)
        if (text) return text
      }
      return unknown
    }
    if (!securities.some((one) => grouping.attributes.some((key) => textsOf(one, key).length > 0))) return null
    // Few were ever another: the text of those who were not is looked up once.
    const changes = ({ dated }: Security) =>
      grouping.attributes.some((key) => dated?.[key]?.some(({ from, to }) => from !== null || to !== null))
    const always = securities.map((security, i) => (changes(security) ? null : textAt(i, '')))
    return (security, t) => {
      const text = always[security] ?? textAt(security, dates[Math.max(0, t - 1)])
      return text === unknown ? textAt(security, dates[t]) : text
    }
  }
  const column = columnOf(grouping.of, panel, market, first, days)
  if (column === null) return null
  const { from, cells } = column
  const name = nameOf(grouping, market)
  return (security, t) => {
    const before = t > from ? cells[(t - 1 - from) * panel.stride + security] : Number.NaN
    return name(before === before ? before : cells[(t - from) * panel.stride + security])
  }
}

/** The numbers of a factor from the day before the run on; null where the data do not have it. */
function columnOf(ref: string, panel: Panel, market: Market, first: number, days: number): { from: number; cells: Float64Array } | null {
  const stored = panel.columns.get(ref)
  if (stored) return { from: 0, cells: stored }
  const compiled = compileRef(ref, namesOf(market, availableIn(panel, market.fields)))
  if (!compiled.ok) return null
  const from = Math.max(0, first - 1)
  const wanted = Array.from({ length: first + days - from }, (_, k) => from + k)
  return { from, cells: evaluate(compiled.expression, panelFor(panel, [compiled.expression]), wanted) }
}

function nameOf(grouping: Extract<Grouping, { of: string }>, market: Market): (value: number) => string {
  const { edges } = grouping
  if (!edges) {
    const values = market.fields.find(({ key }) => key === grouping.of)?.values ?? []
    return (value) => values[value] ?? unknown
  }
  const names = bandNames(grouping)
  return (value) => {
    if (value !== value) return unknown
    let band = 0
    while (band < edges.length && value >= edges[band]) band++
    return names[band]
  }
}

/** 「< 100」「100 – 110」…「≥ 150」; fractions as percentages. */
function bandNames({ edges = [], percent }: Extract<Grouping, { of: string }>): string[] {
  const text = (edge: number) => (percent ? `${Math.round(edge * 1000) / 10}%` : String(edge))
  return [
    `< ${text(edges[0])}`,
    ...edges.slice(1).map((edge, k) => `${text(edges[k])} – ${text(edge)}`),
    `≥ ${text(edges[edges.length - 1])}`,
  ]
}

/** Bands and ratings in their own order, texts by what they brought; what is not known last. */
function inOrder(grouping: Grouping): (a: [string, number], b: [string, number]) => number {
  const order = 'of' in grouping && grouping.edges ? bandNames(grouping) : null
  const last = (key: string) => Number(key === unknown)
  return ([a, x], [b, y]) => last(a) - last(b) || (order ? order.indexOf(a) - order.indexOf(b) : y - x) || (a < b ? -1 : 1)
}
