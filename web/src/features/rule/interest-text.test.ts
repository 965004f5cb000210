import { expect, it } from 'vitest'
import { interestWords } from './interest-text.ts'

it.each([
  [undefined, null],
  [null, '未计利息'],
  [0.00049, '未计利息'],
  [0.0052, '未计利息，约 +0.5%/年'],
  [0.0095, '未计利息，约 +1.0%/年'],
])('%s: %s', (leftOut, words) => {
  expect(interestWords(leftOut)).toBe(words)
})
