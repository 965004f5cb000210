import { describe, expect, it } from 'vitest'
import { decimalsOf, numbersOf, piecesOf, recentYear, ticksOf } from './live-numbers.ts'

const metrics = { total_return: 0.1, annual_return: 0.12, max_drawdown: -0.2, sharpe: 1.1, calmar: 0.6, turnover: 0.05, win_rate: 0.5 }
const run = (nav: number[], bench: number[]) => ({
  metrics,
  curves: { dates: nav.map(String), nav, bench },
  warnings: [],
  data_version: 'v',
  elapsed_ms: 1,
})

describe('the five numbers of a quick run', () => {
  it('turnover is told by the year, the rest as the server says', () => {
    const { strategy } = numbersOf(run([1, 1.1], [1, 1]))
    expect(strategy).toMatchObject({ annual: 0.12, drawdown: -0.2, sharpe: 1.1, recent: null })
    expect(strategy.turnover).toBeCloseTo(12.1)
  })

  it('the benchmark falls from its highest day, counted from 1', () => {
    const bench = [0.9, ...Array.from({ length: 30 }, () => 1.2), 0.6, 0.9]
    const { bench: told } = numbersOf(run(bench, bench))
    expect(told.drawdown).toBeCloseTo(-0.5)
    expect(told.annual).toBeCloseTo(0.9 ** (242 / 33) - 1)
  })

  it('a benchmark of a few days has no yearly rate', () => {
    expect(numbersOf(run([1, 1], [1, 1.1])).bench).toMatchObject({ annual: null, sharpe: null })
  })

  it('the last year is 242 days, and needs as many', () => {
    const up = Array.from({ length: 300 }, (_, i) => 1.001 ** (i + 1))
    expect(recentYear(up)).toBeCloseTo(1.001 ** 242 - 1, 10)
    expect(recentYear(up.slice(0, 242))).toBeCloseTo(1.001 ** 242 - 1, 10)
    expect(recentYear(up.slice(0, 241))).toBeNull()
  })
})

it.each([
  [0.93, 1.47, 4, [0.8, 1, 1.2, 1.4, 1.6]],
  [0.98, 1.04, 3, [0.975, 1, 1.025, 1.05]],
  [1, 1, 4, [1]],
])('an axis from %f to %f', (low, high, most, ticks) => expect(ticksOf(low, high, most)).toEqual(ticks))

it.each([
  [[0.8, 1, 1.2], 2],
  [[0.975, 1, 1.025], 3],
  [[0.99, 0.995, 1, 1.005], 3],
  [[1, 1.0005, 1.001], 4],
])('the ticks %j have %d decimals', (ticks, decimals) => expect(decimalsOf(ticks)).toBe(decimals))

it('a curve has a gap where it has no value', () => {
  expect(piecesOf([null, 1, 2, null, null, 3, null, 4, 5])).toEqual([
    { from: 1, values: [1, 2] },
    { from: 5, values: [3] },
    { from: 7, values: [4, 5] },
  ])
  expect(piecesOf([null])).toEqual([])
})
