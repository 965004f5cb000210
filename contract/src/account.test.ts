import { expect, it } from 'vitest'
import { accountOf, isMobile } from './account.ts'

it.each([
  ['13800001234', '13800001234'],
  [' １３８００００１２３４ ', '13800001234'],
  ['138 0000 1234', '13800001234'],
  ['138-0000-1234', '13800001234'],
  ['+86 138 0000 1234', '13800001234'],
  ['(+86) 138-0000-1234', '13800001234'],
  ['008613800001234', '13800001234'],
  ['8613800001234', '13800001234'],
  // As telephones copy a number: inside marks of its direction, with spaces that do not break.
  ['\u202d138\u00a00000\u00a01234\u202c', '13800001234'],
  ['Li@Example.CN ', 'li@example.cn'],
  ['li-86@example.cn', 'li-86@example.cn'],
])('%j is compared as %j', (typed, plain) => {
  expect(accountOf(typed)).toBe(plain)
  expect(accountOf(plain)).toBe(plain)
})

it.each(['1380000123', '138000012345', '12800001234', '+1 138 0000 1234', '86138000012', '一三八'])('%j is no mobile', (typed) =>
  expect(isMobile(accountOf(typed))).toBe(false),
)
