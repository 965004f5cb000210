import { expect, test } from 'vitest'
import { requestBudget, roundAt } from './round-hours.ts'

const at = (moment: string) => Date.parse(`${moment}:00+08:00`)

test.each([
  ['2026-11-20T16:29', '2026-11-20T08:45', '2026-11-20T16:30'],
  ['2026-11-20T16:30', '2026-11-20T16:30', '2026-11-20T18:00'],
  ['2026-11-20T23:59', '2026-11-20T20:00', '2026-11-21T10:00'],
  ['2026-11-21T09:59', '2026-11-20T20:00', '2026-11-21T10:00'],
  ['2026-11-22T12:00', '2026-11-21T10:00', '2026-11-23T08:45'],
  ['2026-11-23T08:44', '2026-11-21T10:00', '2026-11-23T08:45'],
  ['2026-11-24T00:10', '2026-11-23T20:00', '2026-11-24T08:45'],
])('the round of %s began %s and ends %s', (now, began, next) => {
  expect(roundAt(at(now))).toEqual({ began: at(began), next: at(next) })
})

test('a budget is counted from round to round', () => {
  let now = at('2026-11-20T16:30')
  const { take, untilNext } = requestBudget(2, () => now)
  expect([take(), take(), take()]).toEqual([true, true, false])
  now = at('2026-11-20T17:55')
  expect([take(), untilNext()]).toEqual([false, 5 * 60_000])
  now = at('2026-11-20T18:00')
  expect([take(), take(), take()]).toEqual([true, true, false])
})
