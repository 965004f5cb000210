import type { Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { cheapest, trades } from '../fixtures/trades.ts'

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

  it('an order whose share of it is less than a lot is not filled, and counts as none that was filled in part', () => {
    const amount = prices.replaceAll(/\b(100|110|120)\b/g, '0.5')
    const { report } = reportOf(table(prices, { fields: { amount } }), markets.cb, {
      parameters: cheapest,
      settings: settings('2024-01-02', '2024-01-08', { execution: 'realistic', adjust: 'raw', capital: 0.5 }),
    })
    expect(report.trades).toEqual([])
    expect(report.warnings.join()).not.toContain('只成交了一部分')
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
