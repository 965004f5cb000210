import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { eventsOf, insertRun, insertUser, statusOf } from '../../test/fixtures/run-rows.ts'
import { announce, type ProcessLock, takesWork } from '../db/process-registry.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import { startReaper } from './reaper.ts'

// The reaper's ten minutes, by a clock that the test moves.

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
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  await queue.close()
  await Promise.all([owner.close(), worker.close()])
  await database.drop()
})

const isTaken = async () => {
  const { rows } = await sql`select from process p where ${takesWork('p')}`.execute(database.db)
  return rows.length > 0
}

test('a run that was given back and that no living worker takes ends after ten minutes without any, counted anew whenever one takes work', async () => {
  const { db } = database
  const real = performance.now.bind(performance)
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead)
  const user = await insertUser(db)
  const run = await insertRun(db, user, owner.processId)
  await db.transaction().execute((transaction) => queue.addRun(transaction, { id: run, group: user, tier: 'free', priority: 10 }))
  await db.updateTable('backtest_run').set({ attempt: 1 }).where('id', '=', run).execute()

  let looks = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      looks++
      return result
    },
  })
  const reaper = startReaper(counted, queue, () => {})
  const looked = async () => {
    const from = looks
    for (const _ of [1, 2]) {
      const before = looks
      reaper.wake()
      await expect.poll(() => looks).toBeGreaterThan(before)
    }
    expect(looks).toBeGreaterThan(from)
  }
  try {
    await looked()
    ahead += 595_000
    await looked()
    expect(await statusOf(db, run)).toBe(0)
    worker.tell({ ready: true, reason: null })
    await expect.poll(isTaken).toBe(true)
    await looked()
    worker.tell({ ready: false, reason: 'market_missing' })
    await expect.poll(isTaken).toBe(false)
    await looked()
    ahead += 30_000
    await looked()
    expect(await statusOf(db, run)).toBe(0)
    ahead += 600_000
    await expect.poll(() => statusOf(db, run)).toBe(6)
    expect((await eventsOf(db, run)).at(-1)).toMatchObject({ type: 'error', code: 50301 })
  } finally {
    await reaper.close()
  }
})
