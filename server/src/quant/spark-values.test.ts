import { expect, test } from 'vitest'
import { sparkValues } from './spark-values.ts'

test('thousandths in two bytes each, the lower first; none is none', () => {
  expect(sparkValues(Buffer.of(0xe8, 3, 0xdc, 5, 0xff, 0xff))).toEqual([1, 1.5, 65.535])
  expect(sparkValues(null)).toBeNull()
})
