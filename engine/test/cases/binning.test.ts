import { type BinningBody, BinningResult } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { byEdges, byQuantile } from '../../src/binning/bins.ts'
import { halfLifeOf, informationOf } from '../../src/binning/information.ts'
import { binning, type Field, type Market, markets, type Panel } from '../../src/index.ts'
import { pairOf, pearson, spearman } from '../../src/kernels/correlation.ts'
import { rankScratch } from '../../src/kernels/index.ts'
import { parameters, rankBy } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'

// domain.md 6.2
const x = Float64Array.of(1, 2, 2, 2, 3, 4, 5, 5, 6, 7)
const f = Float64Array.of(0.03, 0.02, 0.01, 0, 0.015, -0.01, 0, -0.005, -0.02, -0.01)

describe('the golden vector', () => {
  it('correlations', () => {
    expect(pearson(x, f)).toBeCloseTo(-0.82724, 6)
    expect(spearman(x, f, pairOf(10))).toBeCloseTo(-0.839045, 6)
  })

  it('equal counts, ties split in the order of codes', () => {
    const bins = new Int8Array(10)
    byQuantile(5, rankScratch(10))(x, bins)
    expect([...bins].map((bin) => bin + 1)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  })
})

describe('bins', () => {
  it('fewer securities than bins are in none; who has no value neither', () => {
    const bins = new Int8Array(4)
    byQuantile(3, rankScratch(4))(Float64Array.of(1, Number.NaN, 2, Number.NaN), bins)
    expect([...bins]).toEqual([-1, -1, -1, -1])
    byQuantile(2, rankScratch(4))(Float64Array.of(5, Number.NaN, 2, 2), bins)
    expect([...bins]).toEqual([1, -1, 0, 1])
  })

  it('what lies beyond the outer edges is in the outer bins', () => {
    const bins = new Int8Array(5)
    byEdges([0, 1, 2])(Float64Array.of(-9, 0.5, 1, 99, Number.NaN), bins)
    expect([...bins]).toEqual([0, 0, 1, 1, -1])
  })
})

describe('what t counts', () => {
  it.each([
    ['every fifth of twelve dates, the first of all', 12, 5, 3],
    ['every fifth of ten', 10, 5, 2],
    ['fewer dates than a window is long: one', 12, 20, 1],
  ])('%s', (_, count, horizon, independent) => {
    const values = Array.from({ length: count }, (_, k) => 0.05 + 0.01 * (k % 3))
    const { t, icir } = informationOf(values.map(String), values, horizon)
    expect(t).toBeCloseTo((icir as number) * Math.sqrt(independent), 12)
  })
})

describe('half-life', () => {
  it.each([
    ['between two points', [0.1, 0.08, 0.04], 5 + ((0.08 - 0.05) / (0.08 - 0.04)) * 5],
    ['of a factor that is negative alike', [-0.1, -0.02], (5 * (0.1 - 0.05)) / (0.1 - 0.02)],
    ['a turned sign is gone', [0.1, -0.1], 2.5],
    ['never', [0.1, 0.09], null],
    ['of nothing', [0, 0], null],
  ] as const)('%s', (_, strengths, wanted) => {
    const found = halfLifeOf(strengths.map((strength, k) => ({ days: 5 * k, strength })))
    if (wanted === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(wanted, 12)
  })
})

const run = (panel: Panel, market: Market, body: BinningBody) => {
  const steps = binning(panel, market, body)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

describe.each(['cb', 'stk'] as const)('binning of a market, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 31, days: 200, securities: 60, from: '2022-01-04' })
  const [start, end] = [20, 180]
  const body = (over: Partial<BinningBody> = {}): BinningBody => ({
    factor: kind === 'cb' ? 'conv_prem' : 'pb',
    bins: 4,
    method: 'quantile',
    forward_days: [5, 1],
    rebalance_days: 10,
    weight: 'equal',
    neutralization: null,
    settings: { start_date: panel.dates[start] as string, end_date: panel.dates[end] as string, benchmark: `${kind}_ew` },
    pool_mode: 'all',
    ...over,
  })
  const outcome = run(panel, markets[kind], body())
  if (!outcome.ok) throw new Error(outcome.problem.message)
  const { result } = outcome

  it('has the shape of the contract', () => {
    expect(BinningResult.safeParse(result).error?.issues ?? []).toEqual([])
    expect(result.bins.map(({ label }) => label)).toEqual(['Q1', 'Q2', 'Q3', 'Q4'])
    expect(result.decay.map(({ days }) => days)).toEqual([1, 2, 3, 5, 10, 20, 60])
    expect(result.verdict).not.toMatch(/NaN|undefined|null/)
  })

  it('of how high adjusted prices of shares are is told, of moves and of bonds it is not', () => {
    const told = (factor: string) => {
      const made = run({ ...panel, adjust: 'qfq' }, markets[kind], body({ factor }))
      if (!made.ok) throw new Error(made.problem.message)
      return made.result.warnings.filter((text) => text.includes('用到价格的高低')).length
    }
    expect([told('close'), told('pct_chg_5')]).toEqual([kind === 'stk' ? 1 : 0, 0])
  })

  it('bins and their difference earn from the day after the first formation', () => {
    const days = result.curves.dates.length - 1
    const yearly = (nav: number[]) => (nav.at(-1) as number) ** (242 / days) - 1
    for (const [k, nav] of result.curves.series.entries()) expect(result.bins[k]?.annual_return).toBeCloseTo(yearly(nav), 12)
    expect(result.long_short?.annual_return).toBeCloseTo(yearly(result.curves.long_short), 12)
    expect(result.long_short?.days).toBe(days)
  })

  it('is what a slow look at every day says', () => {
    const { stride, columns, traded, listed } = panel
    const raw = columns.get('close') as Float64Array
    const factor = columns.get(body().factor) as Float64Array
    const adjusted = (t: number, i: number) => (raw[t * stride + i] as number) * (columns.get('adj_factor')?.[t * stride + i] ?? 1)
    const price = (t: number, i: number): number => {
      for (let at = t; at >= 0; at--) if (!Number.isNaN(adjusted(at, i))) return adjusted(at, i)
      return Number.NaN
    }
    const pool = (t: number) =>
      panel.securities.flatMap((_, i) => {
        const at = t * stride + i
        return listed[at] && traded[at] && !Number.isNaN(factor[at]) ? [{ i, x: factor[at] as number }] : []
      })
    const binned = (t: number) => {
      const members = pool(t).sort((a, b) => a.x - b.x || a.i - b.i)
      return members.map((one, k) => ({ ...one, bin: Math.ceil(((k + 1) * 4) / members.length) }))
    }
    const ranks = (values: number[]) =>
      values.map((v) => values.filter((o) => o < v).length + (values.filter((o) => o === v).length + 1) / 2)
    const correlation = (a: number[], b: number[]) => {
      const mean = (v: number[]) => v.reduce((s, one) => s + one, 0) / v.length
      const cov = (p: number[], q: number[]) => p.reduce((s, one, k) => s + (one - mean(p)) * ((q[k] as number) - mean(q)), 0)
      return cov(a, b) / Math.sqrt(cov(a, a) * cov(b, b))
    }
    const forward = (t: number, i: number) => price(t + 5, i) / price(t, i) - 1
    const days = Array.from({ length: end - start + 1 - 5 }, (_, k) => start + k)
    const daily = days.map((t) => {
      const members = binned(t)
      const returns = members.map(({ i }) => forward(t, i))
      return {
        rank: correlation(ranks(members.map((m) => m.x)), ranks(returns)),
        plain: correlation(
          members.map((m) => m.x),
          returns,
        ),
        first: members.flatMap((m, k) => (m.bin === 1 ? [returns[k] as number] : [])),
      }
    })
    expect(result.rank_ic.values).toHaveLength(daily.length)
    for (const [k, { rank, plain }] of daily.entries()) {
      expect(result.rank_ic.values[k]).toBeCloseTo(rank, 10)
      expect(result.ic.values[k]).toBeCloseTo(plain, 10)
    }
    const firstMeans = daily.map(({ first }) => first.reduce((s, r) => s + r, 0) / first.length)
    expect(result.bins[0]?.mean_forward).toBeCloseTo(firstMeans.reduce((s, r) => s + r, 0) / firstMeans.length, 12)

    // Curves: formed every ten days, held by units in between.
    let held: { i: number; at: number }[] = []
    let base = 1
    let nav = 1
    for (let t = start; t <= end; t++) {
      if (held.length > 0) nav = (base * held.reduce((s, { i, at }) => s + price(t, i) / at, 0)) / held.length
      expect(result.curves.series[2]?.[t - start]).toBeCloseTo(nav, 10)
      if ((t - start) % 10 !== 0) continue
      base = nav
      held = binned(t).flatMap((m) => (m.bin === 3 ? [{ i: m.i, at: price(t, m.i) }] : []))
    }
  })

  it('formed on another day is within the band, whose first phase is the result’s own', () => {
    const { band, curves } = result
    if (!band) throw new Error('no band')
    expect(band.offsets).toEqual([0, 1, 2, 3, 5, 6, 7, 8])
    for (const offset of band.offsets) {
      const later = run(panel, markets[kind], body({ offset }))
      if (!later.ok) throw new Error(later.problem.message)
      for (const [bin, nav] of later.result.curves.series.entries()) {
        // The same last day; a phase begins at 1 where its first formation is.
        expect(band.low[bin]!.at(-1)!).toBeLessThanOrEqual(nav.at(-1)! + 1e-6)
        expect(band.high[bin]!.at(-1)!).toBeGreaterThanOrEqual(nav.at(-1)! - 1e-6)
      }
    }
    for (const [bin, nav] of curves.series.entries()) {
      for (const [day, value] of nav.entries()) {
        expect(band.low[bin]![day]).toBeLessThanOrEqual(value + 1e-6)
        expect(band.high[bin]![day]).toBeGreaterThanOrEqual(value - 1e-6)
      }
    }
    const ends = band.offsets.map((offset) => {
      const later = run(panel, markets[kind], body({ offset }))
      return later.ok ? (later.result.curves.series[1]?.at(-1) ?? 0) : 0
    })
    expect(band.low[1]!.at(-1)).toBeCloseTo(Math.min(...ends), 5)
    expect(band.high[1]!.at(-1)).toBeCloseTo(Math.max(...ends), 5)
    const daily = run(panel, markets[kind], body({ rebalance_days: 1 }))
    expect(daily.ok && daily.result.band).toBeNull()
  })

  it('a second factor cuts across the first: each cell is what a look by hand finds', () => {
    const both = run(panel, markets[kind], body({ second: { factor: 'close', bins: 3 } }))
    if (!both.ok) throw new Error(both.problem.message)
    const { two_way: found, bins, rank_ic } = both.result
    if (!found) throw new Error('no second factor')
    // The first factor's own bins stay what they were.
    expect({ bins, rank_ic }).toEqual({ bins: result.bins, rank_ic: result.rank_ic })
    expect(found.columns).toEqual(['Q1', 'Q2', 'Q3'])
    const { stride, columns, traded, listed } = panel
    const of = (key: string, at: number) => (columns.get(key) as Float64Array)[at] as number
    const adjusted = (at: number) => of('close', at) * (columns.get('adj_factor')?.[at] ?? 1)
    const price = (t: number, i: number): number => {
      for (let day = t; day >= 0; day--) if (!Number.isNaN(adjusted(day * stride + i))) return adjusted(day * stride + i)
      return Number.NaN
    }
    const sums = Array.from({ length: 4 }, () => Array.from({ length: 3 }, () => [] as number[]))
    for (let t = start; t + 5 <= end; t++) {
      const pool = panel.securities.flatMap((_, i) => {
        const at = t * stride + i
        return listed[at] && traded[at] && !Number.isNaN(of(body().factor, at)) ? [{ i, x: of(body().factor, at), y: of('close', at) }] : []
      })
      const cut = (value: (one: (typeof pool)[number]) => number, n: number) => {
        const sorted = [...pool].sort((a, b) => value(a) - value(b) || a.i - b.i)
        return new Map(sorted.map((one, k) => [one.i, Math.ceil(((k + 1) * n) / sorted.length) - 1]))
      }
      const [rows, across] = [cut(({ x }) => x, 4), cut(({ y }) => y, 3)]
      const cells = sums.map((row) => row.map(() => [] as number[]))
      for (const { i } of pool) cells[rows.get(i)!]![across.get(i)!]!.push(price(t + 5, i) / price(t, i) - 1)
      for (const [r, row] of cells.entries()) {
        for (const [c, returns] of row.entries()) {
          if (returns.length > 0) sums[r]![c]!.push(returns.reduce((sum, one) => sum + one, 0) / returns.length)
        }
      }
    }
    for (const [r, row] of sums.entries()) {
      for (const [c, means] of row.entries()) {
        const cell = found.cells[r]![c]!
        expect(cell.dates).toBe(means.length)
        if (means.length === 0) expect(cell.mean_forward).toBeNull()
        else expect(cell.mean_forward).toBeCloseTo(means.reduce((sum, one) => sum + one, 0) / means.length, 10)
      }
    }
  })

  it('a text is a factor of groups, which have no order', () => {
    const of = (i: number) => ['银行', '化工', '电子'][i % 3] as string
    const securities = panel.securities.map((one, i) => ({ ...one, attributes: i === 0 ? {} : { ...one.attributes, industry_1: of(i) } }))
    const found = run({ ...panel, securities }, markets[kind], body({ factor: '一级行业', method: 'category' }))
    if (!found.ok) throw new Error(found.problem.message)
    const { bins, rank_ic, monotonicity, long_short, verdict } = found.result
    expect(bins.map(({ label }) => label).sort()).toEqual(['化工', '电子', '银行'])
    expect({ mean: rank_ic.mean, monotonicity, long_short }).toEqual({ mean: null, monotonicity: null, long_short: null })
    expect(verdict).toMatch(/^按「一级行业」分组，之后 5 日收益最高的是(.+)，最低的是(.+)；/)
    expect(BinningResult.safeParse(found.result).error?.issues ?? []).toEqual([])
    // Of many the smallest are one group.
    const many = panel.securities.map((one, i) => ({ ...one, attributes: { industry_1: `行业${i % 30}` } }))
    const most = run({ ...panel, securities: many }, markets[kind], body({ factor: 'industry_1', method: 'category' }))
    expect(most.ok && most.result.bins.map(({ label }) => label).at(-1)).toBe('其他（11 类）')
    expect(most.ok && most.result.bins).toHaveLength(20)
  })

  it('a category of a single day has its bin', () => {
    const [key, day] = ['state', start + 1]
    const column = new Float64Array(panel.dates.length * panel.stride).fill(1)
    column.fill(0, 0, (start + 40) * panel.stride)
    for (let i = 0; i < 30; i++) column[day * panel.stride + i] = 7
    const field = { ...(markets[kind].fields[0] as Field), key, label: '状态' }
    const market = { ...markets[kind], fields: [...markets[kind].fields, field] }
    const made = run({ ...panel, columns: new Map(panel.columns).set(key, column) }, market, body({ factor: key, method: 'category' }))
    expect(made.ok && made.result.bins.map(({ label }) => label)).toEqual(['0', '1', '7'])
  })

  it('coverage is the share of the factor itself, with a second one beside it too', () => {
    const key = kind === 'cb' ? 'conv_prem' : 'pb'
    const column = (panel.columns.get(key) as Float64Array).slice()
    for (let at = 0; at < column.length; at++) if (at % 3 === 0) column[at] = Number.NaN
    const gaps = { ...panel, columns: new Map(panel.columns).set(key, column) }
    const of = (over: Partial<BinningBody>) => {
      const made = run(gaps, markets[kind], body(over))
      return made.ok && made.result.coverage.values
    }
    const alone = of({})
    expect(alone && Math.max(...alone.map((share) => share ?? 1))).toBeLessThan(0.9)
    expect(of({ second: { factor: 'close', bins: 2 } })).toEqual(alone)
  })

  it('of a few days nothing is told by the year', () => {
    const range = { start_date: panel.dates[start] as string, end_date: panel.dates[start + 12] as string, benchmark: `${kind}_ew` }
    const made = run(panel, markets[kind], body({ forward_days: [1], rebalance_days: 2, settings: range }))
    if (!made.ok) throw new Error(made.problem.message)
    const { bins, band } = made.result
    for (const bin of bins) expect([bin.annual_return, bin.excess_annual, bin.volatility, bin.sharpe]).toEqual([null, null, null, null])
    expect(band?.annual_return).toEqual(bins.map(() => [null, null]))
  })

  it('an exclusion that the data cannot decide is refused, not passed over', () => {
    const filtered = body({ pool_mode: 'filtered', parameters: parameters({ exclude: { areas: ['上海'] } }) })
    expect(run(panel, markets[kind], filtered)).toMatchObject({ ok: false, problem: { message: expect.stringContaining('没有地区') } })
  })

  it('moves between bins sum to one; the counts to the pool', () => {
    for (const row of result.transition) expect(row.reduce((sum: number, share) => sum + (share ?? 0), 0)).toBeCloseTo(1, 12)
    const members = result.bins.reduce((sum, bin) => sum + bin.avg_count, 0)
    const pools = result.coverage.values.length
    expect(members).toBeLessThanOrEqual(60)
    expect(pools).toBe(end - start + 1)
  })

  it('nothing after the end of the range is read', () => {
    const blind = { ...panel, columns: new Map([...panel.columns].map(([key, column]) => [key, hidden(column, end + 1, panel.stride)])) }
    const again = run(blind, markets[kind], body())
    expect(JSON.stringify(again)).toBe(JSON.stringify(outcome))
  })

  it('a factor that is the future itself is found out, and in its direction', () => {
    const key = kind === 'cb' ? 'conv_prem' : 'pb'
    const price = panel.columns.get('close') as Float64Array
    const oracle = price.map((value, at) => -((price[at + 5 * panel.stride] ?? Number.NaN) / value - 1))
    const columns = new Map(panel.columns).set(key, oracle)
    if (kind === 'stk') columns.set('adj_factor', new Float64Array(price.length).fill(1))
    const found = run({ ...panel, columns }, markets[kind], body())
    if (!found.ok) throw new Error(found.problem.message)
    expect(found.result.rank_ic.mean).toBeLessThan(-0.95)
    expect(found.result).toMatchObject({ monotonicity: -1, inversions: 0, direction: 'small' })
    expect(found.result.verdict).toMatch(/Rank IC 均值 −[01]\.\d{3}，数值越小，之后的收益越高/)
  })

  it('bins by value have the edges of the whole range, by category one a value', () => {
    const byValue = run(panel, markets[kind], body({ method: 'value' }))
    expect(byValue.ok && byValue.result.bins.map(({ label }) => label).every((label) => label.includes('–'))).toBe(true)
    if (kind === 'stk') return
    const byRating = run(panel, markets[kind], body({ method: 'category', factor: 'rating' }))
    expect(byRating.ok && byRating.result.bins[0]?.label).toMatch(/^[ABC]+[+-]?$/)
  })

  it('the pool follows the conditions when asked to', () => {
    const limit = { factor_key: 'close', action: 'keep', operation: 'gt_rank', value: 0.4, enable: true } as const
    const rule = parameters({ rank_factors: [rankBy('close')], filter_factors: [limit] })
    const filtered = run(panel, markets[kind], body({ pool_mode: 'filtered', parameters: rule, bins: 2 }))
    if (!filtered.ok) throw new Error(filtered.problem.message)
    const members = filtered.result.bins.reduce((sum, bin) => sum + bin.avg_count, 0)
    expect(members).toBeLessThan(result.bins.reduce((sum, bin) => sum + bin.avg_count, 0))
  })

  it.each([
    ['too many bins for the pool', { bins: 20 }, '每箱平均只有'],
    ['a range outside the data', { settings: { start_date: '2001-01-01', end_date: '2001-12-31', benchmark: 'cb_ew' } }, '日期范围'],
    ['a range without room', { forward_days: [250] }, '区间太短'],
    ['a benchmark that is not there', { settings: { ...body().settings, benchmark: 'nobody' } }, '基准 nobody'],
    ['an unknown factor', { factor: 'nothing' }, 'nothing'],
    ['equal counts of a text', { factor: 'orgform' }, '当前数据没有「企业性质」'],
    ['a second factor that is unknown', { second: { factor: 'nothing', bins: 3 } }, 'nothing'],
    ['categories of a number', { factor: 'close', method: 'category' as const }, '「收盘价」有'],
  ])('%s is refused with a sentence', (_, over, text) => {
    const refused = run(panel, markets[kind], body(over))
    expect(refused).toMatchObject({ ok: false })
    if (!refused.ok) expect(refused.problem.message).toContain(text)
  })
})

/** The column with everything from a day on unknown. */
function hidden(column: Float64Array, from: number, stride: number): Float64Array {
  return column.slice().fill(Number.NaN, from * stride)
}
