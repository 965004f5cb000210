import { usualRules } from '@convexa/engine'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { eventsOf, insertRun, insertUser, statusOf } from '../../test/fixtures/run-rows.ts'
import { shanghaiDay } from '../base/time.ts'
import type { ComputeChild } from '../compute/child-handle.ts'
import { rejection } from '../compute/rejection.ts'
import type { DataRef } from '../context/compute.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { clearDamage, markDamaged } from '../market/damage.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import { executor } from './execute-run.ts'

let database: TestDatabase
let owner: ProcessLock
let snapshot: string
let queue: Queue

beforeAll(async () => {
  database = await testDatabase()
  owner = await announce(database.session, { role: 'api' })
  queue = await openQueue(database.url, database.db, () => {})
  snapshot = uuid()
  await database.db
    .insertInto('market_snapshot')
    .values({
      ...{ id: snapshot, kind: 'cb', data_mode: 'demo', data_version: 'v', folder: 'none', manifest_sha256: '' },
      ...{ first_date: '2022-01-04', last_date: '2022-12-30', securities: 1, quality: '{}' },
    })
    .execute()
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await queue.close()
  await owner.close()
  await database.drop()
})

/** A child that computes until it is aborted. */
const endless: ComputeChild = {
  ...{
    pid: undefined,
    tell() {},
    learn() {},
    load: () => 1,
    isCrowded: () => false,
    ends: () => 0,
    isUsable: () => true,
    mismatches: () => 0,
    close: async () => {},
  },
  run: (_task, signal) =>
    new Promise((resolve) => {
      const stop = () => resolve(rejection(23024))
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop)
    }),
}

test.each([
  ['a free user', 0, 15, '单次回测超过 15 分钟'],
  ['a member', 1, 30, '单次回测超过 30 分钟'],
])('a run of %s ends when it has taken its minutes: told as too long, and counted', async (_who, level, minutes, sentence) => {
  const { db } = database
  const user = await insertUser(db, level)
  await db.insertInto('quota_use').values({ user_id: user, day: shanghaiDay(), item: 'backtest', used: 1 }).execute()
  const id = await insertRun(db, user, owner.processId)
  await db.updateTable('backtest_run').set({ snapshot_id: snapshot }).where('id', '=', id).execute()
  const wall = new AbortController()
  const clocks = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(wall.signal)
  const filesOf = async (ref: DataRef) => ({ ...ref, folder: 'none', indexFolder: null, stockFolder: null })
  const { execute } = executor({ db, workerId: owner.processId, child: endless, queue, filesOf, log() {}, rules: usualRules })
  const executed = execute(id)
  await expect.poll(() => clocks.mock.calls).toEqual([[minutes * 60_000]])
  expect(await statusOf(db, id)).toBe(1)
  wall.abort()
  await executed
  expect(await statusOf(db, id)).toBe(5)
  expect((await eventsOf(db, id)).at(-1)).toMatchObject({ type: 'error', code: 23021, message: expect.stringContaining(sentence) })
  const uses = await db.selectFrom('quota_use').select('used').where('user_id', '=', user).executeTakeFirstOrThrow()
  expect(uses.used).toBe(1)
})

test('a run whose data were found damaged before its turn fails with a sentence for the operator, and costs nothing', async () => {
  const { db } = database
  const user = await insertUser(db, 0)
  await db.insertInto('quota_use').values({ user_id: user, day: shanghaiDay(), item: 'backtest', used: 1 }).execute()
  const id = await insertRun(db, user, owner.processId)
  await db.updateTable('backtest_run').set({ snapshot_id: snapshot }).where('id', '=', id).execute()
  await markDamaged(db, snapshot, 'wrong checksum')
  const filesOf = async (ref: DataRef) => ({ ...ref, folder: 'none', indexFolder: null, stockFolder: null })
  await executor({ db, workerId: owner.processId, child: endless, queue, filesOf, log() {}, rules: usualRules }).execute(id)
  expect(await statusOf(db, id)).toBe(3)
  expect((await eventsOf(db, id)).at(-1)).toMatchObject({ type: 'error', code: 21011, message: expect.stringContaining('已损坏') })
  const uses = await db.selectFrom('quota_use').select('used').where('user_id', '=', user).executeTakeFirstOrThrow()
  expect(uses.used).toBe(0)
  await clearDamage(db, snapshot)
})

test('a worker that stops interrupts what it computes, and puts back what it has not begun, with its job', async () => {
  const { db } = database
  const user = await insertUser(db, 0)
  const [begun, waiting] = [await insertRun(db, user, owner.processId), await insertRun(db, user, owner.processId)]
  await db.updateTable('backtest_run').set({ snapshot_id: snapshot }).where('user_id', '=', user).execute()
  const filesOf = async (ref: DataRef) => ({ ...ref, folder: 'none', indexFolder: null, stockFolder: null })
  const runs = executor({ db, workerId: owner.processId, child: endless, queue, filesOf, log() {}, rules: usualRules })
  const executed = [runs.execute(begun)]
  await expect.poll(() => runs.active()).toEqual([begun])
  // Of a free user one run is computed at a time.
  executed.push(runs.execute(waiting))
  await runs.end(0)
  await Promise.all(executed)
  expect(await statusOf(db, begun)).toBe(6)
  expect((await eventsOf(db, begun)).at(-1)).toMatchObject({ type: 'error', code: 23022 })
  expect(await statusOf(db, waiting)).toBe(0)
  const jobs = await database.pool.query('select state from pgboss.job where id = $1', [waiting])
  expect(jobs.rows).toEqual([{ state: 'created' }])
})
