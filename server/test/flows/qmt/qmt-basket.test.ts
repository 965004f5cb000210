import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Basket, type ErrorCode, errors } from '@convexa/contract'
import { quoteNumbers } from '@convexa/engine'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { remoteCompute } from '../../../src/compute/remote.ts'
import type { AppContext } from '../../../src/context/app-context.ts'
import { keepTape } from '../../../src/feeds/live/quote-store.ts'
import { mostAccounts } from '../../../src/qmt/accounts.ts'
import { marketDay } from '../../../src/qmt/market-day.ts'
import { addStrategy } from '../../../src/strategy/strategies.ts'
import { callerOf, openReAuth } from '../../../src/user/sessions.ts'
import { asking } from '../../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import { newUser, startWorkerProcess, type TestUser, type WorkerProcess } from '../../fixtures/processes.ts'
import { qmtAccount, qmtConfig, qmtTrading } from '../../fixtures/qmt.ts'
import { parameters } from '../../fixtures/requests.ts'
import { testWorld } from '../../fixtures/world.ts'

// Baskets of a small market as it stands on a Friday after the close; and each code by which QMT refuses, from its own call.

let database: TestDatabase
let dataDir: string
let worker: WorkerProcess
let context: AppContext
let app: FastifyInstance
let user: TestUser
let now = new Date('2026-11-20T16:00:00+08:00')
const { ask } = asking(() => app)
const basket = (body: object) => ask<Basket>('POST', '/v1/quant/qmt-basket', { token: user.token, body: { kind: 'cb', ...body } })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'qmt-basket-'))
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-06-01', to: '2026-11-20', securities: 12, real: true })
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2026-06-01', to: '2026-11-20', securities: 8 })
  worker = await startWorkerProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir }, database.db)
  context = testWorld(database, { compute: remoteCompute(database.db), now: () => now, config: { dataDir } }).context
  app = await buildApp(context)
  user = await newUser(database.db)
})

afterAll(async () => {
  await app.close()
  await worker.stop()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const list_items = [{ code: '110901.SH' }, { code: '123902.SZ' }]

test('a list becomes a file with lots at the close of the signal day', async () => {
  const { code, data } = await basket({ name: '双低 10/实盘', list_items })
  expect(code).toBe(0)
  expect(data.file_name).toBe('双低_10_实盘-20261120-basket.csv')
  expect(data.dropped).toEqual([])
  expect(data.rows).toMatchObject([
    { code: '110901.SH', market: 'SH', weight: 0.5, side: 'buy', rank: 1 },
    { code: '123902.SZ', market: 'SZ', weight: 0.5, side: 'buy', rank: 2 },
  ])
  for (const { volume, price } of data.rows) expect(volume).toBe(Math.floor((98_000 * 0.5) / price / 10) * 10)
})

test('open parts of the day are named, and the file is the same', async () => {
  const { data: whole } = await basket({ list_items })
  expect(whole.data_note).toBeUndefined()
  const part = { market: 'cb', day: '2026-11-20', part: 'prices', state: 'part', expected: 2, found: 1, lacking: '["110901.SH"]' } as const
  await database.db
    .insertInto('day_part')
    .values({ ...part, source: null, asked_at: now })
    .execute()
  expect((await basket({ list_items })).data).toEqual({ ...whole, data_note: '11-20 的转股价尚未到齐，名单按此前已知的' })
  await database.db.deleteFrom('day_part').execute()
})

test('data older than the newest closed day make no file (24006)', async () => {
  now = new Date('2026-11-23T15:00:01+08:00')
  expect(await basket({ list_items })).toMatchObject({ status: 409, code: 24006 })
  now = new Date('2026-11-23T14:59:59+08:00')
  expect((await basket({ list_items })).code).toBe(0)
  expect(await basket({ list_items, trade_date: '2026-11-19' })).toMatchObject({ status: 409, code: 24006 })
})

test('demo data make no file (24011)', async () => {
  expect(await basket({ list_items: [{ code: '900001.DM' }] })).toMatchObject({ status: 409, code: 24011 })
  expect(await basket({ kind: 'stk', list_items: [{ code: '000001.SZ' }] })).toMatchObject({ status: 409, code: 24011 })
})

test('duplicate securities and an empty list make no file', async () => {
  expect(await basket({ list_items: [...list_items, ...list_items] })).toMatchObject({ status: 400, code: 40000 })
  expect(await basket({ list_items: [] })).toMatchObject({ status: 400, code: 40000 })
})

describe('every error code of QMT has its call, status and sentence', () => {
  type Refused = { status: number; code: number; msg: string; data: unknown }
  const ask200 = async <T>(method: 'POST' | 'PUT', path: string, body: object, { token } = user) => {
    const answer = await ask<T>(method, `/v1/quant/qmt${path}`, { token, body })
    expect([path, answer.code]).toEqual([path, 0])
    return answer.data
  }
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, { token } = user): Promise<Refused> =>
    ask(method, `/v1/quant/qmt${path}`, { token, ...(body && { body }) })
  let account: string
  let trading: string
  let config: string

  beforeAll(async () => {
    now = new Date('2026-11-20T16:00:00+08:00')
    const strategy = (await addStrategy(context, user.id, 'cb', { strategy_name: '低价', detail: parameters('cb', 'close', 5, 1) })).id
    account = (await ask200<{ id: string }>('POST', '/account', qmtAccount())).id
    trading = (await ask200<{ id: string }>('POST', '/trading-config', qmtTrading())).id
    config = (await ask200<{ id: string }>('POST', '/config', qmtConfig({ account, trading, strategy }))).id
  })

  /** The user says of an order of 100 how much of it was filled. */
  const settled = async (order_id: string, status: string, filled: number) => {
    await database.db
      .insertInto('qmt_fill')
      .values({
        ...{ config_id: config, order_id, user_id: user.id, trade_date: '2026-11-20', code: '110901.SH', side: 'buy', volume: 100 },
        ...{ filled: 0, price: null, amount: 0, status, note: '', dry_run: false, ordered_at: now, order_price: 100, seq: 1 },
        ...{ proof: status === 'filled' ? 'list' : null, settled_filled: null, settled_at: null },
      })
      .execute()
    const other = await newUser(database.db)
    expect(await call('PUT', `/config/${config}/order/${order_id}`, { filled: 0 }, other)).toMatchObject({ status: 404, code: 40004 })
    return call('PUT', `/config/${config}/order/${order_id}`, { filled })
  }
  const refusals: Record<number, () => Promise<Refused>> = {
    24001: async () => {
      const other = await newUser(database.db)
      for (let i = 0; i < mostAccounts; i++) await ask200('POST', '/account', qmtAccount({ account_no: `8000${i}` }), other)
      return call('POST', '/account', qmtAccount({ account_no: '99999' }), other)
    },
    24002: () => call('POST', '/account', qmtAccount()),
    24003: () => call('POST', '/trading-config', qmtTrading({ end_time: '14:49:00' })),
    24004: () => call('DELETE', `/account/${account}`),
    24005: async () => {
      await ask200('PUT', '/kill-switch', { on: true })
      const refused = await call('POST', `/config/${config}/confirm`, { hash: 'a'.repeat(64) })
      await openReAuth(database.db, (await callerOf(database.db, user.token)).sessionId)
      await ask200('PUT', '/kill-switch', { on: false })
      return refused
    },
    24006: () => basket({ list_items, trade_date: '2026-11-19' }),
    24007: () => basket({ list_items, capital: 0.1 }),
    24008: async () => {
      const answer = await app.inject({
        method: 'GET',
        url: `/v1/qmt-client/targets?config_id=${config}`,
        headers: { 'x-api-key': 'qmt_' },
      })
      return { status: answer.statusCode, ...answer.json() }
    },
    24010: () => call('DELETE', `/trading-config/${trading}`),
    24011: () => basket({ kind: 'stk', list_items: [{ code: '000001.SZ' }] }),
    24021: () => settled('ENDED001', 'filled', 100),
    24022: () => settled('OPEN0001', 'unsure', 101),
  }

  const codes = Object.keys(errors)
    .map(Number)
    .filter((code) => code >= 24_000 && code < 25_000)
  test.each(codes)('%i', async (code) => {
    const { http, msg } = errors[code as ErrorCode]
    const refused = await refusals[code]!()
    expect(refused).toMatchObject({ status: http, code, data: null })
    expect(refused.msg.replace(/（.*）/, '')).toBe(code === 24003 ? '交易配置有误：结束时间须晚于开始时间' : msg)
  })
})

test('the close of back-adjusted data is that of the signal day, also while the next day has quotes', async () => {
  const market = { kind: 'stk', from: '2026-06-01', to: '2026-11-20', securities: 8, real: true, adjust: 'hfq' } as const
  await publishSmallMarket(database.db, dataDir, market)
  now = new Date('2026-11-23T14:49:00+08:00')
  const quoted = async (at: string) => {
    const numbers = quoteNumbers.map((key) => [key, Float64Array.of(key === 'pre_close' ? 10 : 12)] as const)
    const madeAt = Float64Array.of(Date.parse(`${at}+08:00`))
    await keepTape(database.db, { date: at.slice(0, 10), codes: ['000001.SZ'], columns: new Map(numbers), madeAt }, 'xtdata')
    const { quotes } = await marketDay(context, user.id, 'stk', new AbortController().signal)
    const { close, isEarly, isUnquoted } = quotes.get('000001.SZ')!
    expect(quotes.get('688901.SH')).toMatchObject({ close: Number.NaN, isUnquoted: true })
    return { close, isEarly, isUnquoted }
  }
  // Today it has moved by a fifth, which is no ex-day.
  expect(await quoted('2026-11-23T14:49:00')).toEqual({ close: 10 })
  expect(await quoted('2026-11-20T15:00:03')).toEqual({ close: 12 })
  expect(await quoted('2026-11-20T14:02:03')).toEqual({ close: 12, isEarly: true })
  expect(await quoted('2026-11-19T15:00:03')).toEqual({ close: Number.NaN, isUnquoted: true })
})
