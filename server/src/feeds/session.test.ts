import { expect, test } from 'vitest'
import { isLive, isStale, phaseAt, sessionDay } from './session.ts'

const at = (text: string) => new Date(`${text}+08:00`)

test.each([
  // 2024-06-18 is a Tuesday, 06-10 a holiday, 06-15 a Saturday.
  ['2024-06-18T00:00:00', 'before', '2024-06-17'],
  ['2024-06-18T09:14:59', 'before', '2024-06-17'],
  ['2024-06-18T09:15:00', 'auction', '2024-06-18'],
  ['2024-06-18T09:25:00', 'waiting', '2024-06-18'],
  ['2024-06-18T09:30:00', 'morning', '2024-06-18'],
  ['2024-06-18T11:30:00', 'lunch', '2024-06-18'],
  ['2024-06-18T13:00:00', 'afternoon', '2024-06-18'],
  ['2024-06-18T15:00:00', 'settling', '2024-06-18'],
  ['2024-06-18T15:30:00', 'closed', '2024-06-18'],
  ['2024-06-10T10:00:00', 'closed', '2024-06-07'],
  ['2024-06-15T10:00:00', 'closed', '2024-06-14'],
  ['2024-06-17T08:00:00', 'before', '2024-06-14'],
])('%s in Shanghai is %s, and quotes are those of %s', (text, phase, day) => {
  expect(phaseAt(at(text))).toBe(phase)
  expect(sessionDay(at(text))).toBe(day)
  expect(isLive(phaseAt(at(text)))).toBe(['auction', 'morning', 'afternoon'].includes(phase))
})

test.each([
  ['2024-06-18T10:00:00', '2024-06-18T09:59:50', false],
  ['2024-06-18T10:00:00', '2024-06-18T09:59:20', true],
  // Over lunch the last of the morning stays right; one of ten o'clock does not.
  ['2024-06-18T12:30:00', '2024-06-18T11:30:00', false],
  ['2024-06-18T12:30:00', '2024-06-18T10:00:00', true],
  ['2024-06-18T20:00:00', '2024-06-18T15:00:03', false],
  ['2024-06-18T20:00:00', '2024-06-18T13:10:00', true],
  ['2024-06-18T09:27:00', '2024-06-18T09:25:00', false],
  // In the night, and on holidays, those of the last trading day.
  ['2024-06-17T08:00:00', '2024-06-14T15:00:00', false],
  ['2024-06-17T08:00:00', '2024-06-13T15:00:00', true],
  ['2024-06-18T09:16:00', '2024-06-17T15:00:00', true],
  // At the bell nobody has a newer one yet.
  ['2024-06-18T09:30:05', '2024-06-18T09:25:00', false],
  ['2024-06-18T13:00:05', '2024-06-18T11:30:00', false],
  ['2024-06-18T13:00:40', '2024-06-18T11:30:00', true],
  // A source that was lost long before it is no better for it.
  ['2024-06-18T13:00:05', '2024-06-18T10:00:00', true],
  ['2024-06-18T13:00:05', '2024-06-17T15:00:00', true],
  ['2024-06-18T09:15:05', '2024-06-17T15:00:00', false],
  ['2024-06-18T09:15:05', '2024-06-14T15:00:00', true],
])('at %s quotes of %s are stale: %s', (now, made, stale) => {
  expect(isStale(at(made).getTime(), at(now))).toBe(stale)
})

test('quotes that do not say when they were made are stale', () => {
  expect(isStale(Number.NaN, at('2024-06-18T20:00:00'))).toBe(true)
})
