import type { OrderQuestion, Questions } from '@convexa/contract/qmt-trade'
import { expect, it } from 'vitest'
import { isOnline, isQuiet, openCount, stateOf, volumesOf } from './questions.ts'

const order = (over: Partial<OrderQuestion>): OrderQuestion => ({
  ...{ config_id: 'c', config_name: '双低', order_id: 'O', trade_date: '2026-11-23', ordered_at: '2026-11-23T14:50:00+08:00' },
  ...{ code: '110901.SH', name: '甲', side: 'buy', volume: 490, filled: 0, price: 100, status: 'unsure', account: null, book: 0 },
  ...{ others: 0, is_over: true, settled_filled: null, is_correction: false, ...over },
})
const all = (over: Partial<Questions>): Questions => ({ orders: [], books: [], journals: [], changes: [], ...over })

it.each([
  ['is asked', {}, '待核对'],
  ['waits for the client', { settled_filled: 490, is_over: false }, '已回答：成交 490，等待客户端确认'],
  ['counts after the close where it is less than the whole', { settled_filled: 0, is_over: false }, '已回答：成交 0，收盘后（15:05）生效'],
  ['is settled, and may be corrected', { is_correction: true, filled: 490 }, '已核对：成交 490'],
])('an order %s', (_, over, words) => expect(stateOf(order(over), true)).toBe(words))

it('an answer waits for a client that is not there', () => {
  expect(stateOf(order({ settled_filled: 490 }), false)).toBe('已回答：成交 490，客户端不在线，下次心跳时收到')
  const heard = '2026-11-23T14:50:00+08:00'
  expect([isOnline(null, 0), isOnline(heard, Date.parse(heard) + 179_000), isOnline(heard, Date.parse(heard) + 180_000)]).toEqual([
    false,
    true,
    false,
  ])
})

it('only what has no answer is counted', () => {
  expect(isQuiet(all({}))).toBe(true)
  expect(openCount(all({ orders: [order({}), order({ settled_filled: 0 }), order({ is_correction: true })] }))).toBe(1)
})

it('a volume that is not known is none', () => expect(volumesOf(order({}))).toBe('账户 — · 账本 0 · 其他配置 0'))
