import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { insertRun, insertUser } from '../../test/fixtures/run-rows.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { openQueue, type Queue } from '../queue/queue.ts'
import { priorityOf, queuePosition, raiseWaiting } from './queue-order.ts'
import { endings, endRun } from './run-state.ts'

// One who asks for much and some who ask for one run each.

let database: TestDatabase
let queue: Queue
let owner: ProcessLock

beforeAll(async () => {
  database = await testDatabase()
  queue = await openQueue(database.url, database.db, () => {})
  owner = await announce(database.session, { role: 'api' })
})
beforeEach(() => database.db.deleteFrom('app_user').execute())
afterAll(async () => {
  await queue.close()
  await owner.close()
  await database.drop()
})

test('light users wait for no second run of a heavy one', async () => {
  const { heavy, light } = await crowd()
  expect(await inOrder()).toEqual([heavy[0], ...light, ...heavy.slice(1)])
  expect(await queuePosition(database.db, light.at(-1)!)).toBe(21)
  await removeAll([...heavy, ...light])
})

test('whoever has waited for minutes rises over those who came later, and hears of it', async () => {
  const { heavy, light } = await crowd()
  const last = heavy.at(-1)!
  expect(await queuePosition(database.db, last)).toBe(24)
  await sql`update backtest_run set created_at = created_at - interval '3 minutes' where id = any(${heavy}::uuid[])`.execute(database.db)
  await raiseWaiting(database.db)
  expect(await queuePosition(database.db, last)).toBe(4)
  expect(await queuePosition(database.db, light[0]!)).toBe(5)
  expect(await inOrder()).toEqual([...heavy, ...light])
  await removeAll([...heavy, ...light])
})

const removeAll = (ids: string[]) => Promise.all(ids.map((id) => endRun(database.db, queue, id, endings.cancelled)))

/** A member asks for four, then twenty others for one each; in the queue as `startRun` puts them. */
async function crowd() {
  const member = await insertUser(database.db, 1)
  const heavy: string[] = []
  for (let own = 0; own < 4; own++) heavy.push(await asked(member, own))
  const light: string[] = []
  for (let i = 0; i < 20; i++) light.push(await asked(await insertUser(database.db), 0))
  return { heavy, light }
}

async function asked(userId: string, own: number): Promise<string> {
  const id = await insertRun(database.db, userId, owner.processId)
  await database.db
    .transaction()
    .execute((transaction) => queue.addRun(transaction, { id, group: userId, tier: own > 0 ? 'vip' : 'free', priority: priorityOf(own) }))
  return id
}

/** As the queue gives them out: the highest priority, then the oldest. */
async function inOrder(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from pgboss.job where name = 'run' and state < 'active' order by priority desc, created_on`.execute(database.db)
  return rows.map(({ id }) => id)
}
