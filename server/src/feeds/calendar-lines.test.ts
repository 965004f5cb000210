import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, closedWeekdaysOf, learnYears } from '../market/calendar.ts'
import { openDays } from '../market/calendar-checks.ts'
import { keepAnsweredYear, keepUntold, readCalendar, setYear } from '../market/calendar-years.ts'
import { calendarReach } from './calendar-lines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  learnYears(new Map())
  await database.drop()
})

const next = builtInYear + 1
const at = (day: string) => new Date(`${day}T08:30:00+08:00`)
const told = madeUpYear(next)

it('says up to when the calendar reaches, whose word stands, and who says otherwise', async () => {
  const { db } = database
  const own = { year: builtInYear, from: '内置', days: openDays(builtInYear, closedWeekdaysOf(builtInYear)!), since: null, note: '' }
  expect(await calendarReach(db)).toEqual({ through: `${builtInYear}-12-31`, lines: [own] })

  await keepUntold(db, { year: next, source: 'tushare', at: at(`${builtInYear}-11-20`) }, '还没有公布')
  const unknown = { year: next, from: null, days: null, since: null, note: `${builtInYear}-11-20 08:30 的应答未采用：还没有公布` }
  expect(await calendarReach(db)).toEqual({ through: `${builtInYear}-12-31`, lines: [own, unknown] })

  await keepAnsweredYear(db, { year: next, source: 'baostock', at: at(`${builtInYear}-12-20`) }, told)
  await readCalendar(db)
  const known = { year: next, from: 'BaoStock', days: openDays(next, told), since: at(`${builtInYear}-12-20`), note: '' }
  expect(await calendarReach(db)).toEqual({ through: `${next}-12-31`, lines: [own, known] })

  const extra = closedWeekdaysOf(builtInYear)!.replace(/^0101 /, '')
  await setYear(db, builtInYear, extra)
  await setYear(db, next, told.replace(/ \d{4}$/, ''))
  const last = told.slice(-4).replace(/^(..)/, '$1-')
  const { lines } = await calendarReach(db)
  expect(lines.map(({ from, note }) => [from, note])).toEqual([
    ['运营者设置', '内置与此不同：01-01 休市'],
    ['运营者设置', `BaoStock 与此不同：${last} 休市`],
  ])
})
