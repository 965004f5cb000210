import { describe, expect, it } from 'vitest'
import { madeUpDays, madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import {
  addDays,
  builtInYear,
  calendarNotice,
  closedDates,
  daysBehind,
  daysBetween,
  daysOfYear,
  firstYear,
  isTradingDay,
  lastClosedDay,
  learnYears,
  nextTradingDay,
  tradingDays,
} from './calendar.ts'

describe('the trading calendar', () => {
  it('knows the long holidays and every weekend of a year', () => {
    const closed = closedDates(2024)!
    expect(closed).toContain('2024-02-09')
    expect(closed).toContain('2024-02-18')
    expect(closed).not.toContain('2024-02-19')
    expect(closed).toHaveLength(366 - 242)
    expect(closed).toEqual([...closed].sort())
  })

  it.each([
    [
      'days that others trade on',
      false,
      ['2019-05-02', '2019-05-03', '2020-01-31', '2021-05-04', '2021-05-05', '2022-10-06', '2022-10-07', '2023-10-06', '2024-02-09'],
    ],
    [
      'weekends that are worked, but not traded',
      false,
      ['2024-02-04', '2024-02-18', '2025-01-26', '2026-02-14', '2026-02-28', '2026-09-20', '2026-10-10'],
    ],
    ['the first days behind holidays', true, ['2020-02-03', '2021-05-06', '2022-10-10', '2023-10-09', '2024-02-19', '2026-02-24']],
  ])('%s: open %s', (_, isOpen, days) => expect(days.map(isTradingDay)).toEqual(days.map(() => isOpen)))

  it('the next trading day lies behind weekends and holidays; where the calendar ends nobody knows it', () => {
    expect(['2026-09-24', '2026-09-30', '2026-12-30'].map(nextTradingDay)).toEqual(['2026-09-28', '2026-10-08', '2026-12-31'])
    expect(nextTradingDay(`${builtInYear}-12-31`)).toBeNull()
  })

  it.each([
    [2018, 243],
    [2020, 243],
    [2023, 242],
    [2026, 242],
  ])('%i had %i trading days', (year, days) => {
    expect(tradingDays(`${year}-01-01`, `${year}-12-31`)).toHaveLength(days)
  })

  it('counts 8,797 trading days to the end of 2026, those of the last days of 1990 apart', () => {
    expect(tradingDays(`${firstYear}-01-01`, `${builtInYear}-12-31`)).toHaveLength(8797 - 9)
  })

  it('says that it does not know a year rather than guess', () => {
    expect(closedDates(1990)).toBeNull()
    expect(closedDates(2099)).toBeNull()
    expect(isTradingDay('2099-01-04')).toBeNull()
    expect(isTradingDay('2026-10-08')).toBe(true)
    expect(isTradingDay('2026-10-07')).toBe(false)
  })

  it.each([
    ['in the session', '2026-11-20T14:59:59+08:00', '2026-11-19'],
    ['at the close', '2026-11-20T15:00:00+08:00', '2026-11-20'],
    ['on a Saturday', '2026-11-21T21:49:00+08:00', '2026-11-20'],
    ['on New Year’s morning', '2026-01-01T09:00:00+08:00', '2025-12-31'],
    ['in a holiday', '2026-10-05T12:00:00+08:00', '2026-09-30'],
    ['after the last year with data', '2031-05-05T12:00:00+08:00', '2026-12-31'],
  ])('the last closed day %s', (_case, now, day) => {
    expect(lastClosedDay(new Date(now))).toBe(day)
  })

  it.each([
    ['before the close', '2026-11-23T14:59:59+08:00', 0],
    ['at the close', '2026-11-23T15:00:00+08:00', 1],
    ['past midnight', '2026-11-24T00:00:01+08:00', 1],
    ['on a Saturday', '2026-11-28T12:00:00+08:00', 5],
    ['in the year’s last night', `${builtInYear + 1}-01-01T14:59:59+08:00`, expect.any(Number)],
    ['beyond the calendar nobody knows', `${builtInYear + 1}-01-01T15:00:00+08:00`, null],
    ['nor do they much later', `${builtInYear + 5}-06-01T12:00:00+08:00`, null],
  ])('how many days have closed since a Friday: %s', (_case, now, days) => {
    expect(daysBehind({ dataMode: 'imported', lastDate: '2026-11-20' }, new Date(now))).toEqual(days)
    expect(daysBehind({ dataMode: 'demo', lastDate: '2026-11-20' }, new Date(now))).toBe(0)
  })

  it.each([
    ['the year is young', `${builtInYear}-06-01`, null],
    ['the last weeks', `${builtInYear}-12-15`, '更新程序'],
    ['it has ended', `${builtInYear + 1}-01-04`, `只到 ${builtInYear} 年`],
  ])('an operator is told of its end: %s', (_case, day, words) => {
    const notice = calendarNotice(new Date(`${day}T10:00:00+08:00`))
    if (words === null) expect(notice).toBeNull()
    else expect(notice).toContain(words)
  })

  it('goes on in a year that was learned: what was asked beyond the end has its answer', () => {
    const [year, now] = [builtInYear + 1, new Date(`${builtInYear + 1}-03-31T16:00:00+08:00`)]
    const data = { dataMode: 'imported', lastDate: `${builtInYear}-12-31` } as const
    expect([closedDates(year), daysBehind(data, now), tradingDays(`${year}-01-01`, `${year}-12-31`)]).toEqual([null, null, []])
    learnYears(new Map([[year, madeUpYear(year)]]))
    const open = madeUpDays(`${year}-01-01`, `${year}-12-31`).filter((day) => day.open)
    expect(tradingDays(`${year}-01-01`, `${year}-12-31`)).toEqual(open.map(({ date }) => date))
    expect(daysBehind(data, now)).toBe(open.filter(({ date }) => date <= `${year}-03-31`).length)
    expect(closedDates(year)).toHaveLength(daysOfYear(year).length - open.length)
    expect(calendarNotice(now)).toBeNull()
    expect(calendarNotice(new Date(`${year}-12-20T12:00:00+08:00`))).toContain(`只到 ${year} 年`)
    learnYears(new Map())
  })

  it('adds and counts days across a leap February', () => {
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2)
  })
})
