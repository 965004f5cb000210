import { setTimeout as sleep } from 'node:timers/promises'
import type { Parameters } from '@convexa/contract'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { until } from '../../test/fixtures/processes.ts'
import { eventsOf, insertRun, insertUser, statusOf } from '../../test/fixtures/run-rows.ts'
import { shanghaiDay } from '../base/time.ts'
import type { FinishedRun } from '../compute/protocol.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import { type Reaper, startReaper } from './reaper.ts'
import { appendEvents, type ClaimedRun, claimRun, endings, endRun, finishRun } from './run-state.ts'
import { trialsOf } from './trials.ts'

let database: TestDatabase
let queue: Queue
let owner: ProcessLock
let worker: ProcessLock

beforeAll(async () => {
  database = await testDatabase()
  queue = await openQueue(database.url, database.db, () => {})
  owner = await announce(database.session, { role: 'api' })
  worker = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 's' })
})

afterAll(async () => {
  await queue.close()
  await Promise.all([owner.close(), worker.close()])
  await database.drop()
})

const oneAtOnce = () => ({ workerId: worker.processId, engineVersion: '0', atOnce: () => 1 })
const finished: FinishedRun & { trials: number } = {
  metrics: { total_return: 0.1 } as FinishedRun['metrics'],
  verdict: { worth: 'no', excess: -0.0143, trust: 'moot', judged: 4, passed: 3 },
  core: new Uint8Array([1]),
  ledger: new Uint8Array(32),
  spark: new Uint8Array([2, 3]),
  trials: 1,
}
const enqueue = (id: string, userId: string) =>
  database.db.transaction().execute((transaction) => queue.addRun(transaction, { id, group: userId, tier: 'free', priority: 10 }))
const withReaper = async (check: (reaper: Reaper) => Promise<void>) => {
  const reaper = startReaper(database.db, queue, () => {})
  try {
    await check(reaper)
  } finally {
    await reaper.close()
  }
}

test('of two workers that claim a run one gets it', async () => {
  const { db } = database
  const id = await insertRun(db, await insertUser(db), owner.processId)
  const claims = await Promise.all([claimRun(db, id, oneAtOnce()), claimRun(db, id, { ...oneAtOnce(), workerId: owner.processId })])
  expect(claims.filter((claim) => claim === null || claim === 'wait')).toHaveLength(1)
  expect(await statusOf(db, id)).toBe(1)
})

test('a claimed run is claimed when it is asked again: the answer to its commit may have been lost', async () => {
  const { db } = database
  const id = await insertRun(db, await insertUser(db), owner.processId)
  expect(await claimRun(db, id, oneAtOnce())).toMatchObject({ id })
  expect(await claimRun(db, id, { ...oneAtOnce(), workerId: owner.processId })).toBe(null)
  expect(await claimRun(db, id, oneAtOnce())).toMatchObject({ id })
  await endRun(db, queue, id, endings.cancelled)
  expect(await claimRun(db, id, oneAtOnce())).toBe(null)
})

test('a second run of a free user waits for the first, even when two workers take both at once', async () => {
  const { db } = database
  const user = await insertUser(db)
  const ids = [await insertRun(db, user, owner.processId), await insertRun(db, user, owner.processId)]
  const claims = await Promise.all(ids.map((id) => claimRun(db, id, oneAtOnce())))
  expect(claims.filter((claim) => claim === 'wait')).toHaveLength(1)
})

test('a run that ended is not finished any more: nothing of it is stored', async () => {
  const { db } = database
  const id = await insertRun(db, await insertUser(db), owner.processId)
  const run = (await claimRun(db, id, oneAtOnce())) as ClaimedRun
  expect(await endRun(db, queue, id, endings.cancelled)).toBe(true)
  expect(await finishRun(db, run, worker.processId, finished)).toBe(false)
  expect(await endRun(db, queue, id, endings.workerDied)).toBe(false)
  expect(await statusOf(db, id)).toBe(4)
  expect(await db.selectFrom('run_core').select('run_id').where('run_id', '=', id).execute()).toEqual([])
  expect((await eventsOf(db, id)).map(({ type }) => type)).toEqual(['queued', 'error'])
})

test('a finished run is finished when it is asked again: the answer to its commit may have been lost', async () => {
  const { db } = database
  const id = await insertRun(db, await insertUser(db), owner.processId)
  const run = (await claimRun(db, id, oneAtOnce())) as ClaimedRun
  expect(await finishRun(db, run, worker.processId, finished)).toBe(true)
  expect(await finishRun(db, run, worker.processId, finished)).toBe(true)
  expect((await eventsOf(db, id)).filter(({ type }) => type === 'result')).toHaveLength(1)
})

test('whatever falls between progress, end and result, exactly one terminal event exists and nothing follows it', async () => {
  const { db } = database
  const user = await insertUser(db, 1)
  for (let round = 0; round < 30; round++) {
    const id = await insertRun(db, user, owner.processId)
    const run = (await claimRun(db, id, { ...oneAtOnce(), atOnce: () => 100 })) as ClaimedRun
    const progress = Array.from({ length: 6 }, (_, i) =>
      sleep(i).then(() =>
        appendEvents(db, id, worker.processId, [{ seq: 2 + i, payload: { type: 'progress', percent: i } }]).catch(() => false),
      ),
    )
    await Promise.all([
      ...progress,
      sleep(Math.random() * 6).then(() => endRun(db, queue, id, endings.cancelled)),
      sleep(Math.random() * 6).then(() => finishRun(db, run, worker.processId, finished)),
    ])
    const told = (await eventsOf(db, id)).map(({ type }) => type)
    expect(told.filter((type) => type === 'error' || type === 'result')).toHaveLength(1)
    expect(['error', 'result']).toContain(told.at(-1))
  }
})

test('a dead worker: its run is interrupted, its quota is given back', async () => {
  const { db } = database
  const user = await insertUser(db)
  await db.insertInto('quota_use').values({ user_id: user, day: shanghaiDay(), item: 'backtest', used: 3 }).execute()
  const mortal = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 's' })
  const id = await insertRun(db, user, owner.processId, { status: 1, workerId: mortal.processId })
  const other = await insertRun(db, await insertUser(db), owner.processId, { status: 1, workerId: worker.processId })
  await withReaper(async () => {
    await sleep(1_500)
    expect(await statusOf(db, id)).toBe(1)
    await mortal.close()
    await until(async () => (await statusOf(db, id)) === 6, 'the run is interrupted')
  })
  expect(await eventsOf(db, id)).toEqual([{ type: 'queued', position: 1 }, expect.objectContaining({ type: 'error', code: 23020 })])
  expect((await db.selectFrom('quota_use').select('used').where('user_id', '=', user).executeTakeFirst())?.used).toBe(2)
  expect(await statusOf(db, other)).toBe(1)
})

test('a dead owner: nobody wants the run any more, queued or running', async () => {
  const { db } = database
  const mortal = await announce(database.session, { role: 'api' })
  const user = await insertUser(db)
  const running = await insertRun(db, user, mortal.processId, { status: 1, workerId: worker.processId })
  const queued = await insertRun(db, user, mortal.processId)
  await enqueue(queued, user)
  await mortal.close()
  await withReaper(async () => {
    for (const id of [running, queued]) await until(async () => (await statusOf(db, id)) === 6, 'the run is interrupted')
  })
  expect((await eventsOf(db, running)).at(-1)).toMatchObject({ type: 'error', code: 23022 })
})

test('a frozen worker keeps its lock but not its heartbeat: its run is interrupted after 30 s of silence', async () => {
  const { db } = database
  const runs = await Promise.all(
    [20, 31].map(async (silent) => {
      const user = await insertUser(db)
      const id = await insertRun(db, user, owner.processId, { status: 1, workerId: worker.processId })
      await enqueue(id, user)
      await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - make_interval(secs => ${silent}) where id = ${id}`.execute(
        db,
      )
      return id
    }),
  )
  const [lively, frozen] = runs as [string, string]
  await withReaper(() => until(async () => (await statusOf(db, frozen)) === 6, 'the run is interrupted'))
  expect((await eventsOf(db, frozen)).at(-1)).toMatchObject({ type: 'error', code: 23021 })
  expect(await statusOf(db, lively)).toBe(1)
})

test('a machine that has slept wakes with old heartbeats: a run whose next one comes in its time goes on', async () => {
  const { db } = database
  const user = await insertUser(db)
  const id = await insertRun(db, user, owner.processId, { status: 1, workerId: worker.processId })
  await enqueue(id, user)
  const beat = (ago: number) =>
    sql`update pgboss.job set state = 'active', heartbeat_on = now() - make_interval(secs => ${ago}) where id = ${id}`.execute(db)
  await beat(3_600)
  await withReaper(async () => {
    await sleep(3_000)
    await beat(0)
    await sleep(1_500)
  })
  expect(await statusOf(db, id)).toBe(1)
})

test('a queued run whose job is gone is not left waiting; one with a job is', async () => {
  const { db } = database
  const lost = await insertRun(db, await insertUser(db), owner.processId)
  const user = await insertUser(db)
  const waiting = await insertRun(db, user, owner.processId)
  await enqueue(waiting, user)
  await withReaper(async () => {
    await until(async () => (await statusOf(db, lost)) === 6, 'the run is interrupted')
    await sleep(1_500)
  })
  expect(await statusOf(db, waiting)).toBe(0)
  await endRun(db, queue, waiting, endings.cancelled)
})

test('a run of a visitor whose worker waits for another visitor’s run is not taken for lost', async () => {
  const { db } = database
  const [first, second] = [await insertUser(db), await insertUser(db)]
  await db.updateTable('app_user').set({ is_demo: true }).where('id', 'in', [first, second]).execute()
  const running = await insertRun(db, first, owner.processId, { status: 1, workerId: worker.processId })
  const waiting = await insertRun(db, second, owner.processId)
  await enqueue(waiting, second)
  await sql`update pgboss.job set state = 'active', started_on = now() - interval '5 seconds', heartbeat_on = now() where id = ${waiting}`.execute(
    db,
  )
  await withReaper(() => sleep(1_500))
  expect(await statusOf(db, waiting)).toBe(0)
  for (const id of [running, waiting]) await endRun(db, queue, id, endings.cancelled)
})

test('a trial is another rule of the same family, whoever else tried it and however often', async () => {
  const { db } = database
  const [userId, stranger] = [await insertUser(db), await insertUser(db)]
  const rows = (...keys: string[]) => keys.map((factor_key) => ({ factor_key, weight: 1, enable: true }))
  const tried = async (user: string, paramsHash: string, factors: unknown[], status: 2 | 3 = 2) => {
    const id = await insertRun(db, user, owner.processId)
    const request = JSON.stringify({ parameters: { rank_factors: factors } })
    await db.updateTable('backtest_run').set({ status, params_hash: paramsHash, request }).where('id', '=', id).execute()
  }
  const parameters = { rank_factors: rows('dblow', 'conv_prem', 'remain_size') } as unknown as Parameters
  const trials = () => trialsOf(db, { userId, kind: 'cb', paramsHash: 'own', rules: [parameters], before: new Date(Date.now() + 60_000) })
  expect(await trials()).toBe(1)
  await tried(userId, 'own', rows('dblow', 'conv_prem', 'remain_size'))
  await tried(userId, 'a', rows('dblow', 'conv_prem'))
  await tried(userId, 'a', rows('dblow', 'conv_prem'))
  await tried(userId, 'b', rows('dblow', 'conv_prem', 'remain_size', 'ytm'))
  expect(await trials()).toBe(3)
  // One of three in common; switched off; failed; another's.
  await tried(userId, 'c', rows('dblow', 'ytm', 'close'))
  await tried(userId, 'd', [...rows('dblow'), { factor_key: 'conv_prem', weight: 1, enable: false }])
  await tried(userId, 'e', rows('dblow', 'conv_prem'), 3)
  await tried(stranger, 'f', rows('dblow', 'conv_prem'))
  expect(await trials()).toBe(3)
  // Cells of a grid each; of the check grids the largest, another one that is being made too.
  const grid = (cells: number, checks: boolean) =>
    db
      .insertInto('grid_trial')
      .values({ id: uuid(), user_id: userId, kind: 'cb', factors: JSON.stringify(rows('dblow', 'conv_prem')), cells, checks })
      .execute()
  await grid(9, false)
  await grid(25, true)
  await grid(20, true)
  expect(await trials()).toBe(3 + 9 + 25)
  const family = { userId, kind: 'cb', before: new Date(Date.now() + 60_000) } as const
  expect(await trialsOf(db, { ...family, paramsHash: 'own', rules: [parameters], checkCells: 30 })).toBe(3 + 9 + 30)
  // Of a group what any member is like, each once.
  const other = { rank_factors: rows('dblow', 'ytm', 'close') } as unknown as Parameters
  expect(await trialsOf(db, { ...family, paramsHash: 'group', rules: [parameters, other] })).toBe(1 + 4 + 9 + 25)
})
