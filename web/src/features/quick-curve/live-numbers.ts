import type { QuickBacktestResult } from '@convexa/contract/grid'

/** Trading days a year, of all figures (api.md 0.1). */
const yearDays = 242
/** Fewest days for an annualized rate. */
const leastDays = 20

/** The five numbers that are read beside a curve; `turnover` in times a year. */
export interface LiveNumbers {
  annual: number | null
  drawdown: number | null
  sharpe: number | null
  turnover: number | null
  recent: number | null
}

type Series = readonly (number | null)[]
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Metrics of a quick run, and of its benchmark over the same days, as defined in a report. */
export function numbersOf({ metrics, curves }: QuickBacktestResult): { strategy: LiveNumbers; bench: LiveNumbers } {
  return {
    strategy: {
      annual: metrics.annual_return,
      drawdown: metrics.max_drawdown,
      sharpe: metrics.sharpe,
      turnover: metrics.turnover === null ? null : metrics.turnover * yearDays,
      recent: recentYear(curves.nav),
    },
    bench: ofSeries(curves.bench),
  }
}

/** The return of the last 242 days; null of a shorter run. */
export function recentYear(nav: Series): number | null {
  const days = nav.length
  if (days < yearDays) return null
  const last = nav[days - 1]
  const before = days > yearDays ? nav[days - 1 - yearDays] : 1
  return last == null || before == null ? null : finite(last / before - 1)
}

function ofSeries(nav: Series): LiveNumbers {
  const none: LiveNumbers = { annual: null, drawdown: null, sharpe: null, turnover: null, recent: recentYear(nav) }
  const values = nav.filter((value) => value !== null)
  const days = values.length
  if (days < leastDays) return none
  let [peak, worst, before, sum, squares] = [1, 0, 1, 0, 0]
  for (const value of values) {
    peak = Math.max(peak, value)
    worst = Math.min(worst, value / peak - 1)
    const change = value / before - 1
    sum += change
    squares += change * change
    before = value
  }
  const mean = sum / days
  const spread = Math.sqrt((squares - days * mean * mean) / (days - 1))
  return {
    ...none,
    annual: finite(before ** (yearDays / days) - 1),
    drawdown: worst,
    sharpe: finite((mean / spread) * Math.sqrt(yearDays)),
  }
}

/** Round values for an axis: at most `most` steps that hold all of the range. */
export function ticksOf(low: number, high: number, most: number): number[] {
  const rough = Math.max(1e-6, high - low) / most
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * size >= rough) ?? 10) * size
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(10)))
}

/** Decimals that say every tick of an axis as it is, two at least: a narrow one would have the same label twice. */
export const decimalsOf = (ticks: readonly number[]): number =>
  [2, 3, 4].find((digits) => ticks.every((value) => Number(value.toFixed(digits)) === value)) ?? 5

/** A curve in pieces without a gap: over days that have no value nothing is drawn. */
export function piecesOf(series: Series): { from: number; values: number[] }[] {
  const pieces: { from: number; values: number[] }[] = []
  for (const [index, value] of series.entries()) {
    if (value === null) continue
    if (index > 0 && series[index - 1] !== null) pieces.at(-1)?.values.push(value)
    else pieces.push({ from: index, values: [value] })
  }
  return pieces
}
