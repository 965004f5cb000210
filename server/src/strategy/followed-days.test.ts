import { expect, test } from 'vitest'
import { untilRecordTime } from './followed-days.ts'

test.each([
  ['2026-11-20T16:00:00+08:00', (4 * 60 + 15) * 60_000],
  ['2026-11-20T20:14:59+08:00', 1_000],
  ['2026-11-20T20:15:00+08:00', 86_400_000],
  ['2026-11-20T23:59:59+08:00', (20 * 60 + 15) * 60_000 + 1_000],
])('at %s the follower wakes for 20:15 after %i ms at the latest', (now, ms) => {
  expect(untilRecordTime(new Date(now))).toBe(ms)
})
