import { expect, test } from 'vitest'
import { compareRuns } from './same-bytes.ts'

test('runs computed again, in whole and in parts, are the engine’s own byte for byte (200 runs: npm run fuzz:runs)', {
  timeout: 240_000,
}, async () => {
  const { runs, refused, wrong } = await compareRuns(12, 1)
  expect(wrong).toBe(null)
  expect(runs).toBe(12)
  expect(refused).toBeLessThan(6)
})
