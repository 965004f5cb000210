import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../database.ts'
import { type Api, startApiProcess, startWorkerProcess, type WorkerProcess } from '../processes.ts'
import { publishSmallMarket } from '../small-market.ts'
import { at, type Host, idleStreams, killChildren, slowReaders, startHost } from '../stream-drills.ts'

// Small; `npm run drill:streams` is the whole.

let database: TestDatabase
let dataDir: string
let host: Host
let api: Api
let worker: WorkerProcess
const range = { start: '2020-01-02', end: '2021-12-31' }

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'stream-drills-'))
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  ;[host, api, worker] = await Promise.all([startHost(database.url), startApiProcess(env), startWorkerProcess(env, database.db)])
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 120 })
})
afterAll(async () => {
  host.close()
  await Promise.all([api.stop(), worker.stop()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a hundred idle streams cost next to nothing, and a second after they have gone nobody serves them', async () => {
  const { count, grownMb, settledMs } = await idleStreams(host, database.db, 100)
  console.info(`G9: ${count} idle streams +${grownMb.toFixed(1)} MB, the last handler returned after ${Math.round(settledMs)} ms`)
  expect(count).toBe(100)
  // A thousand may cost 50 MB; what a process takes besides is measured on many.
  expect(grownMb).toBeLessThan(25)
  expect(settledMs).toBeLessThan(1_000)
})

test('readers that take nothing are not waited for in memory', async () => {
  const { count, offeredMb, grownMb } = await slowReaders(host, database.db, 8, 3, 20)
  console.info(`G9: ${count} readers that take nothing of ${Math.round(offeredMb)} MB: +${grownMb.toFixed(1)} MB`)
  expect(grownMb).toBeLessThan(16)
})

test('a killed compute child: one error line for its stream, and nothing left behind', async () => {
  const { kills, errorMs, codes, wrong } = await killChildren({ db: database.db, api, workers: [worker], range }, 3)
  console.info(`G3: ${kills} kills, error line after ${Math.round(at(errorMs, 0.5))} ms, most ${Math.round(at(errorMs, 1))} ms`)
  expect(wrong).toEqual([])
  expect([...codes]).toEqual([23020])
  expect(at(errorMs, 1)).toBeLessThan(2_000)
})
