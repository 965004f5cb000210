import { expect, it } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { mostlyOne } from './flat.ts'

it.each([
  { values: [0, 0, 1], expected: 2 },
  { values: [1, 0, 0, 1], expected: 0 },
  { values: [Number.NaN, 2, Number.NaN, Number.NaN], expected: 3 },
  { values: [5, 5, 5, 5], expected: 4 },
  { values: [1, 2, 3, 4, 5], expected: 0 },
  { values: [7, 7], expected: 0 },
])('$values: $expected are the same', ({ values, expected }) => {
  expect(mostlyOne(Float64Array.from(values))).toBe(expected)
})

it('is what counting says', () => {
  const luck = chance(5)
  for (let round = 0; round < 300; round++) {
    const values = Float64Array.from({ length: 3 + luck.below(9) }, () => luck.pick([0, 0, 0, 1, 2, Number.NaN]))
    const counts = [...values].map((value) => values.filter((other) => Object.is(other, value)).length)
    const most = Math.max(...counts)
    expect(mostlyOne(values)).toBe(2 * most > values.length ? most : 0)
  }
})
