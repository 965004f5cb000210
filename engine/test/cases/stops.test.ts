import type { Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { parameters, settings } from '../fixtures/parameters.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

function report(panel: Panel, wanted: Parameters, over: Partial<Settings> = {}) {
  return reportOf(panel, markets[panel.kind], {
    parameters: wanted,
    settings: settings(panel.dates[0] as string, panel.dates[panel.dates.length - 1] as string, {
      benchmark: `${panel.kind}_ew`,
      execution: 'realistic',
      capital: 1,
      adjust: panel.kind === 'cb' ? 'raw' : 'qfq',
      ...over,
    }),
  })
}
const lines = (made: ReturnType<typeof report>) =>
  made.report.trades.map(({ date, side, code, volume, price, reason }) => `${date.slice(5)} ${side} ${code} ${volume}@${price} ${reason}`)

/** Prices of the two as four tables; AAA is the cheaper and is held. */
const bars = (kind: 'cb' | 'stk' = 'cb') =>
  table(
    `
                AAA    BBB
    2024-01-02  100    150
    2024-01-03  103    150
    2024-01-04  102    150
    2024-01-05  101    150
  `,
    {
      kind,
      fields: {
        open: `
                AAA    BBB
    2024-01-02  100    150
    2024-01-03  101    150
    2024-01-04  104    150
    2024-01-05  102    150
      `,
        high: `
                AAA    BBB
    2024-01-02  112    150
    2024-01-03  107    150
    2024-01-04  105    150
    2024-01-05  103    150
      `,
        low: `
                AAA    BBB
    2024-01-02  90     150
    2024-01-03  99     150
    2024-01-04  97     150
    2024-01-05  100    150
      `,
      },
    },
  )
const rarely = { rebalance_type: 0, rebalance_value: 250 } as const
const daily = { rebalance_type: 0, rebalance_value: 1 } as const
const stopped = (stop_method: Parameters['stop_method'], rebalance_method: Parameters['rebalance_method'] = rarely) =>
  parameters({ stop_method, rebalance_method })

describe('stops of a position', () => {
  it('the day of the buy does not count; the touch of the next day is sold at the level, and the cash waits', () => {
    const made = report(bars(), stopped({ stop_type: 1, take_profit: 0.06 }))
    expect(lines(made)).toEqual(['01-02 buy AAA 100@100 enter', '01-03 sell AAA 100@106 take_profit'])
    expect(made.report.trades[1]?.reason_text).toBe('盘中触及止盈价 106.000（昨收 100.000 +6.0%），按触发价成交')
    expect(made.report.curves.nav).toEqual([1, 1.06, 1.06, 1.06])
  })

  it.each(['realistic', 'ideal'] as const)(
    'is not bought back on that day, %s: the next best takes its place, or nobody does',
    (execution) => {
      const wanted = stopped({ stop_type: 1, take_profit: 0.06 }, daily)
      const made = report(bars(), wanted, { execution })
      expect(lines(made).map((line) => line.replace(/ [\d.]+@/, ' '))).toEqual([
        '01-02 buy AAA 100 enter',
        '01-03 sell AAA 106 take_profit',
        '01-03 buy BBB 150 enter',
        '01-04 sell BBB 150 rank_out',
        '01-04 buy AAA 102 enter',
      ])
      expect(made.report.assumptions.find(({ key }) => key === 'stop')?.text).toContain('卖出的标的当日不再买回，其位置当日按无法买入处理')
      const empty = parameters({ ...wanted, hold_method: { empty_slot: 'cash' } })
      expect(lines(report(bars(), empty, { execution })).map((line) => line.replace(/ [\d.]+@/, ' '))).toEqual([
        '01-02 buy AAA 100 enter',
        '01-03 sell AAA 106 take_profit',
        '01-04 buy AAA 102 enter',
      ])
    },
  )

  it('a loss is measured from the previous close, or from the cost', () => {
    const loss = (base: 'prev_close' | 'cost') => lines(report(bars(), stopped({ stop_type: 2, stop_loss: 0.04, base })))[1]
    expect(loss('prev_close')).toBe('01-04 sell AAA 100@98.88 stop_loss')
    expect(loss('cost')).toBeUndefined()
  })

  it('a day that reaches both is a loss, said in its row and in the warnings', () => {
    const made = report(bars(), stopped({ stop_type: 3, take_profit: 0.06, stop_loss: 0.01 }))
    expect(lines(made)[1]).toBe('01-03 sell AAA 100@99 stop_loss')
    expect(made.report.trades[1]?.reason_text).toBe(
      '盘中触及止损价 99.000（昨收 100.000 −1.0%），按触发价成交；当日也触及止盈价，先后不明，按先止损处理',
    )
    expect(made.report.warnings).toContain('有 1 次持仓在同一日触及止盈价与止损价，日线无法判断先后，按先止损处理')
  })

  it('judged at the close it is sold there, and the ranking of that close does not buy it back', () => {
    const method = { stop_type: 4, take_profit: 0.03, stop_loss: 0.5 } as const
    expect(lines(report(bars(), stopped(method, daily)))).toEqual([
      '01-02 buy AAA 100@100 enter',
      '01-03 sell AAA 100@103 take_profit',
      '01-03 buy BBB 60@150 enter',
      '01-04 sell BBB 60@150 rank_out',
      '01-04 buy AAA 100@102 enter',
    ])
  })

  it('where orders are filled the next day, so is what the close has stopped', () => {
    const method = { stop_type: 4, take_profit: 0.029, stop_loss: 0.5 } as const
    expect(lines(report(bars(), stopped(method), { fill: 'next_open' }))).toEqual(['01-03 buy AAA 90@101 enter'])
    expect(lines(report(bars(), stopped({ ...method, take_profit: 0.5, stop_loss: 0.009 }), { fill: 'next_open' }))).toEqual([
      '01-03 buy AAA 90@101 enter',
      '01-05 sell AAA 90@102 stop_loss',
    ])
  })

  it('an order for the next close does not buy back what was stopped on its way', () => {
    const made = report(bars(), stopped({ stop_type: 2, stop_loss: 0.04 }, daily), { fill: 'next_close' })
    expect(lines(made).slice(0, 4)).toEqual([
      '01-03 buy AAA 90@103 enter',
      '01-04 sell AAA 90@98.88 stop_loss',
      '01-04 buy BBB 60@150 enter',
      '01-05 sell BBB 60@150 rank_out',
    ])
  })

  it('trails the highest price since the buy', () => {
    const made = report(bars(), stopped({ stop_type: 5, activate: 0.05, drawdown: 0.05, base: 'cost' }))
    expect(lines(made)[1]).toBe('01-04 sell AAA 100@101.65 trailing_stop')
    expect(made.report.trades[1]?.reason_text).toBe('盘中触及移动止盈价 101.650（最高价 107.000 −5.0%），按触发价成交')
  })

  it('slippage goes against the trader here too', () => {
    const cost = { buy_rate: 0, sell_rate: 0, slippage: 0.01 }
    expect(lines(report(bars(), stopped({ stop_type: 1, take_profit: 0.06 }), { cost }))[1]).toBe('01-03 sell AAA 90@104.94 take_profit')
  })

  it('ideal runs stop at the same prices', () => {
    const made = report(bars(), stopped({ stop_type: 1, take_profit: 0.06 }), { execution: 'ideal' })
    expect(made.report.curves.nav[3]).toBeCloseTo(1.06, 12)
  })
})

describe('stops that the market does not let through', () => {
  // AAA falls to its lower limit of −10 % on the third day and opens there.
  const falling = table(
    `
                AAA   BBB
    2024-01-02  10    20
    2024-01-03  10    20
    2024-01-04  9     20
    2024-01-05  8.5   20
  `,
    {
      kind: 'stk',
      fields: {
        open: `
                AAA   BBB
    2024-01-02  10    20
    2024-01-03  10    20
    2024-01-04  9     20
    2024-01-05  8.6   20
      `,
        low: `
                AAA   BBB
    2024-01-02  10    20
    2024-01-03  10    20
    2024-01-04  9     20
    2024-01-05  8.4   20
      `,
      },
    },
  )
  it('at the lower limit nobody buys: the sale is made when it can be', () => {
    const made = report(falling, stopped({ stop_type: 2, stop_loss: 0.05 }))
    expect(lines(made)).toEqual(['01-02 buy AAA 900@10 enter', '01-05 sell AAA 900@8.55 stop_loss'])
    expect(made.days[2]?.positions[0]?.reason).toBe('waiting')
  })

  it('prices that the data lack are named with their dates', () => {
    const refused = (panel: Panel) => {
      const { outcome } = runToEnd(panel, markets[panel.kind], {
        parameters: stopped({ stop_type: 3, take_profit: 0.06, stop_loss: 0.05 }),
        settings: settings('2024-01-02', '2024-01-05', { benchmark: 'stk_ew' }),
      })
      return outcome.ok ? null : `${outcome.problem.code} ${outcome.problem.message}`
    }
    expect(refused(falling)).toBe('23001 回测参数有误：当前数据没有「最高价」，无法判断盘中止盈止损')
    const short = bars('stk')
    const high = (short.columns.get('high') as Float64Array).slice()
    high.fill(Number.NaN, 6)
    const columns = new Map([...short.columns, ['high', high] as const])
    expect(refused({ ...short, columns })).toBe(
      '23001 回测参数有误：「最高价」只有 2024-01-02 至 2024-01-04 的数据，无法在整个区间判断盘中止盈止损',
    )
  })

  it.each([
    { kind: 'stk', story: 'T+1: what was added at the open of the day stays, what was held before goes', lots: [9900, 1300, 9900] },
    { kind: 'cb', story: 'T+0: all of it goes', lots: [10_000, 1480, 11_480] },
  ] as const)('$story', ({ kind, lots: [held, added, sold] }) => {
    // BBB has become dearer, so AAA is bought at the third open; that day it falls through its stop.
    const rows = (third: string, fourth = third) => `
                AAA   BBB
    2024-01-02  10    20
    2024-01-03  10    20
    2024-01-04  ${third}
    2024-01-05  ${fourth}
    `
    const panel = table(rows('10  26').replace('2024-01-03  10    20', '2024-01-03  10    25'), {
      kind,
      fields: { open: rows('10  26'), low: rows('9  26', '9.9 26') },
    })
    const both = parameters({
      stop_method: { stop_type: 2, stop_loss: 0.05 },
      hold_method: { hold_range_end: 2 },
      rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
    })
    const made = lines(report(panel, both, { fill: 'next_open', capital: 20 }))
    expect(made.filter((line) => line.includes('AAA')).slice(0, 3)).toEqual([
      `01-03 buy AAA ${held}@10 enter`,
      `01-04 buy AAA ${added}@10 rebalance`,
      `01-04 sell AAA ${sold}@9.5 stop_loss`,
    ])
  })
})
