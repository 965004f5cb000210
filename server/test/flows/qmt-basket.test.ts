import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Basket } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remoteCompute } from '../../src/compute/remote.ts'
import { buildApp } from '../../src/http/app.ts'
import { asking } from '../account.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { newUser, startWorkerProcess, type TestUser, type WorkerProcess } from '../processes.ts'
import { publishSmallMarket } from '../small-market.ts'
import { testWorld } from '../world.ts'

// Baskets of a small market as it stands on a Friday after the close.

let database: TestDatabase
let dataDir: string
let worker: WorkerProcess
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
  const { world } = testWorld(database, { compute: remoteCompute(database.db), now: () => now, config: { dataDir } })
  app = await buildApp(world)
  user = await newUser(database.db)
})

afterAll(async () => {
  await app.close()
  await worker.stop()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const list_items = [{ code: '110901.SH' }, { code: '123902.SZ' }]

test('a list becomes a file with its lots at the close of the signal’s day', async () => {
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

test('data that are not of the newest closed day make no file (24006)', async () => {
  now = new Date('2026-11-23T15:00:01+08:00')
  expect(await basket({ list_items })).toMatchObject({ status: 409, code: 24006 })
  now = new Date('2026-11-23T14:59:59+08:00')
  expect((await basket({ list_items })).code).toBe(0)
  expect(await basket({ list_items, trade_date: '2026-11-19' })).toMatchObject({ status: 409, code: 24006 })
})

test('demo data make none (24011)', async () => {
  expect(await basket({ list_items: [{ code: '900001.DM' }] })).toMatchObject({ status: 409, code: 24011 })
  expect(await basket({ kind: 'stk', list_items: [{ code: '000001.SZ' }] })).toMatchObject({ status: 409, code: 24011 })
})

test('neither does too little money (24007), a list twice or none', async () => {
  expect(await basket({ list_items, capital: 0.1 })).toMatchObject({ status: 409, code: 24007 })
  expect(await basket({ list_items: [...list_items, ...list_items] })).toMatchObject({ status: 400, code: 40000 })
  expect(await basket({ list_items: [] })).toMatchObject({ status: 400, code: 40000 })
})
