import { expect, test } from 'vitest'
import { madeUpDays, madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, learnYears } from '../market/calendar.ts'
import { isOver, type MarketDay, needTradable, tradeDateAt } from './market-day.ts'

// 2026-11-20 is a Friday.
test.each([
  ['before the close', '2026-11-20T14:59:59', '2026-11-20'],
  ['at the close', '2026-11-20T15:00:00', '2026-11-23'],
  ['on a Saturday', '2026-11-21T12:00:00', '2026-11-23'],
  ['past midnight', '2026-11-24T00:00:01', '2026-11-24'],
  ['in a holiday', '2026-10-05T12:00:00', '2026-10-08'],
])('a signal is traded on the first day that has not closed: %s', (_case, now, day) => {
  expect(tradeDateAt(new Date(`${now}+08:00`))).toBe(day)
})

test.each([
  ['2026-11-20T14:56:29', false],
  ['2026-11-20T14:56:30', true],
  ['2026-11-19T23:59:59', false],
])('at %s the window up to 14:56:30 of 11-20 is over: %s', (now, over) => {
  expect(isOver('2026-11-20', '14:56:30', new Date(`${now}+08:00`))).toBe(over)
})

test.each(['12-31T15:00:00', '12-31T23:59:59'])('beyond the calendar no day is made up: %s of its last year', (now) => {
  const at = new Date(`${builtInYear}-${now}+08:00`)
  expect(() => tradeDateAt(at)).toThrow('不在交易日历里')
  // Once the next year is known, it is the first of its trading days.
  learnYears(new Map([[builtInYear + 1, madeUpYear(builtInYear + 1)]]))
  expect(tradeDateAt(at)).toBe(madeUpDays(`${builtInYear + 1}-01-01`, `${builtInYear + 1}-01-20`).find(({ open }) => open)?.date)
  learnYears(new Map())
})

test('nothing goes to a terminal for a day that is only expected to trade', () => {
  const day = { market: { snapshot: { dataMode: 'imported' } }, signalDate: '2026-12-31', stale: false } as MarketDay
  expect(() => needTradable({ ...day, isDateExpected: false })).not.toThrow()
  expect(() => needTradable({ ...day, isDateExpected: true })).toThrow('不在交易日历里')
})
