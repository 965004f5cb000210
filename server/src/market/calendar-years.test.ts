import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, closedWeekdaysOf, isTradingDay, lastYear, learnYears, tradingDays } from './calendar.ts'
import { followCalendar, forgetYear, keepAnsweredYear, keepUntold, keptYears, readCalendar, setYear } from './calendar-years.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('calendar_year').execute()
  learnYears(new Map())
})

const next = builtInYear + 1
const told = madeUpYear(next)
let clock = Date.parse('2026-12-01T00:00:00Z')
const asked = (year: number, source: string) => ({ year, source, at: new Date((clock += 60_000)) })
/** The same year with one more closed day. */
const corrected = `${told} 1231`

describe('years that were told', () => {
  it('are known after the program’s own, and only without a gap', () => {
    learnYears(
      new Map([
        [next, told],
        [next + 2, madeUpYear(next + 2)],
      ]),
    )
    expect(lastYear()).toBe(next)
    expect(isTradingDay(`${next + 2}-06-01`)).toBeNull()
    learnYears(new Map([next, next + 1, next + 2].map((year) => [year, madeUpYear(year)])))
    expect(lastYear()).toBe(next + 2)
    expect(tradingDays(`${builtInYear}-12-31`, `${next}-01-10`)[0]).toBe(`${builtInYear}-12-31`)
    learnYears(new Map())
    expect(lastYear()).toBe(builtInYear)
  })

  it('by a source count, and the operator’s word stands over them and over the program’s table', async () => {
    await keepAnsweredYear(database.db, asked(next, 'tushare'), told)
    // No source corrects what the program knows.
    await keepAnsweredYear(database.db, asked(builtInYear, 'tushare'), `${closedWeekdaysOf(builtInYear)} 1231`)
    await readCalendar(database.db)
    expect([lastYear(), closedWeekdaysOf(next), isTradingDay(`${builtInYear}-12-31`)]).toEqual([next, told, true])

    await setYear(database.db, next, corrected)
    await setYear(database.db, builtInYear, `${closedWeekdaysOf(builtInYear)} 1231`)
    await readCalendar(database.db)
    expect([closedWeekdaysOf(next), isTradingDay(`${builtInYear}-12-31`)]).toEqual([corrected, false])
    // What a source tells later changes nothing, and is there when the word is taken back.
    await keepAnsweredYear(database.db, asked(next, 'baostock'), told)
    await readCalendar(database.db)
    expect(closedWeekdaysOf(next)).toBe(corrected)
    expect(await forgetYear(database.db, next)).toBe(true)
    expect(await forgetYear(database.db, next)).toBe(false)
    await readCalendar(database.db)
    expect(closedWeekdaysOf(next)).toBe(told)
    const lines = await database.db
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('action', 'like', 'calendar.%')
      .orderBy('id')
      .execute()
    expect(lines).toEqual(
      ['calendar.set', 'calendar.set', 'calendar.forget'].map((action) => ({ actor: expect.stringMatching(/^operator /), action })),
    )
  })

  it('keep the day since when they are told so; an answer that was none changes nothing of them', async () => {
    await keepUntold(database.db, asked(next, 'tushare'), '还没有公布')
    const [none] = await keptYears(database.db)
    expect(none).toMatchObject({ by: 'source', closed: null, saidAt: null, source: 'tushare', why: '还没有公布' })
    await readCalendar(database.db)
    expect(lastYear()).toBe(builtInYear)

    await keepAnsweredYear(database.db, asked(next, 'baostock'), told)
    const [first] = await keptYears(database.db)
    await keepAnsweredYear(database.db, asked(next, 'tushare'), told)
    await keepUntold(database.db, asked(next, 'baostock'), '只到 12-30')
    const [again] = await keptYears(database.db)
    expect(again).toMatchObject({ closed: told, saidAt: first!.saidAt, source: 'tushare', why: '只到 12-30' })
    expect(again!.askedAt!.getTime()).toBeGreaterThan(first!.askedAt!.getTime())
    await keepAnsweredYear(database.db, asked(next, 'tushare'), corrected)
    const [changed] = await keptYears(database.db)
    expect(changed!.saidAt!.getTime()).toBeGreaterThan(first!.saidAt!.getTime())
  })

  it('the table takes nothing but whole years', async () => {
    const row = { year: next, said_by: 'operator' as const, closed: null, said_at: null }
    await expect(database.db.insertInto('calendar_year').values(row).execute()).rejects.toThrow('check constraint')
    await expect(setYear(database.db, next, '0101 02')).rejects.toThrow('check constraint')
  })
})

describe('a process that runs', () => {
  it('learns a year when it is told, and again after its connection broke', async () => {
    const failures: string[] = []
    await keepAnsweredYear(database.db, asked(next, 'tushare'), told)
    const following = await followCalendar(database.db, (event) => failures.push(event))
    try {
      expect(lastYear()).toBe(next)
      await setYear(database.db, next, corrected)
      await expect.poll(() => closedWeekdaysOf(next)).toBe(corrected)
      await database.pool.query(`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'convexa-session' and datname = current_database()`)
      await forgetYear(database.db, next)
      await expect.poll(() => closedWeekdaysOf(next)).toBe(told)
      expect(failures).toEqual([])
    } finally {
      await following.close()
    }
  })
})
