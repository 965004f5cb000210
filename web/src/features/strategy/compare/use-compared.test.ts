import { expect, it } from 'vitest'
import { moved } from './use-compared.ts'

it.each([
  [0, 1, 'bac'],
  [2, -1, 'acb'],
  [0, -1, 'abc'],
  [2, 1, 'abc'],
  [7, 1, 'abc'],
] as const)('the column at %i moved by %i: %s', (place, step, order) => expect(moved([...'abc'], place, step).join('')).toBe(order))
