import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byRendezvous, workerLoads } from './worker-choice.ts'

const named = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `w${i}` }))

test('of two workers the one with fewer tasks is taken: its own open calls and what it said last, for a second', () => {
  let clock = 0
  const loads = workerLoads(() => clock)
  const workers = named(2)
  const end = [loads.begin('w0'), loads.begin('w0')]
  for (let i = 0; i < 20; i++) expect(loads.lighter(workers)?.id).toBe('w1')
  loads.told('w1', 3)
  for (let i = 0; i < 20; i++) expect(loads.lighter(workers)?.id).toBe('w0')
  clock = 1_000
  for (let i = 0; i < 20; i++) expect(loads.lighter(workers)?.id).toBe('w1')
  for (const one of end) one()
  const taken = new Set(Array.from({ length: 200 }, () => loads.lighter(workers)?.id))
  expect(taken).toEqual(new Set(['w0', 'w1']))
})

test('many askers without open calls do not meet at one worker', () => {
  const counts = new Map<string, number>()
  const loads = workerLoads()
  for (let i = 0; i < 4_000; i++) {
    const { id } = loads.lighter(named(4))!
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  expect(Math.min(...counts.values())).toBeGreaterThan(800)
  expect(loads.lighter([])).toBeUndefined()
  expect(loads.lighter(named(1))?.id).toBe('w0')
})

test('the same words go to the same worker; when one leaves, only its own words move', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 8 }), fc.nat(), (words, count, at) => {
      const workers = named(count)
      const place = byRendezvous(workers, words)!
      expect(byRendezvous([...workers].reverse(), words)).toBe(place)
      const gone = workers[at % count]!
      const after = byRendezvous(
        workers.filter((worker) => worker !== gone),
        words,
      )!
      if (gone === place) expect(after).not.toBe(place)
      else expect(after).toBe(place)
    }),
  )
})
