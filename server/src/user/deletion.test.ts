import type { User } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asking, password } from '../../test/fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { insertRun } from '../../test/fixtures/run-rows.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { connect } from '../db/connect.ts'
import { sweepAccounts } from './deletion.ts'
import { ownTables } from './own-tables.ts'
import { routes } from './routes.ts'

let database: TestDatabase
let app: FastifyInstance
const { ask, login, comeIn } = asking(() => app)

beforeAll(async () => {
  database = await testDatabase()
  app = await buildApp(testWorld(database, { config: { trustProxy: ['127.0.0.1'] } }).context, [routes])
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const somebody = () => comeIn(database.db)
const info = (token: string) => ask<User>('GET', '/v1/user/info', { token })
const leave = async (token: string) => {
  await ask('POST', '/v1/user/re-auth', { token, body: { password } })
  return ask<{ deletion_at: string }>('DELETE', '/v1/user', { token })
}
const days = (n: number) => sql`update app_user set deletion_at = deletion_at - make_interval(days => ${n})`.execute(database.db)

test('leaving takes seven days, in which one can come back', async () => {
  const { id, token, account } = await somebody()
  const elsewhere = (await login(account)).data.access_token
  const left = await leave(token)
  expect(Date.parse(left.data.deletion_at) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000)
  expect((await info(elsewhere)).code).toBe(40102)
  expect((await leave(token)).data).toEqual(left.data)
  expect((await info(token)).data.deletion_at).toBe(left.data.deletion_at)
  await days(6)
  expect((await sweepAccounts(database.db)).deleted).toBe(0)
  const back = (await login(account)).data.access_token
  expect((await ask<User>('POST', '/v1/user/restore', { token: back })).data).not.toHaveProperty('deletion_at')
  await days(6)
  expect((await sweepAccounts(database.db)).deleted).toBe(0)
  const acts = await database.db.selectFrom('audit').select(['actor', 'action']).where('user_id', '=', id).orderBy('id').execute()
  expect(acts).toEqual([
    { actor: 'user', action: 'user.delete' },
    { actor: 'user', action: 'user.delete' },
    { actor: 'user', action: 'user.restore' },
  ])
})

test('then everything of the user is gone, but for the logins that the law asks for', async () => {
  const { id, token, tokens, account } = await somebody()
  await ask('PUT', '/v1/user/info', { token, body: { nickname: '绝无仅有的名字' } })
  await insertRun(database.db, id, id)
  await leave(token)
  await days(7)
  const swept = await Promise.all([sweepAccounts(database.db), sweepAccounts(database.db)])
  expect(swept.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(1)
  expect(await info(token)).toMatchObject({ status: 401, code: 40100 })
  expect(
    await ask('PUT', '/v1/authorize/access-token', { body: { refresh_token: tokens.refresh_token, access_token: token } }),
  ).toMatchObject({
    status: 401,
    code: 40100,
  })
  expect(await login(account)).toMatchObject({ status: 400, code: 11001 })
  const dump = await textOfAllTables()
  for (const personal of [account, '绝无仅有的名字']) expect(dump).not.toContain(personal)
  const kept = await database.db.selectFrom('login_record').selectAll().where('user_id', '=', id).execute()
  expect(kept).toMatchObject([{ success: true, fingerprint: null, session_id: null, ip: '203.0.113.7' }])
  for (const own of ownTables.filter(({ table }) => !['login_record', 'audit'].includes(table))) {
    const { rows } = await sql`select 1 from ${sql.table(own.table)} where ${sql.ref(own.owner)} = ${id}`.execute(database.db)
    expect(rows, own.table).toEqual([])
  }
})

test.each([
  ['takes too long', 'query_canceled'],
  ['meets another in the database', 'deadlock_detected'],
])('one who has kept so much that it takes long goes as well, and one who %s keeps nobody', async (_, condition) => {
  const [stuck, large] = [await somebody(), await somebody()]
  for (const { token } of [stuck, large]) await leave(token)
  await days(8)
  await sql`create function hold_up() returns trigger language plpgsql as $$ begin
    if old.id = ${sql.lit(stuck.id)} then raise ${sql.raw(condition)}; end if; perform pg_sleep(1.2); return old; end $$`.execute(
    database.db,
  )
  await sql`create trigger hold_up before delete on app_user for each row execute function hold_up()`.execute(database.db)
  const hurried = connect(database.url, { statementTimeoutMs: 1_000 })
  try {
    const failed: unknown[] = []
    expect((await sweepAccounts(hurried.db, (_event, { user }) => failed.push(user))).deleted).toBe(1)
    expect(failed).toEqual([stuck.id])
    expect((await login(large.account)).code).toBe(11001)
  } finally {
    await hurried.close()
    await sql`drop function hold_up cascade`.execute(database.db)
  }
  expect((await sweepAccounts(database.db)).deleted).toBe(1)
})

test('a deletion that breaks off goes on where it was, and nobody comes back to what is left', async () => {
  const { id, token } = await somebody()
  for (let i = 0; i < 250; i++) await insertRun(database.db, id, id)
  const runs = () => database.db.selectFrom('backtest_run').select('id').where('user_id', '=', id).orderBy('created_at').execute()
  const last = (await runs())[249]?.id as string
  await leave(token)
  await days(8)
  await sql`create function break_off() returns trigger language plpgsql as $$ begin
    if old.id = ${sql.lit(last)} then raise query_canceled; end if; return old; end $$`.execute(database.db)
  await sql`create trigger break_off before delete on backtest_run for each row execute function break_off()`.execute(database.db)
  try {
    expect((await sweepAccounts(database.db)).deleted).toBe(0)
    expect(await runs()).toHaveLength(50)
    expect(await ask('POST', '/v1/user/restore', { token })).toMatchObject({ status: 404, code: 40004 })
  } finally {
    await sql`drop function break_off cascade`.execute(database.db)
  }
  expect((await sweepAccounts(database.db)).deleted).toBe(1)
  expect(await runs()).toEqual([])
})

test('addresses lose their end after half a year, and records go after a year', async () => {
  const { id } = await somebody()
  const age = (n: number) =>
    sql`update login_record set login_at = login_at - make_interval(days => ${n}) where user_id = ${id}`.execute(database.db)
  const ip = async () => (await database.db.selectFrom('login_record').select(['ip', 'fingerprint']).where('user_id', '=', id).execute())[0]
  await age(184)
  await sweepAccounts(database.db)
  expect(await ip()).toEqual({ ip: '203.0.113.7', fingerprint: 'desktop-chrome-windows-00112233' })
  await age(10)
  await sweepAccounts(database.db)
  expect(await ip()).toEqual({ ip: '203.0.113.0/24', fingerprint: null })
  await age(180)
  await sweepAccounts(database.db)
  expect(await ip()).toBeUndefined()
})

async function textOfAllTables(): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(database.db)
  const texts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await sql<{ text: string | null }>`select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(
        database.db,
      )
      return found.rows[0]?.text ?? ''
    }),
  )
  return texts.join('\n')
}
