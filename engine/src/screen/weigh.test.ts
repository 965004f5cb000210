import { describe, expect, it } from 'vitest'
import { cappedAt, weigh } from './weigh.ts'

const none = new Float64Array(0)
const rounded = (weights: Float64Array) => [...weights].map((weight) => Math.round(weight * 1e6) / 1e6)

describe('hold weights', () => {
  it.each([
    { story: 'equal', type: 1, places: 4, cap: 1, values: [1, 1, 1, 1], expected: [0.25, 0.25, 0.25, 0.25] },
    { story: 'a place without a security stays cash', type: 1, places: 4, cap: 1, values: [1, 1, 1], expected: [0.25, 0.25, 0.25] },
    { story: 'equal above the cap leaves cash', type: 1, places: 3, cap: 0.2, values: [1, 1, 1], expected: [0.2, 0.2, 0.2] },
    { story: 'by place: 3, 2, 1', type: 2, places: 3, cap: 1, values: [0, 0, 0], expected: [0.5, 0.333333, 0.166667] },
    { story: 'by size', type: 3, places: 3, cap: 1, values: [10, 30, 60], expected: [0.1, 0.3, 0.6] },
    { story: 'by size, one place empty', type: 3, places: 4, cap: 1, values: [10, 30, 60], expected: [0.075, 0.225, 0.45] },
    {
      story: 'not positive and absent weigh nothing',
      type: 4,
      places: 4,
      cap: 1,
      values: [-1, 2, Number.NaN, 2],
      expected: [0, 0.5, 0, 0.5],
    },
    { story: 'no value at all: nothing is bought', type: 4, places: 2, cap: 1, values: [Number.NaN, 0], expected: [0, 0] },
    {
      story: 'without a size: the mean of the others',
      type: 3,
      places: 3,
      cap: 1,
      values: [10, Number.NaN, 30],
      expected: [0.166667, 0.333333, 0.5],
    },
    { story: 'two of them, one without: the same', type: 5, places: 2, cap: 1, values: [Number.NaN, 0.3], expected: [0.5, 0.5] },
    {
      story: 'a flat series is no volatility',
      type: 5,
      places: 4,
      cap: 1,
      values: [0, 0.1, 0.2, 0.2],
      expected: [0.25, 0.375, 0.1875, 0.1875],
    },
    { story: 'before the cap', type: 3, places: 3, cap: 0.4, values: [60, 20, -1], expected: [0.4, 0.2, 0.4] },
    {
      story: 'nobody has one: all the same',
      type: 5,
      places: 4,
      cap: 1,
      values: [Number.NaN, 0, Number.NaN],
      expected: [0.25, 0.25, 0.25],
    },
    { story: 'inverse volatility', type: 5, places: 2, cap: 1, values: [0.1, 0.3], expected: [0.75, 0.25] },
    {
      story: 'the excess goes to the uncapped in proportion',
      type: 3,
      places: 3,
      cap: 0.5,
      values: [60, 30, 10],
      expected: [0.5, 0.375, 0.125],
    },
    {
      story: 'and again where that lifts another over the cap',
      type: 3,
      places: 4,
      cap: 0.4,
      values: [60, 38, 1, 1],
      expected: [0.4, 0.4, 0.1, 0.1],
    },
    { story: 'all capped: the rest is cash', type: 3, places: 2, cap: 0.3, values: [60, 40], expected: [0.3, 0.3] },
  ] as const)('$story', ({ type, places, cap, values, expected }) => {
    const byPlace = values.map((_, i) => i)
    expect(rounded(weigh(type, values.length, places, cap, byPlace, Float64Array.from(values)))).toEqual(expected)
  })

  it('nothing selected, nothing weighed', () => {
    expect(weigh(1, 0, 10, 1, [], none)).toEqual(none)
  })

  it('never moves weight when nothing is above the cap', () => {
    expect([...cappedAt(0.5, Float64Array.of(0.5, 0.25))]).toEqual([0.5, 0.25])
  })
})
