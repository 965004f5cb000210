import type { Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets, screen } from '../../src/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { cheapest, trades } from '../fixtures/trades.ts'

describe('board lots and cash', () => {
  it('bonds are bought by ten, within the cash and its fee', () => {
    const panel = table(`
                  AAA    BBB
      2024-01-02  104.5  200
      2024-01-03  105    200
    `)
    expect(trades(panel, cheapest, { cost: { buy_rate: 0.001, sell_rate: 0.001 } })).toEqual(['01-02 buy AAA 90@104.5 enter'])
    // 100 would cost 9999 and their fee 10 more than is there
    const tight = table(`
                  AAA    BBB
      2024-01-02  99.99  200
      2024-01-03  105    200
    `)
    expect(trades(tight, cheapest, { cost: { buy_rate: 0, sell_rate: 0 } })).toEqual(['01-02 buy AAA 100@99.99 enter'])
    expect(trades(tight, cheapest, { cost: { buy_rate: 0.001, sell_rate: 0 } })).toEqual(['01-02 buy AAA 90@99.99 enter'])
  })

  it('through a whole run bonds are bought by ten, and held by ten, whatever is left over', () => {
    const codes = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF']
    const dates = Array.from({ length: 20 }, (_, t) => `2024-01-${String(t + 1).padStart(2, '0')}`)
    const close = (t: number, i: number) => (90 + ((t * 7 + i * 13) % 23) * 1.377).toFixed(3)
    const panel = table([codes.join(' '), ...dates.map((date, t) => [date, ...codes.map((_, i) => close(t, i))].join(' '))].join('\n'))
    const { report, days } = reportOf(panel, markets.cb, {
      parameters: parameters({ hold_method: { hold_range_end: 3 } }),
      settings: settings('2024-01-01', '2024-01-20', { execution: 'realistic', adjust: 'raw', capital: 3.7 }),
    })
    const bought = report.trades.filter(({ side }) => side === 'buy').map(({ volume }) => volume)
    expect(bought.length).toBeGreaterThan(20)
    expect(bought.filter((volume) => volume % 10 !== 0)).toEqual([])
    expect(days.flatMap(({ positions }) => positions).filter(({ volume }) => volume % 10 !== 0)).toEqual([])
  })

  it('STAR shares from 200 in steps of one, Beijing from 100, others by the hundred', () => {
    const panel = table(
      `
                  AAA  BBB  CCC  DDD
      2024-01-02  11   12   13   49
      2024-01-03  11   12   13   49
    `,
      { kind: 'stk', securities: { AAA: { board: 'STAR' }, BBB: { board: 'BSE' }, DDD: { board: 'STAR' } } },
    )
    // 2500 yuan each: 227, 208, 192 → 100, 51 → fewer than 200 of the STAR market cannot be ordered
    expect(trades(panel, parameters({ hold_method: { hold_range_end: 4 } }), {})).toEqual([
      '01-02 buy AAA 227@11 enter',
      '01-02 buy BBB 208@12 enter',
      '01-02 buy CCC 100@13 enter',
    ])
  })

  it('of equal shares those are bought whose lot and least fee fit into one', () => {
    // 1,000 yuan each: 990 and 5.0198 of fees fit, 995 and 5.0199 do not.
    const codes = Array.from({ length: 10 }, (_, k) => `AA${k}`)
    const closes = codes.map((_, k) => 9.9 + k / 100)
    const panel = table([codes.join(' '), ...['2024-01-02', '2024-01-03'].map((date) => [date, ...closes].join(' '))].join('\n'), {
      kind: 'stk',
    })
    const bought = trades(panel, parameters({ hold_method: { hold_range_end: 10 } }), {
      cost: { buy_rate: 0.00025, sell_rate: 0.00025, min_fee: 5 },
    })
    expect(bought.map((line) => line.replace('01-02 buy ', '').replace(' enter', ''))).toEqual(
      [9.9, 9.91, 9.92, 9.93, 9.94].map((price, k) => `AA${k} 100@${price}`),
    )
  })

  it('slippage moves the price against the trader', () => {
    const panel = table(`
                  AAA  BBB
      2024-01-02  100  110
      2024-01-03  110  100
    `)
    expect(trades(panel, cheapest, { cost: { buy_rate: 0, sell_rate: 0, slippage: 0.01 } })).toEqual([
      '01-02 buy AAA 90@101 enter',
      '01-03 sell AAA 90@108.9 rank_out',
      '01-03 buy BBB 100@101 enter',
    ])
  })
})

describe('weights by a number that not everybody has', () => {
  const panel = table(
    `
                AAA  BBB
    2024-01-02  10   11
    2024-01-03  10   11
  `,
    {
      kind: 'stk',
      fields: {
        total_mv: `
                AAA  BBB
    2024-01-02  -    50
    2024-01-03  -    50
  `,
      },
    },
  )
  const sized = parameters({ hold_method: { hold_range_end: 2, hold_weight_type: 3 } })

  it('who has no size weighs as much as the mean of the others, and is named', () => {
    const made = reportOf(panel, markets.stk, {
      parameters: sized,
      settings: settings('2024-01-02', '2024-01-03', { benchmark: 'stk_ew', execution: 'ideal', adjust: 'qfq' }),
    })
    expect(made.report.trades.map(({ code, amount }) => [code, Math.round(amount)])).toEqual([
      ['AAA', 50_000],
      ['BBB', 50_000],
    ])
    expect(made.report.warnings).toContain('部分轮动日AAA（AAA）没有可用的「总市值」，按其余标的的平均权重配置')
    const listed = screen(panel, markets.stk, { parameters: sized, day: 1 })
    expect(listed.ok && listed.result.warnings).toContain('AAA（AAA）没有可用的「总市值」，按其余标的的平均权重配置')
  })

  it('by a factor it weighs nothing, which is told too', () => {
    const byFactor = parameters({ hold_method: { hold_range_end: 2, hold_weight_type: 4, hold_weight_factor: 'total_mv' } })
    const listed = screen(panel, markets.stk, { parameters: byFactor, day: 1 })
    expect(listed.ok && listed.result.warnings).toContain('AAA（AAA）没有可用的「总市值」，权重为 0')
  })
})

describe('fees by date', () => {
  it.each([
    { dates: ['2022-04-27', '2022-04-28'], sell: 5 + 2000 * 0.001 + 2000 * 0.00002 },
    { dates: ['2022-04-28', '2022-04-29'], sell: 5 + 2000 * 0.001 + 2000 * 0.00001 },
    { dates: ['2023-08-25', '2023-08-28'], sell: 5 + 2000 * 0.0005 + 2000 * 0.00001 },
  ])('selling 2,000 yuan of shares on $dates costs $sell', ({ dates, sell }) => {
    const panel = table(
      `
            AAA  BBB
      ${dates[0]}  10   11
      ${dates[1]}  10   9
    `,
      { kind: 'stk' },
    )
    const { report } = reportOf(panel, markets.stk, {
      parameters: cheapest,
      settings: settings(dates[0] as string, dates[1] as string, {
        benchmark: 'stk_ew',
        execution: 'realistic',
        capital: 0.25,
        cost: { buy_rate: 0.00025, sell_rate: 0.00025, min_fee: 5 },
      }),
    })
    const [buy, out] = report.trades
    expect(buy?.volume).toBe(200)
    expect(buy?.fee).toBeCloseTo(5 + 2000 * (dates[0] === '2023-08-25' ? 0.00001 : 0.00002), 10)
    expect(out?.fee).toBeCloseTo(sell, 10)
    expect(report.metrics.fees).toBeCloseTo(
      report.trades.reduce((sum, { fee }) => sum + fee, 0),
      10,
    )
  })

  it('a given stamp duty replaces that of the day; bonds pay none', () => {
    const rows = `
                  AAA  BBB
      2023-08-25  10   11
      2023-08-28  10   9
    `
    const fee = (kind: 'cb' | 'stk', stamp_tax?: number) => {
      const panel = table(rows, { kind })
      const { report } = reportOf(panel, markets[kind], {
        parameters: cheapest,
        settings: settings('2023-08-25', '2023-08-28', {
          benchmark: `${kind}_ew`,
          execution: 'realistic',
          capital: 0.2,
          adjust: kind === 'cb' ? 'raw' : 'qfq',
          cost: { buy_rate: 0, sell_rate: 0, ...(stamp_tax === undefined ? {} : { stamp_tax }) },
        }),
      })
      return report.trades.find(({ side }) => side === 'sell')?.fee
    }
    expect(fee('stk', 0.002)).toBeCloseTo(1000 * (0.002 + 0.00001), 10)
    expect(fee('cb')).toBe(0)
  })
})

describe('places and factors', () => {
  const prices = `
                AAA  BBB  CCC  DDD
    2024-01-02  100  110  120  130
    2024-01-03  100  110  125  121
    2024-01-04  100  110  125  121
  `
  it('places 2 to 3 of the ranking are held, the best is not', () => {
    const wanted = parameters({ hold_method: { hold_range_start: 2, hold_range_end: 3 } })
    expect(trades(table(prices), wanted, {})).toEqual([
      '01-02 buy BBB 40@110 enter',
      '01-02 buy CCC 40@120 enter',
      '01-03 sell CCC 40@125 rank_out',
      '01-03 buy DDD 40@121 enter',
    ])
  })

  it('what a factor has no value of is not bought, and is sold at the next rebalance', () => {
    const conv_prem = `
                AAA  BBB  CCC  DDD
    2024-01-02  -    0.1  0.2  0.3
    2024-01-03  -    -    0.2  0.3
    2024-01-04  -    -    0.2  0.3
    `
    const panel = table(prices, { fields: { conv_prem } })
    const wanted = (every: number) =>
      parameters({ rank_factors: [rankBy('conv_prem')], rebalance_method: { rebalance_type: 0, rebalance_value: every } })
    expect(trades(panel, wanted(1), {})).toEqual([
      '01-02 buy BBB 90@110 enter',
      '01-03 sell BBB 90@110 missing',
      '01-03 buy CCC 80@125 enter',
    ])
    expect(trades(panel, wanted(2), {})[1]).toBe('01-04 sell BBB 90@110 missing')
  })

  it('a factor that weighs 0 is none', () => {
    const wanted = parameters({ rank_factors: [rankBy('close'), rankBy('close', { prefer: 'large', weight: 0 })] })
    expect(trades(table(prices), wanted, {})).toEqual(['01-02 buy AAA 100@100 enter'])
  })
})

describe('least holding days, buffers, groups of one issuer', () => {
  const panel = table(`
                AAA  BBB  CCC
    2024-01-02  100  110  120
    2024-01-03  115  110  105
    2024-01-04  118  112  105
    2024-01-05  118  112  105
  `)
  it('a position is kept for its least days', () => {
    expect(trades(panel, parameters({ hold_days: 2 }), {})).toEqual([
      '01-02 buy AAA 100@100 enter',
      '01-04 sell AAA 100@118 rank_out',
      '01-04 buy CCC 110@105 enter',
    ])
  })

  it('reasons tell the places', () => {
    const { report } = reportOf(panel, markets.cb, {
      parameters: parameters({ hold_method: { hold_range_end: 1, hold_threshold: 1 } }),
      settings: settings('2024-01-02', '2024-01-05'),
    })
    expect(report.trades.map(({ reason_text, rank_from, rank_to }) => [reason_text, rank_from, rank_to])).toEqual([
      ['名次 1，新进', null, 1],
      ['名次 1 → 3，超出持有区间 1 与缓冲名次 1', 1, 3],
      ['名次 3 → 1，新进', 3, 1],
    ])
  })
})

describe('who fills a place that a bond of the same issuer leaves', () => {
  const panel = table(
    `
                AAA  BBB  CCC  DDD
    2024-01-02  100  101  110  120
    2024-01-03  100  125  110  105
  `,
    { securities: { AAA: { issuer: '甲' }, BBB: { issuer: '甲' } } },
  )
  it('says so when it comes', () => {
    const { report } = reportOf(panel, markets.cb, {
      parameters: parameters({ universe: { markets: [], exclude_codes: [], max_per_issuer: 1 }, hold_method: { hold_range_end: 2 } }),
      settings: settings('2024-01-02', '2024-01-03'),
    })
    expect(report.trades.filter(({ code }) => code === 'CCC').map(({ reason_text }) => reason_text)).toEqual([
      '名次 3，补位新进',
      '名次 3 → 3，超出持有区间 2',
    ])
  })
})

describe('what is not built or not in the data is refused, never passed over', () => {
  const panel = table(`
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  115  110
  `)
  const problem = (wanted: Parameters, over: Partial<Settings> = {}) => {
    const { outcome } = runToEnd(panel, markets.cb, { parameters: wanted, settings: settings('2024-01-02', '2024-01-03', over) })
    return outcome.ok ? null : `${outcome.problem.code} ${outcome.problem.message}`
  }
  it.each([
    {
      wanted: parameters({ timing: [{ rule: 'threshold', exposure: 0 }] }),
      over: {},
      expected: '23001 回测参数有误：阈值择时需要选择因子并填写阈值',
    },
    {
      wanted: parameters({ stop_method: { stop_type: 3, take_profit: 0.06 } }),
      over: {},
      expected: '23001 回测参数有误：盘中止盈止损需要填写止损比例',
    },
    {
      wanted: parameters({ rebalance_method: { rebalance_value: 0 } }),
      over: {},
      expected: '23001 回测参数有误：轮动周期需为 1 至 250 个交易日',
    },
    { wanted: parameters(), over: { benchmark: '000300' }, expected: '23001 回测参数有误：当前数据没有基准 000300' },
    {
      wanted: parameters(),
      over: { start_date: '2023-12-29' },
      expected: '21007 日期范围无效或超出数据区间（数据为 2024-01-02 至 2024-01-03）',
    },
    {
      wanted: parameters(),
      over: { end_date: '2024-01-04' },
      expected: '21007 日期范围无效或超出数据区间（数据为 2024-01-02 至 2024-01-03）',
    },
    { wanted: parameters(), over: { oos_start: '2024-02-01' }, expected: '23001 回测参数有误：样本外起点需在回测区间之内' },
  ])('$expected', ({ wanted, over, expected }) => {
    expect(problem(wanted, over)).toBe(expected)
  })

  it('a factor whose data end before the range is named with its dates', () => {
    const fields = {
      ytm: `
                AAA  BBB
    2024-01-02  0.1  0.2
    2024-01-03  -    -
    `,
    }
    const some = table(
      `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  115  110
    `,
      { fields },
    )
    const { outcome } = runToEnd(some, markets.cb, {
      parameters: parameters({ rank_factors: [rankBy('ytm')] }),
      settings: settings('2024-01-02', '2024-01-03'),
    })
    expect(outcome).toMatchObject({
      ok: false,
      problem: { message: '回测参数有误：因子「到期收益率」只有 2024-01-02 至 2024-01-02 的数据，请调整回测区间' },
    })
  })
})
