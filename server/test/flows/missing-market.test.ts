import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScreenResult } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

// Two apis and two workers with one database and a folder each, of which one has no market: what operations.md 1 measured.

let database: TestDatabase
let folders: string[]
let apis: Api[]
let workers: WorkerProcess[]

const cb = '/v1/quant/convertible-bond'
const [start, end] = ['2022-01-04', '2022-03-31']

beforeAll(async () => {
  database = await testDatabase()
  folders = ['a', 'b'].map((name) => mkdtempSync(join(tmpdir(), `convexa-site-${name}-`)))
  await publishSmallMarket(database.db, folders[0]!, { kind: 'cb', from: start, to: end, securities: 30 })
  await publishSmallMarket(database.db, folders[0]!, { kind: 'stk', from: start, to: end, securities: 10 })
  const [a, b] = folders.map((folder) => ({ DATABASE_URL: database.url, DATA_DIR: folder }))
  apis = await Promise.all([startApiProcess(a!), startApiProcess(b!)])
  workers = [await startWorkerProcess(a!, database.db), await startWorkerProcess(b!, database.db)]
})
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((one) => one.stop()))
  await database.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const readiness = async (address: string) => {
  const response = await fetch(`${address}/readyz`)
  return { status: response.status, body: (await response.json()) as { msg?: string; data?: { reasons?: string[] }; reason?: string } }
}

test('an api and a worker that can read no market say that they are not ready; the others are', async () => {
  const rows = () => database.db.selectFrom('process').select(['id', 'ready', 'reason', 'address']).where('role', '=', 'worker').execute()
  const of = async (worker: WorkerProcess) => (await rows()).find(({ id }) => id === worker.processId)!
  expect(await of(workers[0]!)).toMatchObject({ ready: true, reason: null })
  expect(await of(workers[1]!)).toMatchObject({ ready: false, reason: 'market_missing' })
  expect(await readiness((await of(workers[1]!)).address!)).toEqual({ status: 503, body: { ready: false, reason: 'market_missing' } })
  await until(async () => (await readiness(apis[0]!.address)).status === 200, 'the api that has the market is ready')
  expect(await readiness(apis[1]!.address)).toMatchObject({
    status: 503,
    body: { msg: '尚未就绪：行情数据无法读取（可转债、股票）', data: { reasons: ['market_unreadable'] } },
  })
})

test('no run fails for want of data, and nothing is answered with 500', async () => {
  const asked = Array.from({ length: 16 }, async (_, i) => {
    const user = await newUser(database.db)
    return openStream(apis[0]!, user, `${cb}/advanced-backtest`, request('cb', { hold: 5 + i, start, end })).ended
  })
  const ended = await Promise.all(asked)
  expect(ended.map((told) => (told.kind === 'event' ? told.event.type : told))).toEqual(asked.map(() => 'result'))
  const user = await newUser(database.db)
  for (let i = 0; i < 20; i++) {
    const answer = await call<ScreenResult>(apis[0]!, user, 'POST', `${cb}/realtime-screen`, {
      parameters: parameters('cb', 'dblow', 5, 5),
    })
    expect(answer.status).toBe(200)
    const other = await call(apis[1]!, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', 'dblow', 5, 5) })
    expect(other).toMatchObject({ status: 503, code: 21008 })
  }
})
