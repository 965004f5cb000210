import { expect, it } from 'vitest'
import { found, nextActive, withChosen } from './list-keys.ts'

it.each([
  ['ArrowDown', -1, 5, 0],
  ['ArrowDown', 4, 5, 0],
  ['ArrowUp', -1, 5, 4],
  ['ArrowUp', 0, 5, 4],
  ['ArrowUp', 3, 5, 2],
  ['PageDown', 0, 5, 4],
  ['PageUp', 12, 30, 2],
  ['Home', 3, 5, 0],
  ['End', 0, 5, 4],
  ['ArrowDown', -1, 0, null],
  ['a', 2, 5, null],
] as const)('%s at %i of %i goes to %s', (key, active, length, expected) => expect(nextActive(key, active, length)).toBe(expected))

const bonds = [
  { value: 1, label: '演示转债12', note: '900012.DM', words: 'yszz12' },
  { value: 2, label: '演示转债207', note: '900207.DM', words: 'yszz207' },
  { value: 3, label: '示范转债', note: '901200.DM', words: 'sfzz' },
]
it.each([
  ['', [1, 2, 3]],
  ['900', [1, 2]],
  ['YSZZ2', [2]],
  ['示范', [3]],
  ['示', [3, 1, 2]],
  ['没有', []],
] as const)('%j finds %j', (text, expected) => expect(found(bonds, text).map(({ value }) => value)).toEqual(expected))

it('what was chosen and is offered no more stands behind the others', () => {
  const offered = [{ value: 'a', label: '甲' }]
  expect(withChosen(offered, ['a', 'z'])).toEqual([...offered, { value: 'z', label: 'z' }])
})
