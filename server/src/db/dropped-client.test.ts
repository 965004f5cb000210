import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { isDatabaseAway } from '../base/api-error.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a commit that is cancelled in the wait for its standby is not called done, of a transaction and of a statement alone', async () => {
  const { db, pool } = database
  // Of the whole server; other tests' sessions have synchronous_commit off and do not wait.
  const standbys = async (names: string) => {
    await pool.query(`alter system set synchronous_standby_names = '${names}'`)
    await pool.query('select pg_reload_conf()')
    await expect.poll(async () => (await pool.query('show synchronous_standby_names')).rows[0].synchronous_standby_names).toBe(names)
  }
  const cancelled = async () => {
    for (;;) {
      const { rowCount } = await pool.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`,
      )
      if (rowCount) return
      await sleep(20)
    }
  }
  await sql`create table kept (what text)`.execute(db)
  await standbys('nobody')
  try {
    const inTransaction = db.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = on`.execute(transaction)
      await sql`insert into kept values ('in a transaction')`.execute(transaction)
    })
    const [outcome] = await Promise.all([inTransaction.catch((error: unknown) => error), cancelled()])
    expect(outcome).toMatchObject({ code: '08007' })
    expect(isDatabaseAway(outcome)).toBe(true)
    const alone = db.connection().execute(async (session) => {
      await sql`set synchronous_commit = on`.execute(session)
      const written = await sql`insert into kept values ('alone')`.execute(session).catch((error: unknown) => error)
      await sql`reset synchronous_commit`.execute(session)
      return written
    })
    expect((await Promise.all([alone, cancelled()]))[0]).toMatchObject({ code: '08007' })
    const client = await pool.connect()
    await client.query('set synchronous_commit = on')
    const byCallback = new Promise((resolve) => client.query(`insert into kept values ('callback')`, (error) => resolve(error)))
    expect((await Promise.all([byCallback, cancelled()]))[0]).toMatchObject({ code: '08007' })
    client.release(true)
  } finally {
    await standbys('')
  }
  // PostgreSQL has written them all the same.
  expect((await sql`select from kept`.execute(db)).rows).toHaveLength(3)
  await sql`insert into kept values ('afterwards')`.execute(db)
})
