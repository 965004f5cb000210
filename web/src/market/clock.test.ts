import { describe, expect, it } from 'vitest'
import { expectedClosedDates } from '../base/dates.ts'
import { marketClock, marketTime, tradingDaysAfter } from './clock.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const closed = { dates: new Set(['2026-10-01', '2026-11-21', '2026-11-22']), expected: false }

describe('the market clock', () => {
  it.each([
    ['2026-11-20T09:00', '盘前'],
    ['2026-11-20T09:15', '集合竞价'],
    ['2026-11-20T09:30', '交易中'],
    ['2026-11-20T11:30', '午间休市'],
    ['2026-11-20T13:00', '交易中'],
    ['2026-11-20T15:00', '已收盘'],
    ['2026-11-21T10:00', '休市'],
    ['2026-10-01T10:00', '休市'],
  ])('at %s it is %s', (time, phase) => expect(marketClock(at(time), closed).phase).toBe(phase))

  it('knows weekends without a calendar', () => {
    expect(marketClock(at('2026-11-22T10:00'), null)).toMatchObject({ phase: '休市', reason: '周末' })
    expect(marketClock(at('2026-10-08T10:00'), null)).toMatchObject({ phase: '交易中', reason: null })
  })

  it('expects every weekday of a year to trade whose closed days are not known yet, and says so: nothing is open then', () => {
    const year = { dates: new Set(expectedClosedDates(2027)), expected: true }
    const seen = (text: string) => {
      const { phase, expected, open } = marketClock(at(text), year)
      return [phase, expected, open]
    }
    expect(['2027-01-01T10:00', '2027-01-02T10:00', '2027-01-04T10:00', '2027-02-08T15:30'].map(seen)).toEqual([
      ...[
        ['休市', false, false],
        ['休市', false, false],
      ],
      ...[
        ['交易中', true, false],
        ['已收盘', true, false],
      ],
    ])
    expect(marketTime(at('2027-01-04T10:00'), at('2027-01-04T10:05'), year)).toBe(0)
    expect(tradingDaysAfter('2026-12-31', '2027-01-11', year)).toBe(6)
  })

  it('shows the day of Shanghai, whatever the machine thinks', () => {
    expect(marketClock(Date.parse('2026-11-20T17:00Z'), closed)).toMatchObject({ time: '01:00', day: '11-21 周六', year: 2026 })
  })
})

describe('time in which prices could change', () => {
  it.each([
    ['2026-11-20T10:00', '2026-11-20T10:05', 5, 'in the morning'],
    ['2026-11-20T09:25', '2026-11-20T09:30', 0, 'between the auction and the morning'],
    ['2026-11-20T11:29', '2026-11-20T13:02', 3, 'lunch does not count'],
    ['2026-11-20T14:00', '2026-11-20T19:00', 57, 'to the closing auction'],
    ['2026-11-20T15:00', '2026-11-21T12:00', 0, 'no weekend'],
    ['2026-11-19T14:55', '2026-11-20T09:20', 7, 'two days'],
    ['2026-11-20T10:00', '2026-11-20T09:59', 0, 'a clock that is behind'],
  ])('from %s to %s: %d minutes, %4$s', (from, to, minutes) => expect(marketTime(at(from), at(to), closed)).toBe(minutes * 60_000))
})

/** Weekdays without trade, as the exchanges announced them. */
const holidays = {
  expected: false,
  dates: new Set([
    ...['2024-02-09', '2024-02-12', '2024-02-13', '2024-02-14', '2024-02-15', '2024-02-16', '2024-04-04', '2024-04-05'],
    ...['2024-05-01', '2024-05-02', '2024-05-03', '2024-06-10', '2024-09-16', '2024-09-17', '2024-12-31'],
    ...['2015-09-03', '2015-09-04', '2023-09-29', '2023-10-02', '2023-10-03', '2023-10-04', '2023-10-05', '2023-10-06'],
  ]),
}

describe('a closed day has the name of its holiday', () => {
  it.each([
    ['2024-02-09', '春节', 'the eve'],
    ['2024-02-17', '春节', 'the weekend after'],
    ['2024-02-18', '春节', 'a Sunday on which offices worked'],
    ['2024-04-05', '清明节', ''],
    ['2024-04-06', '清明节', ''],
    ['2024-05-03', '劳动节', ''],
    ['2024-06-08', '端午节', 'the weekend before'],
    ['2024-09-17', '中秋节', ''],
    ['2024-12-31', '元旦', 'the new year is in a calendar that is not loaded'],
    ['2023-10-05', '中秋节、国庆节', 'two in one'],
    ['2024-03-02', '周末', ''],
    ['2015-09-03', null, 'closed once, for no yearly holiday'],
  ])('%s: %s %s', (date, reason, _why) => expect(marketClock(at(`${date}T10:00`), holidays)).toMatchObject({ phase: '休市', reason }))
})
