import { describe, expect, it } from 'vitest'
import { dateTime, dayAfter, dayWords, isDate, readDate, shanghai, shortTime, weekdayName } from './dates.ts'

describe('dates as the screen writes them', () => {
  it.each([
    ['2026-11-22T19:08:27+08:00', '11-22 19:08'],
    ['2026-11-22', '11-22'],
    ['2025-12-31T23:59:59+08:00', '2025-12-31'],
    ['2025-12-31', '2025-12-31'],
  ])('in a list %s is %s', (iso, words) => expect(shortTime(iso, 2026)).toBe(words))

  it.each([
    ['2026-11-20', true],
    ['2024-02-29', true],
    ['2023-02-31', false],
    ['2026-1-1', false],
    ['', false],
  ])('%s a day: %s', (text, day) => expect(isDate(text)).toBe(day))

  it.each([
    ['2026-11-20', '2026-11-20'],
    [' 2026-1-5 ', '2026-01-05'],
    ['2026/11/20', '2026-11-20'],
    ['2026.1.5', '2026-01-05'],
    ['20261120', '2026-11-20'],
    ['2026年1月5日', '2026-01-05'],
    ['２０２６－１１－２０', '2026-11-20'],
    ['2023-02-31', null],
    ['2026-11', null],
    ['明天', null],
    ['', null],
  ])('%j is read as %s', (text, day) => expect(readDate(text)).toBe(day))

  it('a day has its weekday in words, and nothing has none', () => {
    expect(dayWords('2026-11-20')).toBe('2026-11-20 周五')
    expect(weekdayName('2026-11-22')).toBe('周日')
    expect(dayWords('')).toBe('')
  })

  it('the day after crosses months and leap days', () => {
    expect(dayAfter('2026-12-31')).toBe('2027-01-01')
    expect(dayAfter('2024-02-28')).toBe('2024-02-29')
    expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28')
  })

  it('a moment is told in Shanghai', () => {
    expect(shanghai(Date.parse('2026-12-31T16:05:00Z'))).toEqual({
      date: '2027-01-01',
      time: '00:05',
      minute: 5,
      weekday: 5,
      year: 2027,
    })
    expect(dateTime('2026-11-20T14:32:05+08:00')).toBe('2026-11-20 14:32:05')
  })
})
