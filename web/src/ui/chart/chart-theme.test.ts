import { expect, it } from 'vitest'
import { faded, inFull } from './chart-theme.ts'

it.each([
  ['#fff', '#ffffff'],
  ['#FFF8', '#FFFFFF88'],
  ['#1F5FBF', '#1F5FBF'],
  ['Arial, sans-serif', 'Arial, sans-serif'],
])('a token is read in full, as a built style sheet may shorten it: %s', (given, whole) => {
  expect(inFull(given)).toBe(whole)
})

it('an alpha is the last two digits', () => expect(faded('#1F5FBF', 0.5)).toBe('#1F5FBF80'))
