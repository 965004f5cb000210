import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScreenResult } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { openStore } from '../../src/store/open-store.ts'
import { snapshotStore, useSnapshotStore } from '../../src/store/snapshot-store.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import {
  type Api,
  call,
  newUser,
  openStream,
  startApiProcess,
  startWorkerProcess,
  until,
  type WorkerProcess,
} from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'
import { type FakeS3, fakeS3 } from '../stand-ins/fake-s3.ts'

// The market is published on one machine, an api runs on another, a worker on a third; nothing is shared but the database and the store.

let database: TestDatabase
let fake: FakeS3
let root: string
let api: Api
let worker: WorkerProcess
let leave: () => void

const [start, end] = ['2021-01-04', '2022-12-30']
const market = (securities: number) =>
  publishSmallMarket(database.db, join(root, 'publisher'), { kind: 'cb', from: start, to: end, securities })

beforeAll(async () => {
  database = await testDatabase()
  fake = await fakeS3()
  root = mkdtempSync(join(tmpdir(), 'convexa-apart-'))
  const objects = await openStore(fake.settings)
  const dataDir = join(root, 'publisher')
  leave = useSnapshotStore(dataDir, snapshotStore({ db: database.db, objects, marketFolder: join(dataDir, 'cache/market') }))
  await market(20)
  const { keys } = fake.settings
  const env = {
    DATABASE_URL: database.url,
    STORE_URL: fake.url,
    STORE_ACCESS_KEY_ID: keys!.accessKeyId,
    STORE_SECRET_ACCESS_KEY: keys!.secretAccessKey,
  }
  api = await startApiProcess({ ...env, DATA_DIR: join(root, 'api') })
  worker = await startWorkerProcess({ ...env, DATA_DIR: join(root, 'worker') }, database.db)
})
afterAll(async () => {
  await api?.stop()
  await worker?.stop()
  leave?.()
  await fake.close()
  await database.drop()
  rmSync(root, { recursive: true, force: true })
})

const cached = () => readdirSync(join(root, 'worker/cache/market')).filter((name) => !name.startsWith('.'))
const screen = async () =>
  call<ScreenResult>(api, await newUser(database.db), 'POST', '/v1/quant/convertible-bond/history-screen', {
    parameters: parameters('cb', 'close', 5, 5),
    trade_date: '2022-02-09',
  })

test('a screen and a run are answered, and the api keeps no file of the market', async () => {
  const answer = await screen()
  expect(answer).toMatchObject({ status: 200, code: 0 })
  const stream = openStream(api, await newUser(database.db), '/v1/quant/convertible-bond/advanced-backtest', request('cb', { start, end }))
  expect(await stream.first('result')).toBeDefined()
  expect(cached()).toEqual([(await newestSnapshot(database.db, 'cb'))!.folder])
  expect(readdirSync(join(root, 'api'))).not.toContain('market')
  expect(readdirSync(join(root, 'api'))).not.toContain('cache')
})

test('a newer market is fetched by the worker when it is published', async () => {
  await market(30)
  const { folder } = (await newestSnapshot(database.db, 'cb'))!
  await until(async () => cached().includes(folder), 'the newest snapshot in the cache')
  expect(await screen()).toMatchObject({ status: 200, code: 0 })
})
