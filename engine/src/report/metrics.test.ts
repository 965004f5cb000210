import { describe, expect, it } from 'vitest'
import { drawdownList } from './drawdowns.ts'
import { metricMeta } from './metric-meta.ts'
import { type Course, metricsOf } from './metrics.ts'
import { kurtosis, quantile, skewness } from './moments.ts'
import { periodsOf } from './periods.ts'

const course = (r: number[], b: number[] | null, first = 1): Course => {
  const grow = (x: number[]) => {
    let value = 1
    return x.map((change) => (value *= 1 + change))
  }
  return {
    dates: r.map((_, i) => `2024-01-${String(first + i).padStart(2, '0')}`),
    nav: grow(r),
    bench: b && grow(b),
    turnover: r.map(() => 0.1),
    holdCount: r.map(() => 10),
    trades: 4,
    fees: 12.5,
    holdingDays: [3, 5],
  }
}

describe('metrics of the golden vector', () => {
  const r = [0.01, -0.02, 0.015, 0, 0.03, -0.01, 0.005, -0.005, 0.02, 0]
  const b = [0.005, -0.01, 0.01, 0.002, 0.012, -0.004, 0.001, -0.006, 0.01, -0.001]
  const m = metricsOf(course(r, b), 1)

  it.each([
    ['total_return', 0.0449011936],
    ['annual_return', 1.8948125852],
    ['sharpe', 4.728604],
    ['sortino', 9.165619],
    ['max_drawdown', -0.02],
    ['calmar', 94.740629],
    ['win_rate', 0.5],
    ['profit_loss_ratio', 1.371429],
    ['beta', 1.934202],
    ['alpha', 0.199654],
    ['tracking_error', 0.123191],
    ['information_ratio', 5.107505],
    ['turnover', 0.1],
    ['turnover_annual', 24.2],
    ['avg_holding_days', 4],
  ] as const)('%s', (key, expected) => {
    expect(m[key]).toBeCloseTo(expected, 6)
  })

  it('has a definition for every number', () => {
    const numbers = Object.keys(m).filter(
      (key) => !['days', 'start_date', 'end_date', 'max_drawdown_start', 'max_drawdown_end'].includes(key),
    )
    expect(numbers.filter((key) => !(key in metricMeta))).toEqual([])
  })

  it('never annualises fewer than 20 days', () => {
    const short = metricsOf(course(r, b))
    expect([short.annual_return, short.sharpe, short.volatility, short.excess_annual, short.alpha]).toEqual([null, null, null, null, null])
    expect(short.total_return).toBeCloseTo(0.0449011936, 9)
  })

  it('a curve that never falls has a drawdown of 0, no dates and no Calmar', () => {
    const flat = metricsOf(course(new Array(25).fill(0.001), null))
    expect([flat.max_drawdown, flat.max_drawdown_start, flat.calmar, flat.beta]).toEqual([0, null, null, null])
  })
})

describe('drawdowns', () => {
  it('counts the starting capital as a high, and leaves the last one open', () => {
    const nav = [0.95, 0.9, 1.0, 1.2, 1.1, 1.15, 1.0]
    const dates = nav.map((_, i) => `2024-03-0${i + 1}`)
    expect(drawdownList(dates, nav, null)).toEqual([
      { peak: '2024-03-04', trough: '2024-03-07', end: null, depth: 1 / 1.2 - 1, down_days: 3, recover_days: null, bench_return: null },
      { peak: '2024-03-01', trough: '2024-03-02', end: '2024-03-03', depth: 0.9 - 1, down_days: 1, recover_days: 1, bench_return: null },
    ])
  })
})

describe('periods', () => {
  it('multiply to the total return, and know the partial ones', () => {
    const dates = ['2022-11-15', '2022-12-30', '2023-01-03', '2023-06-30', '2023-12-29', '2024-01-02']
    const nav = [1.01, 1.05, 1.02, 1.1, 1.2, 1.19]
    const c = { dates, nav, bench: [1, 1.01, 1.02, 1.0, 1.05, 1.06], turnover: [0.5, 0, 0.1, 0.2, 0, 0] }
    for (const span of ['year', 'month', 'week'] as const) {
      const product = periodsOf(c, span).reduce((x, row) => x * (1 + (row.nav_return ?? 0)), 1)
      expect(product).toBeCloseTo(1.19, 12)
    }
    expect(periodsOf(c, 'year').map((row) => [row.period, row.partial, row.turnover])).toEqual([
      ['2022', true, 0.5],
      ['2023', false, expect.closeTo(0.3, 12)],
      ['2024', true, 0],
    ])
  })

  it('names weeks by ISO 8601', () => {
    const dates = ['2020-12-31', '2021-01-04', '2023-01-02', '2024-12-30']
    const c = { dates, nav: [1, 1, 1, 1], bench: null, turnover: [0, 0, 0, 0] }
    expect(periodsOf(c, 'week').map((row) => row.period)).toEqual(['2020-W53', '2021-W01', '2023-W01', '2025-W01'])
  })
})

describe('moments as pandas has them', () => {
  const x = [3, 1, 4, 1, 5, 9, 2, 6, 5]
  it('skew, kurt and quantile', () => {
    expect(skewness(x)).toBeCloseTo(0.659829, 6)
    expect(kurtosis(x)).toBeCloseTo(0.261023, 6)
    expect(quantile(x, 0.05)).toBeCloseTo(1, 12)
    expect(quantile(x, 0.9)).toBeCloseTo(6.6, 12)
  })
})
