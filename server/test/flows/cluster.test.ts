import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, ScreenResult } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import {
  type Api,
  call,
  childrenOf,
  isAlive,
  newUser,
  openStream,
  type Stream,
  startApiProcess,
  startWorkerProcess,
  type Told,
  until,
  type WorkerProcess,
} from '../fixtures/processes.ts'
import { parameters, request, slowRequest } from '../fixtures/requests.ts'
import { statusOf, usedRuns } from '../fixtures/run-rows.ts'

// Two apis and two workers on one database, and what becomes of runs when one of them is killed.

let database: TestDatabase
let dataDir: string
let env: Record<string, string>
let apis: Api[]
let workers: WorkerProcess[]

const start = '2019-01-02'
const end = '2022-12-30'
const path = '/v1/quant/convertible-bond/advanced-backtest'
let slowCount = 0
const slow = () => slowRequest('cb', { start, end, weight: ++slowCount })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-cluster-'))
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: start, to: end, securities: 300 })
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: start, to: end, securities: 30 })
  apis = await Promise.all([startApiProcess(env), startApiProcess(env)])
  workers = [await startWorkerProcess(env, database.db), await startWorkerProcess(env, database.db)]
})

afterAll(async () => {
  await Promise.all([...apis, ...workers].map((one) => one.stop()))
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const resultOf = (told: Told) => {
  if (told.kind !== 'event') throw new Error(JSON.stringify(told))
  return told.event
}
const workerOf = async (runId: unknown) =>
  (await database.db.selectFrom('backtest_run').select('worker_id').where('id', '=', String(runId)).executeTakeFirstOrThrow()).worker_id
interface Busy {
  readonly stream: Stream
  readonly runId: string
  readonly userId: string
}

/** Slow runs of as many users, until each worker computes at least one; returns those that are still computed, by the worker. */
async function busyWorkers(api: Api): Promise<Map<string, Busy[]>> {
  const asked: (Busy & { worker: string })[] = []
  const byWorker = new Map<string, Busy[]>()
  for (let i = 0; i < 12 && byWorker.size < 2; i++) {
    const user = await newUser(database.db)
    const stream = openStream(api, user, path, slow())
    const { run_id: runId } = await stream.first('stage')
    const worker = String(await workerOf(runId))
    asked.push({ worker, stream, runId: String(runId), userId: user.id })
    byWorker.clear()
    for (const { worker, ...run } of asked)
      if ((await statusOf(database.db, run.runId)) === 1) byWorker.set(worker, [...(byWorker.get(worker) ?? []), run])
  }
  expect(byWorker.size).toBe(2)
  return byWorker
}

const processOf = (workerId: string): WorkerProcess => workers.find(({ processId }) => processId === workerId)!

test('either worker computes a run of either api, with the same numbers', async () => {
  const asked = Array.from({ length: 12 }, async (_, i) => {
    const user = await newUser(database.db)
    const api = apis[i % 2]!
    const stream = openStream(api, user, path, request('cb', { factor: 'dblow', hold: 5 + (i % 3), start, end }))
    const result = resultOf(await stream.ended)
    const seqs = stream.told.flatMap((one) => (one.kind === 'event' ? [one.event['seq']] : []))
    expect(seqs).toEqual(seqs.map((_seq, n) => n + 1))
    // Read from the other api.
    const { data } = await call<Report>(
      apis[(i + 1) % 2]!,
      user,
      'GET',
      `/v1/quant/convertible-bond/backtest/${result['backtest_id']}/detail/report`,
    )
    return { hold: i % 3, worker: await workerOf(result['run_id']), nav: JSON.stringify(data.curves.nav), hash: data.params_hash }
  })
  const runs = await Promise.all(asked)
  expect(new Set(runs.map(({ worker }) => worker)).size).toBe(2)
  for (const hold of [0, 1, 2]) expect(new Set(runs.filter((run) => run.hold === hold).map(({ nav, hash }) => hash + nav)).size).toBe(1)
})

test('kill -9 of a compute child: one error line, the run is interrupted, the next run succeeds', async () => {
  const byWorker = await busyWorkers(apis[0]!)
  const [workerId, [run]] = [...byWorker][0]!
  const worker = processOf(workerId)
  for (const pid of childrenOf(worker.pid)) process.kill(pid, 'SIGKILL')
  expect(await run!.stream.ended).toMatchObject({ kind: 'error', code: 23020 })
  expect(await statusOf(database.db, run!.runId)).toBe(6)
  expect(await usedRuns(database.db, run!.userId)).toBe(0)
  for (const { stream } of [...byWorker.values()].flat()) stream.close()
  const user = await newUser(database.db)
  expect(resultOf(await openStream(apis[0]!, user, path, request('cb', { start, end })).ended)['type']).toBe('result')
})

test('kill -9 of a worker: its runs end with one error line, the other worker continues, no orphan is left', async () => {
  const byWorker = await busyWorkers(apis[1]!)
  const [[dead, lost], [, kept]] = [...byWorker] as [[string, Busy[]], [string, Busy[]]]
  const worker = processOf(dead)
  const children = childrenOf(worker.pid)
  expect(children.length).toBeGreaterThan(0)
  await worker.kill()
  for (const { stream, runId, userId } of lost) {
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23020 })
    expect(stream.told.filter((one) => one.kind === 'error')).toHaveLength(1)
    expect(await statusOf(database.db, runId)).toBe(6)
    expect(await usedRuns(database.db, userId)).toBe(0)
  }
  await until(async () => !children.some(isAlive), 'the compute child has ended')
  // Computed, or done meanwhile.
  for (const { runId } of kept) expect([1, 2]).toContain(await statusOf(database.db, runId))
  // Screens are answered by the live worker, also while the list of workers is a second old.
  const user = await newUser(database.db)
  const body = { parameters: parameters('cb', 'dblow', 10, 1) }
  const screens = [1, 2, 3, 4].map((hold) =>
    call<ScreenResult>(apis[1]!, user, 'POST', '/v1/quant/convertible-bond/realtime-screen', {
      parameters: { ...body.parameters, hold_method: { ...body.parameters.hold_method, hold_range_end: hold } },
    }),
  )
  for (const [i, { status, data }] of (await Promise.all(screens)).entries()) expect([status, data.selected]).toEqual([200, i + 1])
  for (const { stream } of kept) stream.close()
  const result = resultOf(await openStream(apis[0]!, user, path, request('cb', { start, end })).ended)
  expect(await workerOf(result['run_id'])).not.toBe(dead)
  workers = [...workers.filter((one) => one !== worker), await startWorkerProcess(env, database.db)]
})

test('kill -9 of an api: its streams break off, its runs are interrupted and no longer computed; the other api goes on', async () => {
  const [mortal, other] = apis as [Api, Api]
  const byWorker = await busyWorkers(mortal)
  const kept = openStream(other, await newUser(database.db), path, request('cb', { start, end, hold: 7 }))
  await kept.first('queued')
  await mortal.kill()
  for (const { stream, runId, userId } of [...byWorker.values()].flat()) {
    expect((await stream.ended).kind).toBe('cut')
    await until(async () => (await statusOf(database.db, runId)) === 6, 'the run is interrupted')
    expect(await usedRuns(database.db, userId)).toBe(0)
  }
  expect(resultOf(await kept.ended)['type']).toBe('result')
  apis = [await startApiProcess(env), other]
})

test('a worker that stops ends its streams with a line and leaves no process', async () => {
  const byWorker = await busyWorkers(apis[0]!)
  const [id, runs] = [...byWorker][0]!
  const worker = processOf(id)
  const children = childrenOf(worker.pid)
  await worker.stop()
  for (const { stream, runId } of runs) {
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23022 })
    expect(await statusOf(database.db, runId)).toBe(6)
  }
  expect(children.some(isAlive)).toBe(false)
  for (const { stream } of [...byWorker.values()].flat()) stream.close()
  workers = [...workers.filter((one) => one !== worker), await startWorkerProcess(env, database.db)]
})
