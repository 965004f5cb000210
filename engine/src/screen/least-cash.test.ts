import { expect, it } from 'vitest'
import { parameters } from '../../test/fixtures/parameters.ts'
import { leastCash } from './least-cash.ts'

it.each([
  ['a cap that is none', { hold_range_end: 10 }, null, 0],
  ['ten of at most 1%', { hold_range_end: 10, hold_max_weight: 0.01 }, null, 0.9],
  ['exactly enough', { hold_range_end: 10, hold_max_weight: 0.1 }, null, 0],
  ['places 11 to 15', { hold_range_start: 11, hold_range_end: 15, hold_max_weight: 0.1 }, null, 0.5],
  [
    'a tenth of whom nobody knows',
    { hold_range_type: 2 as const, hold_range_start: 0, hold_range_end: 0.1, hold_max_weight: 0.01 },
    null,
    0,
  ],
  ['a tenth of 200', { hold_range_type: 2 as const, hold_range_start: 0, hold_range_end: 0.1, hold_max_weight: 0.01 }, 200, 0.8],
  ['a tenth of three is one', { hold_range_type: 2 as const, hold_range_start: 0, hold_range_end: 0.1, hold_max_weight: 0.25 }, 3, 0.75],
])('%s', (_, hold, pool, left) => {
  expect(leastCash(parameters({ hold_method: hold }).hold_method, pool)).toBeCloseTo(left, 12)
})
