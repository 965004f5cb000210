import { describe, expect, it } from 'vitest'
import { dayNumber, firstFrom, isoWeek, lastUpTo, weekday, weekNumber } from './calendar.ts'

describe('the arithmetic of days', () => {
  it.each(['1970-01-01', '2000-02-29', '2019-12-31', '2024-02-29', '2026-11-21', '1990-12-19'])(
    'counts %s as the calendar does',
    (date) => {
      const real = Date.parse(`${date}T00:00:00Z`) / 86_400_000
      expect(dayNumber(date)).toBe(real)
      expect(weekday(date)).toBe(new Date(real * 86_400_000).getUTCDay() || 7)
    },
  )

  it('puts Sunday and the next Monday into different weeks', () => {
    expect(weekNumber('2024-01-07')).toBe(weekNumber('2024-01-01'))
    expect(weekNumber('2024-01-08')).toBe(weekNumber('2024-01-01') + 1)
    expect(weekNumber('2024-12-31')).toBe(weekNumber('2025-01-01'))
  })

  it('finds days around a gap', () => {
    const dates = ['2024-01-02', '2024-01-03', '2024-01-08']
    expect(firstFrom(dates, '2024-01-04')).toBe(2)
    expect(firstFrom(dates, '2024-01-09')).toBe(3)
    expect(lastUpTo(dates, '2024-01-04')).toBe(1)
    expect(lastUpTo(dates, '2024-01-03')).toBe(1)
    expect(lastUpTo(dates, '2024-01-01')).toBe(-1)
  })
})

// The examples of ISO 8601 at the turns of years.
it.each([
  ['2005-01-01', '2004-W53'],
  ['2005-12-31', '2005-W52'],
  ['2007-01-01', '2007-W01'],
  ['2008-12-29', '2009-W01'],
  ['2010-01-03', '2009-W53'],
  ['2023-05-24', '2023-W21'],
  ['2024-12-30', '2025-W01'],
])('%s is in week %s', (date, week) => expect(isoWeek(date)).toBe(week))
