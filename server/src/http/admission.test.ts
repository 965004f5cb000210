import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../base/api-error.ts'
import { type Admission, openAdmission } from './admission.ts'

let at = 0
let elsewhere = 0
let admission: Admission

beforeEach(() => {
  vi.useFakeTimers()
  at = 0
  elsewhere = 0
  admission = openAdmission(
    (kind) => (kind === 'long' ? elsewhere : 0),
    () => at,
  )
})
afterEach(() => {
  admission.close()
  vi.useRealTimers()
})

/** The loop runs; each of its turns takes `turnMs`. */
function pass(ms: number, turnMs = 20): void {
  for (const end = at + ms; at < end; ) {
    at += turnMs
    vi.advanceTimersByTime(20)
  }
}
const fill = (kind: 'short' | 'long') => {
  const exits: (() => void)[] = []
  for (;;) {
    try {
      exits.push(admission.enter(kind))
    } catch (refusal) {
      return { exits, refusal }
    }
  }
}

test('so many are let in at once, the next hears when to come back, and one that leaves makes a place', () => {
  const { exits, refusal } = fill('long')
  expect(exits).toHaveLength(48)
  expect(refusal).toMatchObject({ code: 50301, status: 503, retryAfterSeconds: 2 })
  // Others have places of their own.
  for (const kind of ['short', 'open'] as const) expect(admission.enter(kind)).toBeTypeOf('function')
  expect(admission.enter('free')).toBeTypeOf('function')
  for (const exit of exits.slice(0, 3)) exit()
  expect(fill('long').exits).toHaveLength(3)
})

test('what waits for a worker takes no place', () => {
  fill('long')
  elsewhere = 40
  expect(fill('long').exits).toHaveLength(40)
})

test('a loop that comes late lets in fewer, at once and as long as it is late', () => {
  // Under way since the last sample: nobody has measured it yet.
  at += 100
  expect(admission.lagMs()).toBe(80)
  const { exits } = fill('long')
  expect(exits).toHaveLength(24)
  pass(200, 120)
  expect(admission.lagMs()).toBe(100)
  expect(() => admission.enter('long')).toThrow(ApiError)
  pass(100)
  expect(admission.lagMs()).toBe(0)
  expect(fill('long').exits).toHaveLength(24)
})

test('a process is stuck when its loop is held up, or its places are taken, for ten seconds on end; a busy one is not', () => {
  pass(9_000, 700)
  expect(admission.isStuck()).toBe(false)
  pass(3_000, 700)
  expect(admission.isStuck()).toBe(true)
  pass(2_000)
  expect(admission.isStuck()).toBe(false)

  // Refuses all the time, answers all the time.
  const { exits } = fill('short')
  for (let second = 0; second < 30; second++) {
    pass(980)
    exits.pop()!()
    pass(20)
    exits.push(admission.enter('short'))
    expect(() => admission.enter('short')).toThrow(ApiError)
  }
  expect(admission.isStuck()).toBe(false)
  pass(12_000)
  expect(admission.isStuck()).toBe(true)
})
