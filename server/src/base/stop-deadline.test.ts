import { expect, test } from 'vitest'
import { patienceOf, stopSeconds } from './stop-deadline.ts'

test.each([
  ['as it is', 5, 20, 30, 40],
  ['under the launcher', 0, 0, 30, 40],
  ['of a worker with a long grace', 5, 60, 70, 90],
  ['of an api behind a slow proxy', 60, 20, 80, 100],
])('a stop %s: ended after so many seconds, and killed after so many', (_what, drainSeconds, streamGraceSeconds, ends, killed) => {
  expect(stopSeconds({ drainSeconds, streamGraceSeconds })).toBe(ends)
  expect(patienceOf({ drainSeconds, streamGraceSeconds })).toBe(killed)
})
