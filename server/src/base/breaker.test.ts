import { expect, test } from 'vitest'
import { breaker } from './breaker.ts'

test.each<[string, string, string]>([
  // u: failure, a: success, ?: whether it allows a call, t: ten seconds pass
  ['lets everybody through while answers come', '?a?a?a', 'yyy'],
  ['stands two calls without an answer', 'uu?', 'y'],
  ['is open after three', 'uuu??', 'nn'],
  ['counts those in a row only', 'uuauu?', 'y'],
  ['lets one through after a while, the others wait for what comes of it', 'uuut??', 'yn'],
  ['stays open when that one hears nothing', 'uuut?u?t?', 'yny'],
  ['lets everybody through once that one heard something', 'uuut?a???', 'yyyy'],
  ['lets the next one try when the first never said', 'uuut?t?', 'yy'],
])('%s', (_name, steps, expected) => {
  let now = 0
  const one = breaker({ after: 3, againMs: 10_000, now: () => now })
  let told = ''
  for (const step of steps) {
    if (step === 'u') one.failure()
    else if (step === 'a') one.success()
    else if (step === 't') now += 10_000
    else told += one.allows() ? 'y' : 'n'
  }
  expect(told).toBe(expected)
})
