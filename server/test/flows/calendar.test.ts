import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shanghaiDate } from '../../src/base/time.ts'
import { builtInYear, datesOf, weekdayOf } from '../../src/market/calendar.ts'
import { jobs } from '../../src/queue/jobs.ts'
import { type StandIn, standIn } from '../feeds/stand-in.ts'
import { answered, callOf } from '../feeds/tushare-script.ts'
import { convexa } from '../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { madeUpDays, madeUpYear } from '../fixtures/market/made-up-year.ts'
import { type Api, call, newUser, type Process, startApiProcess, startWorkerProcess, type TestUser } from '../fixtures/processes.ts'

// The year after the program's own table comes from a source, and from the operator, to two apis and a worker that run all the while.

let database: TestDatabase
let dataDir: string
let provider: StandIn
let apis: Api[]
let worker: Process
let user: TestUser
let env: Record<string, string>
const year = builtInYear + 1
const token = 'only-for-tests-'.repeat(3)
/** Until when the source has days. */
let through = `${builtInYear}-12-31`

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-calendar-'))
  provider = await standIn((asked) => {
    const { api_name, params } = callOf(asked)
    const [from, to] = [params['start_date'], params['end_date']].map((day) => day?.replace(/^(\d{4})(\d{2})/, '$1-$2-') ?? '')
    const days = api_name === 'trade_cal' ? madeUpDays(from ?? '', to ?? '', through) : []
    return answered(
      ['cal_date', 'is_open'],
      days.map(({ date, open }) => [date.replaceAll('-', ''), open ? 1 : 0]),
    )
  })
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, METRICS_TOKEN: token }
  Object.assign(env, { FEEDS: 'tushare', TUSHARE_TOKEN: 'none', TUSHARE_URL: provider.url })
  worker = await startWorkerProcess(env, database.db)
  apis = await Promise.all([startApiProcess(env), startApiProcess(env)])
  user = await newUser(database.db)
})
afterAll(async () => {
  await Promise.all([...(apis ?? []), worker].map((process) => process?.stop()))
  await provider.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What each api says of the year's closed weekdays: none of them half of it. */
const told = async () => {
  const answers = await Promise.all(
    apis.map((api) => call<string[] | null>(api, user, 'GET', `/v1/quant/trade-calender/${year}/closed-dates`)),
  )
  return answers.map(({ code, data }) => (data === null ? code : data.filter((date) => !/星期[六日]/.test(weekdayOf(date))).join()))
}
const both = (words: number | string) => [words, words]
const datesIn = (closed: string) => datesOf(year, closed).join()
const status = async () => {
  const [api] = apis
  return (await fetch(`${api?.address}/status`, { headers: { authorization: `Bearer ${token}` } })).text()
}

/** Has the worker do the round that its clock would begin. */
async function round(): Promise<void> {
  const boss = new PgBoss({ connectionString: database.url, migrate: false, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.send(jobs.feed.name, { round: 'calendar' })
  await boss.stop({ graceful: false })
}

const today = shanghaiDate(new Date())
/** A program that is newer than the day asks for nothing yet; one that is years old asks for more than this year. */
const isDue = today >= `${builtInYear}-11-01` && today < `${year}-11-01`

describe.runIf(isDue)('a calendar year from a source', () => {
  test('is accepted when it is complete, by every running process', async () => {
    expect(await told()).toEqual(both(21009))
    await round()
    await expect.poll(status).toContain('还没有公布')
    expect(await told()).toEqual(both(21009))
    // Both exchanges are asked.
    expect(provider.asked.map((asked) => callOf(asked).params['exchange']).sort()).toEqual(['SSE', 'SZSE'])

    through = `${year}-12-31`
    await round()
    await expect.poll(told).toEqual(both(datesIn(madeUpYear(year))))
    await expect.poll(status).toMatch(new RegExp(`<p>到 ${year}-12-31[^]*<td>${year}</td><td>Tushare Pro</td>`))
    const metrics = await (await fetch(`${apis[0]?.address}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    const end = Date.parse(`${year + 1}-01-01T00:00:00+08:00`) / 1_000
    expect(Number(/^convexa_calendar_end_timestamp_seconds (\S+)$/m.exec(metrics)?.[1])).toBe(end)
  })

  test('is listed by the command line with its source', async () => {
    const { exit, out } = await convexa(env, 'feed', 'status')
    expect([exit, out]).toEqual([0, expect.stringMatching(new RegExp(`交易日历到 ${year}-12-31[^]*${year} +Tushare Pro +\\d{3} +\\d{4}-`))])
  })
})

/** This year and the next may be set. */
const maySet = [year - 1, year].includes(Number(today.slice(0, 4)))
describe.runIf(maySet)('a calendar year set by the operator', () => {
  const file = (text: string) => {
    const path = join(dataDir, 'notice.txt')
    writeFileSync(path, text)
    return path
  }
  const ranges = datesOf(year, madeUpYear(year)).join('\n')
  const set = (text: string, ...more: string[]) => convexa(env, 'feed', 'calendar', 'set', String(year), file(text), ...more)

  test('overrides the source’s in every process; an incomplete year changes nothing', async () => {
    const before = await told()
    const part = await set(ranges.replace(`${year}-10-01`, ''))
    const holiday = /星期[六日]/.test(weekdayOf(`${year}-10-01`))
    if (!holiday) expect(part).toMatchObject({ exit: 3, err: expect.stringContaining('国庆节，没有休市') })
    expect(await set(`${ranges}\n2月30日`)).toMatchObject({ exit: 3, err: expect.stringContaining('“2月30日”里没有这一天') })
    expect(await set('')).toMatchObject({ exit: 3, err: expect.stringContaining('没有找到休市日期') })
    const extra = `${year}-12-${['06', '07', '08'].find((day) => weekdayOf(`${year}-12-${day}`) < '星期六') ?? ''}`
    expect(await set(`${ranges}\n${extra}`)).toMatchObject({ exit: 3, err: expect.stringContaining(`${extra}（`) })
    const checked = await set(`${ranges}\n${extra}`, '--besides', '--check')
    expect(checked).toMatchObject({ exit: 0, out: expect.stringContaining('检查通过，没有保存。') })
    expect(await told()).toEqual(before)

    const done = await set(`${ranges}\n${extra}`, '--besides')
    expect(done).toMatchObject({ exit: 0, out: expect.stringContaining('已保存') })
    if (isDue) expect(done.out).toContain(`与现有的日历不同：${extra.slice(5)} 休市`)
    await expect.poll(told).toEqual(both([...datesOf(year, madeUpYear(year)), extra].sort().join()))
    const { out } = await convexa(env, 'feed', 'calendar', 'show')
    expect(out).toMatch(new RegExp(`${year} +运营者设置 +\\d{3}`))
    if (isDue) expect(out).toContain(`Tushare Pro 与此不同：${extra.slice(5)} 开市`)
    expect(JSON.parse((await convexa(env, 'feed', 'calendar', 'show', '--json')).out)).toMatchObject({ through: `${year}-12-31` })
  })

  test('can be withdrawn', async () => {
    expect(await convexa(env, 'feed', 'calendar', 'forget', String(year))).toMatchObject({ exit: 0 })
    await expect.poll(told).toEqual(both(isDue ? datesIn(madeUpYear(year)) : 21009))
    expect(await convexa(env, 'feed', 'calendar', 'forget', String(year))).toMatchObject({
      exit: 3,
      err: `没有设置过 ${year} 年的休市日\n`,
    })
  })

  test.each([
    ['a year that is over', String(Number(today.slice(0, 4)) - 1), 3, '只能设置今年'],
    ['one that nobody can know', String(Number(today.slice(0, 4)) + 2), 3, '只能设置今年'],
    ['what is no year', 'next', 2, '年份“next”无法识别'],
  ])('is refused of %s', async (_case, given, exit, words) => {
    expect(await convexa(env, 'feed', 'calendar', 'set', given, file(''))).toMatchObject({ exit, err: expect.stringContaining(words) })
  })
})
