import type { Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { parameters, settings } from '../fixtures/parameters.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { cheapest, trades } from '../fixtures/trades.ts'

describe('fills on the next day', () => {
  const close = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  120  110
    2024-01-04  120  110
    2024-01-05  100  110
  `
  const open = `
                AAA  BBB
    2024-01-02  99   109
    2024-01-03  105  112
    2024-01-04  121  109
    2024-01-05  119  111
  `
  it.each([
    {
      fill: 'close',
      expected: [
        '01-02 buy AAA 100@100 enter',
        '01-03 sell AAA 100@120 rank_out',
        '01-03 buy BBB 100@110 enter',
        '01-05 sell BBB 100@110 rank_out',
        '01-05 buy AAA 120@100 enter',
      ],
    },
    { fill: 'next_open', expected: ['01-03 buy AAA 90@105 enter', '01-04 sell AAA 90@121 rank_out', '01-04 buy BBB 100@109 enter'] },
    { fill: 'next_close', expected: ['01-03 buy AAA 80@119 enter'] },
  ] as const)('$fill', ({ fill, expected }) => {
    const prices = fill === 'next_close' ? close.replace('2024-01-03  120', '2024-01-03  119') : close
    expect(trades(table(prices, { fields: { open } }), cheapest, { fill }).slice(0, expected.length)).toEqual(expected)
  })

  it('an order for the open is sized without the close of its day, paid by what is sold there, and may be sold at the next open', () => {
    // AAA leaves on the second signal and pays for BBB; the third sells BBB again.
    const text = (rows: readonly (readonly [string, number, number])[]) => ['AAA BBB', ...rows.map((row) => row.join(' '))].join('\n')
    const made = (last: number) => {
      const closes = text([
        ['2024-01-02', 10, 11],
        ['2024-01-03', 12, 11],
        ['2024-01-04', last, 13],
        ['2024-01-05', 10, 13],
      ])
      const opens = text([
        ['2024-01-02', 10, 11],
        ['2024-01-03', 10, 11],
        ['2024-01-04', 20, 8.6],
        ['2024-01-05', 10, 12],
      ])
      const panel = table(closes, { kind: 'stk', fields: { open: opens } })
      return trades(panel, cheapest, { fill: 'next_open', benchmark: 'stk_ew' })
    }
    const lines = made(11.9)
    expect(made(11.1)).toEqual(lines)
    expect(lines.map((line) => line.replace(/@.*/, ''))).toEqual([
      '01-03 buy AAA 900',
      '01-04 sell AAA 900',
      expect.stringMatching(/^01-04 buy BBB [1-9]\d+00$/),
      expect.stringMatching(/^01-05 sell BBB [1-9]\d+00$/),
      expect.stringContaining('01-05 buy AAA'),
    ])
  })

  it('what a ranking ends is held over its own close, waiting for the next day', () => {
    const said = (fill: Settings['fill']) => {
      const request = { parameters: cheapest, settings: settings('2024-01-02', '2024-01-05', { fill }) }
      const { days } = reportOf(table(close, { fields: { open } }), markets.cb, request)
      return days.map(({ positions }) => positions.map(({ code, reason_text }) => `${code} ${reason_text}`).join())
    }
    expect(said('next_open')).toEqual(['', 'AAA 名次 1，新进', 'BBB 名次 2 → 1，新进', 'BBB 名次 2，待次日轮动'])
    expect(said('close')[2]).toBe('BBB 名次 1，继续持有')
  })

  it('next_vwap is turnover over volume: 万元 over lots of ten', () => {
    const fields = {
      amount: close.replace(/1[0-2]0/g, '106'),
      vol: close.replace(/1[0-2]0/g, '1000'),
    }
    expect(trades(table(close, { fields }), cheapest, { fill: 'next_vwap' })[0]).toBe('01-03 buy AAA 90@106 enter')
  })

  it('next_vwap of adjusted prices is refused where amounts and volumes are not adjusted with them', () => {
    const times = (factor: number) => close.replace(/1[0-2]\d/g, (price) => String(Math.round(Number(price) * factor)))
    // 1 万元 over 90 shares is 111.11; prices are three times as high.
    const fields = (factor: number) => ({
      amount: close.replace(/1[0-2]\d/g, '1'),
      vol: close.replace(/1[0-2]\d/g, '90'),
      high: times(factor * 1.15),
      low: times(factor * 0.9),
    })
    const run = (factor: number, fill: Settings['fill']) =>
      runToEnd(table(times(factor), { kind: 'stk', fields: fields(factor) }), markets.stk, {
        parameters: cheapest,
        settings: settings('2024-01-02', '2024-01-05', { fill, benchmark: 'stk_ew', adjust: 'hfq' }),
      }).outcome
    expect(run(3, 'next_vwap')).toMatchObject({ ok: false, problem: { code: 23001, message: expect.stringContaining('两者口径不同') } })
    expect([run(1, 'next_vwap').ok, run(3, 'next_close').ok]).toEqual([true, true])
  })

  it('a price that the data lack on part of the range is refused by name and dates', () => {
    const panel = table(close, { fields: { open: open.replace('2024-01-05  119  111', '2024-01-05  -    -') } })
    const request = { parameters: cheapest, settings: settings('2024-01-02', '2024-01-05', { fill: 'next_open' }) }
    const { outcome } = runToEnd(panel, markets.cb, request)
    expect(outcome).toMatchObject({
      ok: false,
      problem: { code: 23001, message: '回测参数有误：「开盘价」只有 2024-01-02 至 2024-01-04 的数据，无法按所选成交价撮合整个区间' },
    })
    const holed = table(close, { fields: { open: open.replace('2024-01-04  121  109', '2024-01-04  -    -') } })
    expect(runToEnd(holed, markets.cb, request).outcome).toMatchObject({
      problem: { message: '回测参数有误：「开盘价」在 2024-01-04 没有数据，无法按所选成交价撮合整个区间' },
    })
    expect(runToEnd(table(close), markets.cb, request).outcome).toMatchObject({ ok: false, problem: { code: 23001 } })
  })
})

describe('raw prices of shares', () => {
  const prices = `
                AAA  BBB
    2024-01-02  10   11
    2024-01-03  10   11
    2024-01-04  5    11
    2024-01-05  5.5  11
  `
  const adj_factor = `
                AAA  BBB
    2024-01-02  1    1
    2024-01-03  1    1
    2024-01-04  2    1
    2024-01-05  2    1
  `
  const hold = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 250 } })
  it('a split doubles the shares instead of halving the money', () => {
    const panel = table(prices, { kind: 'stk', fields: { adj_factor } })
    const { report, days } = reportOf(panel, markets.stk, {
      parameters: hold,
      settings: settings('2024-01-02', '2024-01-05', { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' }),
    })
    // 900 shares and 1,000 yuan of cash less the transfer fee
    for (const [day, value] of [1, 1, 1, 1.09].entries()) expect(report.curves.nav[day]).toBeCloseTo(value, 4)
    expect(days.map((day) => day.positions[0]?.volume)).toEqual([900, 900, 1800, 1800])
    expect(days[2]?.positions[0]?.stk_div).toBe(900)
    expect(report.trades[0]?.price_adj).toBe(10)
  })

  it('cannot be run without the factors, and says so', () => {
    const panel = table(prices, { kind: 'stk' })
    const { outcome } = runToEnd(panel, markets.stk, {
      parameters: hold,
      settings: settings('2024-01-02', '2024-01-05', { benchmark: 'stk_ew', adjust: 'raw' }),
    })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 23001, message: expect.stringContaining('复权因子') } })
  })
})
