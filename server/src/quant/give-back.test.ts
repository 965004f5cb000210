import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { until } from '../../test/fixtures/processes.ts'
import { eventsOf, insertRun, insertUser, statusOf } from '../../test/fixtures/run-rows.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import { giveBack, passOn, toldSoFar } from './give-back.ts'
import { appendEvents, type ClaimedRun, claimRun, endings, endRun } from './run-state.ts'

let database: TestDatabase
let queue: Queue
let owner: ProcessLock
let workers: ProcessLock[]

beforeAll(async () => {
  database = await testDatabase()
  queue = await openQueue(database.url, database.db, () => {})
  owner = await announce(database.session, { role: 'api' })
  const about = { role: 'worker', address: 'http://127.0.0.1:1', secret: 's' } as const
  workers = [await announce(database.session, about), await announce(database.session, about)]
  for (const worker of workers) await isReady(worker, true)
})
afterAll(async () => {
  await queue.close()
  await Promise.all([owner, ...workers].map((one) => one.close()))
  await database.drop()
})

async function isReady(worker: ProcessLock, ready: boolean): Promise<void> {
  worker.tell({ ready, reason: ready ? null : 'market_missing' })
  const row = () => database.db.selectFrom('process').select('ready').where('id', '=', worker.processId).executeTakeFirstOrThrow()
  await until(async () => (await row()).ready === ready, 'the worker has told it')
}
const claim = (id: string, worker: ProcessLock) =>
  claimRun(database.db, id, { workerId: worker.processId, engineVersion: '0', atOnce: () => 100 })
const newRun = async () => {
  const user = await insertUser(database.db)
  const id = await insertRun(database.db, user, owner.processId)
  await database.db.transaction().execute((transaction) => queue.addRun(transaction, { id, group: user, tier: 'free', priority: 3 }))
  return id
}
const rowOf = (id: string) => database.db.selectFrom('backtest_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const jobsOf = async (id: string) =>
  (
    await sql<{ state: string; later: number }>`
      select state::text, round(extract(epoch from start_after - created_on))::int as later from pgboss.job where id = ${id}`.execute(
      database.db,
    )
  ).rows

test('a run without data waits again under its id, its job too; the stream is told and goes on counting', async () => {
  const { db } = database
  const [first, second] = workers as [ProcessLock, ProcessLock]
  const id = await newRun()
  const run = (await claim(id, first)) as ClaimedRun
  expect(run.attempt).toBe(0)
  await sql`update pgboss.job set state = 'active' where id = ${id}`.execute(db)
  await appendEvents(db, id, first.processId, [
    { seq: 2, payload: { type: 'stage', stage: 'load' } },
    { seq: 3, payload: { type: 'progress', percent: 12 } },
  ])
  expect(await giveBack(db, queue, run, second.processId)).toBe(false)
  expect(await giveBack(db, queue, run, first.processId)).toBe(true)
  expect(await rowOf(id)).toMatchObject({ status: 0, worker_id: null, started_at: null, attempt: 1, avoid: [first.processId] })
  expect(await jobsOf(id)).toEqual([{ state: 'created', later: 2 }])
  expect((await eventsOf(db, id)).at(-1)).toMatchObject({ type: 'queued', position: expect.any(Number) })
  expect(await toldSoFar(db, id)).toEqual({ seq: 4, percent: 12 })
  // Asked again, as after a lost answer: it is not this worker's any more.
  expect(await giveBack(db, queue, run, first.processId)).toBe(false)
  await endRun(db, queue, id, endings.cancelled)
})

test('the worker that could not passes it on while another one takes work; where there is none it tries again', async () => {
  const { db } = database
  const [first, second] = workers as [ProcessLock, ProcessLock]
  const id = await newRun()
  await giveBack(db, queue, (await claim(id, first)) as ClaimedRun, first.processId)
  expect(await claim(id, first)).toBe('avoid')
  await passOn(db, queue, id)
  expect(await jobsOf(id)).toEqual([{ state: 'created', later: 1 }])
  expect(await rowOf(id)).toMatchObject({ status: 0, attempt: 1 })
  await isReady(second, false)
  const again = (await claim(id, first)) as ClaimedRun
  expect(again.attempt).toBe(1)
  await isReady(second, true)
  // Both have tried: either tries again.
  await giveBack(db, queue, again, first.processId)
  await giveBack(db, queue, (await claim(id, second)) as ClaimedRun, second.processId)
  expect(await claim(id, first)).toMatchObject({ attempt: 3 })
  expect(await rowOf(id)).toMatchObject({ avoid: [first.processId, second.processId] })
  await endRun(db, queue, id, endings.cancelled)
  await passOn(db, queue, id)
  expect(await jobsOf(id)).toEqual([])
})

test('it is enough after five tries, or ten minutes after the first', async () => {
  const { db } = database
  const [first] = workers as [ProcessLock]
  const often = await newRun()
  await db.updateTable('backtest_run').set({ attempt: 4 }).where('id', '=', often).execute()
  expect(await giveBack(db, queue, (await claim(often, first)) as ClaimedRun, first.processId)).toBe('enough')
  const late = await newRun()
  const run = (await claim(late, first)) as ClaimedRun
  // It had waited for long before its first turn: that does not count.
  await sql`update run_event set created_at = now() - interval '1 hour' where run_id = ${late}`.execute(db)
  await sql`update backtest_run set created_at = now() - interval '1 hour' where id = ${late}`.execute(db)
  expect(await giveBack(db, queue, run, first.processId)).toBe(true)
  await sql`update run_event set created_at = now() - interval '11 minutes' where run_id = ${late} and seq > 1`.execute(db)
  await db.updateTable('backtest_run').set({ avoid: [] }).where('id', '=', late).execute()
  expect(await giveBack(db, queue, (await claim(late, first)) as ClaimedRun, first.processId)).toBe('enough')
  for (const id of [often, late]) await endRun(db, queue, id, endings.dataMissing)
  expect(await statusOf(db, often)).toBe(3)
  expect((await eventsOf(db, often)).at(-1)).toMatchObject({ type: 'error', code: 21008 })
})
