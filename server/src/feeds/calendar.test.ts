import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { madeUpDays, madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { scriptedFeed } from '../../test/stand-ins/scripted-feed.ts'
import { builtInYear, closedWeekdaysOf, isWeekend, lastYear, learnYears } from '../market/calendar.ts'
import { keptYears, setYear } from '../market/calendar-years.ts'
import { askForYears, yearIn } from './calendar.ts'
import { chain } from './chain.ts'
import { FeedError, type Offers } from './feed.ts'

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
/** One round of asking at a moment. @returns what the sources were asked, and what became of it */
async function ask(day: string, answers: Record<string, Offers['calendar']>) {
  const asked: string[] = []
  const feeds = Object.entries(answers).map(([name, answer]) => ({
    ...scriptedFeed({
      calendar: async (question, asking) => {
        asked.push(`${name} ${question.from} ${question.to}`)
        return answer!(question, asking)
      },
    }),
    name,
  }))
  const told = await askForYears({
    db: database.db,
    chain: chain(feeds, () => Date.parse(`${day}T12:30:00Z`)),
    signal: new AbortController().signal,
    now: () => new Date(`${day}T12:30:00Z`),
  })
  return { asked, told }
}
const whole: Offers['calendar'] = async ({ from, to }) => madeUpDays(from, to)
const until =
  (through: string): Offers['calendar'] =>
  async ({ from, to }) =>
    madeUpDays(from, to, through)

describe('the next year', () => {
  it('is asked for from November on, once it is there once a week', async () => {
    expect(await ask(`${builtInYear}-10-31`, { tushare: whole })).toEqual({ asked: [], told: [] })
    const question = `tushare ${builtInYear}-12-01 ${next}-12-31`
    const early = await ask(`${builtInYear}-11-01`, { tushare: until(`${builtInYear}-12-31`) })
    expect(early).toEqual({ asked: [question], told: [{ year: next, source: 'tushare', why: '还没有公布' }] })
    expect([lastYear(), await keptYears(database.db)]).toEqual([
      builtInYear,
      [expect.objectContaining({ closed: null, why: '还没有公布' })],
    ])

    expect((await ask(`${builtInYear}-12-20`, { tushare: whole })).asked).toEqual([question])
    expect([lastYear(), closedWeekdaysOf(next)]).toEqual([next, madeUpYear(next)])
    expect((await keptYears(database.db))[0]).toMatchObject({ source: 'tushare', closed: madeUpYear(next), why: null })
    expect((await ask(`${builtInYear}-12-26`, { tushare: whole })).asked).toEqual([])
    expect((await ask(`${builtInYear}-12-27`, { tushare: whole })).asked).toEqual([question])
  })

  it('that is told in part is asked of the next source, and kept of none that has it in part', async () => {
    const { asked } = await ask(`${builtInYear}-12-10`, { tushare: until(`${next}-06-30`), baostock: until(`${next}-12-30`) })
    expect(asked).toHaveLength(2)
    expect([lastYear(), (await keptYears(database.db))[0]]).toEqual([
      builtInYear,
      expect.objectContaining({ closed: null, why: `只到 ${next}-06-30` }),
    ])
    await ask(`${builtInYear}-12-11`, { tushare: until(`${next}-06-30`), baostock: whole })
    expect([lastYear(), (await keptYears(database.db))[0]?.source]).toEqual([next, 'baostock'])
  })

  it('is corrected a week later, not by an answer that cannot be believed', async () => {
    await ask(`${builtInYear}-12-20`, { tushare: whole })
    await ask(`${next}-01-10`, {
      tushare: async ({ from, to }) => madeUpDays(from, to).map((day) => ({ ...day, open: !isWeekend(day.date) })),
    })
    expect(closedWeekdaysOf(next)).toBe(madeUpYear(next))
    expect((await keptYears(database.db))[0]?.why).toContain('元旦')
    const moved = `${next}-12-${isWeekend(`${next}-12-30`) ? '28' : '30'}`
    await ask(`${next}-01-17`, {
      tushare: async ({ from, to }) => madeUpDays(from, to).map((day) => (day.date === moved ? { ...day, open: false } : day)),
    })
    expect(closedWeekdaysOf(next)).toBe(`${madeUpYear(next)} ${moved.slice(5).replace('-', '')}`)
  })

  it('and all before it of a program that is years old, one after the other', async () => {
    const { asked } = await ask(`${next + 2}-03-01`, { tushare: whole })
    expect(asked).toHaveLength(3)
    expect(lastYear()).toBe(next + 2)
    // What is past is not asked for again.
    expect((await ask(`${next + 2}-03-08`, { tushare: whole })).asked).toEqual([`tushare ${next + 1}-12-01 ${next + 2}-12-31`])
  })

  it('that the operator has set stays so, and what the source says of it is kept beside', async () => {
    await setYear(database.db, next, `${madeUpYear(next)} 1231`)
    await ask(`${builtInYear}-12-20`, { tushare: whole })
    expect(closedWeekdaysOf(next)).toBe(`${madeUpYear(next)} 1231`)
    expect((await keptYears(database.db)).map(({ by, closed }) => [by, closed?.endsWith('1231')])).toEqual([
      ['source', false],
      ['operator', true],
    ])
  })

  it('of a source that does not answer is left for the next round', async () => {
    const { told } = await ask(`${builtInYear}-12-20`, {
      tushare: async () => {
        throw new FeedError('network', 'Tushare 没有应答')
      },
    })
    expect(told).toEqual([{ year: next, source: null, why: 'Tushare 没有应答' }])
    expect(await keptYears(database.db)).toEqual([])
    expect((await ask(`${builtInYear}-12-20`, {})).told).toHaveLength(1)
  })
})

describe('an answer that is no year', () => {
  const good = () => madeUpDays(`${builtInYear}-12-01`, `${next}-12-31`)
  const changed = (date: string, open: boolean) => good().map((day) => (day.date === date ? { date, open } : day))
  const weekend = good().find(({ date }) => date > `${next}-03-01` && isWeekend(date))!.date
  const known = good().find(({ date, open }) => date > `${builtInYear}-12-10` && open)!.date

  it.each([
    ['nothing', [], '还没有公布'],
    ['a year that ends early', good().slice(0, -1), `只到 ${next}-12-30`],
    ['a day that is lost', good().filter(({ date }) => date !== `${next}-07-01`), `只到 ${next}-06-30`],
    ['a weekend that is open', changed(weekend, true), `${weekend} 是周末`],
    ['known days told otherwise', changed(known, false), `${known} 休市，与已知的日历不符`],
    ['a holiday that is open', changed(`${next}-10-01`, true), isWeekend(`${next}-10-01`) ? '是周末' : '国庆节'],
    ['weekends alone', good().map(({ date, open }) => ({ date, open: date < `${next}` ? open : !isWeekend(date) })), '没有休市'],
  ])('%s', (_case, answer, why) => {
    expect(yearIn(answer, next, false)).toEqual({ why: expect.stringContaining(why) })
  })

  it('a day that is closed besides the holidays is believed of a known year alone', () => {
    const besides = good().find(({ date, open }) => date > `${next}-07-10` && open)!.date
    expect(yearIn(changed(besides, false), next, false)).toEqual({ why: `${besides} 休市，前后没有法定节假日` })
    expect(yearIn(changed(besides, false), next, true)).toMatchObject({
      closed: expect.stringContaining(besides.slice(5).replace('-', '')),
    })
  })

  it('a whole one is', () => expect(yearIn(good(), next, false)).toEqual({ closed: madeUpYear(next) }))
})
