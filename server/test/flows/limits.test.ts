import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StrategyOptions } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shanghaiDay } from '../../src/base/time.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import {
  type Api,
  call,
  newUser,
  openStream,
  type Process,
  startApiProcess,
  startWorkerProcess,
  type TestUser,
  until,
} from '../fixtures/processes.ts'
import { request, slowRequest } from '../fixtures/requests.ts'

// What one user may take of an installation: requests, quick runs, processor time. Two apis count together.

let database: TestDatabase
let dataDir: string
let apis: Api[]
let worker: Process

const range = { start: '2021-01-04', end: '2022-12-30' }
const market = '/v1/quant/convertible-bond'
const { parameters, settings } = request('cb', { ...range, factor: 'dblow' })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'limits-'))
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const limited = { ...env, LIMIT_REQUESTS: '1' }
  ;[worker, ...apis] = await Promise.all([startWorkerProcess(env, database.db), startApiProcess(limited), startApiProcess(limited)])
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 300 })
})

afterAll(async () => {
  await Promise.all([...apis, worker].map((one) => one.stop()))
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('sixty requests in ten seconds over all apis; further ones get the time to retry, streams as a line', async () => {
  const [user, other] = [await newUser(database.db), await newUser(database.db)]
  const asked = Array.from({ length: 70 }, (_, i) => call(apis[i % 2]!, user, 'GET', '/v1/quant/backtest/list'))
  const answers = await Promise.all(asked)
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(60)
  const refused = answers.filter(({ code }) => code !== 0)
  expect(refused).toHaveLength(10)
  for (const answer of refused) expect(answer).toMatchObject({ status: 429, code: 40029, data: null })
  expect(refused[0]!.msg).toMatch(/^操作过于频繁，请\d+秒后再试$/)
  const stream = openStream(apis[0]!, user, `${market}/advanced-backtest`, { parameters, settings })
  expect(await stream.ended).toMatchObject({ kind: 'error', code: 40029 })
  expect(await call(apis[1]!, other, 'GET', '/v1/quant/backtest/list')).toMatchObject({ status: 200 })
  // Ten seconds later, by the database's clock.
  await database.db
    .updateTable('rate_use')
    .set({ ends_at: new Date(0) })
    .where('owner', '=', user.id)
    .execute()
  expect(await call(apis[0]!, user, 'GET', '/v1/quant/backtest/list')).toMatchObject({ status: 200 })
})

test('quick runs are counted for all apis together', async () => {
  const user = await newUser(database.db)
  const quick = (api: Api) => call(api, user, 'POST', `${market}/quick-backtest`, { parameters, settings })
  expect(await quick(apis[0]!)).toMatchObject({ status: 200, code: 0 })
  await database.db.updateTable('rate_use').set({ used: 119 }).where('owner', '=', user.id).where('item', '=', 'quick').execute()
  expect(await quick(apis[1]!)).toMatchObject({ status: 200, code: 0 })
  expect(await quick(apis[0]!)).toMatchObject({ status: 429, code: 40029 })
  // Of the sixty requests none was taken.
  const rows = await database.db.selectFrom('rate_use').select('item').where('owner', '=', user.id).execute()
  expect(rows).toEqual([{ item: 'quick' }])
})

test('a user’s next quick run aborts the one before it over all apis', async () => {
  const user = await newUser(database.db)
  const slow = slowRequest('cb', range)
  const first = call(apis[0]!, user, 'POST', `${market}/quick-backtest`, { parameters: slow.parameters, settings: slow.settings })
  let ended = false
  first.finally(() => {
    ended = true
  })
  // Until the first has come to the worker the next ones have nothing to end.
  const next = async () => call(apis[1]!, user, 'POST', `${market}/quick-backtest`, { parameters, settings })
  let last = await next()
  while (!ended) last = await next()
  expect(last).toMatchObject({ status: 200, code: 0 })
  expect(await first).toMatchObject({ status: 409, code: 23024 })
})

test('processor time has a daily limit for screens and runs; reading still works', async () => {
  const user = await newUser(database.db)
  const stream = openStream(apis[0]!, user, `${market}/advanced-backtest`, { parameters, settings })
  const last = await stream.ended
  expect(last).toMatchObject({ kind: 'event', event: { type: 'result' } })
  await until(async () => (await computeMs(user)) > 0, 'what the run took is written')
  const { data } = await call<StrategyOptions>(apis[1]!, user, 'GET', '/v1/quant/strategy/options')
  expect(data.limits.daily['compute_seconds']).toEqual({ used: Math.ceil((await computeMs(user)) / 1_000), max: 600 })

  await database.db
    .updateTable('quota_use')
    .set({ used: 600_000 })
    .where('user_id', '=', user.id)
    .where('item', '=', 'compute_ms')
    .execute()
  const sentence = '今日计算时间已用完（10 分钟），次日零点恢复；会员可提升额度（每日计算时间 100 分钟）'
  const refused = { status: 429, code: 21002, msg: sentence, data: null }
  expect(await call(apis[0]!, user, 'POST', `${market}/realtime-screen`, { parameters, need: ['list'] })).toMatchObject(refused)
  expect(await call(apis[1]!, user, 'POST', `${market}/quick-backtest`, { parameters, settings })).toMatchObject(refused)
  const { headers } = await fetch(`${apis[0]!.address}${market}/realtime-screen`, {
    method: 'POST',
    headers: { 'access-token': user.token, 'content-type': 'application/json' },
    body: JSON.stringify({ parameters }),
  })
  const then = new Date(Date.now() + (8 * 3_600 + Number(headers.get('retry-after')) + 30) * 1_000)
  expect(then.toISOString().slice(11, 16), 'midnight in Shanghai').toBe('00:00')
  const again = openStream(apis[0]!, user, `${market}/advanced-backtest`, { parameters, settings, note: '再来一次' })
  expect(await again.ended).toMatchObject({ kind: 'error', code: 21002, message: sentence })
  // Neither the count of runs was taken for it, nor is what was made before out of reach.
  const runs = await database.db
    .selectFrom('quota_use')
    .select('used')
    .where('user_id', '=', user.id)
    .where('item', '=', 'backtest')
    .where('day', '=', shanghaiDay())
    .executeTakeFirst()
  expect(runs?.used).toBe(1)
  expect(await call(apis[0]!, user, 'GET', '/v1/quant/backtest/list')).toMatchObject({ status: 200, data: { total: 1 } })
  // A member has ten times as much.
  await database.db.updateTable('app_user').set({ vip_level: 1 }).where('id', '=', user.id).execute()
  expect(await call(apis[0]!, user, 'POST', `${market}/realtime-screen`, { parameters, need: ['list'] })).toMatchObject({ status: 200 })
})

async function computeMs({ id }: TestUser): Promise<number> {
  const row = await database.db
    .selectFrom('quota_use')
    .select('used')
    .where('user_id', '=', id)
    .where('item', '=', 'compute_ms')
    .executeTakeFirst()
  return row?.used ?? 0
}
