import { readFileSync } from 'node:fs'
import type { SecurityFacts } from '@convexa/contract'
import { unknownTerms } from '@convexa/engine'
import { expect, test } from 'vitest'
import { endKindOf } from './end-kind.ts'
import { eventsOf, factsChecksum, factsRow } from './facts.ts'
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
  expect(eventsOf(one, { tradeDate: '2026-11-23' })).toEqual([{ day: '2026-11-23', kind: 'shares', ratio: 1, cash: 0.5 }])
  expect(refPriceOf(one, '2026-11-23')).toBe(9.75)
  expect(refPriceOf(one, '2026-11-24')).toBe(20)
})

test('a close is told to compare with the terminal’s only where it is the close of the signal’s day', () => {
  const day = { tradeDate: '2026-11-23', signalDate: '2026-11-20', renamed: new Map() }
  expect(factsRow('600001.SH', quote({}), day, 0)).toMatchObject({ close: 20 })
  expect(factsRow('600001.SH', quote({ isEarly: true }), day, 0)).toMatchObject({ close: null })
  expect(factsRow('600001.SH', quote({ close: Number.NaN, isUnquoted: true }), day, 0)).toMatchObject({ close: null })
})

test('events are told for ten trading days, ends from the day after the last one', () => {
  const one = quote({ exDays: [bonus] })
  expect(eventsOf(one, { tradeDate: '2026-12-07' })).toHaveLength(1)
  expect(eventsOf(one, { tradeDate: '2026-12-08' })).toHaveLength(0)
  const bond = quote({ code: '110901.SH', lastDay: '2026-11-20', endKind: 'called' })
  expect(eventsOf(bond, { tradeDate: '2026-11-20' })).toEqual([])
  expect(eventsOf(bond, { tradeDate: '2026-11-23' })).toEqual([{ day: '2026-11-21', kind: 'called' }])
  expect(eventsOf(quote({ exDays: [{ date: '2026-11-23', cash: 0, ratio: -0.5 }] }), { tradeDate: '2026-11-23' })).toMatchObject([
    { kind: 'merge' },
  ])
})

const lastDay = '2026-11-20'
const matures = (maturityDate: string) => ({ terms: { ...unknownTerms, maturityDate } })
const announced = (...kinds: ('redeem' | 'redeem_execution' | 'maturity' | 'no_redeem')[]) => ({
  announcements: kinds.map((kind, i) => ({ kind, date: `2026-11-0${i + 1}` })),
})

test.each([
  ['a called bond of an import', 'cb', { exitReason: 'called' }, 'called'],
  ['a bond of an import that was paid back', 'cb', { exitReason: 'maturity' }, 'matured'],
  ['a bond of which nearly all was converted', 'cb', { exitReason: 'small' }, 'converted'],
  ['a bond that left with its share', 'cb', { exitReason: 'delisted' }, 'delisted'],
  ['a live bond whose call was announced', 'cb', { ...announced('no_redeem', 'redeem_execution'), ...matures('2029-01-01') }, 'called'],
  ['a live bond a few days before its maturity', 'cb', matures('2026-11-25'), 'matured'],
  ['a live bond whose maturity was announced', 'cb', announced('maturity'), 'matured'],
  [
    'a live bond that was called years before',
    'cb',
    { announcements: [{ kind: 'redeem', date: '2024-03-11' }], ...matures('2029-01-01') },
    'ended',
  ],
  ['a bond of which nothing is known', 'cb', { exitReason: 'unknown' }, 'ended'],
  ['a bond that was promised not to be called', 'cb', announced('no_redeem'), 'ended'],
  ['a share that was delisted', 'stk', { exitReason: 'delisted' }, 'delisted'],
  ['a share of which nothing is known', 'stk', { exitReason: 'unknown' }, 'ended'],
  ['a share whose data name no reason', 'stk', {}, 'ended'],
] as const)('%s is told as %s, %s', (_what, kind, over, told) => {
  expect(endKindOf(kind, { lastDay, ...over })).toBe(told)
})

test('facts have the checksum that the client counts', () => {
  const file = new URL('../../../qmt-client/test/facts-case.json', import.meta.url)
  const { rows, checksum } = JSON.parse(readFileSync(file, 'utf8')) as { rows: SecurityFacts[]; checksum: string }
  expect(factsChecksum(rows)).toBe(checksum)
})
