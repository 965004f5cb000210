import { expect, it } from 'vitest'
import { gradeChoices } from './grades.ts'

const known = ['10', '8-', '5', '5+', '无'].map((value) => ({ value, label: value }))

it('grades are offered best first, and what is none is not', () =>
  expect(gradeChoices(known, null).map(({ label }) => label)).toEqual([
    '三方评级不限',
    '三方差于 5+',
    '三方差于 5',
    '三方差于 8-',
    '三方差于 10',
  ]))

it('data without grades offer none, but a rule that has one shows it', () => {
  expect(gradeChoices([], null)).toEqual([])
  expect(gradeChoices([], '6').map(({ value }) => value)).toEqual(['', '6'])
})
