import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { connect } from '../db/connect.ts'
import { damagedInUse, markDamaged } from '../market/damage.ts'
import type { Facts } from '../metrics/facts.ts'
import { statusPage } from '../metrics/status-page.ts'
import { startOperatorWarnings } from './operator-warnings.ts'
import { readinessOf } from './readiness.ts'

let database: TestDatabase
let dataDir: string
const compute = { call: () => Promise.reject(new Error('nothing is computed here')), workers: async () => 1, underWay: () => 0 }
const little = async () => 100 * 1024 * 1024
const plenty = async () => 1e12

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-ready-'))
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-11-02', to: '2026-11-20', securities: 3 })
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})
const worldOf = (isSingleMachine: boolean) => testWorld(database, { compute, config: { dataDir, isSingleMachine } }).context
const reasonsOf = async (ready: ReturnType<typeof readinessOf>) => {
  const { reasons, text } = await ready()
  return [...reasons, text]
}

test('a disk that is nearly full is no place to serve from, where it holds the database', async () => {
  expect(await reasonsOf(readinessOf(worldOf(true), plenty))).toEqual([''])
  expect(await reasonsOf(readinessOf(worldOf(true), little))).toEqual(['disk', '磁盘空间不足'])
  expect(await reasonsOf(readinessOf(worldOf(false), little))).toEqual([''])
})

test('a database that does not answer is a reason, no fault', async () => {
  const away = connect('postgres://x@127.0.0.1:1/x')
  expect(await reasonsOf(readinessOf({ ...worldOf(true), db: away.db }, plenty))).toEqual(['database', '数据库没有响应'])
  await away.close()
})

test('a damaged index is told of though demo indices were made after it', async () => {
  const row = {
    data_version: 'v',
    folder: 'x',
    manifest_sha256: '',
    first_date: '2026-11-02',
    last_date: '2026-11-20',
    securities: 1,
    quality: '{}',
  }
  const { db } = database
  const index = (mode: 'demo' | 'imported', published: string) =>
    db
      .insertInto('market_snapshot')
      .values({ ...row, id: uuid(), kind: 'index', data_mode: mode, published_at: new Date(published) })
      .returning('id')
      .executeTakeFirstOrThrow()
  const { id } = await index('imported', '2026-11-20T10:00:00Z')
  await index('demo', '2026-11-20T11:00:00Z')
  await markDamaged(db, id, 'wrong checksum')
  expect((await damagedInUse(db)).map((one) => one.id)).toEqual([id])
  await db.deleteFrom('market_snapshot').where('kind', '=', 'index').execute()
})

test('the operator hears of a full disk and of damaged files in the log and on the status page', async () => {
  const { id } = await database.db.selectFrom('market_snapshot').select('id').executeTakeFirstOrThrow()
  await markDamaged(database.db, id, 'wrong checksum: close')
  expect(await reasonsOf(readinessOf(worldOf(true), plenty))).toEqual(['market_unreadable', '行情数据无法读取（可转债）'])
  const logged: string[] = []
  const config = { dataDir, isSingleMachine: true }
  await startOperatorWarnings({ db: database.db, config, free: little, log: (event) => void logged.push(event) }).close()
  expect(logged).toEqual(['market snapshots damaged', 'disk nearly full'])

  const none = { workers: [], runs: [], refusals: [], queue: [], markets: [], steps: [], openParts: [], feeds: [], quotes: null }
  const facts: Facts = {
    ...none,
    calendar: { through: '2026-12-31', lines: [] },
    damaged: await damagedInUse(database.db),
    processes: { ready: { api: 1, worker: 0 }, slots: 0, queueWaitSeconds: 0, holders: [] },
    freeBytes: await little(),
    ...{ diskBytes: null, messagesLost: 0, unsettledSeconds: 0 },
    coreBytes: null,
    storeBytes: [],
    store: {},
    backup: null,
  }
  const { body } = statusPage(facts, new Map(), worldOf(true))
  expect(body).toMatch(/可转债 \S+（截至 2026-11-20）的文件已损坏[\s\S]*wrong checksum: close[\s\S]*\.\/convexa market repair cb/)
  expect(body).toContain('<b class="bad">105 MB</b>')
  expect(body).toContain('<b class="bad">没有备份：数据库与文件都没有备份，请设置 BACKUP_URL</b>')
})
