import { expect, test } from 'vitest'
import { builtInYear } from '../market/calendar.ts'
import { tradeDateAt } from './market-day.ts'

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

test.each(['12-31T15:00:00', '12-31T23:59:59'])('beyond the calendar no day is made up: %s of its last year', (now) => {
  expect(() => tradeDateAt(new Date(`${builtInYear}-${now}+08:00`))).toThrow('不在交易日历里')
})
