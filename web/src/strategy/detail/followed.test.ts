import { describe, expect, it } from 'vitest'
import { fallOf, followedCurve, followedFacts } from './followed.ts'

const day = (n: number) => `2026-11-0${n}`
const history = { curves: { dates: [day(2), day(3), day(4)], nav: [1.1, 1.2, 1.5] } } as Parameters<typeof followedCurve>[0]
const tracking = { dates: [day(4), day(5)], nav: [1, 1.1], now: [1, 1.05] }

describe('a rule that is followed since it was saved', () => {
  it('goes on where its run stands on the day before', () =>
    expect(followedCurve(history, tracking)).toEqual({
      dates: [day(2), day(3), day(4), day(5)],
      nav: [1.1, 1.2, 1.2, 1.2 * 1.1],
      now: [null, null, 1.2, 1.2 * 1.05],
      drawdown: [0, 0, 0, 0],
      start: day(4),
    }))
  it('begins at 1 where there is no run', () =>
    expect(followedCurve(null, tracking)).toMatchObject({ dates: [day(4), day(5)], nav: [1, 1.1], start: day(4) }))
  it('is its run alone while no day has passed', () =>
    expect(followedCurve(history, { dates: [], nav: [], now: [] })).toMatchObject({ nav: [1.1, 1.2, 1.5], start: null }))
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
    expect(followedFacts({ ...tracking, days })).toEqual({
      days: 2,
      total: 1.1 - 1,
      onTime: 1,
      parted: { date: day(5), told: 1.1, now: 1.05 },
    })
    expect(followedFacts({ dates: [], nav: [], now: [], days: [] })).toBe(null)
  })
})

it('a fall is counted from the highest so far', () => expect(fallOf([0.9, 1.2, null, 0.6])).toEqual([0.9 - 1, 0, null, -0.5]))
