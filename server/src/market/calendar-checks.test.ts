import { describe, expect, it } from 'vitest'
import { madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, closedWeekdaysIn, closedWeekdaysOf, datesOf } from './calendar.ts'
import { besidesHolidays, closures, holidays, openDays, yearFaults } from './calendar-checks.ts'

const years = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const without = (year: number, weekdays: string, gone: (date: string) => boolean) =>
  closedWeekdaysIn(datesOf(year, weekdays).filter((date) => !gone(date)))

describe('a year of the calendar', () => {
  it.each(years(2008, builtInYear))('%i, as the exchanges had it, passes', (year) => {
    expect(yearFaults(year, closedWeekdaysOf(year)!)).toEqual([])
  })

  it.each(years(builtInYear + 1, builtInYear + 10))('%i, made up with its holidays, passes', (year) => {
    expect(yearFaults(year, madeUpYear(year))).toEqual([])
    expect(openDays(year, madeUpYear(year))).toBeGreaterThan(236)
  })

  it.each(years(2008, builtInYear))('%i without any one of its holidays does not', (year) => {
    const closed = closedWeekdaysOf(year)!
    for (const { date, name } of holidays(year).filter((each) => datesOf(year, closed).includes(each.date))) {
      const faults = yearFaults(
        year,
        without(year, closed, (each) => each === date),
      )
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${date}（星期[一二三四五]）是${name}`))])
    }
  })

  it('with weekends alone, or that is announced in part, lacks its holidays', () => {
    expect(yearFaults(2026, '').map((fault) => fault.slice(0, 10))).toEqual([
      ...['2026-01-01', '2026-02-17', '2026-02-18', '2026-05-01', '2026-06-19', '2026-09-25', '2026-10-01', '2026-10-02'],
    ])
    const half = without(2026, closedWeekdaysOf(2026)!, (date) => date > '2026-06-30')
    expect(yearFaults(2026, half)).toHaveLength(3)
  })

  it('with too many or too few open days is told by their number', () => {
    const alone = closedWeekdaysIn(holidays(2026).map(({ date }) => date))
    expect(yearFaults(2026, alone)).toEqual([expect.stringContaining(`全年有 ${openDays(2026, alone)} 个交易日`)])
    const more = closedWeekdaysIn([...datesOf(2026, closedWeekdaysOf(2026)!), ...years(10, 20).map((day) => `2026-08-${day}`)])
    expect(yearFaults(2026, more)).toEqual([expect.stringContaining('全年有')])
  })

  it('that closes besides its holidays says when: once since 2008', () => {
    const found = years(2008, builtInYear).flatMap((year) => besidesHolidays(year, closedWeekdaysOf(year)!))
    expect(found).toEqual(['2015-09-03', '2015-09-04'])
    expect(years(builtInYear + 1, builtInYear + 10).flatMap((year) => besidesHolidays(year, madeUpYear(year)))).toEqual([])
  })

  it('has its stretches with the weekends around them', () => {
    const [newYear, , brightness] = closures(2026, closedWeekdaysOf(2026)!)
    expect(newYear).toEqual(['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'])
    expect(brightness).toEqual(['2026-04-04', '2026-04-05', '2026-04-06'])
    expect(closures(2018, closedWeekdaysOf(2018)!).at(-1)).toEqual(['2018-12-29', '2018-12-30', '2018-12-31'])
  })

  it('knows its holidays by sun and moon', () => {
    const names = holidays(2025).map(({ date, name }) => `${date.slice(5)} ${name}`)
    expect(names).toEqual([
      ...['01-01 元旦', '01-29 春节', '01-30 春节', '04-04 清明节', '05-01 劳动节', '05-31 端午节'],
      ...['10-01 国庆节', '10-02 国庆节', '10-03 国庆节', '10-06 中秋节'],
    ])
  })
})
