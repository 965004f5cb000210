import { expect, it } from 'vitest'
import { found, withChosen } from './options.ts'

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
