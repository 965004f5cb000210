import { expect, test } from 'vitest'
import { eventsOf } from './facts.ts'
import { refPriceOf } from './lots.ts'
import type { Quote } from './market-day.ts'

const quote = (over: Partial<Quote>): Quote => ({
  ...{ code: '600001.SH', name: '甲', close: 20, amount: 1, size: 1, volatility: 0.1, callStatus: 0, callCount: 0, callNeed: 0 },
  ...{ listed: true, traded: true, lastDay: null, fees: { stampSell: 0, transfer: 0 }, lot: { min: 100, step: 100 }, values: new Map() },
  ...over,
})
const bonus = { date: '2026-11-23', cash: 0.5, ratio: 1 }

test('an ex-day of the trade date is told, and the price that is traded from is the ex price', () => {
  const one = quote({ exDays: [{ date: '2025-06-02', cash: 1, ratio: 0 }, bonus, { date: '2026-12-01', cash: 1, ratio: 0 }] })
  expect(eventsOf(one, { kind: 'stk', tradeDate: '2026-11-23' })).toEqual([{ day: '2026-11-23', kind: 'shares', ratio: 1, cash: 0.5 }])
  expect(refPriceOf(one, '2026-11-23')).toBe(9.75)
  expect(refPriceOf(one, '2026-11-24')).toBe(20)
})

test('events are told for ten trading days, ends from the day after the last one', () => {
  const one = quote({ exDays: [bonus] })
  expect(eventsOf(one, { kind: 'stk', tradeDate: '2026-12-07' })).toHaveLength(1)
  expect(eventsOf(one, { kind: 'stk', tradeDate: '2026-12-08' })).toHaveLength(0)
  const bond = quote({ code: '110901.SH', lastDay: '2026-11-20' })
  expect(eventsOf(bond, { kind: 'cb', tradeDate: '2026-11-20' })).toEqual([])
  expect(eventsOf(bond, { kind: 'cb', tradeDate: '2026-11-23' })).toEqual([{ day: '2026-11-21', kind: 'matured' }])
  expect(
    eventsOf(quote({ exDays: [{ date: '2026-11-23', cash: 0, ratio: -0.5 }] }), { kind: 'stk', tradeDate: '2026-11-23' }),
  ).toMatchObject([{ kind: 'merge' }])
})
