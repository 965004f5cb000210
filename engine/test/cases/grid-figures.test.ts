import type { GridAxis, GridBody } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { cellAt } from '../../src/grid/axes.ts'
import { grid, markets, quickBacktest } from '../../src/index.ts'
import { deflatedSharpe } from '../../src/report/robustness/luck.ts'
import { overfittingOf } from '../../src/report/robustness/overfitting.ts'
import { blockSums } from '../../src/report/robustness/split-sums.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'
import { correlation, deviation, mean, places, sampleMoments } from '../oracles/naive-statistics.ts'

// What a grid says of its cells, once more from the runs that they are.

const year = 242
const panel = randomMarket('cb', { seed: 16, days: 560, securities: 40, from: '2021-01-04' })
const request = {
  parameters: parameters({ rank_factors: [rankBy('dblow')], hold_method: { hold_range_end: 5 } }),
  settings: settings(panel.dates[4] as string, panel.dates[550] as string, { benchmark: 'cb_ew' }),
}
const axes: GridAxis[] = [
  { path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [3, 6, 9] },
  { path: 'parameters.rebalance_method.rebalance_value', label: '轮动周期', values: [2, 5, 15] },
]
function resultOf(oos?: GridBody['oos']) {
  const steps = grid(panel, markets.cb, request, axes, oos)
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return step.value.result
}

const part = 0.25
const whole = resultOf({ type: 'ratio', value: part })
const navs = whole.cells.map(({ index }) => {
  const made = cellAt(request, axes, index)
  if (!made) throw new Error('no cell')
  return reportOf(panel, markets.cb, made).report.curves.nav as number[]
})
const days = (navs[0] as number[]).length
const cut = Math.floor(days * (1 - part))
/** Returns of the days `from` up to `to`, the first against the day before or the capital. */
const returnsOf = (nav: readonly number[], from: number, to: number) =>
  nav.slice(from, to).map((value, k) => value / (nav[from + k - 1] ?? 1) - 1)
const sharpe = (returns: readonly number[]) => (mean(returns) / deviation(returns)) * Math.sqrt(year)
const inside = navs.map((nav) => sharpe(returnsOf(nav, 0, cut)))
const outside = navs.map((nav) => sharpe(returnsOf(nav, cut, days)))
const beside = (k: number) =>
  whole.cells.flatMap(({ index }, other) => {
    const [a, b] = [whole.cells[k]?.index as number[], index]
    return a.every((at, axis) => Math.abs(at - (b[axis] as number)) <= 1) ? [inside[other] as number] : []
  })

describe('a grid says of its cells', () => {
  it.each(['inside', 'outside'] as const)('what their runs say, %s the sample', (where) => {
    for (const [k, cell] of whole.cells.entries()) {
      const nav = navs[k] as number[]
      const [from, to] = where === 'inside' ? [0, cut] : [cut, days]
      const returns = returnsOf(nav, from, to)
      const told = where === 'inside' ? cell.metrics : cell.oos_metrics
      const total = returns.reduce((value, one) => value * (1 + one), 1) - 1
      const annual = (1 + total) ** (year / returns.length) - 1
      let [most, worst] = [1, 0]
      for (const value of nav.slice(from, to)) {
        most = Math.max(most, value / (nav[from - 1] ?? 1))
        worst = Math.min(worst, value / (nav[from - 1] ?? 1) / most - 1)
      }
      expect(told?.total_return).toBeCloseTo(total, 10)
      expect(told?.annual_return).toBeCloseTo(annual, 10)
      expect(told?.sharpe).toBeCloseTo(sharpe(returns), 8)
      expect(told?.max_drawdown).toBeCloseTo(worst, 10)
      expect(told?.calmar).toBeCloseTo(annual / Math.abs(worst), 8)
      expect(told?.win_rate).toBeCloseTo(returns.filter((one) => one > 0).length / returns.length, 12)
    }
  })

  it('whether their order inside is that outside', () =>
    expect(whole.oos_rank_correlation).toBeCloseTo(correlation(places(inside), places(outside)), 12))

  it('how each does beside those around it, corners too', () => {
    for (const [k, { index, neighbour_std: told }] of whole.stability.entries()) {
      expect(index).toEqual(whole.cells[k]?.index)
      expect(told).toBeCloseTo(deviation(beside(k)) / Math.abs(inside[k] as number), 8)
    }
  })

  it('which is best, and which hang together with the best neighbourhood at four fifths of its top', () => {
    expect(whole.best?.index).toEqual(whole.cells[inside.indexOf(Math.max(...inside))]?.index)
    const around = inside.map((_, k) => mean(beside(k)))
    const centre = around.indexOf(Math.max(...around))
    const least = 0.8 * Math.max(...beside(centre))
    const place = (k: number) => whole.cells[k]?.index as number[]
    const region = new Set([centre])
    for (let before = 0; before !== region.size; ) {
      before = region.size
      for (const [k, value] of inside.entries()) {
        const touches = [...region].some((own) => place(own).every((at, axis) => Math.abs(at - (place(k)[axis] as number)) <= 1))
        if (touches && value >= least) region.add(k)
      }
    }
    const members = [...region].sort((a, b) => a - b)
    expect(whole.plateau.cells).toEqual(members.map(place))
    const span = axes.map(({ label, values }, axis) => {
      const along = members.map((k) => values[place(k)[axis] as number] as number)
      const [low, high] = [Math.min(...along), Math.max(...along)]
      return low === high ? `${label} ${low}` : `${label} ${low} – ${high}`
    })
    const own = members.map((k) => inside[k] as number)
    expect(whole.plateau.sentence).toContain(
      `平台区：${span.join(' × ')}，夏普 ${Math.min(...own).toFixed(2)} – ${Math.max(...own).toFixed(2)}`,
    )
    expect(whole.plateau.sentence.includes('不在平台上')).toBe(!region.has(inside.indexOf(Math.max(...inside))))
  })

  it('what of the best is luck, over all days', () => {
    const returns = navs.map((nav) => returnsOf(nav, 0, days))
    const best = returns[inside.indexOf(Math.max(...inside))] as number[]
    const perDay = returns.map((own) => mean(own) / deviation(own))
    const { skew, kurt } = sampleMoments(best)
    const figures = { sharpe: mean(best) / deviation(best), periods: days, skew, kurtosis: kurt + 3 }
    expect(whole.robustness.dsr).toBeCloseTo(deflatedSharpe(figures, 9, deviation(perDay)), 8)
    const sums = returns.map((own) => blockSums(own))
    expect(whole.robustness.pbo).toBe(overfittingOf(sums, days)?.probability)
  })

  it('of every training which was best in it, and what it did in the year after', () => {
    const { folds = [] } = resultOf({ type: 'walk_forward', value: 1 })
    const dates = reportOf(panel, markets.cb, request).report.curves.dates
    expect(folds.map(({ train_start }) => train_start)).toEqual([dates[0], dates[year]])
    for (const [n, fold] of folds.entries()) {
      const [from, to] = [n * year, Math.min(days, (n + 2) * year)]
      const middle = from + year
      const trained = navs.map((nav) => sharpe(nav.slice(from, middle).map((value, k) => value / (nav[from + k - 1] ?? 1) - 1)))
      const best = trained.indexOf(Math.max(...trained))
      expect(fold).toMatchObject({ train_end: dates[middle - 1], test_start: dates[middle], test_end: dates[to - 1] })
      expect(fold.best).toEqual(whole.cells[best]?.index)
      expect(fold.train_sharpe).toBeCloseTo(trained[best] as number, 8)
      expect(fold.test_sharpe).toBeCloseTo(sharpe(returnsOf(navs[best] as number[], middle, to)), 8)
    }
  })
})

it.each(['cb', 'stk'] as const)('a quick run of %s is the ideal run of its request, realistic as it may have been asked', (kind) => {
  const market = randomMarket(kind, { seed: 61, days: 200, securities: 40, from: '2022-01-04' })
  const asked = {
    parameters: parameters({
      rank_factors: [rankBy('close')],
      hold_method: { hold_range_end: 5 },
      rebalance_method: { rebalance_type: 0, rebalance_value: 5 },
    }),
    settings: settings(market.dates[0] as string, market.dates[199] as string, { benchmark: `${kind}_ew`, execution: 'realistic' }),
  }
  const quick = quickBacktest(market, markets[kind], asked)
  const of = (execution: 'ideal' | 'realistic') =>
    reportOf(market, markets[kind], { ...asked, settings: { ...asked.settings, execution } }).report.curves
  expect(quick.ok && quick.result.curves).toEqual({ dates: of('ideal').dates, nav: of('ideal').nav, bench: of('ideal').bench })
  expect(quick.ok && quick.result.curves.nav).not.toEqual(of('realistic').nav)
})
