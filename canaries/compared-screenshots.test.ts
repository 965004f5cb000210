import { expect, test } from 'vitest'
import { compare, isToLookAt, type Picture } from '../e2e/src/screenshots/compared.ts'

// Pixel comparison of two sets of screenshots (`npm run screenshots:compare`): it counts changed pixels and reports growth separately.

/** White, with some black rows. */
function picture(height: number, black: readonly number[], width = 100): Picture {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (const row of black) for (let x = 0; x < width; x++) data.set([0, 0, 0], (row * width + x) * 4)
  return { width, height, data }
}

test('the same picture has not changed', () => {
  const { changed, grown, difference } = compare(picture(300, [7]), picture(300, [7]))
  expect([changed, grown, difference.width, difference.height]).toEqual([0, 0, 100, 300])
})

test('two rows of three hundred are more than half a per cent, one is not', () => {
  const one = compare(picture(300, []), picture(300, [20]))
  const two = compare(picture(300, []), picture(300, [20, 21]))
  expect([one.changed, isToLookAt(one)]).toEqual([1 / 300, false])
  expect([two.changed, isToLookAt(two)]).toEqual([2 / 300, true])
})

test('a picture that grew is compared as far as both go', () => {
  const { changed, grown, difference } = compare(picture(300, [299]), picture(309, [305]))
  expect([changed, difference.height]).toEqual([1 / 300, 300])
  expect(grown).toBeCloseTo(0.03)
  expect(isToLookAt({ changed: 0, grown })).toBe(true)
  expect(isToLookAt({ changed: 0, grown: -0.03 })).toBe(true)
  expect(isToLookAt({ changed: 0, grown: 0.01 })).toBe(false)
})

test('pictures of different widths are of different variants', () => {
  expect(() => compare(picture(10, []), picture(10, [], 50))).toThrow('100 pixels wide before, 50 after')
})
