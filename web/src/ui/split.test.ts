import { expect, it } from 'vitest'
import { bounded, resized } from './split.ts'

const split = { size: 400, min: 320, max: 640 }
it.each([
  ['ArrowRight', false, false, 416],
  ['ArrowLeft', false, false, 384],
  ['ArrowRight', true, false, 464],
  ['ArrowLeft', true, false, 336],
  ['Home', false, false, 320],
  ['End', false, false, 640],
  ['ArrowUp', false, false, null],
  ['ArrowUp', false, true, 384],
  ['ArrowDown', false, true, 416],
  ['Enter', false, false, null],
  ['a', false, false, null],
] as const)('%s (far %s, upright %s) makes it %s wide', (key, far, upright, expected) =>
  expect(resized(split, key, { far, upright })).toBe(expected),
)

it.each([
  [300, 320],
  [900, 640],
  [500.4, 500],
])('%f is kept within its bounds as %i', (size, expected) => expect(bounded(size, split)).toBe(expected))
it('the least wins where there is no room', () => expect(bounded(500, { min: 320, max: 200 })).toBe(320))
