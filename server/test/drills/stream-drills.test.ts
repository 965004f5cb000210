import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { quantile } from '../fixtures/figures.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import {
  type Api,
  call,
  childrenOf,
  newUser,
  openStream,
  startApiProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '../fixtures/processes.ts'
import { request, slowRequest } from '../fixtures/requests.ts'
import { type Host, idleStreams, killChildren, slowReaders, startHost } from './stream-drills.ts'

// Small; `npm run drill:streams` is the whole, and measures how long things take.

let database: TestDatabase
let dataDir: string
let host: Host
let api: Api
let worker: WorkerProcess
let env: Record<string, string>
const range = { start: '2020-01-02', end: '2021-12-31' }

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'stream-drills-'))
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  ;[host, api, worker] = await Promise.all([startHost(database.url), startApiProcess(env), startWorkerProcess(env, database.db)])
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 120 })
})
afterAll(async () => {
  host.close()
  await Promise.all([api.stop(), worker.stop()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('thirty idle streams use little memory, and none is served after it is closed', async () => {
  const { count, grownMb, settledMs } = await idleStreams(host, database.db, 30)
  console.info(`G9: ${count} idle streams +${grownMb.toFixed(1)} MB, the last handler returned after ${Math.round(settledMs)} ms`)
  expect(count).toBe(30)
  // A thousand may cost 50 MB; what a process takes besides is measured on many.
  expect(grownMb).toBeLessThan(25)
})

test('events for readers that do not read are not kept in memory', async () => {
  const { count, offeredMb, grownMb } = await slowReaders(host, database.db, 8, 1, 20)
  console.info(`G9: ${count} readers that take nothing of ${Math.round(offeredMb)} MB: +${grownMb.toFixed(1)} MB`)
  expect(grownMb).toBeLessThan(16)
})

test('two killed compute children: one error line for each stream, and no rows left open', async () => {
  const { kills, firstMs, errorMs, codes, wrong } = await killChildren({ db: database.db, api, workers: [worker], range }, 2)
  console.info(`streams: first event after ${Math.round(quantile(firstMs, 0.5))} ms, most ${Math.round(quantile(firstMs, 1))} ms`)
  console.info(`G3: ${kills} kills, error line after ${Math.round(quantile(errorMs, 0.5))} ms, most ${Math.round(quantile(errorMs, 1))} ms`)
  expect(wrong).toEqual([])
  expect([...codes]).toEqual([23020])
})

describe('a compute child', () => {
  const path = '/v1/quant/convertible-bond/advanced-backtest'

  const anotherWorker = async (over: Record<string, string>) => {
    await worker.stop()
    worker = await startWorkerProcess({ ...env, ...over }, database.db)
  }

  test('that hangs is ended: its stream says so, and waiting runs are computed', async () => {
    await anotherWorker({ WORKER_HUNG_SECONDS: '4' })
    const user = await newUser(database.db)
    const stream = openStream(api, user, path, slowRequest('cb', { ...range, weight: 3 }))
    await stream.first('stage')
    const next = openStream(api, user, path, request('cb', range))
    await next.first('queued')
    const [child] = childrenOf(worker.pid)
    process.kill(child!, 'SIGSTOP')
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23021 })
    expect(stream.told.filter(({ kind }) => kind === 'error')).toHaveLength(1)
    expect(await next.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
  })

  test('above its memory limit is ended: its stream says so, and the next run is computed', async () => {
    await anotherWorker({ WORKER_HEADROOM_MB: '64' })
    // Twenty rules that hold all there are and trade them every day: the gains of all members are held at once.
    const user = await newUser(database.db)
    const { parameters, settings } = request('cb', { ...range, hold: 120, every: 1 })
    const at = '/v1/quant/convertible-bond/strategy'
    const members: { strategy_id: string; weight: number }[] = []
    for (let k = 0; k < 20; k++) {
      const { data } = await call<{ id: string }>(api, user, 'POST', at, { strategy_name: `成员${k}`, detail: parameters })
      members.push({ strategy_id: data.id, weight: 0.05 })
    }
    const group = { group_name: '二十个成员', members, rebalance: 'never', duplicate: 'merge' }
    const { data } = await call<{ id: string }>(api, user, 'POST', `${at}/group`, group)
    const stream = openStream(api, user, path, { group_id: data.id, settings })
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23001, message: expect.stringContaining('内存') })
    const next = openStream(api, await newUser(database.db), path, request('cb', range))
    expect(await next.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
  })
})
