import type { BinningBody } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { byAverageRank } from '../../src/binning/bins.ts'
import { informationOf, monthlyMeans } from '../../src/binning/information.ts'
import { binning, type Market, markets } from '../../src/index.ts'
import { rankScratch } from '../../src/kernels/index.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { correlation, deviation, mean, median, places, sampleMoments } from '../oracles/naive-statistics.ts'

// Every figure of a binning once more, from prices and values day by day (domain.md 6.2).

const bins = 3
const every = 4
const horizon = 2
const numbered = (count: number) => Array.from({ length: count }, (_, k) => k)

describe.each(['cb', 'stk'] as const)('the figures of a binning, %s', (kind) => {
  const whole = randomMarket(kind, { seed: 47, days: 110, securities: 60, from: '2022-01-04' })
  const factor = kind === 'cb' ? 'conv_prem' : 'pb'
  // Some values are missing on days of trade too.
  const values = (whole.columns.get(factor) as Float64Array).map((value, at) => (at % 11 === 3 ? Number.NaN : value))
  const panel = { ...whole, columns: new Map(whole.columns).set(factor, values) }
  const { dates, stride, columns, traded, listed, securities } = panel
  const [first, last] = [5, 100]
  const of = (key: string) => columns.get(key) as Float64Array

  const run = (over: Partial<BinningBody> = {}, market: Market = markets[kind]) => {
    const steps = binning(panel, market, {
      factor,
      bins,
      method: 'quantile',
      forward_days: [horizon],
      rebalance_days: every,
      weight: 'equal',
      neutralization: null,
      settings: { start_date: dates[first] as string, end_date: dates[last] as string, benchmark: `${kind}_ew` },
      pool_mode: 'all',
      ...over,
    })
    let step = steps.next()
    while (!step.done) step = steps.next()
    if (!step.value.ok) throw new Error(step.value.problem.message)
    return step.value.result
  }
  const result = run()

  const trades = (t: number) => numbered(securities.length).filter((i) => listed[t * stride + i] && traded[t * stride + i])
  const value = (t: number, i: number) => values[t * stride + i] as number
  const pool = (t: number) => trades(t).filter((i) => !Number.isNaN(value(t, i)))
  /** The last price up to a day, adjusted. */
  const price = (t: number, i: number): number => {
    const at = t * stride + i
    const now = (of('close')[at] as number) * (columns.get('adj_factor')?.[at] ?? 1)
    return Number.isNaN(now) && t > 0 ? price(t - 1, i) : now
  }
  const ahead = (t: number, h: number, i: number) => price(t + h, i) / price(t, i) - 1
  const binOf = (t: number): Map<number, number> => {
    const sorted = pool(t).sort((a, b) => value(t, a) - value(t, b) || a - b)
    return new Map(sorted.map((i, k) => [i, Math.ceil(((k + 1) * bins) / sorted.length)]))
  }
  const membersOf = (t: number, bin: number) => [...binOf(t)].filter(([, own]) => own === bin).map(([i]) => i)
  const days = numbered(last - first + 1).map((k) => first + k)
  const seen = (h: number) => days.filter((t) => t + h <= last)
  const formations = days.filter((t) => (t - first) % every === 0)
  const icOf = (h: number, rank: boolean) =>
    seen(h).map((t) => {
      const [x, f] = [pool(t).map((i) => value(t, i)), pool(t).map((i) => ahead(t, h, i))]
      return rank ? correlation(places(x), places(f)) : correlation(x, f)
    })

  it('who has a value among those that could have one', () => {
    const shares = days.map((t) => pool(t).length / trades(t).length)
    expect(Math.min(...shares)).toBeLessThan(1)
    expect(result.coverage.dates).toEqual(days.map((t) => dates[t]))
    for (const [k, share] of shares.entries()) expect(result.coverage.values[k]).toBeCloseTo(share, 12)
  })

  it('of each bin its members, their values, and what came after', () => {
    for (const [b, told] of result.bins.entries()) {
      const members = days.map((t) => membersOf(t, b + 1).map((i) => ({ t, i })))
      const all = members.flat()
      const own = all.map(({ t, i }) => value(t, i))
      expect(told.avg_count).toBeCloseTo(mean(members.map(({ length }) => length)), 10)
      expect(told.mean_factor).toBeCloseTo(mean(own), 10)
      expect(told.range).toEqual([Math.min(...own), Math.max(...own)])
      const after = seen(horizon).map((t) => mean(membersOf(t, b + 1).map((i) => ahead(t, horizon, i))))
      expect(told.mean_forward).toBeCloseTo(mean(after), 12)
      expect(told.median_forward).toBeCloseTo(median(after), 12)
      expect(told.win_rate).toBeCloseTo(after.filter((one) => one > 0).length / after.length, 12)
      const meanOf = (key: string) => mean(all.map(({ t, i }) => of(key)[t * stride + i] as number).filter((one) => !Number.isNaN(one)))
      expect(told.means.map(({ factor_key }) => factor_key)).toEqual(kind === 'cb' ? ['close', 'conv_prem'] : [])
      for (const { factor_key: key, mean: told_mean } of told.means) expect(told_mean).toBeCloseTo(meanOf(key), 8)
    }
  })

  it('of its members what has to be computed first', () => {
    const { bins: told } = run({}, { ...markets[kind], binMeans: [`formula: close + 100 * ${factor}`, 'close'] })
    for (const [b, { means }] of told.entries()) {
      const members = days.flatMap((t) => membersOf(t, b + 1).map((i) => ({ t, i })))
      const closes = members.map(({ t, i }) => of('close')[t * stride + i] as number)
      expect(means[0]?.mean).toBeCloseTo(mean(members.map(({ t, i }, k) => (closes[k] as number) + 100 * value(t, i))), 8)
      expect(means[1]?.mean).toBeCloseTo(mean(closes), 8)
    }
  })

  it('how many of a bin are new at a formation, and where its members go', () => {
    const moves = formations.slice(1).map((t, k) => [binOf(formations[k] as number), binOf(t)] as const)
    for (const b of numbered(bins)) {
      const fresh = moves.map(([before, now]) => {
        const members = [...now].filter(([, own]) => own === b + 1)
        return members.filter(([i]) => before.get(i) !== b + 1).length / members.length
      })
      expect(result.bins[b]?.turnover).toBeCloseTo(mean(fresh), 12)
      const left = moves.flatMap(([before, now]) => [...before].flatMap(([i, own]) => (own === b + 1 && now.has(i) ? [now.get(i)] : [])))
      for (const to of numbered(bins))
        expect(result.transition[b]?.[to]).toBeCloseTo(left.filter((one) => one === to + 1).length / left.length, 12)
    }
  })

  it('information at every horizon, and of the first one its figures', () => {
    expect(result.decay.map((one) => one.days)).toEqual([1, 2, 3, 5, 10, 20, 60])
    for (const { days: h, ic, rank_ic } of result.decay) {
      expect(ic).toBeCloseTo(mean(icOf(h, false)), 10)
      expect(rank_ic).toBeCloseTo(mean(icOf(h, true)), 10)
    }
    for (const [told, rank] of [
      [result.ic, false],
      [result.rank_ic, true],
    ] as const) {
      const ic = icOf(horizon, rank)
      const icir = mean(ic) / deviation(ic)
      expect(told.mean).toBeCloseTo(mean(ic), 10)
      expect(told.std).toBeCloseTo(deviation(ic), 10)
      expect(told.icir).toBeCloseTo(icir, 8)
      expect(told.icir_annual).toBeCloseTo(icir * Math.sqrt(242 / horizon), 7)
      expect(told.t).toBeCloseTo(icir * Math.sqrt(Math.ceil(ic.length / horizon)), 7)
      expect(told.win_rate).toBeCloseTo(ic.filter((one) => one > 0).length / ic.length, 12)
      expect(told.abs_above_002).toBeCloseTo(ic.filter((one) => Math.abs(one) > 0.02).length / ic.length, 12)
    }
    const months = new Map<string, number[]>()
    for (const [k, one] of icOf(horizon, true).entries()) {
      const month = (dates[first + k] as string).slice(0, 7)
      months.set(month, [...(months.get(month) ?? []), one])
    }
    expect(result.ic_monthly.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`)).toEqual([...months.keys()])
    for (const [k, ones] of [...months.values()].entries()) expect(result.ic_monthly[k]?.value).toBeCloseTo(mean(ones), 10)
  })

  it('how the factor goes with itself a formation before, and how old a value is whose information is half', () => {
    const own = formations.slice(1).map((t, k) => {
      const both = pool(t).filter((i) => pool(formations[k] as number).includes(i))
      return correlation(places(both.map((i) => value(t, i))), places(both.map((i) => value(formations[k] as number, i))))
    })
    expect(result.autocorrelation).toBeCloseTo(mean(own), 10)
    const strengths = numbered(7).map((lag) =>
      mean(
        formations.flatMap((t, k) => {
          const then = formations[k - lag]
          if (then === undefined || t + horizon > last) return []
          // What came after of who is in the pool now, by what they were then.
          const both = pool(t).filter((i) => pool(then).includes(i))
          return [correlation(places(both.map((i) => value(then, i))), places(both.map((i) => ahead(t, horizon, i))))]
        }),
      ),
    )
    const sign = Math.sign(strengths[0] as number)
    const half = Math.abs(strengths[0] as number) / 2
    const at = strengths.findIndex((one) => one * sign <= half)
    if (at < 0) expect(result.half_life).toBeNull()
    else {
      const [before, now] = [(strengths[at - 1] as number) * sign, Math.max(0, (strengths[at] as number) * sign)]
      expect(result.half_life).toBeCloseTo((at - 1 + (before - half) / (before - now)) * every, 6)
    }
  })

  it('the top bin less the bottom one in the factor’s own direction, by day', () => {
    const { series, long_short: spread } = result.curves
    const [top, bottom] = result.direction === 'large' ? [bins - 1, 0] : [0, bins - 1]
    expect(result.direction).toBe((result.rank_ic.mean as number) < 0 ? 'small' : 'large')
    const change = (curve: readonly number[], day: number) => (curve[day] as number) / (curve[day - 1] as number) - 1
    let nav = 1
    for (let day = 1; day < spread.length; day++) {
      nav *= 1 + change(series[top] as number[], day) - change(series[bottom] as number[], day)
      expect(spread[day]).toBeCloseTo(nav, 10)
    }
    const daily = spread.slice(1).map((one, day) => one / (spread[day] as number) - 1)
    const { long_short: told } = result
    expect(told?.annual_return).toBeCloseTo(nav ** (242 / daily.length) - 1, 10)
    expect(told?.sharpe).toBeCloseTo((mean(daily) / deviation(daily)) * Math.sqrt(242), 8)
    let [most, worst] = [0, 0]
    for (const one of spread) {
      most = Math.max(most, one)
      worst = Math.min(worst, one / most - 1)
    }
    expect(told?.max_drawdown).toBeCloseTo(worst, 12)
    expect(result.warnings.includes('转债不能卖空，多空曲线只用于诊断')).toBe(kind === 'cb')
  })

  it('of each bin’s curve volatility, Sharpe ratio, drawdown, and what it earned beyond the benchmark', () => {
    const daily = (curve: readonly (number | null)[]) => curve.slice(1).map((one, day) => (one as number) / (curve[day] as number) - 1)
    const bench = daily(result.curves.benchmark)
    for (const [b, curve] of result.curves.series.entries()) {
      const own = daily(curve)
      const told = result.bins[b]
      expect(told?.volatility).toBeCloseTo(deviation(own) * Math.sqrt(242), 10)
      expect(told?.sharpe).toBeCloseTo((mean(own) / deviation(own)) * Math.sqrt(242), 8)
      const worst = Math.min(...curve.map((one, day) => one / Math.max(...curve.slice(0, day + 1)) - 1))
      expect(told?.max_drawdown).toBeCloseTo(worst, 12)
      const yearly = (returns: readonly number[]) => returns.reduce((nav, one) => nav * (1 + one), 1) ** (242 / returns.length) - 1
      // Relative: what one has of the other, by the year.
      const relative = (1 + yearly(own)) / (1 + yearly(bench)) - 1
      expect(told?.excess_annual).toBeCloseTo(relative, 8)
    }
  })

  it('whether means go up with the bins, and how often they do not', () => {
    const means = result.bins.map(({ mean_forward }) => mean_forward as number)
    expect(result.monotonicity).toBeCloseTo(correlation(places(numbered(bins)), places(means)), 12)
    const rising = (means.at(-1) as number) >= (means[0] as number)
    const against = means.slice(1).filter((one, k) => (rising ? one < (means[k] as number) : one > (means[k] as number)))
    expect(result.inversions).toBe(against.length)
  })

  it('how the values lie', () => {
    const all = days.flatMap((t) => pool(t).map((i) => value(t, i)))
    const { skew, kurt } = sampleMoments(all)
    expect(result.distribution.skew).toBeCloseTo(skew, 6)
    expect(result.distribution.kurtosis).toBeCloseTo(kurt, 6)
    const { edges, counts } = result.distribution
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length)
    for (const [bar, count] of counts.entries()) {
      const [low, high] = [
        bar === 0 ? -Infinity : (edges[bar] as number),
        bar === counts.length - 1 ? Infinity : (edges[bar + 1] as number),
      ]
      const near = 1e-9 * Math.abs((edges.at(-1) as number) - (edges[0] as number))
      const least = all.filter((one) => one >= low + near && one < high - near).length
      const most = all.filter((one) => one >= low - near && one < high + near).length
      expect([count >= least, count <= most]).toEqual([true, true])
    }
  })

  it('weighed by size, a bin earns what its large members do', () => {
    const size = of(markets[kind].roles.size)
    for (const [b, told] of run({ weight: 'cap' }).bins.entries()) {
      const after = seen(horizon).map((t) => {
        const members = membersOf(t, b + 1)
        const weights = members.map((i) => size[t * stride + i] as number)
        const total = weights.reduce((sum, one) => sum + one, 0)
        return members.reduce((sum, i, k) => sum + (weights[k] as number) * ahead(t, horizon, i), 0) / total
      })
      expect(told.mean_forward).toBeCloseTo(mean(after), 10)
    }
  })

  it('who has few members is told so', () => {
    const least = mean(result.bins.map(({ avg_count }) => avg_count))
    expect(least).toBeLessThan(20)
    expect(result.warnings).toContain(`每箱平均只有 ${Math.round(least)} 只，结论不可靠`)
  })
})

describe('equal values in one bin', () => {
  it('go by their average rank; a bin may stay empty', () => {
    const out = new Int8Array(10)
    byAverageRank(5, rankScratch(10))(Float64Array.of(1, 2, 2, 2, 3, 4, 5, 5, 6, 7), out)
    expect([...out].map((bin) => bin + 1)).toEqual([1, 2, 2, 2, 3, 3, 4, 4, 5, 5])
    byAverageRank(2, rankScratch(10))(Float64Array.of(9, 9, 9, 9, 9, 9, 9, 9, 9, Number.NaN), out)
    expect([...out]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, -1])
    byAverageRank(5, rankScratch(10))(new Float64Array(10).fill(Number.NaN).fill(1, 0, 4), out)
    expect(new Set(out)).toEqual(new Set([-1]))
  })

  it('when asked for; else counts are equal', () => {
    const panel = randomMarket('stk', { seed: 3, days: 60, securities: 40 })
    const values = (panel.columns.get('pb') as Float64Array).map((value) => Math.round(value))
    const market = { ...panel, columns: new Map(panel.columns).set('pb', values) }
    const counts = (over: Partial<BinningBody>) => {
      const steps = binning(market, markets.stk, {
        ...{ factor: 'pb', bins: 3, method: 'quantile', forward_days: [1], rebalance_days: 5, weight: 'equal', neutralization: null },
        settings: { start_date: panel.dates[0] as string, end_date: panel.dates.at(-1) as string, benchmark: 'stk_ew' },
        pool_mode: 'all',
        ...over,
      })
      let step = steps.next()
      while (!step.done) step = steps.next()
      if (!step.value.ok) throw new Error(step.value.problem.message)
      const { bins, warnings } = step.value.result
      expect(warnings.filter((text) => text.includes('取值相同'))).toHaveLength(over.ties === 'together' ? 0 : 1)
      expect(warnings.filter((text) => !text.includes('取值相同'))).toHaveLength(1)
      return bins.map(({ avg_count }) => avg_count)
    }
    const apart = (of: readonly number[]) => Math.max(...of) - Math.min(...of)
    expect(counts({})).toEqual(counts({ ties: 'split' }))
    expect(apart(counts({}))).toBeLessThan(1)
    expect(apart(counts({ ties: 'together' }))).toBeGreaterThan(1)
  })
})

describe('a factor that most have the same value of', () => {
  const panel = randomMarket('stk', { seed: 9, days: 120, securities: 60 })
  // Nine of ten have nothing, the others a yield of their own.
  const yields = Float64Array.from(panel.columns.get('close') as Float64Array, (close, at) => {
    const i = at % panel.stride
    return Number.isNaN(close) ? Number.NaN : i % 10 === 3 ? 0.01 + i / 10_000 : 0
  })
  const market = { ...panel, columns: new Map(panel.columns).set('dv_ratio', yields) }
  const run = (over: Partial<BinningBody>) => {
    const steps = binning(market, markets.stk, {
      ...{ factor: 'dv_ratio', bins: 10, method: 'quantile', forward_days: [5], rebalance_days: 5, weight: 'equal', neutralization: null },
      settings: { start_date: panel.dates[0] as string, end_date: panel.dates.at(-1) as string, benchmark: 'stk_ew' },
      pool_mode: 'all',
      ...over,
    })
    let step = steps.next()
    while (!step.done) step = steps.next()
    if (!step.value.ok) return step.value.problem.message
    return step.value.result
  }
  const found = (over: Partial<BinningBody>) => {
    const result = run(over)
    if (typeof result === 'string') throw new Error(result)
    return result
  }

  it('days on which all values are the same have no coefficient and are in none of its figures', () => {
    const close = panel.columns.get('close') as Float64Array
    const values = Float64Array.from(close, (price, at) => (Math.floor(at / panel.stride) % 20 === 0 && !Number.isNaN(price) ? 1 : price))
    const columns = new Map(panel.columns).set('pb', values)
    const ic = (days: Map<string, Float64Array>) => {
      const steps = binning({ ...panel, columns: days }, markets.stk, {
        ...{ factor: 'pb', bins: 3, method: 'quantile', forward_days: [5], rebalance_days: 5, weight: 'equal', neutralization: null },
        settings: { start_date: panel.dates[0] as string, end_date: panel.dates.at(-1) as string, benchmark: 'stk_ew' },
        pool_mode: 'all',
      })
      let step = steps.next()
      while (!step.done) step = steps.next()
      if (!step.value.ok) throw new Error(step.value.problem.message)
      return step.value.result.rank_ic
    }
    const [some, all] = [ic(columns), ic(new Map(panel.columns).set('pb', close))]
    const kept = (all.values as (number | null)[]).filter((value, day) => day % 20 !== 0 && value !== null) as number[]
    expect(some.mean).toBeCloseTo(kept.reduce((sum, value) => sum + value, 0) / kept.length, 12)
    expect(some.win_rate).toBeCloseTo(kept.filter((value) => value > 0).length / kept.length, 12)
  })

  it('split by codes is told, and is no verdict', () => {
    const split = found({ bins: 5 })
    expect(split.cut_share).toBeGreaterThan(0.85)
    expect(split.cut_share).toBeLessThan(0.95)
    expect(split.warnings.some((text) => /^「股息率」平均有 [89]\d\.\d% 的证券取值相同却按代码先后分进了不同的箱/.test(text))).toBe(true)
    expect(split.monotonicity).toBeNull()
    expect(split.verdict).not.toMatch(/单调|两端|领先|落后/)
    expect(split.verdict).toMatch(/% 的证券取值相同而被分进不同的箱，各箱不能相比/)
    const crossed = found({ factor: 'close', bins: 5, second: { factor: 'dv_ratio', bins: 3 } })
    expect([crossed.cut_share, crossed.warnings.filter((text) => text.startsWith('「股息率」平均有')).length]).toEqual([
      expect.any(Number),
      1,
    ])
    expect(crossed.cut_share).toBeLessThan(0.05)
  })

  it.each([{ ties: 'together' as const }, { method: 'value' as const }])(
    'an empty bin has no figures and no curve and is no end: %j',
    (over) => {
      const { bins, curves, band, long_short, direction, monotonicity, verdict } = found({ ...over, bins: 8 })
      const filled = bins.flatMap(({ avg_count }, b) => (avg_count > 0 ? [b] : []))
      expect(filled.length).toBeLessThan(8)
      for (const [b, bin] of bins.entries()) {
        if (filled.includes(b)) continue
        const { annual_return, excess_annual, volatility, sharpe, max_drawdown, turnover, mean_forward } = bin
        expect([annual_return, excess_annual, volatility, sharpe, max_drawdown, turnover, mean_forward]).toEqual(Array(7).fill(null))
        expect([curves.series[b], band?.low[b], band?.annual_return[b]]).toEqual([[], [], [null, null]])
      }
      // By hand: the curve of the ends with members, one less the other.
      const [low, high] = [filled[0] as number, filled.at(-1) as number]
      const [long, short] = (direction === 'large' ? [high, low] : [low, high]).map((b) => curves.series[b] as number[]) as [
        number[],
        number[],
      ]
      let nav = 1
      for (let day = 1; day < long.length; day++)
        nav *= 1 + (long[day] as number) / (long[day - 1] as number) - (short[day] as number) / (short[day - 1] as number)
      expect(curves.long_short.at(-1)).toBeCloseTo(nav, 10)
      expect(long_short?.total_return).toBeCloseTo(nav - 1, 10)
      expect(monotonicity === null || Math.abs(monotonicity) <= 1).toBe(true)
      for (const [b, { label }] of bins.entries()) if (!filled.includes(b)) expect(verdict).not.toContain(`${label} `)
    },
  )
})

it('what is told of a horizon does not depend on the others that are asked for, and counts trading days over a holiday', () => {
  const panel = randomMarket('stk', { seed: 31, days: 90, securities: 60, from: '2024-01-02' })
  const found = (ahead: number[]) => {
    const steps = binning(panel, markets.stk, {
      ...{ factor: 'pb', bins: 5, method: 'quantile', forward_days: ahead, rebalance_days: 5, weight: 'equal', neutralization: null },
      settings: { start_date: panel.dates[0] as string, end_date: panel.dates.at(-1) as string, benchmark: 'stk_ew' },
      pool_mode: 'all',
    })
    let step = steps.next()
    while (!step.done) step = steps.next()
    if (!step.value.ok) throw new Error(step.value.problem.message)
    return step.value.result
  }
  const [one, many] = [found([5]), found([5, 10, 30])]
  expect({ ...many, decay: null }).toEqual({ ...one, decay: null })
  for (const { days, rank_ic } of one.decay) expect(many.decay.find((each) => each.days === days)?.rank_ic).toBe(rank_ic)
})

it('months without a known coefficient are left out', () => {
  expect(monthlyMeans(['2022-01-31', '2022-02-01', '2022-03-01'], [0.1, Number.NaN, 0.3])).toEqual([
    { year: 2022, month: 1, value: 0.1 },
    { year: 2022, month: 3, value: 0.3 },
  ])
  expect(informationOf(['a', 'b'], [Number.NaN, Number.NaN], 5)).toMatchObject({ mean: null, std: null, t: null, win_rate: null })
})
