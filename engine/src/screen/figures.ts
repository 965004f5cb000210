import type { MarketFigures } from '@convexa/contract'
import { type Expression, evaluate } from '../expression/index.ts'
import type { Names } from '../expression/names.ts'
import type { Figure, Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { panelFor, resolveFactor } from './compiled-screen.ts'

type Item = MarketFigures['items'][number]

/** The market's figures that the data can give, each with what computes it. */
export function figuresOf(market: Market, names: Names): { figure: Figure; expression: Expression }[] {
  return market.figures.flatMap((figure) => {
    const made = resolveFactor(market, names, figure.of)
    return made.ok ? [{ figure, expression: made.factor.expression }] : []
  })
}

/** A day in few numbers: the market series named, then statistics of factors over those that traded; `history`: each on so many days up to it too. */
export function marketFigures(
  panel: Panel,
  market: Market,
  names: Names,
  series: readonly { readonly code: string; readonly name: string }[],
  day: number,
  history = 0,
): Item[] {
  const first = Math.max(0, day + 1 - Math.max(2, history))
  const days = Array.from({ length: day + 1 - first }, (_, i) => first + i)
  const shown = (values: Iterable<number>) => (history > 0 ? { history: Array.from(values, finiteOrNull).slice(-history) } : {})
  const levels = series.flatMap(({ code, name }): Item[] => {
    const closes = panel.benchmarks.get(code)
    if (!closes) return []
    const [before, now] = [day > 0 ? closes[day - 1] : Number.NaN, closes[day]]
    const level = { key: code, label: name, value: finiteOrNull(now), change: finiteOrNull(now / before - 1), unit: '点' }
    return [{ ...level, ...shown(closes.subarray(first, day + 1)) }]
  })
  const statistics = figuresOf(market, names).map(({ figure, expression }): Item => {
    const column = evaluate(expression, panelFor(panel, [expression]), days)
    const values = days.map((t, k) => statistic(figure.as, tradedValues(panel, column, t, k)))
    const now = values[values.length - 1]
    const before = values.length > 1 ? values[values.length - 2] : Number.NaN
    const { key, label, unit } = figure
    return {
      key,
      label,
      value: finiteOrNull(now),
      change: finiteOrNull(unit === null ? now - before : now / before - 1),
      unit,
      ...shown(values),
    }
  })
  return [...levels, ...statistics]
}

/** Ascending. */
function tradedValues(panel: Panel, column: Float64Array, day: number, row: number): Float64Array {
  const values: number[] = []
  for (let i = 0; i < panel.securities.length; i++) {
    const value = column[row * panel.stride + i]
    if (panel.traded[day * panel.stride + i] === 1 && value === value) values.push(value)
  }
  return Float64Array.from(values).sort()
}

function statistic(as: Figure['as'], values: Float64Array): number {
  const { length } = values
  if (length === 0) return Number.NaN
  if (as === 'median') return (values[(length - 1) >> 1] + values[length >> 1]) / 2
  const sum = values.reduce((total, value) => total + value, 0)
  return as === 'sum' ? sum : sum / length
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
