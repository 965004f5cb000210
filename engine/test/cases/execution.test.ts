import type { Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets, screen } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
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

describe('price limits', () => {
  // BBB is the cheapest on the second day, but closes at its upper limit of +20 %
  const up = table(`
                AAA  BBB  CCC
    2024-01-02  100  80   130
    2024-01-03  100  96   99
    2024-01-04  100  95   130
  `)
  const from = { start_date: '2024-01-03' }

  it('what closes at its upper limit is not bought: the next takes its place', () => {
    expect(trades(up, cheapest, from)).toEqual([
      '01-03 buy CCC 100@99 enter',
      '01-04 sell CCC 100@130 rank_out',
      '01-04 buy BBB 130@95 enter',
    ])
  })

  it('who could not be bought is told on the day, with its place and why', () => {
    const told = (wanted: Parameters, over: Partial<Settings>) => {
      const run = settings('2024-01-03', '2024-01-04', { execution: 'realistic', capital: 1, adjust: 'raw', ...over })
      const { days } = reportOf(up, markets.cb, { parameters: wanted, settings: run })
      return days.map(({ unbought }) => unbought?.map(({ code, rank, reason_text }) => `${code} ${rank} ${reason_text}`))
    }
    expect(told(cheapest, {})).toEqual([['BBB 1 涨停未买入'], undefined])
    expect(told(cheapest, { execution: 'ideal' })).toEqual([undefined, undefined])
    // On the day of the order; on the next the one that was bought instead keeps the place.
    const kept = parameters({ hold_method: { hold_range_end: 1, hold_threshold: 9 } })
    expect(told(kept, { start_date: '2024-01-02', fill: 'next_close' })).toEqual([undefined, ['BBB 1 涨停未买入'], undefined])
  })

  it('an order for the next open looks at the open: at the limit it is not filled, below it is, wherever the day closes', () => {
    const close = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  120  110
    2024-01-04  120  132
    `
    const first = (open: string) => trades(table(close, { fields: { open } }), cheapest, { fill: 'next_open' })[0]
    expect(first(close.replace('2024-01-03  120', '2024-01-03  119'))).toBe('01-03 buy AAA 80@119 enter')
    expect(first(close)).toBe('01-03 buy BBB 90@110 enter')
  })

  it('or the place stays cash', () => {
    const cash = parameters({ hold_method: { hold_range_end: 1, empty_slot: 'cash' } })
    expect(trades(up, cash, from)).toEqual(['01-04 buy BBB 100@95 enter'])
  })

  it('what closes at its lower limit is not sold, and is tried again every day', () => {
    const large = parameters({
      rank_factors: [rankBy('close', { prefer: 'large' })],
      rebalance_method: { rebalance_type: 0, rebalance_value: 4 },
    })
    const falling = table(`
                  AAA  BBB
      2024-01-02  130  100
      2024-01-03  120  100
      2024-01-04  110  100
      2024-01-05  105  100
      2024-01-08  84   100
      2024-01-09  67.2 100
      2024-01-10  70   100
    `)
    expect(trades(falling, large, {})).toEqual(['01-02 buy AAA 70@130 enter', '01-10 sell AAA 70@70 rank_out'])
  })

  it('there was no limit for bonds before August 2022', () => {
    const panel = table(`
                  AAA  BBB  CCC
      2022-07-28  100  80   130
      2022-07-29  100  96   130
    `)
    expect(trades(panel, cheapest, { start_date: '2022-07-29' })).toEqual(['07-29 buy BBB 100@96 enter'])
  })
})

describe('price limits of shares', () => {
  const greatestRise = parameters({
    rank_factors: [rankBy('formula: close/ref(close,1)', { prefer: 'large' })],
    hold_method: { hold_range_end: 1 },
  })
  const days = ['2024-02-19', '2024-02-20', '2024-02-21']
  const text = (columns: Record<string, readonly number[]>) =>
    [Object.keys(columns).join(' '), ...days.map((day, k) => [day, ...Object.values(columns).map((cells) => cells[k])].join(' '))].join(
      '\n',
    )

  it('the first day of a delisting period has none: who is held leaves at its price', () => {
    const prices = `
                  AAA  BBB
      2024-04-03  5    3.5
      2024-04-08  -    3.5
      2024-04-17  2    3.5
      2024-04-18  1.85 3.5
    `
    const rule = parameters({ universe: { exclude_codes: ['BBB'] }, filter_factors: [filterBy('close', 'lt', 3)] })
    expect(trades(table(prices, { kind: 'stk' }), rule, {})).toEqual(['04-03 buy AAA 1900@5 enter', '04-17 sell AAA 1900@2 excluded'])
  })

  it.each([
    { adjust: 'hfq', times: 37.5 },
    { adjust: 'hfq', times: 5 },
    { adjust: 'qfq', times: 1 },
    { adjust: 'qfq', times: 0.01 },
  ] as const)('at adjusted prices ($adjust, $times times) the limit is the same day, and a rise of 4 % is none', ({ adjust, times }) => {
    const of = (cells: number[]) => cells.map((cell) => cell * times)
    // 9.94 → 10.93 is the limit to the cent, 9.96 % only; BBB rises by 4 % and is bought in its place.
    const prices = { AAA: of([9.94, 10.93, 10.93]), BBB: of([10, 10.4, 10.4]), CCC: of([10, 10, 10]) }
    const panel = table(text(prices), { kind: 'stk', adjust, fields: { high: text(prices), low: text(prices) } })
    const [first] = trades(panel, greatestRise, { adjust, start_date: '2024-02-20' })
    expect(first).toMatch(/^02-20 buy BBB /)
  })

  it('an ex-day without the previous close of the exchange is measured to the cent', () => {
    // 9.65 less 0.006 is 9.644, which the exchange calls 9.64: the limit is 10.60.
    const factor = 9.65 / 9.644
    const panel = table(text({ AAA: [9.65, 10.6, 10.6], BBB: [10, 10.1, 10.2] }), {
      kind: 'stk',
      fields: { adj_factor: text({ AAA: [1, factor, factor], BBB: [1, 1, 1] }) },
    })
    expect(trades(panel, greatestRise, { adjust: 'raw', start_date: '2024-02-20' })[0]).toBe('02-20 buy BBB 900@10.1 enter')
  })

  it('a debut with limits and nothing to measure them from is not for sale on its first day, and that is told', () => {
    const prices = `
                  AAA    BBB
      2020-03-02  20     .
      2020-03-03  20     14.4
      2020-03-04  20     15.84
      2020-03-05  20     16
    `
    const panel = table(prices, { kind: 'stk', securities: { BBB: { board: 'SSE_MAIN', listed: '2020-03-03' } } })
    expect(trades(panel, cheapest, { start_date: '2020-03-03' })).toEqual([
      '03-03 buy AAA 400@20 enter',
      '03-05 sell AAA 400@20 rank_out',
      '03-05 buy BBB 600@16 enter',
    ])
    const run = settings('2020-03-03', '2020-03-05', { benchmark: 'stk_ew', execution: 'realistic', capital: 1 })
    const { days } = reportOf(panel, markets.stk, { parameters: cheapest, settings: run })
    expect(days.map(({ unbought }) => unbought?.[0]?.reason_text)).toEqual([
      '没有前收盘价，无法判断涨跌停，未买入',
      '涨停未买入',
      undefined,
    ])
  })
})

describe('adjusted prices', () => {
  it('have no lots: the money is invested, however dear a back-adjusted share is', () => {
    const prices = `
                  AAA  BBB  CCC
      2024-01-02  20   500  1000
      2024-01-03  22   550  1100
    `
    const rule = parameters({ hold_method: { hold_range_end: 3 }, rebalance_method: { rebalance_type: 0, rebalance_value: 250 } })
    const earned = (adjust: 'raw' | 'hfq') => {
      const run = settings('2024-01-02', '2024-01-03', { benchmark: 'stk_ew', execution: 'realistic', capital: 10, adjust: 'hfq' })
      return reportOf(table(prices, { kind: 'stk', adjust }), markets.stk, { parameters: rule, settings: run })
    }
    expect(earned('hfq').report.metrics.total_return).toBeCloseTo(0.1, 4)
    expect(earned('hfq').report.trades.map(({ code }) => code)).toEqual(['AAA', 'BBB', 'CCC'])
    // At raw prices of the same figures stocks are bought in lots of a hundred; a place too small for one lot is reported.
    const { report, days } = earned('raw')
    expect(report.trades.map(({ code }) => code)).toEqual(['AAA'])
    expect(days[0]?.unbought?.map(({ code, reason_text }) => `${code} ${reason_text}`)).toEqual([
      'BBB 这一份资金或当日成交额不足一手，未买入',
      'CCC 这一份资金或当日成交额不足一手，未买入',
    ])
  })

  it.each([
    { what: 'of a few cents', adjust: 'qfq', price: 0.53, told: 1 },
    { what: 'up to two yuan', adjust: 'qfq', price: 1.99, told: 1 },
    { what: 'from two yuan on', adjust: 'qfq', price: 2, told: 0 },
    { what: 'with more than cents', adjust: 'qfq', price: 1.235, told: 0 },
    { what: 'that are raw', adjust: 'raw', price: 0.53, told: 0 },
  ] as const)('$what in cents: $told warnings that limits are told roughly', ({ adjust, price, told }) => {
    const prices = `
                  AAA       BBB
      2024-01-02  ${price}  9
      2024-01-03  ${price}  9
    `
    const run = settings('2024-01-02', '2024-01-03', { benchmark: 'stk_ew', execution: 'realistic', capital: 1 })
    const { report } = reportOf(table(prices, { kind: 'stk', adjust }), markets.stk, { parameters: cheapest, settings: run })
    expect(report.warnings.filter((one) => /^有 [1-9]\d* 次涨跌停按低于 2 元、只到分的复权价判断/.test(one))).toHaveLength(told)
  })
})

describe('suspension', () => {
  const prices = `
                  AAA  BBB
      2024-01-02  100  110
      2024-01-03  -    90
      2024-01-04  95   90
      2024-01-05  95   90
      2024-01-08  95   90
    `
  it('a suspended holding is not judged: it stays beside the places until the next rebalance', () => {
    const rule = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 3 } })
    const panel = table(prices)
    expect(trades(panel, rule, { start_date: '2024-01-02' })).toEqual([
      '01-02 buy AAA 100@100 enter',
      '01-05 sell AAA 100@95 rank_out',
      '01-05 buy BBB 100@90 enter',
    ])
    const { days } = reportOf(panel, markets.cb, {
      parameters: parameters(),
      settings: settings('2024-01-02', '2024-01-08', { execution: 'realistic', adjust: 'raw' }),
    })
    expect(days[1]?.positions.map(({ code, suspension, reason_text }) => [code, suspension, reason_text])).toEqual([
      ['AAA', 1, '停牌，继续持有'],
    ])
  })

  it('who does not trade on the day of the order, or has no price of it, is told', () => {
    const close = `
                  AAA  BBB  CCC
      2024-01-02  100  101  102
      2024-01-03  -    101  102
      2024-01-04  100  101  102
    `
    const told = (open: string) => {
      const run = settings('2024-01-02', '2024-01-04', { execution: 'realistic', adjust: 'raw', fill: 'next_open' })
      const { days } = reportOf(table(close, { fields: { open } }), markets.cb, { parameters: cheapest, settings: run })
      return days[1]?.unbought?.map(({ code, rank, reason_text }) => `${code} ${rank} ${reason_text}`)
    }
    expect(told(close)).toEqual(['AAA 1 停牌未买入'])
    expect(told(close.replace('-    101', '-    -  '))).toEqual(['AAA 1 停牌未买入', 'BBB 2 当日没有成交价，未买入'])
  })

  it('orders at the open know nothing of that day’s close: what it says of the day changes none of them', () => {
    const open = `
                  AAA   BBB    CCC
      2024-01-02  10    12     14
      2024-01-03  10    12     14
      2024-01-04  20    8.6    13
      2024-01-05  20    8.6    13
    `
    const run = (last: string) =>
      trades(
        table(
          `
                  AAA   BBB    CCC
      2024-01-02  10    12     14
      2024-01-03  20    8.5    13
      2024-01-04  ${last}
      2024-01-05  20    8.6    13
    `,
          { kind: 'stk', fields: { open } },
        ),
        parameters({ hold_method: { hold_range_end: 2 }, rebalance_method: { rebalance_type: 0, rebalance_value: 1 } }),
        { fill: 'next_open', capital: 10 },
      ).filter((trade) => trade.startsWith('01-0') && trade < '01-05')
    const [low, high] = [run('18.1  8.0    13.9'), run('21.9  9.2    12.0')]
    expect(low.filter((trade) => trade.startsWith('01-04')).length).toBeGreaterThan(1)
    expect(high).toEqual(low)
  })

  it('a sale that a suspension of the fill day prevents is made when it trades again', () => {
    const close = prices.replace('2024-01-03  -    90', '2024-01-03  100  90').replace('2024-01-04  95 ', '2024-01-04  -  ')
    const rule = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 1 } })
    expect(trades(table(close, { fields: { open: close } }), rule, { fill: 'next_open' }).slice(0, 2)).toEqual([
      '01-03 buy AAA 100@100 enter',
      '01-05 sell AAA 100@95 rank_out',
    ])
  })

  it('ideal runs leave it where it is until the next rebalance', () => {
    const panel = table(`
                  AAA  BBB
      2024-01-02  100  110
      2024-01-03  -    90
      2024-01-04  95   90
      2024-01-05  95   90
    `)
    const first = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 1 } })
    const got = trades(panel, first, { execution: 'ideal' })
    expect(got).toEqual(['01-02 buy AAA 100@100 enter', '01-04 sell AAA 100@95 rank_out', '01-04 buy BBB 105.5556@90 enter'])
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

describe('turnover of the day', () => {
  const prices = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  100  110
    2024-01-04  120  110
    2024-01-05  120  110
    2024-01-08  120  110
  `
  it('no more than a tenth of it is traded; the rest of a sale follows on the next days', () => {
    const amount = `
                AAA  BBB
    2024-01-02  5    5
    2024-01-03  5    5
    2024-01-04  2.4  5
    2024-01-05  2.4  5
    2024-01-08  9    5
    `
    const panel = table(prices, { fields: { amount } })
    const rule = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 2 } })
    const request = {
      parameters: rule,
      settings: settings('2024-01-02', '2024-01-08', { execution: 'realistic', adjust: 'raw', capital: 0.5 }),
    }
    const { report } = reportOf(panel, markets.cb, request)
    const isPartial = ({ reason_text }: { reason_text: string }) => reason_text.endsWith('；受当日成交额限制，部分成交')
    expect(report.trades.map(isPartial)).toEqual([false, true, false, true, false, false])
    expect(report.warnings).toContain('有 2 笔委托超过当日成交额的 10%，只成交了一部分')
    expect(trades(panel, rule, { capital: 0.5 })).toEqual([
      '01-02 buy AAA 50@100 enter',
      '01-04 sell AAA 20@120 rank_out',
      '01-04 buy BBB 20@110 enter',
      '01-05 sell AAA 20@120 rank_out',
      '01-08 sell AAA 10@120 rank_out',
      '01-08 buy BBB 30@110 rebalance',
    ])
  })

  it('is not limited where it is unknown, and that is told', () => {
    const panel = table(prices)
    const { report } = reportOf(panel, markets.cb, {
      parameters: cheapest,
      settings: settings('2024-01-02', '2024-01-08', { execution: 'realistic', adjust: 'raw' }),
    })
    expect(report.warnings).toContain('部分日期缺少成交额，未限制单笔成交占比')
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
      ['名次 1 → 3，超出持有区间 1 与排名差 1', 1, 3],
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
