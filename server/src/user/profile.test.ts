import type { LoginRecord, Page, Session, User } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asking, password, withPassword } from '../../test/fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { insertRun } from '../../test/fixtures/run-rows.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { demoAccount } from './guests.ts'
import { ownTables } from './own-tables.ts'
import { routes } from './routes.ts'
import { hashOf } from './tokens.ts'

let database: TestDatabase
let app: FastifyInstance
const { ask, login, comeIn } = asking(() => app)

beforeAll(async () => {
  database = await testDatabase()
  const { context } = testWorld(database, { config: { trustProxy: ['127.0.0.1'] } })
  app = await buildApp(context, [routes])
})

beforeEach(async () => void (await sql`delete from login_failure`.execute(database.db)))

afterAll(async () => {
  await app.close()
  await database.drop()
})

const somebody = () => comeIn(database.db)
const reAuth = (token: string, given = password) =>
  ask<{ re_auth_until: string }>('POST', '/v1/user/re-auth', { token, body: { password: given } })
const info = (token: string) => ask<User>('GET', '/v1/user/info', { token })
const change = (token: string, body: object) => ask<User>('PUT', '/v1/user/info', { token, body })

describe('the profile', () => {
  test.each([
    ['  小明  ', '小明'],
    ['\u200b小明\u2060', '小明'],
    ['é', 'é'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['一'.repeat(50), '一'.repeat(50)],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('the nickname %j is kept as %j', async (given, kept) => {
    const { token } = await somebody()
    expect(await change(token, { nickname: given })).toMatchObject({ status: 200, data: { nickname: kept } })
    expect((await info(token)).data.nickname).toBe(kept)
  })

  test.each([
    ['', 21004],
    ['   ', 21004],
    ['一'.repeat(51), 21004],
    ['a\u202eb', 21004],
    ['\u200b', 21004],
    ['\u200d\u200d', 21004],
    ['a\u0000b', 40000],
  ])('the nickname %j is refused (%i)', async (nickname, code) => {
    const { token } = await somebody()
    expect(await change(token, { nickname })).toMatchObject({ status: 400, code })
    expect((await info(token)).data.nickname).toBe('测试')
  })

  test('preferences come back on every device; what was not asked for is set by nobody', async () => {
    const { token, account } = await somebody()
    expect((await info(token)).data).not.toHaveProperty('prefs')
    const prefs = { theme: 'dark', density: 'compact', colors: 'green_up', reduced_motion: true, number_format: 'grouped' }
    expect((await change(token, { prefs })).status).toBe(200)
    expect((await info((await login(account)).data.access_token)).data.prefs).toEqual(prefs)
    expect(await change(token, { prefs: { html: 'x' } })).toMatchObject({ status: 400, code: 40000 })
    // The specification's client sends back all that it was given.
    const before = (await info(token)).data
    for (const body of [{ vip_level: 9 }, { is_demo: true }, { id: 'x' }, { constructor: 1 }, before]) {
      expect(await change(token, body)).toMatchObject({ status: 200, code: 0 })
    }
    expect((await info(token)).data).toEqual(before)
    expect(before.vip).toEqual({ plan_name: null, expire_at: null, level: 0 })
  })

  test('an avatar that was never uploaded is refused', async () => {
    const { token } = await somebody()
    expect(await change(token, { avatar_id: '0198c0de-0000-7000-8000-00000000000a' })).toMatchObject({ status: 400, code: 11032 })
  })

  test('a visitor of the demo is somebody for a day, of whom nothing can be changed', async () => {
    const enter = async () => (await login(demoAccount.account, { password: demoAccount.password })).data
    const [one, other] = [await enter(), await enter()]
    const token = one.access_token
    expect(one).toMatchObject({ login_ends_in: 86_400, user: { nickname: '体验用户', demo: true, has_password: false } })
    expect(other.user?.user_id).not.toBe(one.user?.user_id)
    expect(await change(token, { nickname: '别人' })).toMatchObject({ status: 409, code: 25010, msg: '体验账号不能使用该功能，请先注册' })
    expect(await reAuth(token, demoAccount.password)).toMatchObject({ code: 25010 })
    expect(await ask('DELETE', '/v1/user', { token })).toMatchObject({ code: 25010 })
    expect(await ask('DELETE', '/v1/authorize/sessions', { token })).toMatchObject({ data: { logged_out_devices: 0 } })
    expect((await info(other.access_token)).status).toBe(200)
    expect((await ask<Page<LoginRecord>>('GET', '/v1/user/login-records', { token })).data.total).toBe(1)
  })
})

describe('the login history', () => {
  test('tells successes and failures, devices and networks, newest first, a page at a time', async () => {
    const user = await withPassword(database.db)
    const phone = 'Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 Chrome/132.0.0.0 Mobile Safari/537.36'
    const desk = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0'
    await login(user.account, { userAgent: phone, from: '2001:db8:1:2::9', password: 'wrong' })
    await login(user.account, { userAgent: '<script>', from: '192.168.1.20' })
    const { data } = await login(user.account, { userAgent: desk, fingerprint: 'desktop-edge-windows-aabbccdd' })
    const records = (query = '') => ask<Page<LoginRecord>>('GET', `/v1/user/login-records${query}`, { token: data.access_token })
    const all = (await records()).data
    expect({ ...all, list_items: all.list_items.map(({ login_at: _at, ...rest }) => rest) }).toEqual({
      total: 3,
      offset: 0,
      limit: 20,
      list_items: [
        {
          method: 'password',
          device: '电脑',
          os: 'Windows 10/11',
          browser: 'Edge 139',
          ip_masked: '203.0.113.*',
          city: null,
          success: true,
          known_device: false,
          fingerprint: 'desktop-edge-windows-aabbccdd',
        },
        {
          method: 'password',
          device: '',
          os: '',
          browser: '',
          ip_masked: '192.168.1.*',
          city: '局域网',
          success: true,
          known_device: true,
        },
        {
          method: 'password',
          device: '安卓手机',
          os: '安卓 14',
          browser: 'Chrome 132',
          ip_masked: '2001:db8:1:*',
          city: null,
          success: false,
          known_device: false,
        },
      ],
    })
    expect((await records('?offset=1&limit=1')).data).toMatchObject({ total: 3, offset: 1, limit: 1, list_items: [{ city: '局域网' }] })
    expect(await records('?limit=1000')).toMatchObject({ status: 400, code: 40000 })
  })

  test('a device is known once it has logged in; the first of all is, an attempt that failed is not', async () => {
    const { account } = await withPassword(database.db)
    const from = (fingerprint: string, given = password) => login(account, { fingerprint, password: given })
    await from('mobile-chrome-android-1111', 'wrong')
    await from('desktop-edge-windows-2222')
    await from('desktop-edge-windows-2222')
    await from('mobile-chrome-android-1111')
    const { data } = await from('mobile-chrome-android-1111')
    const { list_items } = (await ask<Page<LoginRecord>>('GET', '/v1/user/login-records', { token: data.access_token })).data
    expect(list_items.map((one) => [one.fingerprint?.slice(-4), one.success, one.known_device])).toEqual([
      ['1111', true, true],
      ['1111', true, false],
      ['2222', true, true],
      ['2222', true, true],
      ['1111', false, false],
    ])
  })

  test('what an unknown account was called is not kept', async () => {
    await login('my-own-password-in-the-wrong-field')
    const { rows } = await sql<{ text: string }>`select string_agg(r::text, ' ') as text from login_record r`.execute(database.db)
    expect(rows[0]?.text).not.toContain('my-own-password')
  })
})

describe('to show once more who one is', () => {
  test('opens five minutes, in this session alone', async () => {
    const { token, account } = await somebody()
    const elsewhere = (await login(account)).data.access_token
    expect(await reAuth(token, 'wrong')).toMatchObject({ status: 400, code: 11001 })
    expect(await ask('DELETE', '/v1/user', { token })).toMatchObject({ status: 400, code: 11013, msg: '请先完成身份验证' })
    const { data } = await reAuth(token)
    expect((await info(token)).data.re_auth_until).toBe(data.re_auth_until)
    expect((await info(elsewhere)).data).not.toHaveProperty('re_auth_until')
    expect(await ask('DELETE', '/v1/user', { token: elsewhere })).toMatchObject({ code: 11013 })
    await sql`update session set re_auth_until = now()`.execute(database.db)
    expect(await ask('DELETE', '/v1/user', { token })).toMatchObject({ code: 11013 })
  })

  test('guessing at it closes it', async () => {
    const { token } = await somebody()
    for (let i = 0; i < 5; i++) expect((await reAuth(token, 'wrong')).code).toBe(11001)
    expect(await reAuth(token)).toMatchObject({ status: 429, code: 11002 })
  })
})

test('all other devices are logged out, this one stays', async () => {
  const { token, account } = await somebody()
  const others = [(await login(account)).data, (await login(account)).data]
  expect(await ask('DELETE', '/v1/authorize/sessions', { token })).toMatchObject({ status: 200, data: { logged_out_devices: 2 } })
  for (const { access_token } of others) expect(await info(access_token)).toMatchObject({ status: 401, code: 40102 })
  expect((await info(token)).status).toBe(200)
  expect(await ask('DELETE', '/v1/authorize/sessions', { token })).toMatchObject({ data: { logged_out_devices: 0 } })
})

describe('the devices that are logged in', () => {
  const list = async (token: string) => (await ask<{ list_items: Session[] }>('GET', '/v1/authorize/sessions', { token })).data.list_items
  const desk = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0'

  test('are told with device, network and times, the one that asks first; none that is over', async () => {
    const { token, account, id } = await somebody()
    await login(account, { userAgent: desk, from: '192.168.3.4' })
    await login(account, { password: 'wrong' })
    const ended = (await login(account)).data
    await ask('DELETE', '/v1/authorize/access-token', { token: ended.access_token })
    const lapsed = (await login(account)).data
    await sql`update session set refresh_expires_at = now() where access_hash = ${hashOf(lapsed.access_token)}`.execute(database.db)
    await sql`update session set rotated_at = now() + interval '1 minute' where user_id = ${id} and access_hash <> ${hashOf(token)}`.execute(
      database.db,
    )
    const items = await list(token)
    expect(items).toMatchObject([
      { ip_masked: '203.0.113.*', city: null, current: true },
      { device: '电脑', os: 'Windows 10/11', browser: 'Edge 139', ip_masked: '192.168.3.*', city: '局域网', current: false },
    ])
    for (const { login_at, active_at } of items) for (const at of [login_at, active_at]) expect(at).toMatch(/\+08:00$/)
  })

  test('are ended one by one, by their owner alone', async () => {
    const [one, stranger] = [await somebody(), await somebody()]
    const other = (await login(one.account)).data
    const [, second] = await list(one.token)
    const end = (token: string, session: string) => ask('DELETE', `/v1/authorize/sessions/${session}`, { token })
    expect(await end(stranger.token, second!.session_id)).toMatchObject({ status: 404, code: 40004 })
    expect((await info(other.access_token)).status).toBe(200)
    expect((await end(one.token, second!.session_id)).status).toBe(200)
    expect(await info(other.access_token)).toMatchObject({ status: 401, code: 40102 })
    expect((await end(one.token, second!.session_id)).status).toBe(404)
    const [own] = await list(one.token)
    expect((await end(one.token, own!.session_id)).status).toBe(200)
    expect((await info(one.token)).code).toBe(40102)
  })
})

test('of a thousand requests after a logout none passes', async () => {
  const { token } = await somebody()
  expect((await info(token)).status).toBe(200)
  await ask('DELETE', '/v1/authorize/access-token', { token })
  const codes: number[] = []
  for (let i = 0; i < 10; i++) codes.push(...(await Promise.all(Array.from({ length: 100 }, () => info(token)))).map(({ code }) => code))
  expect(codes).toEqual(Array(1_000).fill(40102))
})

describe('the export', () => {
  test('holds all own rows, however many, and nobody else’s', async () => {
    const { id, token, account } = await somebody()
    const other = await somebody()
    await insertRun(database.db, other.id, id)
    for (let i = 0; i < 450; i++) await insertRun(database.db, id, id)
    expect(await ask('GET', '/v1/user/export', { token })).toMatchObject({ status: 400, code: 11013 })
    const acts = () => database.db.selectFrom('audit').select(['action', 'actor']).where('user_id', '=', id).execute()
    expect(await acts()).toEqual([])
    await reAuth(token)
    const { data, status } = await ask<Record<string, Record<string, unknown>[]>>('GET', '/v1/user/export', { token })
    expect(await acts()).toEqual([{ action: 'user.export', actor: 'user' }])
    // As everywhere on the wire: Shanghai's time, whatever zone the database has.
    expect(data['account']?.[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+08:00$/)
    expect(status).toBe(200)
    expect(data).toMatchObject({ account: [{ id, account, nickname: '测试' }], login_records: [{ ip: '203.0.113.7', success: true }] })
    expect(data['backtests']).toHaveLength(450)
    expect(new Set(data['backtests']?.map((run) => run['id'])).size).toBe(450)
    const text = JSON.stringify(data)
    expect(text).not.toContain(other.id)
    expect(text).not.toContain('argon2')
  })

  test('knows every column of every table that is a user’s: a new one is given out, or says why not', async () => {
    const { rows } = await sql<{ table: string; columns: string[] }>`
      select table_name as table, array_agg(column_name::text order by column_name) as columns from information_schema.columns
      where table_schema = 'public' and table_name in (
        select table_name from information_schema.columns where table_schema = 'public' and (column_name = 'user_id' or table_name = 'app_user'))
      group by table_name order by table_name`.execute(database.db)
    const known = ownTables.map(({ table, columns, opened = {}, kept }) => ({
      table,
      columns: [...columns, ...Object.keys(opened), ...Object.keys(kept)].sort(),
    }))
    expect(
      known.sort((a, b) => (a.table < b.table ? -1 : 1)),
      'own-tables.ts',
    ).toEqual(rows)
  })
})

describe('an operator’s record', () => {
  test.each(['update audit set actor = actor', 'delete from audit', 'truncate audit'])('%s is refused', async (statement) => {
    await somebody().then(({ token }) => reAuth(token).then(() => ask('DELETE', '/v1/user', { token })))
    await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('append-only')
  })
})

test('VIP ends by the database’s clock', async () => {
  const { id, token } = await somebody()
  const until = (seconds: number) =>
    sql`update app_user set vip_level = 1, vip_until = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(database.db)
  await until(60)
  expect((await info(token)).data.vip).toMatchObject({ level: 1, plan_name: 'VIP' })
  await until(0)
  expect((await info(token)).data.vip).toEqual({ plan_name: null, expire_at: null, level: 0 })
})
