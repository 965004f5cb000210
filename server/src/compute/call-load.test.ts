import { expect, test } from 'vitest'
import { callLoad } from './call-load.ts'

test.each<[string, number, number, number]>([
  ['screens of bonds', 2, 5, 41],
  ['screens of stocks', 2, 20, 16],
  ['what takes seconds', 2, 3_000, 16],
  ['screens of bonds on many cores', 8, 5, 161],
  ['next to nothing', 2, 0.01, Number.POSITIVE_INFINITY],
])('of %s on %d lanes, %d ms each, no more wait than can be computed soon', (_what, lanes, ms, most) => {
  const load = callLoad(lanes)
  load.measured(ms)
  let waiting = 0
  while (!load.isCrowded() && waiting < 10_000) {
    load.begin()
    waiting++
  }
  expect(waiting === 10_000 ? Number.POSITIVE_INFINITY : waiting).toBe(most)
  load.end()
  expect(load.isCrowded()).toBe(false)
})

test('the first call of a process, which is slow, is soon forgotten', () => {
  const load = callLoad(2)
  load.measured(300)
  for (let n = 0; n < 30; n++) load.measured(5)
  for (let n = 0; n < 12; n++) load.begin()
  expect(load.isCrowded()).toBe(false)
})
