import { expect, test } from 'vitest'
import { printable, table } from './text.ts'

test('what a file holds cannot move the cursor or clear the screen', () => {
  expect(printable('名\u001b[2J称\r\u0007\u009b31m\nb\u0000')).toBe('名[2J称31m\nb')
})

test('columns line up where a Chinese character is two cells wide', () => {
  const lines = [
    ['代码', '值'],
    ['127056.SZ', '1'],
  ]
  expect(table(lines, [1])).toBe('代码       值\n127056.SZ   1')
})
