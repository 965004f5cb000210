import type { BacktestListItem, Page, ShareListItem } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { AppContext } from '../../src/context/app-context.ts'
import { packJson } from '../../src/http/packed-json.ts'
import { sweepShares } from '../../src/quant/shares.ts'
import { addStrategy } from '../../src/strategy/strategies.ts'
import { asking } from '../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { newUser, type TestUser } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { eventsOf, insertRun } from '../fixtures/run-rows.ts'
import { testWorld } from '../fixtures/world.ts'

// What is left of runs: the list with its filters, notes, deletion, and links to reports.

let database: TestDatabase
let context: AppContext
let app: FastifyInstance
let user: TestUser

const { ask } = asking(() => app)
const list = async (query = '', who = user) =>
  (await ask<Page<BacktestListItem>>('GET', `/v1/quant/backtest/list?${query}`, { token: who.token })).data

beforeAll(async () => {
  database = await testDatabase()
  // The stored reports are no reports; what a real one looks like is in runs.test.ts.
  context = testWorld(database, { config: { checkAnswers: false, siteUrl: 'https://convexa.example', trustProxy: ['127.0.0.1'] } }).context
  app = await buildApp(context)
})
beforeEach(async () => {
  user = await newUser(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

interface Made {
  status?: number
  kind?: 'cb' | 'stk'
  note?: string
  name?: string
  strategy_id?: string
  created_at?: string
}
/** A run as its row, finished unless said otherwise, with a report of one line. */
async function made({ status = 2, created_at, ...over }: Made = {}): Promise<string> {
  const id = await insertRun(database.db, user.id, context.processId)
  await database.db
    .updateTable('backtest_run')
    .set({ ...over, status: status as 2, ...(created_at && { created_at: new Date(created_at) }) })
    .where('id', '=', id)
    .execute()
  const report = await packJson({ kind: over.kind ?? 'cb', curves: {} }, 'members')
  if (status === 2) await database.db.insertInto('run_report').values({ run_id: id, report, headless: true }).execute()
  return id
}

describe('the run history', () => {
  test('is filtered by market, strategy, status, text and days', async () => {
    const strategy = (await addStrategy(context, user.id, 'cb', { strategy_name: '双低', detail: parameters('cb', 'close', 5, 1) })).id
    const of = {
      plain: await made({ note: '持有20→10', created_at: '2026-11-19T23:30:00+08:00' }),
      saved: await made({ strategy_id: strategy, name: '旧名', created_at: '2026-11-20T00:30:00+08:00' }),
      stock: await made({ kind: 'stk', note: '100%_a', created_at: '2026-11-20T12:00:00+08:00' }),
      broken: await made({ status: 6, created_at: '2026-11-21T09:00:00+08:00' }),
    }
    const found = async (query: string) =>
      (await list(query)).list_items.map(({ backtest_id }) => Object.entries(of).find(([, id]) => id === backtest_id)?.[0])
    expect(await found('')).toEqual(['broken', 'stock', 'saved', 'plain'])
    expect(await found('offset=1&limit=2')).toEqual(['stock', 'saved'])
    expect(await found('kind=stk')).toEqual(['stock'])
    expect(await found(`strategy_id=${strategy}`)).toEqual(['saved'])
    expect(await found('status=6')).toEqual(['broken'])
    expect(await found('status=2&kind=cb')).toEqual(['saved', 'plain'])
    expect(await found(`note=${encodeURIComponent('20→10')}`)).toEqual(['plain'])
    expect(await found(`note=${encodeURIComponent('双低')}`)).toEqual(['saved'])
    // No wildcards.
    expect(await found(`note=${encodeURIComponent('%_A')}`)).toEqual(['stock'])
    expect(await found(`note=${encodeURIComponent('_%')}`)).toEqual([])
    expect(await found('from=2026-11-20&to=2026-11-20')).toEqual(['stock', 'saved'])
    expect(await found('to=2026-11-19')).toEqual(['plain'])
    expect(await list('status=9')).toBeNull()
    expect((await list(`strategy_id=${strategy}`)).list_items).toMatchObject([{ strategy_name: '双低', group_id: null, group_name: null }])
    // Of a strategy that is gone its old name stays.
    await database.db.deleteFrom('strategy').where('id', '=', strategy).execute()
    expect((await list(`strategy_id=${strategy}`)).list_items).toMatchObject([{ strategy_name: '旧名' }])
    // What was never saved is called by its rule.
    expect((await list('')).list_items.map(({ name }) => name)).toEqual(['收盘价 · 5 只', '收盘价 · 5 只', '旧名', '收盘价 · 5 只'])
    expect((await list('', await newUser(database.db))).total).toBe(0)
  })

  test('has notes that can be changed, in the report too', async () => {
    const id = await made({ note: '先' })
    const put = (note: string) => ask('PUT', `/v1/quant/backtest/${id}/note`, { token: user.token, body: { note } })
    const read = async () =>
      (
        await ask<{ note: string; backtest_id: string; kind: string }>('GET', `/v1/quant/convertible-bond/backtest/${id}/detail/report`, {
          token: user.token,
        })
      ).data
    expect(await read()).toMatchObject({ backtest_id: id, note: '先', name: '可转债轮动', kind: 'cb' })
    expect(await put('后\n来')).toMatchObject({ status: 200, data: {} })
    expect((await list()).list_items[0]?.note).toBe('后\n来')
    expect((await read()).note).toBe('后\n来')
    await put('')
    expect((await list()).list_items[0]).not.toHaveProperty('note')
    expect(await put('长'.repeat(201))).toMatchObject({ status: 400, code: 40000 })
  })

  test('loses deleted runs; a running one is cancelled first', async () => {
    const done = await made()
    const open = await made({ status: 0 })
    for (const id of [done, open]) {
      expect(await ask('DELETE', `/v1/quant/backtest/${id}`, { token: user.token })).toMatchObject({ status: 200, data: {} })
      expect(await ask('DELETE', `/v1/quant/backtest/${id}`, { token: user.token })).toMatchObject({ status: 404, code: 40004 })
      expect(await eventsOf(database.db, id)).toEqual([])
    }
    expect((await list()).total).toBe(0)
    // Tried they were.
    const trials = await database.db.selectFrom('removed_trial').selectAll().where('user_id', '=', user.id).execute()
    expect(trials).toMatchObject([{ kind: 'cb', trial_no: 1, params_hash: 'hash', factors: [{ factor_key: 'close' }] }])
    expect(await database.db.selectFrom('run_report').select('run_id').where('run_id', 'in', [done, open]).execute()).toEqual([])
  })
})

describe('a shared report', () => {
  const share = (backtest_id: string, ttl_days = 7, who = user) =>
    ask<{ id: string; token: string; url: string; expire_at: string }>('POST', '/v1/quant/share', {
      token: who.token,
      body: { backtest_id, ttl_days },
    })
  const open = (token: string, from = '203.0.113.7') => ask<Record<string, unknown>>('GET', `/v1/quant/share/${token}`, { from })
  const links = async () =>
    (await ask<{ list_items: ShareListItem[] }>('GET', '/v1/quant/share/list', { token: user.token })).data.list_items

  test('is readable by its link without a login and without data of its owner', async () => {
    const id = await made({ note: '只给自己看', strategy_id: uuid(), name: '双低10' })
    const { data } = await share(id)
    expect(data.token).toMatch(/^[\w-]{43}$/)
    expect(data.url).toBe(`https://convexa.example/r/${data.token}`)
    expect(Date.parse(data.expire_at) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000)
    const read = await open(data.token)
    expect(read).toMatchObject({ status: 200, data: { kind: 'cb', name: '双低10', shared: { expire_at: data.expire_at } } })
    expect(Object.keys(read.data).sort()).toEqual(['curves', 'data_sources', 'kind', 'name', 'shared'])
    expect(JSON.stringify(read.data)).not.toMatch(new RegExp(`${id}|${user.id}|只给自己看`))
    expect(await links()).toMatchObject([{ id: data.id, backtest_id: id, name: '双低10', status: 'active', views: 1 }])
  })

  test('has a token that the database stores as a hash only', async () => {
    const { data } = await share(await made())
    const { rows } = await sql<{ text: string }>`select string_agg(t::text, ' ') as text from report_share t`.execute(database.db)
    expect(rows[0]?.text).not.toContain(data.token)
    expect(rows[0]?.text).not.toContain(Buffer.from(data.token, 'base64url').toString('hex'))
    // Neither the id of the list nor the kept hash opens it.
    const { token_hash } = await database.db
      .selectFrom('report_share')
      .select('token_hash')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    for (const guess of [data.id, token_hash.toString('base64url'), `${data.token}A`, data.token.slice(1)]) {
      expect(await open(guess)).toMatchObject({ status: 404, code: 40004, msg: '内容不存在或已被删除' })
    }
  })

  test('ends when its owner revokes it by token or id, and says so', async () => {
    const id = await made()
    const [one, two] = [(await share(id)).data, (await share(id)).data]
    const revoke = (which: string, who = user) => ask('DELETE', `/v1/quant/share/${which}`, { token: who.token })
    expect(await revoke(one.token, await newUser(database.db))).toMatchObject({ status: 404, code: 40004 })
    expect(await revoke(one.token)).toMatchObject({ status: 200, data: {} })
    expect(await open(one.token)).toMatchObject({ status: 404, code: 40004, msg: '分享者已撤回' })
    expect((await open(two.token)).status).toBe(200)
    expect(await revoke(two.id)).toMatchObject({ status: 200 })
    expect(await revoke(two.id)).toMatchObject({ status: 200 })
    expect((await links()).map(({ status }) => status)).toEqual(['revoked', 'revoked'])
  })

  test('ends at its expiry, with its run and with its account', async () => {
    const { data } = await share(await made())
    await sql`update report_share set expires_at = now() where id = ${data.id}`.execute(database.db)
    expect(await open(data.token)).toMatchObject({ status: 404, msg: '链接已失效' })
    expect((await links())[0]?.status).toBe('expired')
    await sweepShares(database.db)
    expect(await links()).toHaveLength(1)
    await sql`update report_share set expires_at = now() - interval '91 days' where id = ${data.id}`.execute(database.db)
    await sweepShares(database.db)
    expect(await links()).toEqual([])

    const run = await made()
    const linked = (await share(run)).data.token
    await ask('DELETE', `/v1/quant/backtest/${run}`, { token: user.token })
    expect(await open(linked)).toMatchObject({ status: 404, msg: '内容不存在或已被删除' })
    const last = (await share(await made())).data.token
    await sql`update app_user set disabled_at = now() where id = ${user.id}`.execute(database.db)
    expect((await open(last)).status).toBe(404)
  })

  test('needs a finished run of its owner, 1 to 365 days, and a free place of the limit', async () => {
    const id = await made()
    expect(await share(await made({ status: 6 }))).toMatchObject({ status: 404, code: 40004 })
    expect(await share(id, 7, await newUser(database.db))).toMatchObject({ status: 404, code: 40004 })
    for (const days of [0, 366, 1.5]) expect(await share(id, days)).toMatchObject({ status: 400, code: 40000 })
    const answers = await Promise.all(Array.from({ length: 55 }, () => share(id)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(50)
    expect(answers.find(({ code }) => code !== 0)).toMatchObject({ code: 21005, msg: '有效的分享已达上限（50 个），请先撤回不用的' })
  })

  test('has a rate limit by network over ten minutes', async () => {
    const { data } = await share(await made())
    const there = () => open(data.token, '198.51.100.9')
    await there()
    await sql`update login_failure set failures = 299`.execute(database.db)
    expect(await there()).toMatchObject({ status: 200 })
    expect(await there()).toMatchObject({ status: 429, code: 40029 })
    await sql`update login_failure set failures = 0 where failures < 300`.execute(database.db)
    expect((await open(data.token, '203.0.113.8')).status).toBe(200)
  })
})
