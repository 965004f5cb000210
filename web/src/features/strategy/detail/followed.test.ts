import { describe, expect, it } from 'vitest'
import { daysBefore, fallOf, followedFacts, waitingWords, writtenWords } from './followed.ts'

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
      unfinished: 0,
      parted: { date: day(5), recorded: 1.1, now: 1.05 },
    })
    expect(followedFacts({ dates: [], nav: [], now: [], days: [] })).toBe(null)
  })
})

it('names what a day waits for, and what had not come when a day was written', () => {
  expect(waitingWords({ waiting: { date: '2026-11-20', parts: ['估值与股本', '强赎公告'] } })).toBe(
    '11-20 待估值与股本、强赎公告到齐后记录，最迟当日 20:15',
  )
  expect(waitingWords({})).toBe(null)
  const written = {
    date: day(4),
    recorded_at: '2026-11-04T20:15:00+08:00',
    on_time: true,
    data_version: '',
    codes: [],
    added: [],
    removed: [],
  }
  expect(writtenWords(written)).toBe('2026-11-04 20:15')
  expect(writtenWords({ ...written, on_time: false, open_parts: ['估值与股本'] })).toBe('2026-11-04 20:15（补记），估值与股本未到齐')
  const two = followedFacts({ ...tracking, days: [written, { ...written, open_parts: ['估值与股本'] }] })
  expect(two).toMatchObject({ onTime: 2, unfinished: 1 })
})

it('a fall is counted from the highest so far', () => expect(fallOf([0.9, 1.2, null, 0.6])).toEqual([0.9 - 1, 0, null, -0.5]))

it.each([
  ['2026-11-02', 0],
  ['2026-11-04', 2],
  ['2026-12-01', 3],
])('of a run over three days, saved on %s, %i are before it', (saved, count) => {
  expect(daysBefore([day(2), day(3), day(4)], saved)).toBe(count)
})
