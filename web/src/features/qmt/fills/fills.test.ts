import type { FillListItem } from '@convexa/contract/qmt-trade'
import { expect, test } from 'vitest'
import { daysOf } from './fills.ts'

const fill = (over: Partial<FillListItem>): FillListItem => ({
  ...{ order_id: 'A', trade_date: '2026-11-23', code: '110901.SH', name: '试验转1', side: 'buy', volume: 100, filled: 100, price: 101 },
  ...{ status: 'filled', note: '', dry_run: true, ordered_at: '2026-11-23T14:50:00+08:00', amount: 10_100, told_at: '', ...over },
})

test('orders stand by day, real ones apart from those of a rehearsal, with what was bought and sold', () => {
  const days = daysOf([
    fill({ trade_date: '2026-11-24', dry_run: false, side: 'sell', amount: 500 }),
    fill({ trade_date: '2026-11-24', dry_run: false, filled: 0, amount: 0, status: 'rejected' }),
    fill({ trade_date: '2026-11-24' }),
    fill({}),
    fill({ amount: 900 }),
  ])
  expect(days.map(({ date, dryRun, orders, bought, sold, done }) => [date, dryRun, orders.length, bought, sold, done])).toEqual([
    ['2026-11-24', false, 2, 0, 500, 1],
    ['2026-11-24', true, 1, 10_100, 0, 1],
    ['2026-11-23', true, 2, 11_000, 0, 2],
  ])
})

test('nothing told is no day', () => {
  expect(daysOf([])).toEqual([])
})
