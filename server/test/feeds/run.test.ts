import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shanghaiDate } from '../../src/base/time.ts'
import { addDays, calendarEnd, isTradingDay, lastClosedDay, tradingDays } from '../../src/market/calendar.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { convexa } from '../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'

// `convexa feed run` as an operator types it, with what may be wrong: every answer is a sentence, and nothing changes.

let database: TestDatabase
let dataDir: string
let folder: string
/** Trading days up to the last that has closed; the market ends before the last three. */
const days = tradingDays(addDays(lastClosedDay(new Date()), -60), lastClosedDay(new Date()))
/** What comes before every answer of a program that is older than the year. */
const ended = isTradingDay(shanghaiDate(new Date())) === null ? `${calendarEnd()}\n` : ''
const [next, , last] = days.slice(-3) as [string, string, string]

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-feed-run-'))
  folder = join(dataDir, 'own')
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: days[0]!, to: days.at(-4)!, securities: 20, real: true })
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (...args: string[]) =>
  convexa({ DATABASE_URL: database.url, DATA_DIR: dataDir, FEEDS: 'file', FEED_FOLDER: folder }, 'feed', 'run', ...args)

test('what cannot be asked for is refused with the reason', async () => {
  const [sunday, later, none, gap, from, empty] = await Promise.all([
    run('--day', '2026-11-15'),
    run('--day', '2090-01-04'),
    run('--day', '2026-02-30'),
    run('--market', 'stk', '--day', last),
    run('--from', '2090-01-01'),
    run('--market', 'cb', '--day', next),
  ])
  const past = await run('--day', '2010-01-05')
  expect(sunday).toMatchObject({ exit: 3, err: '2026-11-15 不是交易日\n' })
  expect(later).toMatchObject({ exit: 3, err: expect.stringContaining('2090-01-04 不在交易日历里') })
  expect(none).toMatchObject({ exit: 2, err: expect.stringContaining('日期“2026-02-30”无法识别') })
  expect(past).toMatchObject({ exit: 1, out: expect.stringContaining('股票 2010-01-05：数据从') })
  expect(gap).toMatchObject({ exit: 1, out: `${ended}股票 ${last}：数据到 ${days.at(-4)}，须先采集 ${next}，中间不能空缺\n` })
  expect(from.exit).toBe(3)
  expect(empty).toMatchObject({ exit: 3, err: expect.stringContaining('可转债：还没有导入的行情') })
  expect((await newestSnapshot(database.db, 'stk'))?.lastDate).toBe(days.at(-4))
})

test('the status says how far each market is', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, FEEDS: 'file', FEED_FOLDER: folder }
  const { exit, out } = await convexa(env, 'feed', 'status')
  expect([exit, out]).toEqual([0, expect.stringMatching(new RegExp(`股票 +${days.at(-4)}，缺 3 个交易日\\n指数 +还没有行情`))])
})

test('a folder that is not there is told as such, one without files is waited for, another file is named', async () => {
  expect(await run()).toMatchObject({ exit: 1, out: expect.stringContaining('文件：FEED_FOLDER 所指的文件夹不存在') })
  mkdirSync(join(folder, 'stk'), { recursive: true })
  expect(await run()).toMatchObject({ exit: 1, out: `${ended}股票 ${next} 行情：数据源还没有这一天的数据\n` })
  writeFileSync(join(folder, 'stk', 'odd.csv'), 'a,b\n1,2\n')
  expect(await run()).toMatchObject({ exit: 1, out: expect.stringContaining('文件 odd.csv 的列不是已知的') })
})
