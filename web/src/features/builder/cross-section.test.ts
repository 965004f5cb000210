import { describe, expect, it } from 'vitest'
import { cutsOf, histogramOf, likenessesOf, meetsOf, rankCorrelation } from './cross-section.ts'

const hundred = Array.from({ length: 101 }, (_, i) => i)

describe('a condition on the day’s values', () => {
  it.each([
    ['gt', 90, [90], 10],
    ['ge', 90, [90], 11],
    ['lt_rank', 0.03, [3], 3],
    ['gt_rank', 0.9, [90], 10],
    ['between', [10, 20], [10, 20], 11],
    ['gt', Number.NaN, [], 0],
  ] as const)('%s %s cuts at %s and is true of %i', (operation, value, cuts, meets) => {
    const row = { operation, value: value as number }
    expect(cutsOf(row, hundred)).toEqual(cuts)
    expect(meetsOf(row, hundred)).toEqual({ meets, of: 101, absent: 0 })
  })

  it('absent values are counted apart', () => {
    expect(meetsOf({ operation: 'is_null', value: 0 }, [1, null, null])).toEqual({ meets: 2, of: 3, absent: 2 })
    expect(meetsOf({ operation: 'lt', value: 5 }, [1, null, 9])).toEqual({ meets: 1, of: 3, absent: 1 })
  })

  it('one wild value flattens no histogram', () => {
    const told = histogramOf([...hundred, 1e9], 10)
    expect(told?.high).toBeLessThan(110)
    expect(told?.counts.reduce((sum, one) => sum + one, 0)).toBe(102)
    expect(histogramOf([null])).toBeNull()
  })
})

describe('two factors that say nearly the same', () => {
  const wavy = hundred.map((value) => (value * 37) % 101)
  it('are told by the rank correlation, whatever their shape', () => {
    const cubes = hundred.map((value) => value ** 3)
    expect(rankCorrelation(hundred, cubes)).toBeCloseTo(1)
    expect(
      rankCorrelation(
        hundred,
        hundred.map((value) => -value),
      ),
    ).toBeCloseTo(-1)
    expect(Math.abs(rankCorrelation(hundred, wavy) ?? 1)).toBeLessThan(0.5)
    expect(rankCorrelation(hundred.slice(0, 5), cubes.slice(0, 5))).toBeNull()
    const columns = new Map([
      ['a', hundred],
      ['b', wavy],
      ['c', cubes],
    ])
    expect([...likenessesOf(['a', 'b', 'c'], columns)]).toEqual([['c', { ref: 'a', rho: expect.closeTo(1) }]])
  })

  it('ties share their rank', () => {
    const steps = hundred.map((value) => Math.floor(value / 10))
    expect(rankCorrelation(hundred, steps)).toBeGreaterThan(0.98)
  })
})
