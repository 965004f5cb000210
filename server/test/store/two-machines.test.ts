import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, ScreenResult, SharedReport } from '@convexa/contract'
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

const metricsToken = 'x'.repeat(40)
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
  api = await startApiProcess({ ...env, DATA_DIR: join(root, 'api'), METRICS_TOKEN: metricsToken })
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

test('a core and a shared report lie in the store; the report is read there when the data of its run are gone', async () => {
  const user = await newUser(database.db)
  const stream = openStream(api, user, '/v1/quant/convertible-bond/advanced-backtest', request('cb', { start, end }))
  const id = String((await stream.first('result'))['backtest_id'])
  const core = await database.db.selectFrom('run_core').select(['key', 'inline']).where('run_id', '=', id).executeTakeFirstOrThrow()
  expect([fake.objects.has(`test/${core.key}`), core.inline]).toEqual([true, null])
  const whole = await call<Report>(api, user, 'GET', `/v1/quant/convertible-bond/backtest/${id}/detail/report`)
  expect(whole.status).toBe(200)

  const made = await call<{ id: string; token: string }>(api, user, 'POST', '/v1/quant/share', { backtest_id: id, ttl_days: 7 })
  const keyNow = async () =>
    (await database.db.selectFrom('report_share').select('key').where('id', '=', made.data.id).executeTakeFirstOrThrow()).key
  const key = await keyNow()
  const read = () => call<SharedReport>(api, user, 'GET', `/v1/quant/share/${made.data.token}`)
  const figures = ({ trades, curves, metrics }: SharedReport | Report) => ({ trades, curves, metrics })
  expect(fake.objects.has(`test/${key}`)).toBe(true)
  expect(figures((await read()).data)).toEqual(figures(whole.data))
  // One that is lost is computed again, and kept again.
  fake.objects.delete(`test/${key}`)
  expect(figures((await read()).data)).toEqual(figures(whole.data))
  await until(async () => (await keyNow()) === key && fake.objects.has(`test/${key}`), 'the report in the store again')
  const none = { snapshot_id: null, index_snapshot_id: null, stock_snapshot_id: null }
  await database.db.updateTable('backtest_run').set(none).where('id', '=', id).execute()
  expect(figures((await read()).data)).toEqual(figures(whole.data))
})

test('store and cache are measured', async () => {
  const metrics = await (await fetch(`${api.address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
  const valueIn = (line: string) =>
    Number(
      metrics
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.slice(line.length),
    )
  for (const line of [
    'convexa_store_seconds_count{op="put"}',
    'convexa_store_seconds_sum{op="get"}',
    'convexa_store_bytes{state="there"}',
    'convexa_cache_bytes',
  ])
    expect([line, valueIn(line)]).toEqual([line, expect.any(Number)])
  expect(valueIn('convexa_store_errors_total{op="put"}')).toBe(0)
})

test('a newer market is fetched by the worker when it is published', async () => {
  await market(30)
  const { folder } = (await newestSnapshot(database.db, 'cb'))!
  await until(async () => cached().includes(folder), 'the newest snapshot in the cache')
  expect(await screen()).toMatchObject({ status: 200, code: 0 })
})
