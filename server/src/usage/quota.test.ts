import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/fixtures/database.ts'
import { insertUser } from '../../test/fixtures/run-rows.ts'
import { apiError } from '../base/api-error.ts'
import { connect } from '../db/connect.ts'
import { limits } from './limits.ts'
import { counted, needComputeTime, usesToday } from './quota.ts'

test('what failed by our fault after midnight is given back to the day that it was taken from', async () => {
  const database = await testDatabase()
  // The database's clock is read through ours.
  await sql`create schema clock`.execute(database.db)
  await sql`create table clock.passed (days integer)`.execute(database.db)
  await sql`insert into clock.passed values (0)`.execute(database.db)
  await sql`create function clock.now() returns timestamptz stable language sql
    as 'select pg_catalog.now() + make_interval(days => days) from clock.passed'`.execute(database.db)
  const { db, close } = connect(`${database.url}&options=-c%20search_path%3Dclock,pg_catalog,public`)
  const user = await insertUser(db)
  const work = counted(db, user, 'grid', async () => {
    await sql`update clock.passed set days = 1`.execute(db)
    await counted(db, user, 'grid', async () => {})
    throw apiError(23020)
  })
  await expect(work).rejects.toMatchObject({ code: 23020 })
  expect(await usesToday(db, user)).toEqual(new Map([['grid', 1]]))
  await sql`update clock.passed set days = 0`.execute(db)
  expect(await usesToday(db, user)).toEqual(new Map([['grid', 0]]))
  await close()
  await database.drop()
})

test('the guests of one address share a member’s day, and all guests five of them', async () => {
  const { db, drop } = await testDatabase()
  const guest = async (last: number) => {
    const id = await insertUser(db)
    await sql`update app_user set is_demo = true, guest_source = ${`0198c0de-0000-4000-8000-00000000000${last}`} where id = ${id}`.execute(
      db,
    )
    return id
  }
  const use = (id: string) => counted(db, id, 'grid', async () => 'done')
  const most = limits.vip.daily.grid
  const [one, classmate, other, member] = [await guest(1), await guest(1), await guest(2), await insertUser(db)]
  await use(one)
  await sql`update quota_use set used = ${most - 1}`.execute(db)
  expect(await use(classmate)).toBe('done')
  await expect(use(classmate)).rejects.toMatchObject({ code: 21002, message: '体验账号今日的额度已用完，请注册自己的账号继续使用' })
  await expect(use(one)).rejects.toMatchObject({ code: 21002 })
  expect(await use(other)).toBe('done')
  for (let last = 3; last <= 6; last++) {
    const crowd = await guest(last)
    await use(crowd)
    await sql`update quota_use set used = ${most} where user_id = ${crowd}`.execute(db)
  }
  await expect(use(other)).rejects.toMatchObject({ code: 21002 })
  expect(await use(member)).toBe('done')

  expect(await needComputeTime(db, member)).toBeNull()
  expect(await needComputeTime(db, one)).toBe('0198c0de-0000-4000-8000-000000000001')
  await sql`insert into quota_use (user_id, day, item, used) select id, (now() at time zone 'Asia/Shanghai')::date, 'compute_ms', ${limits.vip.computeSeconds * 500}::int
    from app_user where id in (${one}, ${classmate})`.execute(db)
  await expect(needComputeTime(db, one)).rejects.toMatchObject({ code: 21002 })
  expect(await needComputeTime(db, other)).toBe('0198c0de-0000-4000-8000-000000000002')
  await drop()
})
