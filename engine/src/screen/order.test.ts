import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankScratch } from '../kernels/index.ts'
import { averageRank, bestFirst, placeOf } from './order.ts'

const rows = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true }), fc.constant(Number.NaN)), { maxLength: 120 })

function slowOrder(scores: readonly number[]): number[] {
  return scores
    .map((value, i) => ({ value, i }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => (a.value === b.value ? a.i - b.i : a.value < b.value ? -1 : 1))
    .map(({ i }) => i)
}

describe('best first', () => {
  it('is the head of the whole order, however short, equal costs by code', () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 0, max: 130 }),
        fc.oneof(fc.integer({ min: -1, max: 10 }), fc.double()),
        (scores, limit, guess) => {
          const out = new Int32Array(Math.max(limit, scores.length))
          const found = bestFirst(Float64Array.from(scores), limit, out, rankScratch(scores.length))
          const wanted = slowOrder(scores).slice(0, limit)
          expect([...out.subarray(0, found)]).toEqual(wanted)
          const guessed = bestFirst(Float64Array.from(scores), limit, out, rankScratch(scores.length), guess)
          expect([...out.subarray(0, guessed)]).toEqual(wanted)
        },
      ),
      { seed: 1, numRuns: 300 },
    )
  })

  it('is the same for rows of thousands, whatever the guess', () => {
    const scores = Float64Array.from({ length: 5_000 }, (_, i) => (i % 7 === 0 ? Number.NaN : (i * 7919) % 1009))
    const order = slowOrder([...scores])
    const out = new Int32Array(scores.length)
    for (const limit of [0, 1, 30, 90, 300, 1_200]) {
      for (const guess of [-1, 5, 50, 400, Number.POSITIVE_INFINITY]) {
        const found = bestFirst(scores, limit, out, rankScratch(scores.length), guess)
        expect([...out.subarray(0, found)]).toEqual(order.slice(0, limit))
      }
    }
  })

  it('knows the place and the rank of each', () => {
    fc.assert(
      fc.property(rows, (scores) => {
        const order = slowOrder(scores)
        const row = Float64Array.from([0, 0, ...scores])
        scores.forEach((value, i) => {
          expect(placeOf(row, 2, scores.length, i)).toBe(order.indexOf(i) + 1)
          const same = order.filter((k) => scores[k] === value).map((k) => order.indexOf(k) + 1)
          const mean = same.reduce((sum, place) => sum + place, 0) / same.length
          expect(averageRank(row, 2, scores.length, i)).toBe(Number.isNaN(value) ? Number.NaN : mean)
        })
      }),
      { seed: 2, numRuns: 100 },
    )
  })
})
