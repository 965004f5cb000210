import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { histogram } from '../../src/report/distribution.ts'
import { judged } from '../../src/report/robustness/judged.ts'
import { judgedWithGrid } from '../../src/report/robustness/robustness.ts'
import { rollingOf } from '../../src/report/rolling.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'

const days = 330

describe.each(['cb', 'stk'] as const)('what a report says beyond its metrics, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 23, days, securities: 30, from: '2022-01-04' })
  const request = (own: Parameters<typeof settings>[2]) => ({
    parameters: parameters({
      rank_factors: [rankBy(kind === 'cb' ? 'dblow' : 'total_mv')],
      hold_method: { hold_range_end: 5, hold_threshold: 1 },
      rebalance_method: { rebalance_type: 0, rebalance_value: 5 },
    }),
    settings: settings(panel.dates[5] as string, panel.dates[days - 5] as string, {
      benchmark: `${kind}_ew`,
      execution: 'realistic',
      capital: 20,
      adjust: 'raw',
      call_handling: 't_minus_1_close',
      ...own,
    }),
    trials: { count: 12 },
  })
  const base = request({ cost: { buy_rate: 0.002, sell_rate: 0.002 } })
  const { report } = reportOf(panel, markets[kind], base)
  const nav = report.curves.nav as number[]

  it('what each security added sums to the net value, day by day', () => {
    const { codes, days: rows } = report.daily_contribution
    let value = 1
    rows.forEach((row, k) => {
      expect(row.date).toBe(report.curves.dates[k])
      expect(row.code_index.every((index) => codes[index] !== undefined)).toBe(true)
      value += row.value.reduce((sum, one) => sum + one, 0)
      expect(Math.abs(value - (nav[k] as number))).toBeLessThan(1e-9)
    })
    const whole = new Map<string, number>()
    for (const row of rows) {
      row.code_index.forEach((index, k) => {
        const code = codes[index] as string
        whole.set(code, (whole.get(code) ?? 0) + (row.value[k] as number))
      })
    }
    for (const { code, share } of report.contributions) expect(whole.get(code) ?? 0).toBeCloseTo(share, 6)
  })

  it('every way of sorting what was earned sums to the total return', () => {
    const dimensions = [...new Set(report.by_group.map(({ dimension }) => dimension))]
    expect(dimensions).toEqual(
      kind === 'cb' ? ['industry', 'rating', 'price', 'premium', 'size'] : ['industry', 'size', 'price', 'valuation'],
    )
    for (const dimension of dimensions) {
      const shares = report.by_group.filter((row) => row.dimension === dimension).map(({ share }) => share)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(report.metrics.total_return as number, 10)
    }
  })

  it('what was earned before a change of industry is of the industry before', () => {
    const turn = panel.dates[150] as string
    const dated = {
      industry_1: [
        { from: null, to: turn, text: '旧业' },
        { from: turn, to: null, text: '新业' },
      ],
    }
    const changed = reportOf({ ...panel, securities: panel.securities.map((one) => ({ ...one, dated })) }, markets[kind], base).report
    const shares = new Map(changed.by_group.flatMap(({ dimension, key, share }) => (dimension === 'industry' ? [[key, share]] : [])))
    // What the day of the change brought, the old one did.
    expect(shares.get('旧业')).toBeCloseTo((nav[145] as number) - 1, 10)
    expect(shares.get('新业')).toBeCloseTo((nav.at(-1) as number) - (nav[145] as number), 10)
  })

  it('weeks multiply to the whole', () => {
    expect(report.weekly.reduce((value, row) => value * (1 + (row.nav_return as number)), 1)).toBeCloseTo(nav.at(-1) as number, 10)
    expect(report.weekly[1]?.period).toMatch(/^2022-W\d\d$/)
  })

  it('rolling figures are those of their windows, looked at one by one', () => {
    const bench = report.curves.bench as number[]
    const returns = (values: number[]) => values.map((value, day) => value / (day === 0 ? 1 : (values[day - 1] as number)) - 1)
    const [own, its] = [returns(nav), returns(bench)]
    expect(report.rolling.map(({ window }) => window)).toEqual([60, 120, 250])
    for (const { window, dates, return_, sharpe, volatility, beta, correlation } of report.rolling) {
      for (const k of [0, 7, dates.length - 1]) {
        const end = k + window
        const [x, y] = [own.slice(k, end), its.slice(k, end)]
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        const covariance = (a: number[], b: number[]) =>
          a.reduce((sum, value, i) => sum + (value - mean(a)) * ((b[i] as number) - mean(b)), 0) / (window - 1)
        expect(dates[k]).toBe(report.curves.dates[end - 1])
        expect(return_[k]).toBeCloseTo((nav[end - 1] as number) / (k === 0 ? 1 : (nav[k - 1] as number)) - 1, 5)
        expect(sharpe[k]).toBeCloseTo((mean(x) / Math.sqrt(covariance(x, x))) * Math.sqrt(242), 5)
        expect(volatility[k]).toBeCloseTo(Math.sqrt(covariance(x, x) * 242), 5)
        expect(beta[k]).toBeCloseTo(covariance(x, y) / covariance(y, y), 5)
        expect(correlation[k]).toBeCloseTo(covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y)), 5)
      }
    }
  })

  it('every day and month is in one bar', () => {
    const { daily, monthly, best, worst } = report.distribution
    expect(daily.counts.reduce((sum, count) => sum + count, 0)).toBe(report.metrics.days)
    expect(monthly.counts.reduce((sum, count) => sum + count, 0)).toBe(report.monthly.length)
    expect(daily.edges).toContain(0)
    expect(best).toHaveLength(10)
    expect(worst[0]?.return_).toBeCloseTo(report.metrics.worst_day as number, 6)
  })

  it('its own costs and its own capital are points of the sweeps', () => {
    const rates = report.cost_sweep.map(({ rate }) => rate)
    expect(rates).toEqual([0, 0.0005, 0.001, 0.002, 0.003, 0.005])
    for (const key of ['annual_return', 'sharpe', 'max_drawdown'] as const)
      expect(report.cost_sweep.find(({ rate }) => rate === 0.002)?.[key]).toBeCloseTo(report.metrics[key] as number, 12)
    // And any other rate is a run of its own.
    const dear = reportOf(panel, markets[kind], request({ cost: { buy_rate: 0.005, sell_rate: 0.005 } })).report.metrics
    for (const key of ['annual_return', 'sharpe', 'max_drawdown'] as const)
      expect(report.cost_sweep.at(-1)?.[key]).toBeCloseTo(dear[key] as number, 12)
    const own = report.capacity.find(({ capital }) => capital === 20)
    expect(own?.annual_return).toBeCloseTo(report.metrics.annual_return as number, 12)
    expect(report.capacity.map(({ capital }) => capital)).toEqual([10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000])
    for (const { fill_rate: rate } of report.capacity) {
      expect(rate).toBeGreaterThan(0)
      expect(rate).toBeLessThanOrEqual(1)
    }
    expect(report.capacity.at(-1)?.fill_rate).toBeLessThan(own?.fill_rate as number)
    expect(reportOf(panel, markets[kind], request({ execution: 'ideal', adjust: 'qfq' })).report.capacity).toEqual([])
  })

  it('the largest share of a turnover that was traded is that of its trades, and no more than a tenth', () => {
    const traded = new Map<string, number>()
    for (const { date, code, amount, reason } of report.trades) {
      if (['called', 'matured', 'delisted'].includes(reason)) continue
      traded.set(`${date} ${code}`, (traded.get(`${date} ${code}`) ?? 0) + amount)
    }
    const codes = panel.securities.map(({ code }) => code)
    const shares = [...traded].map(([key, amount]) => {
      const [date, code] = key.split(' ') as [string, string]
      return amount / ((panel.columns.get('amount')?.[panel.dates.indexOf(date) * panel.stride + codes.indexOf(code)] as number) * 10_000)
    })
    expect(report.peak_participation).toBeCloseTo(Math.max(...shares.filter((share) => share === share)), 6)
    expect(report.peak_participation).toBeLessThanOrEqual(0.1 + 1e-9)
    const unknown = { ...panel, columns: new Map([...panel.columns].filter(([key]) => key !== 'amount')) }
    expect(reportOf(unknown, markets[kind], base).report.peak_participation).toBeNull()
  })

  it('robustness is made of the run itself', () => {
    const { robustness } = report
    expect(robustness).toMatchObject({ trials: 12, family: kind === 'cb' ? '双低' : '总市值', pbo: null, neighbour_std: null })
    expect(robustness.checks.map(({ key }) => key)).toEqual(['luck', 'deflated', 'overfitting', 'out_of_sample', 'neighbours', 'extremes'])
    for (const { sentence } of robustness.checks) expect(sentence).not.toMatch(/NaN|undefined|null/)
    const best = [...report.contributions].sort((a, b) => b.pnl - a.pnl).slice(0, 5)
    const { codes, days: rows } = report.daily_contribution
    let value = 1
    rows.forEach((row, k) => {
      const before = k === 0 ? 1 : (nav[k - 1] as number)
      const dropped = row.value.reduce(
        (sum, one, j) => sum + (best.some(({ code }) => code === codes[row.code_index[j] as number]) ? one : 0),
        0,
      )
      value *= 1 + ((nav[k] as number) - before - dropped) / before
    })
    expect(robustness.drop_best5.annual_return).toBeCloseTo(value ** (242 / rows.length) - 1, 6)
    const month = [...report.monthly].sort((a, b) => (b.nav_return as number) - (a.nav_return as number))[0]
    const others = rows.flatMap(({ date }, k) => (date.startsWith(month?.period ?? '-') ? [] : [k]))
    const kept = others.reduce((product, k) => (product * (nav[k] as number)) / (k === 0 ? 1 : (nav[k - 1] as number)), 1)
    expect(robustness.drop_best_month.annual_return).toBeCloseTo(kept ** (242 / others.length) - 1, 6)
    expect(robustness.drop_best_month.annual_return).toBeLessThan(report.metrics.annual_return as number)
    expect(robustness.worst_year_dropped?.year).toMatch(/^202[23]$/)
    expect(robustness.bootstrap?.n).toBe(1_000)
  })

  it('its excess is that of its metrics, and its second answer counts its checks', () => {
    const { worth, metrics, curves, robustness } = report
    expect(worth).toMatchObject({ against: { key: `${kind}_ew` }, end_nav: nav.at(-1), end_ref: curves.bench.at(-1), n: 1_000 })
    expect(Math.abs((worth?.excess_annual as number) - (metrics.excess_annual as number))).toBeLessThan(1e-12)
    expect(robustness.judged).toBe(robustness.checks.filter(({ ok }) => ok !== null).length)
  })

  it('its check grid raises the bar of luck and fills what was missing', () => {
    const told = judgedWithGrid(report, { trials: 37, pbo: 0.45, neighbourStd: 0.08, sharpes: [0.2, 1, 1.4] })
    const of = (key: string) => told.checks.find((check) => check.key === key)
    expect(of('overfitting')).toMatchObject({ value: 0.45, ok: false })
    expect(of('neighbours')).toMatchObject({ value: 0.08, ok: true })
    expect(told).toMatchObject({ trials: 37, pbo: 0.45, neighbour_std: 0.08, bootstrap: report.robustness.bootstrap })
    expect(told.luck_threshold).toBeGreaterThan(report.robustness.luck_threshold as number)
    expect(told.dsr).toBeLessThan(report.robustness.dsr as number)
    expect(told.judged).toBe(6)
  })

  it('one that was stored before it had them is judged the same when it is read', () => {
    const { worth: _, ...stored } = structuredClone(report)
    stored.robustness = { ...stored.robustness, verdict: 'high', checks: [] }
    delete stored.robustness.judged
    delete stored.robustness.passed
    expect(judged(stored)).toEqual(report)
    const completed = { ...report.robustness, trials: 40 }
    expect(
      judged({ ...report, checks: { robustness: completed, grid: { axes: [], sharpe: [], best: null, own: [0, 0] } } }).robustness,
    ).toBe(completed)
  })
})

describe('bars of a histogram', () => {
  it('a value on an edge counts to the bar above, gains and losses never share one', () => {
    expect(histogram([-0.01, -0.001, 0, 0.004, 0.01], 0.005)).toEqual({
      edges: [-0.01, -0.005, 0, 0.005, 0.01, 0.015],
      counts: [1, 1, 2, 0, 1],
    })
  })
  it('are at most sixty', () => expect(histogram([-0.5, 0.5], 0.0025).counts.length).toBeLessThanOrEqual(60))
  it('of nothing are none', () => expect(histogram([], 0.01)).toEqual({ edges: [], counts: [] }))
})

it('days on which nothing moves have no Sharpe ratio and no correlation', () => {
  const dates = Array.from({ length: 60 }, (_, k) => `day ${k}`)
  const [row] = rollingOf(
    dates,
    new Float64Array(60).fill(1),
    Float64Array.from(dates, (_, k) => 1.001 ** (k + 1) + (k % 2) / 100),
  )
  expect(row).toMatchObject({ return_: [0], sharpe: [null], volatility: [0], correlation: [null] })
})
