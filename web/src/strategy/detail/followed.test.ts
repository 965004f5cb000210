import { describe, expect, it } from 'vitest'
import { daysBefore, fallOf, followedFacts } from './followed.ts'

const day = (n: number) => `2026-11-0${n}`
const tracking = { dates: [day(4), day(5)], nav: [1, 1.1], now: [1, 1.05] }

describe('a rule that is followed since it was saved', () => {
  it('says what it did, and where the past was told anew', () => {
    const days = [true, false].map((on_time) => ({
      date: '',
      recorded_at: '',
      on_time,
      data_version: '',
      codes: [],
      added: [],
      removed: [],
    }))
    const market = { label: '可转债等权', nav: [1, 1.02] }
    expect(followedFacts({ ...tracking, days, market })).toEqual({
      days: 2,
      total: 1.1 - 1,
      market: 1.02 - 1,
      onTime: 1,
      parted: { date: day(5), told: 1.1, now: 1.05 },
    })
    expect(followedFacts({ dates: [], nav: [], now: [], days: [] })).toBe(null)
  })
})

it('a fall is counted from the highest so far', () => expect(fallOf([0.9, 1.2, null, 0.6])).toEqual([0.9 - 1, 0, null, -0.5]))

it.each([
  ['2026-11-02', 0],
  ['2026-11-04', 2],
  ['2026-12-01', 3],
])('of a run over three days, saved on %s, %i are before it', (saved, count) => {
  expect(daysBefore([day(2), day(3), day(4)], saved)).toBe(count)
})
