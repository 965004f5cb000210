import type { HumanCheck, TokenData } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asking } from '../../test/fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { solved } from '../../test/fixtures/human-check.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { guestsWaiting } from '../http/guest-door.ts'
import type { Visitor } from '../http/visitor.ts'
import { countAttempt } from './attempts.ts'
import { demoAccount, sweepGuests } from './guests.ts'
import { ownTables } from './own-tables.ts'
import { routes } from './routes.ts'

let database: TestDatabase
let app: Awaited<ReturnType<typeof buildApp>>

beforeAll(async () => {
  database = await testDatabase()
  app = await buildApp(testWorld(database, { config: { trustProxy: ['127.0.0.1'], limitRequests: true } }).context, [routes])
})
beforeEach(async () => {
  await sql`delete from login_failure`.execute(database.db)
  await sql`delete from app_user`.execute(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const { ask } = asking(() => app)
const enter = (from: string, humanCheck?: string) =>
  ask<TokenData>('POST', '/v1/authorize/access-token/by-password', {
    body: demoAccount,
    from,
    ...(humanCheck !== undefined && { humanCheck }),
  })
const guests = async () => (await database.db.selectFrom('app_user').select('id').where('is_demo', '=', true).execute()).length

test('from one address twenty an hour, then the human check, then nobody for a while; a neighbour has his own', async () => {
  const solve = async () => solved((await ask<HumanCheck>('GET', '/v1/human-check')).data)
  const codes: number[] = []
  for (let i = 0; i < 21; i++) codes.push((await enter('203.0.113.7')).code)
  expect(codes).toEqual([...Array(20).fill(0), 40030])
  expect((await enter('203.0.113.7', await solve())).code).toBe(0)
  expect((await enter('203.0.113.8')).code).toBe(0)
  await sql`update login_failure set failures = 200 where failures = 21`.execute(database.db)
  const refused = await enter('203.0.113.7', await solve())
  expect(refused).toMatchObject({ status: 429, code: 40029 })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
  // An IPv6 /64 is one address.
  for (let i = 0; i < 20; i++) expect((await enter(`2001:db8:1:2::${i + 1}`)).code).toBe(0)
  expect((await enter('2001:db8:1:2:ffff::1')).code).toBe(40030)
  expect((await enter('2001:db8:1:3::1')).code).toBe(0)
  expect(await guests()).toBe(43)
})

test('the many networks of one IPv6 site do not fill the installation; another site has its own', async () => {
  expect((await enter('2001:db8:1:1::1')).code).toBe(0)
  // The count of the site, which is the younger of the two.
  await sql`update login_failure set failures = 150`.execute(database.db)
  const refused = await enter('2001:db8:1:ffff::1')
  expect(refused).toMatchObject({ status: 429, code: 40029 })
  expect((await enter('2001:db8:2:1::1')).code).toBe(0)
  expect(await guests()).toBe(2)
})

test('an installation keeps five thousand, and says so to the next', async () => {
  await sql`insert into app_user (id, nickname, is_demo) select gen_random_uuid(), '', true from generate_series(1, 4999)`.execute(
    database.db,
  )
  expect((await enter('203.0.113.7')).code).toBe(0)
  expect(await enter('203.0.113.7')).toMatchObject({ status: 503, code: 50302 })
})

test('guests of one address share the count of requests, another address has its own', async () => {
  const tokenFrom = async (from: string) => (await enter(from)).data.access_token
  const [one, classmate, other] = [await tokenFrom('203.0.113.7'), await tokenFrom('203.0.113.7'), await tokenFrom('203.0.113.8')]
  await ask('GET', '/v1/user/info', { token: one })
  await sql`update rate_use set used = 300`.execute(database.db)
  expect((await ask('GET', '/v1/user/info', { token: classmate })).code).toBe(40029)
  // From then on the database is not asked who they are.
  expect(await ask('GET', '/v1/user/info', { token: classmate })).toMatchObject({ status: 429, code: 40029 })
  const counted = await database.db.selectFrom('rate_use').select('used').where('item', '=', 'request').orderBy('used', 'desc').execute()
  expect(counted[0]).toEqual({ used: 301 })
  expect((await ask('GET', '/v1/user/info', { token: other })).code).toBe(0)
})

test('a crowd of guests waits at the door, a few of them in the database', async () => {
  const { db } = database
  await sql`delete from rate_use`.execute(db)
  const token = (await enter('203.0.113.9')).data.access_token
  const info = () => ask('GET', '/v1/user/info', { token })
  expect((await info()).code).toBe(0)
  const held = await db.startTransaction().execute()
  await sql`lock table app_user in access exclusive mode`.execute(held)
  const codes: number[] = []
  const crowd = Array.from({ length: 60 }, () => info().then(({ code }) => void codes.push(code)))
  // Four are under way and forty wait: the others are refused while the database does not answer.
  await expect.poll(() => codes.length).toBe(16)
  expect(new Set(codes)).toEqual(new Set([40029]))
  // Those that wait take no place of the members.
  expect(guestsWaiting('short')).toBe(40)
  await held.commit().execute()
  await Promise.all(crowd)
  expect(codes.filter((code) => code === 0)).toHaveLength(44)
  expect(guestsWaiting('short')).toBe(0)
})

test('a neighbour who asks without end shuts no device that is known', async () => {
  const { db } = database
  const at = (fingerprint: string | null) => ({ who: 'somebody', visitor: { ip: '203.0.113.7', fingerprint } as Visitor, isHuman: null })
  const asks = (known: boolean) =>
    countAttempt(db, { ...at(known ? 'desktop-own' : null), known }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    )
  let last = 0
  for (let i = 0; i < 305; i++) last = await asks(false)
  expect([last, await asks(true)]).toEqual([11002, 0])
})

test('a day later a guest is gone with all they had, while others come in and two sweep', async () => {
  const { db } = database
  const kept = await Promise.all(Array.from({ length: 3 }, (_, i) => enter(`198.51.100.${i}`)))
  await sql`insert into app_user (id, nickname, is_demo, created_at)
    select gen_random_uuid(), 'gone', true, now() - interval '24 hours 1 second' from generate_series(1, 230)`.execute(db)
  await sql`insert into app_user (id, nickname, created_at) values (gen_random_uuid(), 'stays', now() - interval '1 year')`.execute(db)
  await sql`insert into strategy (id, user_id, kind, name, remark, tags, detail, factor_versions) select gen_random_uuid(), id, 'cb', 'x', '', '{}', '{}', '{}' from app_user where nickname = 'gone'`.execute(
    db,
  )
  await sql`insert into quota_use (user_id, day, item, used) select id, current_date, 'grid', 1 from app_user where nickname = 'gone'`.execute(
    db,
  )
  await sql`insert into login_record (id, user_id, method, success, device, os, browser, ip, fingerprint)
    select gen_random_uuid(), id, 'password', true, '', '', '', '203.0.113.7', 'desktop-x' from app_user where nickname = 'gone'`.execute(
    db,
  )
  await sql`insert into backtest_run (id, user_id, kind, status, request, params_hash, trial_no, data_mode, data_version, engine_version, owner_id)
    select gen_random_uuid(), id, 'cb', 2, '{}', '', k, 'demo', '', '', gen_random_uuid() from app_user, generate_series(1, 2) k where nickname = 'gone'`.execute(
    db,
  )
  const gone = (await db.selectFrom('app_user').select('id').where('nickname', '=', 'gone').execute()).map(({ id }) => id)
  const [entered, ...swept] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, (_, i) => enter(`198.51.101.${i}`))),
    sweepGuests(db),
    sweepGuests(db),
  ])
  expect(swept.reduce((sum, count) => sum + count, 0)).toBe(230)
  expect(entered.map(({ code }) => code)).toEqual(Array(20).fill(0))
  for (const { data } of [...kept, ...entered]) expect((await ask('GET', '/v1/user/info', { token: data.access_token })).code).toBe(0)
  const left: Record<string, number> = {}
  for (const { table, owner } of ownTables) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(table)} where ${sql.ref(owner)} = any(${gone}::uuid[])`.execute(db)
    if (rows[0]!.count > 0) left[table] = rows[0]!.count
  }
  // What the law asks to keep of logins, without the device.
  expect(left).toEqual({ login_record: 230 })
  expect(
    await db.selectFrom('login_record').select('id').where('user_id', 'in', gone).where('fingerprint', 'is not', null).execute(),
  ).toEqual([])
  expect(await db.selectFrom('app_user').select('id').where('nickname', '=', 'stays').execute()).toHaveLength(1)
})

test('the one account that all visitors once shared opens nothing, and goes with the guests of yesterday', async () => {
  const { db } = database
  await sql`insert into app_user (id, account, nickname, is_demo, password_hash, created_at)
    values (gen_random_uuid(), ${demoAccount.account}, '体验用户', true, 'a hash', now() - interval '1 year')`.execute(db)
  expect((await enter('203.0.113.7')).data.user?.user_id).not.toBe(
    (await db.selectFrom('app_user').select('id').where('account', 'is not', null).executeTakeFirstOrThrow()).id,
  )
  const wrong = { ...demoAccount, password: 'another' }
  expect((await ask('POST', '/v1/authorize/access-token/by-password', { body: wrong })).code).toBe(11001)
  expect(await sweepGuests(db)).toBe(1)
})
