import { describe, expect, it } from 'vitest'
import { fitsMask } from './masks.ts'

describe('what is typed can be what is masked', () => {
  it.each([
    ['13800001234', '138****1234', true],
    [' １３８００００１２３４ ', '138****1234', true],
    ['13900001234', '138****1234', false],
    ['13800001235', '138****1234', false],
    ['1381234', '138****1234', false],
    ['wang@example.cn', 'wa***@example.cn', true],
    ['Wang@Example.CN', 'wa***@example.cn', true],
    ['li@example.cn', 'wa***@example.cn', false],
    ['wang@example.com', 'wa***@example.cn', false],
    ['', '138****1234', false],
  ])('%j, %s: %s', (typed, masked, fits) => expect(fitsMask(typed, masked)).toBe(fits))
})
