import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { programVersion } from '../base/program-version.ts'
import { locks } from './locks.ts'
import { announce } from './process-registry.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const known = () => database.db.selectFrom('process').select(['id', 'role', 'address', 'lock_key']).orderBy('started_at').execute()
const held = async (lockKey: number) => {
  const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database and datname = current_database()
      where locktype = 'advisory' and classid = ${locks.presence} and objid = ${lockKey} and granted`.execute(database.db)
  return rows.length === 1
}

test('a process is known and its lock held while it lives; the lock is free at once when it ends', async () => {
  const worker = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 'x' })
  const [row] = await known()
  expect(row).toMatchObject({ id: worker.processId, role: 'worker', address: 'http://127.0.0.1:1' })
  expect(await held(row!.lock_key)).toBe(true)
  await worker.close()
  await expect.poll(() => held(row!.lock_key)).toBe(false)
})

test('after its connection broke it holds a lock again', async () => {
  const api = await announce(database.session, { role: 'api' })
  const row = (await known()).find(({ id }) => id === api.processId)!
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'convexa-session' and datname = current_database()`.execute(
    database.db,
  )
  await expect.poll(() => held(row.lock_key)).toBe(false)
  const key = async () => (await known()).find(({ id }) => id === api.processId)!.lock_key
  // Another one: the server may not know yet that the connection is broken.
  await expect.poll(key).not.toBe(row.lock_key)
  expect(await held(await key())).toBe(true)
  await api.close()
  await expect.poll(async () => held(await key())).toBe(false)
})

test('a process says what it is and how it is; a beat shows that it runs, also after its connection broke', async () => {
  const row = () => database.db.selectFrom('process').selectAll().where('id', '=', worker.processId).executeTakeFirstOrThrow()
  const worker = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 'x', slots: 3, engine: '9.9' })
  expect(await row()).toMatchObject({ ready: false, reason: null, slots: 3, program: programVersion, engine: '9.9' })
  worker.tell({ ready: true, reason: null })
  worker.tell({ ready: false, reason: 'disk' })
  await expect.poll(row).toMatchObject({ ready: false, reason: 'disk' })
  const { seen_at: before } = await row()
  await expect.poll(async () => (await row()).seen_at > before, { timeout: 60_000 }).toBe(true)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'convexa-session' and datname = current_database()`.execute(
    database.db,
  )
  worker.tell({ ready: true, reason: null })
  await expect.poll(row, { timeout: 60_000 }).toMatchObject({ ready: true, reason: null })
  await worker.close()
})
