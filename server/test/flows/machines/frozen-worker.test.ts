import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveWorkers } from '../../../src/db/process-registry.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import {
  type Api,
  call,
  newUser,
  openStream,
  startApiProcess,
  startWorkerProcess,
  until,
  type WorkerProcess,
} from '../../fixtures/processes.ts'
import { parameters, slowRequest } from '../../fixtures/requests.ts'

// A worker stopped by SIGSTOP keeps its lock and answers nothing. The seconds for which it has shown nothing are moved in the database.

let database: TestDatabase
let dataDir: string
let api: Api
let workers: WorkerProcess[]

const cb = '/v1/quant/convertible-bond'
const range = { start: '2019-01-02', end: '2022-12-30' }

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-frozen-'))
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 60 })
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  api = await startApiProcess(env)
  workers = [await startWorkerProcess(env, database.db), await startWorkerProcess(env, database.db)]
})
afterAll(async () => {
  for (const worker of workers) signal(worker, 'SIGCONT')
  await Promise.all([api, ...workers].map((one) => one.stop()))
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

function signal({ pid, end }: WorkerProcess, name: NodeJS.Signals): void {
  const { code, signal: killed } = end()
  if (code === null && killed === null) process.kill(pid, name)
}
const takesWork = async (worker: WorkerProcess) => (await liveWorkers(database.db)).find(({ id }) => id === worker.processId)?.ready

test('it gets no calls, its run is ended and given back, and it takes work again once it goes on', async () => {
  const user = await newUser(database.db, 1)
  const stream = openStream(api, user, `${cb}/advanced-backtest`, slowRequest('cb', range))
  const runId = String((await stream.first('stage'))['run_id'])
  const row = () => database.db.selectFrom('backtest_run').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
  await until(async () => (await row()).worker_id !== null, 'a worker has taken the run')
  const { worker_id } = await row()
  const frozen = workers.find(({ processId }) => processId === worker_id)!
  signal(frozen, 'SIGSTOP')
  // The api does not know it yet: of these calls some go to it, and none waits there until its deadline.
  const calls = Array.from({ length: 12 }, (_, n) => screen(n))
  await until(async () => {
    // A beat that was under way when it stopped would be newer.
    await sql`update process set seen_at = now() - interval '7 seconds' where id = ${frozen.processId}`.execute(database.db)
    return (await takesWork(frozen)) === false
  }, 'it is seen to be frozen')
  await sql`update pgboss.job set heartbeat_on = now() - interval '31 seconds' where id = ${runId}`.execute(database.db)
  expect(await takesWork(workers.find((one) => one !== frozen)!)).toBe(true)
  expect(await Promise.all(calls)).toEqual(calls.map(() => 200))
  expect(await screen(12)).toBe(200)

  const last = await stream.ended
  expect(last).toMatchObject({ kind: 'error', code: 23021 })
  signal(frozen, 'SIGCONT')
  await until(async () => (await takesWork(frozen)) === true, 'it takes work again')
  // It finds out that its run is not wanted any more, and writes nothing of it.
  expect((await row()).status).toBe(6)

  async function screen(n: number): Promise<number> {
    const rules = parameters('cb', 'close', 5, 5)
    const rank_factors = [{ ...rules.rank_factors[0]!, weight: 1 + n / 1_000 }]
    return (await call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: { ...rules, rank_factors } })).status
  }
})
