import type { Account, ApiKey, ConfigListItem, ConfigOptions, TokenData, TradingConfig, TradingConfigBody } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { AppContext } from '../../../src/context/app-context.ts'
import { addStrategy, removeStrategy } from '../../../src/strategy/strategies.ts'
import { demoAccount } from '../../../src/user/guests.ts'
import { callerOf, openReAuth } from '../../../src/user/sessions.ts'
import { asking } from '../../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { newUser, type TestUser } from '../../fixtures/processes.ts'
import { type QmtIds, qmtAccount, qmtConfig, qmtTrading } from '../../fixtures/qmt.ts'
import { parameters } from '../../fixtures/requests.ts'
import { testWorld } from '../../fixtures/world.ts'

// What a user sets up before the terminal trades.

let database: TestDatabase
let context: AppContext
let app: FastifyInstance
let user: TestUser
const { ask: asked } = asking(() => app)
const ask = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  asked<T>(method, `/v1/quant/qmt${path}`, { token: user.token, ...(body && { body }) })

beforeAll(async () => {
  database = await testDatabase()
  context = testWorld(database).context
  app = await buildApp(context)
  user = await newUser(database.db)
})

afterAll(async () => {
  await app.close()
  await database.drop()
})

const showPassword = async () => openReAuth(database.db, (await callerOf(database.db, user.token)).sessionId)
const forgetPassword = () => database.db.updateTable('session').set({ re_auth_until: null }).execute()

describe('the key', () => {
  test('needs the password and is shown once, later only its end', async () => {
    await forgetPassword()
    expect((await ask('GET', '/apikey')).data).toBeNull()
    expect(await ask('PUT', '/apikey')).toMatchObject({ status: 400, code: 11013 })
    await showPassword()
    const { data } = await ask<{ api_key: string }>('PUT', '/apikey')
    expect(data.api_key).toMatch(/^qmt_[\w-]{43}$/)
    const shown = await ask<ApiKey>('GET', '/apikey')
    expect(shown.data).toMatchObject({ masked: `qmt_****${data.api_key.slice(-4)}`, scopes: ['read', 'report'], last_used_at: null })
    const rows = JSON.stringify(await database.db.selectFrom('qmt_key').selectAll().execute())
    expect(rows).not.toContain(data.api_key.slice(4, 20))
  })

  test('renewed keeps the previous one valid for ten minutes, and ends older ones', async () => {
    await ask('PUT', '/apikey')
    const { data } = await ask<ApiKey>('GET', '/apikey')
    const minutes = (Date.parse(data.old_until!) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(8)
    expect(minutes).toBeLessThanOrEqual(10.1)
    await ask('PUT', '/apikey')
    expect(await database.db.selectFrom('qmt_key').select('id').where('user_id', '=', user.id).execute()).toHaveLength(2)
    await sql`update qmt_key set expires_at = now() - interval '1 second' where expires_at is not null`.execute(database.db)
    expect((await ask<ApiKey>('GET', '/apikey')).data.old_until).toBeUndefined()
  })
})

describe('an account', () => {
  test('is shown masked and stored encrypted', async () => {
    const { data } = await ask<{ id: string }>('POST', '/account', qmtAccount({ account_no: '7001234567' }))
    const { list_items } = (await ask<{ list_items: Account[] }>('GET', '/account/list')).data
    expect(list_items).toEqual([
      {
        ...{ id: data.id, alias: '主账户', broker: '测试证券', account_masked: '****4567', account_type: 'STOCK', client_type: 'mini' },
        ...{ initial_capital: 10, report_status: 1, reported_at: '2026-10-08', is_enabled: true, remark: '', last_heartbeat: null },
      },
    ])
    const row = await database.db.selectFrom('qmt_account').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row) + row.sealed.toString('latin1')).not.toContain('7001234567')
  })

  test('with the same number exists already (24002), and can be changed without the number', async () => {
    expect(await ask('POST', '/account', qmtAccount({ account_no: '7001234567' }))).toMatchObject({ status: 409, code: 24002 })
    const [{ id }] = (await ask<{ list_items: Account[] }>('GET', '/account/list')).data.list_items as [Account]
    const { account_no: _no, ...rest } = qmtAccount({ alias: '改名', report_status: 0 })
    expect((await ask('PUT', `/account/${id}`, rest)).code).toBe(0)
    const [told] = (await ask<{ list_items: Account[] }>('GET', '/account/list')).data.list_items
    expect(told).toMatchObject({ alias: '改名', account_masked: '****4567', report_status: 0, reported_at: null })
  })
})

describe('a trading config', () => {
  const wrong: [string, Partial<TradingConfigBody>, string][] = [
    ['ends before it begins', { end_time: '14:49:00' }, '结束时间须晚于开始时间'],
    ['reaches into the closing auction', { end_time: '14:58:00' }, '执行时段须在连续竞价时间内：9:30–11:30 或 13:00–14:57'],
    ['goes over noon', { start_time: '11:20:00', end_time: '13:10:00' }, '执行时段须在连续竞价时间内：9:30–11:30 或 13:00–14:57'],
    ['slices more slowly than it lasts', { interval: 301 }, '拆单间隔不能大于总时长'],
    ['lasts longer than its window', { duration: 400 }, '总时长不能超过执行时段'],
    ['cancels after the next slice', { wait: 31 }, '撤单等待须在 1 秒至拆单间隔之间'],
    ['has a largest order below its smallest', { order_max: 3_000 }, '单笔最大须大于单笔最小'],
    ['has an order that is too large', { order_max: 60_000 }, '单笔最大不能超过 50,000 元'],
    ['has no price guard', { price_guard: 0 }, '价格保护须在 0.1% 至 10% 之间'],
    ['keeps fewer than it buys', { hold_rank: 5, buy_rank: 10 }, '持有名次不能小于买入名次'],
    [
      'gives profits back before it takes them',
      { take_profit: { activate: 0.01, drawdown: 0.02, deal: 0.01 } },
      '止盈回撤不能大于激活涨幅',
    ],
  ]
  test.each(wrong)('that %s is rejected with its sentence (24003)', async (_name, over, sentence) => {
    const answer = await ask('POST', '/trading-config', qmtTrading(over))
    expect(answer).toMatchObject({ status: 400, code: 24003, msg: `交易配置有误：${sentence}` })
  })

  test('is stored, read and changed; real trading needs the password', async () => {
    await forgetPassword()
    const { data } = await ask<{ id: string }>('POST', '/trading-config', qmtTrading())
    const detail = await ask<TradingConfig>('GET', `/trading-config/detail/${data.id}`)
    expect(detail.data).toMatchObject(qmtTrading())
    expect(await ask('POST', '/trading-config', qmtTrading())).toMatchObject({ status: 409, code: 21003 })
    expect(await ask('PUT', `/trading-config/${data.id}`, qmtTrading({ dry_run: false }))).toMatchObject({ status: 400, code: 11013 })
    await showPassword()
    expect((await ask('PUT', `/trading-config/${data.id}`, qmtTrading({ dry_run: false }))).code).toBe(0)
    expect((await ask<{ list_items: object[] }>('GET', '/trading-config/list')).data.list_items).toMatchObject([{ dry_run: false }])
  })
})

describe('a config', () => {
  let ids: QmtIds
  let config: string

  test('refers only to its user’s own rows of the same market', async () => {
    const strategy = (await addStrategy(context, user.id, 'cb', { strategy_name: '双低10', detail: parameters('cb', 'close', 5, 1) })).id
    const options = (await ask<ConfigOptions>('GET', '/config/1/options')).data
    ids = { account: options.accounts[0]!.value, trading: options.trading_configs[0]!.value, strategy }
    expect(options.sources).toEqual([{ value: strategy, label: '双低10', type: 'strategy', kind: 'cb' }])
    expect((await ask<ConfigOptions>('GET', '/config/2/options')).data).toEqual(options)
    expect(await ask('GET', '/config/3/options')).toMatchObject({ status: 400, code: 40000 })
    const other = await newUser(database.db)
    const foreign = (await addStrategy(context, other.id, 'cb', { strategy_name: '别人的', detail: parameters('cb', 'close', 5, 1) })).id
    expect(await ask('POST', '/config', qmtConfig({ ...ids, strategy: foreign }))).toMatchObject({ status: 404, code: 40004 })
    expect(await ask('POST', '/config', qmtConfig(ids, { kind: 'stk' }))).toMatchObject({ status: 404, code: 40004 })
    config = (await ask<{ id: string }>('POST', '/config', qmtConfig(ids))).data.id
    const [told] = (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items
    expect(told).toMatchObject({ id: config, source: { name: '双低10' }, diff_count: null, confirmed_at: null, exported_at: null })
  })

  test('loses its confirmation with a change of its trades, not of its name', async () => {
    const confirm = () => database.db.updateTable('qmt_config').set({ confirmed_at: new Date() }).execute()
    const confirmed = async () =>
      (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]!.confirmed_at !== null
    await confirm()
    await ask('PUT', `/config/${config}`, qmtConfig(ids, { name: '新名字', enabled: false }))
    expect(await confirmed()).toBe(true)
    await ask('PUT', `/config/${config}`, qmtConfig(ids, { name: '新名字', capital: 20 }))
    expect(await confirmed()).toBe(false)
    await confirm()
    await ask('PUT', `/trading-config/${ids.trading}`, qmtTrading({ order_max: 20_000 }))
    expect(await confirmed()).toBe(false)
  })

  const state = () =>
    database.db
      .selectFrom('qmt_config')
      .select(['version', 'confirmed_at', 'exported_at'])
      .where('id', '=', config)
      .executeTakeFirstOrThrow()

  test('has to be exported again only after a change that its client trades by', async () => {
    await database.db
      .updateTable('qmt_config')
      .set({ confirmed_at: new Date(), exported_at: new Date() })
      .where('id', '=', config)
      .execute()
    const before = await state()
    const { account_no, ...told } = qmtAccount({ alias: '改名', account_no: '7001234567' })
    await ask('PUT', `/account/${ids.account}`, { ...told, account_no, remark: '只是备注', reported_at: '2026-10-09', initial_capital: 20 })
    await ask('PUT', `/trading-config/${ids.trading}`, qmtTrading({ order_max: 20_000, name: '另一个名字' }))
    expect(await state()).toEqual(before)
    expect((await ask('PUT', `/account/${ids.account}`, { ...told, account_type: 'CREDIT' })).code).toBe(0)
    expect(await state()).toEqual({ version: before.version + 1, confirmed_at: null, exported_at: null })
    expect((await ask('PUT', `/account/${ids.account}`, { ...told, account_no: '7001234568' })).code).toBe(0)
    expect((await state()).version).toBe(before.version + 2)
  })

  const only = async () => (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]

  test('keeps fields that a change omits', async () => {
    const before = await only()
    expect((await ask('PUT', `/config/${config}`, { enabled: false })).code).toBe(0)
    expect(await only()).toEqual({ ...before, enabled: false, updated_at: expect.any(String) })
    expect((await ask('PUT', `/config/${config}`, { capital: 30 })).code).toBe(0)
    expect(await only()).toMatchObject({ name: before?.name, enabled: false, capital: 30 })
    expect(await ask('PUT', `/config/${config}`, { account_id: ids.strategy })).toMatchObject({ status: 404, code: 40004 })
  })

  test('reports a deleted source and can still be disabled', async () => {
    await removeStrategy(database.db, user.id, 'cb', ids.strategy)
    expect((await only())?.source.name).toBe('（已删除）')
    expect((await ask('PUT', `/config/${config}`, { enabled: true })).code).toBe(0)
    expect(await only()).toMatchObject({ enabled: true, capital: 30 })
    expect(await ask('PUT', `/config/${config}`, { capital: 40 })).toMatchObject({ status: 404, code: 40004 })
    expect((await ask('DELETE', `/config/${config}`)).code).toBe(0)
  })
})

test('the kill switch needs only a login, resuming needs the password', async () => {
  await forgetPassword()
  expect((await ask('PUT', '/kill-switch', { on: false })).code).toBe(0)
  const { data } = await ask<{ on: boolean; since: string }>('PUT', '/kill-switch', { on: true })
  expect(data.on).toBe(true)
  expect((await ask('PUT', '/kill-switch', { on: true })).data).toEqual(data)
  expect(await ask('PUT', '/kill-switch', { on: false })).toMatchObject({ status: 400, code: 11013 })
  await showPassword()
  expect((await ask('PUT', '/kill-switch', { on: false })).data).toEqual({ on: false, since: null })
})

test('a demo guest cannot store an account number, a key or a halt', async () => {
  const guest = (await asked<TokenData>('POST', '/v1/authorize/access-token/by-password', { body: demoAccount })).data.access_token
  for (const [method, path, body] of [
    ['POST', '/account', qmtAccount()],
    ['PUT', '/apikey', undefined],
    ['PUT', '/kill-switch', { on: true }],
  ] as const) {
    expect(await asked(method, `/v1/quant/qmt${path}`, { token: guest, ...(body && { body }) })).toMatchObject({ status: 409, code: 25010 })
  }
  expect((await asked<{ list_items: unknown[] }>('GET', '/v1/quant/qmt/account/list', { token: guest })).data.list_items).toEqual([])
})
