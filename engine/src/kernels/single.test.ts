import { describe, expect, test } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { doublesOf, Singles, shortestDecimal } from './single.ts'

/** By its definition: of the decimals with the fewest digits that round to the float the nearest. */
function byDefinition(single: number): { digits: number; distance: number } {
  for (let digits = 1; digits < 9; digits++) {
    const [whole, exponent] = single.toExponential(digits - 1).split('e')
    const near = [-1, 0, 1].map((step) => Number(`${Number(whole.replace('.', '')) + step}e${Number(exponent) - digits + 1}`))
    const fit = near.filter((decimal) => Math.fround(decimal) === single).map((decimal) => Math.abs(decimal - single))
    if (fit.length > 0) return { digits, distance: Math.min(...fit) }
  }
  return { digits: 9, distance: Math.abs(Number(single.toPrecision(9)) - single) }
}

const digitsOf = (value: number): number => (value.toExponential().split('e')[0] as string).replace(/[-.]/g, '').length

/** What hurts: any bits, decimals of a few places, powers of two, whole numbers, zeros, what is absent. */
function cells(seed: number, count: number): Float32Array {
  const luck = chance(seed)
  const out = new Float32Array(count)
  const bits = new Uint32Array(out.buffer)
  for (let k = 0; k < count; k++) {
    const kind = luck.below(8)
    if (kind === 0) bits[k] = luck.below(2 ** 16) * 2 ** 16 + luck.below(2 ** 16)
    else if (kind === 1) out[k] = 2 ** (luck.below(80) - 50) * (luck.next() < 0.5 ? -1 : 1)
    else if (kind === 2) out[k] = luck.below(2 ** 26)
    else if (kind === 3) out[k] = luck.pick([0, -0, Number.NaN, Number.POSITIVE_INFINITY])
    else out[k] = (luck.below(10 ** 6) / 10 ** luck.below(7)) * (kind === 4 ? luck.next() : 1)
  }
  return out
}

describe('a float as the shortest decimal that it stands for', () => {
  test('is what was written: up to six digits come back as they were', () => {
    for (const written of [0.01, 0.03, 0.07, 0.29, 1.15, 12.34, 98.765, 123456, 1234.5, 0.000123456, -7.79, 16_777_215])
      expect(shortestDecimal(Math.fround(written))).toBe(written)
    expect(0.01 > Math.fround(0.01)).toBe(true)
  })

  test('has the fewest digits, and of those the nearest', () => {
    for (const single of cells(1, 20_000)) {
      const decimal = shortestDecimal(single)
      if (!Number.isFinite(single) || single === 0) expect(decimal).toBe(single)
      else {
        const { digits, distance } = byDefinition(single)
        expect([single, Math.fround(decimal), digitsOf(decimal) <= digits]).toEqual([single, single, true])
        expect(Math.abs(decimal - single)).toBeLessThanOrEqual(distance * (1 + 1e-6))
      }
    }
  })

  test('in columns of any kind and length, to the bit', () => {
    const kinds = [cells(2, 9_001), cells(3, 5), new Float32Array(3_000).map((_, k) => (k % 700) / 100), new Float32Array()]
    for (const column of kinds) {
      const slow = Float64Array.from(column, shortestDecimal)
      expect(doublesOf(column)).toEqual(slow)
      // In the memory that it comes from, as columns are read.
      const room = new Float64Array(column.length)
      const upper = new Float32Array(room.buffer, 4 * column.length, column.length)
      upper.set(column)
      new Singles().widen(upper, room)
      expect(room).toEqual(slow)
    }
  })
})
