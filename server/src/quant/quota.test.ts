import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { insertUser } from '../../test/run-rows.ts'
import { connect } from '../db/connect.ts'
import { failure } from '../http/fail.ts'
import { counted, usesToday } from './quota.ts'

test('what failed by our fault after midnight is given back to the day that it was taken from', async () => {
  const database = await testDatabase()
  const name = sql.id(new URL(database.url).pathname.slice(1))
  // The database's clock is read through ours.
  await sql`create schema clock`.execute(database.db)
  await sql`create table clock.passed (days integer)`.execute(database.db)
  await sql`insert into clock.passed values (0)`.execute(database.db)
  await sql`create function clock.now() returns timestamptz stable language sql
    as 'select pg_catalog.now() + make_interval(days => days) from clock.passed'`.execute(database.db)
  await sql`alter database ${name} set search_path = clock, pg_catalog, public`.execute(database.db)
  const { db, close } = connect(database.url)
  const user = await insertUser(db)
  const work = counted(db, user, 'grid', async () => {
    await sql`update clock.passed set days = 1`.execute(db)
    await counted(db, user, 'grid', async () => {})
    throw failure(23020)
  })
  await expect(work).rejects.toMatchObject({ code: 23020 })
  expect(await usesToday(db, user)).toEqual(new Map([['grid', 1]]))
  await sql`update clock.passed set days = 0`.execute(db)
  expect(await usesToday(db, user)).toEqual(new Map([['grid', 0]]))
  await close()
  await database.drop()
})
