import type { BacktestListItem, Page, RunQuestion, RunRetention } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { unsealFor } from '../../src/base/secret.ts'
import type { Config } from '../../src/config/config.ts'
import type { AppContext } from '../../src/context/app-context.ts'
import { type Message, messageUse } from '../../src/message/queue.ts'
import { wordsOf } from '../../src/message/texts.ts'
import { retainRuns } from '../../src/quant/retention.ts'
import { tellLapsed } from '../../src/quant/retention-notices.ts'
import { sealAddress } from '../../src/user/addresses.ts'
import { asking } from '../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { newUser, type TestUser } from '../fixtures/processes.ts'
import { insertRun } from '../fixtures/run-rows.ts'
import { testWorld } from '../fixtures/world.ts'

let database: TestDatabase
let context: AppContext
let app: FastifyInstance
let user: TestUser

const { ask } = asking(() => app)
const get = <T>(path: string, who = user) => ask<T>('GET', path, { token: who.token })

beforeAll(async () => {
  database = await testDatabase()
  context = testWorld(database).context
  app = await buildApp(context)
})
beforeEach(async () => {
  user = await newUser(database.db)
  await sql`insert into retention (started_at) values (now() - interval '1 year')
    on conflict (only_row) do update set started_at = excluded.started_at, after_user = null`.execute(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

/** A finished run of so many days ago. */
async function ran(daysAgo: number): Promise<string> {
  const id = await insertRun(database.db, user.id, context.processId)
  const at = sql<Date>`now() - make_interval(days => ${daysAgo})`
  await database.db.updateTable('backtest_run').set({ status: 2, created_at: at, finished_at: at }).where('id', '=', id).execute()
  return id
}
const setVip = (until: ReturnType<typeof sql<Date>>) =>
  database.db.updateTable('app_user').set({ vip_level: 1, vip_until: until }).where('id', '=', user.id).execute()

test('a run whose report is kept no more: listed, opened with a sentence, asked again', async () => {
  const id = await ran(91)
  const whole = await ran(1)
  const listed = async () => {
    const { data } = await get<Page<BacktestListItem>>('/v1/quant/backtest/list')
    return data.list_items.map(({ backtest_id, complete }) => [backtest_id, complete])
  }
  expect(await listed()).toEqual([
    [whole, true],
    [id, true],
  ])
  await retainRuns(database.db)
  expect(await listed()).toEqual([
    [whole, true],
    [id, false],
  ])
  const gone = { status: 409, code: 21012, msg: '该回测仅保留参数与指标，可重新运行' }
  const path = `/v1/quant/convertible-bond/backtest/${id}`
  expect(await get(`${path}/detail/report`)).toMatchObject(gone)
  expect(await get(`${path}/detail/2022-01-05`)).toMatchObject(gone)
  expect(await ask('POST', `${path}/checks`, { token: user.token })).toMatchObject(gone)
  expect(await ask('POST', '/v1/quant/share', { token: user.token, body: { backtest_id: id, ttl_days: 7 } })).toMatchObject(gone)
  const { data } = await get<RunQuestion>(`/v1/quant/backtest/${id}/question`)
  expect(data).toMatchObject({ kind: 'cb', name: '收盘价 · 5 只', settings: { start_date: '2022-01-04' } })
  expect(data.parameters?.rank_factors).toHaveLength(1)
  // To another it is not there, nor under the other market.
  const other = await newUser(database.db)
  for (const end of [`/v1/quant/backtest/${id}/question`, `${path}/detail/report`])
    expect(await get(end, other)).toMatchObject({ status: 404, code: 40004 })
  expect(await get(`/v1/quant/stock/backtest/${id}/detail/report`)).toMatchObject({ status: 404, code: 40004 })
})

test('what is kept is said by plan, and nothing where all is', async () => {
  const said = async () => (await get<RunRetention>('/v1/quant/backtest/retention')).data
  const free = { newest: 100, days: 90, question_days: 365 }
  const vip = { newest: 2_000, days: 730, question_days: 1_095 }
  expect(await said()).toEqual({ plan: 'free', reports: free, until: null, favourites: 0, most_favourites: 20 })
  await ask('PUT', `/v1/quant/backtest/${await ran(1)}/favourite`, { token: user.token, body: { on: true } })
  await setVip(sql<Date>`now() + interval '1 day'`)
  expect(await said()).toEqual({ plan: 'vip', reports: vip, until: null, favourites: 1, most_favourites: 200 })
  await setVip(sql<Date>`now() - interval '1 day'`)
  expect(await said()).toMatchObject({
    plan: 'lapsed',
    reports: vip,
    until: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    most_favourites: 20,
  })
  await setVip(sql<Date>`now() - interval '91 days'`)
  expect(await said()).toMatchObject({ plan: 'free', reports: free, until: null })
  const ofLaptop = await buildApp({ ...context, config: { ...context.config, retention: 'off' } as Config })
  const { data } = await asking(() => ofLaptop).ask('GET', '/v1/quant/backtest/retention', { token: user.token })
  expect(data).toMatchObject({ reports: null, until: null })
  await ofLaptop.close()
})

test('a lapsed member with runs beyond a free plan is told 30 and 7 days before, each once', async () => {
  const sent: string[] = []
  const queue: AppContext['queue'] = async () => ({ ...(await context.queue()), addMessage: async (_, id) => void sent.push(id) })
  const everybody = { after: null, last: 'ffffffff-ffff-ffff-ffff-ffffffffffff', isLast: true }
  /** So many days after the membership's end. */
  const told = (days: number) =>
    tellLapsed({ db: database.db, config: context.config, queue }, everybody, sql<Date>`now() + make_interval(days => ${days})`)
  await setVip(sql<Date>`now()`)
  await database.db
    .insertInto('user_contact')
    .values({
      user_id: user.id,
      kind: 'email',
      address_hash: Buffer.from(user.id),
      sealed: sealAddress(context.config, { kind: 'email', text: 'one@example.com' }),
      verified_at: new Date(),
    })
    .execute()
  expect(await told(60)).toBe(0)
  // Every run of the membership will be older than 90 days.
  const [run] = [await ran(5)]
  expect([await told(59), await told(60), await told(60), await told(82), await told(83), await told(84), await told(91)]).toEqual([
    ...[0, 1, 0, 0, 1, 0, 0],
  ])
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from message where id = any(${sent}::uuid[])`.execute(database.db)
  const messages = rows.map(({ sealed }) => JSON.parse(unsealFor(context.config, messageUse, sealed) ?? '') as Message)
  expect(messages.map(({ to }) => to)).toEqual(['one@example.com', 'one@example.com'])
  const { text } = wordsOf({ siteName: '凸度量化', siteUrl: null }, messages[0] as Message)
  expect(text).toMatch(
    /^【凸度量化】您的会员已到期，超出免费额度的完整回测结果将保留到 \d{4}-\d{2}-\d{2}，之后仅保留参数与指标；需要长期保留的，请收藏或导出。$/,
  )
  // A favourite is not lost, so no notice is sent; a new end has notices of its own.
  await database.db.updateTable('backtest_run').set({ favourite: true }).where('id', '=', run).execute()
  await setVip(sql<Date>`now() + interval '1 day'`)
  expect(await told(62)).toBe(0)
  await database.db.updateTable('backtest_run').set({ favourite: false }).where('id', '=', run).execute()
  expect(await told(62)).toBe(1)
})
