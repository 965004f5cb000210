import { describe, expect, it } from 'vitest'
import { drawdownsOf } from './drawdowns.ts'
import { metricMeta } from './metric-meta.ts'
import { metricsOf, ratios, relativeRatios, returnsOf } from './metrics.ts'
import { kurtosis, quantile, skewness } from './moments.ts'
import { periodsOf } from './periods.ts'

const r = Float64Array.of(0.01, -0.02, 0.015, 0, 0.03, -0.01, 0.005, -0.005, 0.02, 0)
const b = Float64Array.of(0.005, -0.01, 0.01, 0.002, 0.012, -0.004, 0.001, -0.006, 0.01, -0.001)

const compound = (returns: Float64Array) => {
  let value = 1
  return returns.map((each) => (value *= 1 + each))
}
const days = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `2024-${String(1 + Math.floor(i / 28)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')}`,
  )
const performance = (returns: Float64Array, bench: Float64Array) => ({
  dates: days(returns.length),
  nav: compound(returns),
  bench: compound(bench),
  monthWinRate: null,
  run: null,
})

describe('the golden vector of domain.md 5.9', () => {
  const own = ratios(r)
  const relative = relativeRatios(r, b)
  it.each([
    ['total', own.total, 0.0449011936, 10],
    ['annual', own.annual, 1.8948125852, 10],
    ['Sharpe', own.sharpe, 4.728604, 6],
    ['Sortino', own.sortino, 9.165619, 6],
    ['maximum drawdown', drawdownsOf(compound(r)).worst?.depth, -0.02, 10],
    ['Calmar', own.annual / 0.02, 94.740629, 6],
    ['win rate', own.winRate, 0.5, 10],
    ['profit to loss', own.profitLoss, 1.371429, 6],
    ['benchmark total', ratios(b).total, 0.0189139928, 10],
    ['beta', relative.beta, 1.934202, 6],
    ['alpha', relative.alpha, 0.199654, 6],
    ['tracking error', relative.trackingError, 0.123191, 6],
    ['information ratio', relative.informationRatio, 5.107505, 6],
  ] as const)('%s', (_, value, expected, decimals) => {
    expect(value).toBeCloseTo(expected, decimals)
  })

  // numpy / scipy with the definitions of the metric notes
  it.each([
    ['var95', own.var95, -0.0155],
    ['cvar95', own.cvar95, -0.02],
    ['worst day', own.worstDay, -0.02],
  ] as const)('%s', (_, value, expected) => {
    expect(value).toBeCloseTo(expected, 12)
  })
})

describe('short and flat runs', () => {
  it('below 20 days annual values are not told, the others are', () => {
    const short = metricsOf(performance(r, b))
    for (const key of ['annual_return', 'volatility', 'sharpe', 'sortino', 'calmar', 'excess_annual', 'alpha', 'tracking_error'] as const) {
      expect([key, short[key]]).toEqual([key, null])
    }
    expect(short.total_return).toBeCloseTo(0.0449011936, 10)
    expect(short.beta).toBeCloseTo(1.934202, 6)
    expect(short.days).toBe(10)
  })

  it('from 20 days they are', () => {
    const twice = metricsOf(performance(Float64Array.of(...r, ...r), Float64Array.of(...b, ...b)))
    expect(twice.annual_return).toBeCloseTo(1.8948125852, 9)
    expect(twice.sharpe).not.toBeNull()
  })

  it('a net value that never moves has no ratios and no drawdown, not zeros and infinities', () => {
    const flat = metricsOf(performance(new Float64Array(30), b.length ? Float64Array.of(...b, ...b, ...b) : b))
    expect(flat).toMatchObject({
      total_return: 0,
      sharpe: null,
      sortino: null,
      calmar: null,
      profit_loss_ratio: null,
      max_drawdown: 0,
      max_drawdown_start: null,
    })
    expect(flat.win_rate).toBe(0)
  })

  it('a run without a losing day has no ratio to losses, rather than an endless one', () => {
    const up = Float64Array.from({ length: 60 }, (_, k) => 0.001 + (k % 3) / 10_000)
    const { sortino, calmar, profit_loss_ratio, annual_return } = metricsOf(performance(up, up))
    expect([sortino, calmar, profit_loss_ratio]).toEqual([null, null, null])
    // Counted in trading days, 242 a year, whatever the calendar says.
    expect(annual_return).toBeCloseTo(up.reduce((value, each) => value * (1 + each), 1) ** (242 / 60) - 1, 10)
  })

  it('recent_1y is the last 242 days, null before', () => {
    const up = new Float64Array(300).fill(0.001)
    expect(metricsOf(performance(up, up)).recent_1y).toBeCloseTo(1.001 ** 242 - 1, 10)
    expect(metricsOf(performance(up.subarray(0, 242), up.subarray(0, 242))).recent_1y).toBeCloseTo(1.001 ** 242 - 1, 10)
    expect(metricsOf(performance(up.subarray(0, 241), up.subarray(0, 241))).recent_1y).toBeNull()
  })
})

describe('drawdowns', () => {
  it('starts from the capital, tells each fall and its recovery', () => {
    const nav = [0.9, 0.95, 1, 1.2, 1.1, 0.6, 1.3, 1.25]
    const { falls, worst, longest } = drawdownsOf(nav)
    expect(falls.map(({ peak, trough, recovered }) => [peak, trough, recovered])).toEqual([
      [-1, 0, 2],
      [3, 5, 6],
      [6, 7, -1],
    ])
    expect(worst?.depth).toBeCloseTo(-0.5, 12)
    expect(longest).toBe(3)
  })

  it('returns multiply back to the net value', () => {
    const nav = Float64Array.of(0.9, 0.95, 1, 1.2)
    expect(compound(returnsOf(nav))[3]).toBeCloseTo(1.2, 12)
  })
})

describe('moments as pandas has them', () => {
  const x = [3, 1, 4, 1, 5, 9, 2, 6, 5]
  it('skew, kurt and quantile', () => {
    expect(skewness(x)).toBeCloseTo(0.659829, 6)
    expect(kurtosis(x)).toBeCloseTo(0.261023, 6)
    expect(quantile(x, 0.05)).toBeCloseTo(1, 12)
    expect(quantile(x, 0.9)).toBeCloseTo(6.6, 12)
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
  })
})

it('every number has its definition', () => {
  const places = ['start_date', 'end_date', 'max_drawdown_start', 'max_drawdown_end']
  const numbers = Object.keys(metricsOf(performance(r, b))).filter((key) => !places.includes(key))
  expect(numbers.filter((key) => !(key in metricMeta))).toEqual([])
})

describe('periods', () => {
  const dates = ['2022-11-15', '2022-12-30', '2023-01-03', '2023-06-30', '2023-12-29', '2024-01-02']
  const nav = Float64Array.of(1.01, 1.05, 1.02, 1.1, 1.2, 1.19)
  const bench = Float64Array.of(1, 1.01, 1.02, 1, 1.05, 1.06)
  const turnover = Float64Array.of(0.5, 0, 0.1, 0.2, 0, 0)
  const of = (unit: 'year' | 'month', before: string | null = '2022-11-14', after: string | null = '2024-01-03') =>
    periodsOf({ dates, nav, bench, turnover, before, after }, unit)

  it('multiply to the total', () => {
    for (const unit of ['year', 'month'] as const) {
      expect(of(unit).reduce((value, row) => value * (1 + (row.nav_return as number)), 1)).toBeCloseTo(1.19, 12)
      expect(of(unit).reduce((value, row) => value * (1 + (row.bench_return as number)), 1)).toBeCloseTo(1.06, 12)
    }
  })

  it('know their turnover, their months won and which are partial', () => {
    expect(of('year').map(({ period, partial, win_rate }) => [period, partial, win_rate])).toEqual([
      ['2022', true, 1],
      ['2023', false, 2 / 3],
      ['2024', true, 0],
    ])
    expect(of('year').map((row) => row.turnover)).toEqual([0.5, expect.closeTo(0.3, 12), 0])
    expect(of('month').map(({ period, partial }) => `${period}${partial ? '*' : ''}`)).toEqual([
      '2022-11*',
      '2022-12',
      '2023-01',
      '2023-06',
      '2023-12',
      '2024-01*',
    ])
  })

  it('are whole where the data end with the period', () => {
    const whole = (first: string, last: string) =>
      periodsOf({ dates: [first, last], nav: nav.slice(0, 2), bench: bench.slice(0, 2), turnover, before: null, after: null }, 'year').map(
        (row) => row.partial,
      )
    expect(whole('2022-01-03', '2022-12-30')).toEqual([false])
    expect(whole('2022-01-04', '2022-12-30')).toEqual([true])
    expect(whole('2022-01-03', '2022-12-29')).toEqual([true])
  })
})
