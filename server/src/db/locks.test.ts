import { expect, test } from 'vitest'
import { locks } from './locks.ts'

test('no two works share a lock', () => {
  const keys = Object.values(locks)
  expect(new Set(keys).size).toBe(keys.length)
})
