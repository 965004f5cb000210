import type { DryRun, DryRunRow } from '@convexa/contract/qmt-basket'
import { describe, expect, it } from 'vitest'
import { basisWords, figuresOf, orderedRows, roomWords, totalsOf, trades, yuan } from './dry-run.ts'
import { textOfTable } from './table-file.ts'

const row = (code: string, held: number, target: number, price: number | null, rank: number | null): DryRunRow => ({
  ...{ code, name: code, held, target, price, rank, rank_before: null, reason_text: '', warnings: [] },
  difference: target - held,
  action: target > held ? 'buy' : target < held ? 'sell' : 'keep',
  amount: price === null ? null : Math.abs(target - held) * price,
  fee: null,
  turnover_share: null,
})
const rows = [
  row('K2', 70, 70, 119, 2),
  row('B9', 0, 80, 100, 9),
  row('S', 90, 0, null, null),
  row('B3', 0, 70, 110, 3),
  row('K1', 80, 80, 100, 1),
]
const result: DryRun = {
  ...{ trade_date: '2026-11-23', signal_date: '2026-11-20', data_mode: 'imported', data_version: 'v', hash: '', dropped: [], warnings: [] },
  ...{ holdings_from: 'heartbeat', holdings_at: '2026-11-23T14:31:00+08:00', targets: 4 },
  holdings: [
    { code: 'K1', volume: 80 },
    { code: 'K2', volume: 70 },
    { code: 'X', volume: 0 },
  ],
  ...{ rows, buy_amount: 15_700, sell_amount: 0, fees: 15.7, unused_cash: 100, max_turnover_share: 0.00033 },
}

describe('a dry run', () => {
  it('is read as it is traded: sales, purchases, what stays, each by its rank', () => {
    expect(orderedRows(rows).map(({ code }) => code)).toEqual(['S', 'B3', 'B9', 'K1', 'K2'])
    expect(trades(rows)).toHaveLength(3)
  })

  it('adds up; a price that is missing adds nothing', () => {
    expect(totalsOf(result)).toEqual({ securities: 5, held: 240, target: 300, difference: 60, amount: 15_700, fees: 15.7, after: 32_030 })
  })

  it('says what is seen first', () => {
    expect(figuresOf(result).map(({ name, value, beside }) => `${name} ${value} ${beside}`)).toEqual([
      '卖出 1 只 ',
      '买入 2 只 ¥15,700',
      '预计费用 ¥15.70 0.10%',
      '占成交额最高 0.033% 容量充足',
    ])
  })

  it.each<[from: DryRun['holdings_from'], held: DryRun['holdings'], words: string]>([
    ['heartbeat', result.holdings, '目标 4 只 · 现有 2 只 · 持仓来自客户端心跳 11-23 14:31'],
    ['given', [], '目标 4 只 · 现有 0 只 · 按空仓'],
    ['given', result.holdings, '目标 4 只 · 现有 2 只 · 持仓来自你的填写'],
    ['none', [], '目标 4 只 · 现有 0 只 · 没有持仓记录，按空仓'],
  ])('of holdings %s says what it is compared with', (from, holdings, words) =>
    expect(basisWords({ ...result, holdings, holdings_from: from, holdings_at: from === 'heartbeat' ? result.holdings_at : null })).toBe(
      words,
    ),
  )

  it.each<[share: number | null, words: string]>([
    [null, ''],
    [0.001, '容量充足'],
    [0.01, '容量偏紧'],
    [0.05, '容量不足'],
  ])('takes %s of a day’s turnover: %s', (share, words) => expect(roomWords(share)).toBe(words))

  it('has no amount where there is no price', () => expect(yuan(null)).toBe('—'))
})

describe('a table of holdings', () => {
  it('is read as UTF-8, and in GBK as terminals write it', () => {
    expect(textOfTable(new TextEncoder().encode('代码,数量').buffer as ArrayBuffer)).toBe('代码,数量')
    expect(textOfTable(new Uint8Array([0xb4, 0xfa, 0xc2, 0xeb]).buffer)).toBe('代码')
  })
})
