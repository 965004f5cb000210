import { describe, expect, it } from 'vitest'
import { advance, noPace, quarterOf, secondsLeft } from './progress.ts'

const paceOf = (...reports: readonly (readonly [at: number, percent: number])[]) =>
  reports.reduce((pace, [at, percent]) => advance(pace, percent, at), noPace)
const steady = (seconds: number, perSecond: number) =>
  paceOf(...Array.from({ length: seconds }, (_, i) => [(i + 1) * 1000, (i + 1) * perSecond] as const))

describe('progress', () => {
  it.each([
    ['goes on', paceOf([1, 10], [2, 30]).percent, 30],
    ['never goes back', paceOf([1, 30], [2, 10]).percent, 30],
    ['does not pass 100', paceOf([1, 130]).percent, 100],
    ['ignores what is no number', paceOf([1, 30], [2, Number.NaN]).percent, 30],
    ['keeps a late report out of the pace', paceOf([1, 30], [2, 10]).samples.length, 1],
    ['keeps the last reports only', steady(90, 1).samples.length, 41],
  ])('%s', (_, value, expected) => expect(value).toBe(expected))
})

describe('what is left', () => {
  it('is said at a steady pace', () => expect(secondsLeft(steady(6, 10).samples, 0, 6000)).toBe(4))
  it('is not said in the first seconds', () => expect(secondsLeft(steady(3, 10).samples, 0, 3000)).toBe(null))
  it('is not said when the pace changes', () => {
    const { samples } = paceOf([1000, 1], [2000, 2], [3000, 3], [4000, 40], [5000, 41], [6000, 90])
    expect(secondsLeft(samples, 0, 6000)).toBe(null)
  })
  it('is not said when the end is overdue', () => expect(secondsLeft(steady(6, 10).samples, 0, 60_000)).toBe(null))
})

it.each([
  [0, 0],
  [24.9, 0],
  [63, 50],
  [100, 100],
])('%i %% is told as %i', (percent, told) => expect(quarterOf(percent)).toBe(told))
