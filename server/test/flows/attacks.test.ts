import { type HumanCheck, type LoginRecord, type Page, quantOf, type TokenData } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { serveStream } from '../../src/http/serve-endpoint.ts'
import { setMaintenance } from '../../src/system/maintenance.ts'
import { disableUser } from '../../src/user/administration.ts'
import { routes as file } from '../../src/user/avatar-routes.ts'
import { sweepAccounts } from '../../src/user/deletion.ts'
import { listLogins } from '../../src/user/logins.ts'
import { endSessions } from '../../src/user/sessions.ts'
import { type AccountSite, accountSite, goodPassword } from '../fixtures/account-site.ts'
import { solved } from '../fixtures/human-check.ts'
import { request } from '../fixtures/requests.ts'
import { makeUser } from '../fixtures/users.ts'

// What a patient stranger tried, and what they get.

const wang = '13800138000'
const login = '/v1/authorize/access-token/by-password'
const wechat = { appId: 'wx', appSecret: 'not asked', openUrl: 'http://127.0.0.1:9', apiUrl: 'http://127.0.0.1:9', requireState: true }

let site: AccountSite
let wangId: string

beforeAll(async () => {
  site = await accountSite({ wechat })
})
beforeEach(async () => {
  await site.empty()
  wangId = await makeUser(site.context, { accounts: [wang], password: goodPassword })
})
afterAll(() => site.close())

const logIn = (account = wang, password = goodPassword, from?: string) =>
  site.ask<TokenData>('POST', login, { body: { account, password }, ...(from && { from }) })

/** Lets logins read the user and then wait, until `meanwhile` is done. */
async function whileLoggingIn<T>(attempt: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const { db } = site.context
  const held = await db.startTransaction().execute()
  await sql`lock table login_failure in access exclusive mode`.execute(held)
  const answer = attempt()
  await oneWaits()
  await meanwhile()
  await held.commit().execute()
  return answer
}

/** Until a statement on this database waits for the lock of another. */
const oneWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(site.context.db)
      return rows.length
    })
    .toBe(1)

describe('a login in progress', () => {
  test('with the old password fails once a new one is set', async () => {
    const { db } = site.context
    const answer = await whileLoggingIn(logIn, () =>
      db.transaction().execute(async (transaction) => {
        await transaction.updateTable('app_user').set({ password_hash: 'another' }).where('id', '=', wangId).execute()
        await endSessions(transaction, wangId, 'password')
      }),
    )
    expect(answer).toMatchObject({ status: 400, code: 11001 })
    expect(await db.selectFrom('session').select('id').where('user_id', '=', wangId).where('revoked_at', 'is', null).execute()).toEqual([])
  })

  test('fails once an operator has disabled the account', async () => {
    const answer = await whileLoggingIn(logIn, () => disableUser(site.context, wangId))
    const token = answer.data?.access_token
    if (token) expect(await site.ask('GET', '/v1/user/info', { token })).toMatchObject({ status: 401, code: 40102 })
    else expect(answer).toMatchObject({ status: 400, code: 11001 })
  })

  test('is rejected like a wrong password when the account has been erased', async () => {
    const answer = await whileLoggingIn(logIn, () => site.context.db.deleteFrom('app_user').where('id', '=', wangId).execute())
    expect(answer).toMatchObject({ status: 400, code: 11001, msg: '账号或密码错误' })
  })
})

test('a state cookie with other characters than the state is rejected', async () => {
  const state = 's'.repeat(16)
  const body = { code: 'anything', state }
  const headers = { cookie: `__Host-wxs=${'\u00e9'.repeat(16)}` }
  expect(await site.ask('POST', '/v1/authorize/access-token/by-wechat-web', { body, headers })).toMatchObject({ status: 400, code: 11020 })
})

test('an e-mail address of the greatest allowed length receives its code', async () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.cn`
  expect(await site.ask('GET', `/v1/user/${encodeURIComponent(long)}/register-code`)).toMatchObject({ status: 200, code: 0 })
  expect(await site.ask('GET', `/v1/user/${'a'.repeat(300)}%40b.cn/register-code`)).toMatchObject({ status: 400, code: 40000 })
})

test('aliases of one mailbox share one rate limit', async () => {
  const ask = (target: string, from: string) => site.ask('GET', `/v1/user/${encodeURIComponent(target)}/register-code`, { from })
  expect((await ask('li+1@example.cn', '203.0.113.1')).code).toBe(0)
  expect((await ask('li+2@example.cn', '198.51.100.1')).code).toBe(11004)
  expect((await ask('li@example.cn', '192.0.2.1')).code).toBe(11004)
  expect((await ask('lin@example.cn', '192.0.2.1')).code).toBe(0)
})

describe('repeated logins with the right password', () => {
  test('are limited, and other users are not', async () => {
    for (let i = 0; i < 12; i++) await logIn()
    const { db } = site.context
    // As after a day of it.
    await sql`update login_failure set failures = failures * 25`.execute(db)
    expect(await logIn()).toMatchObject({ status: 429, code: 11002 })
    expect((await logIn(wang, goodPassword, '198.51.100.9')).code).toBe(0)
  })

  test('do not make the login history slow', async () => {
    const { db } = site.context
    await sql`
      insert into login_record (id, user_id, login_at, method, success, device, os, browser, ip, fingerprint)
      select gen_random_uuid(), ${wangId}, now() - interval '1 minute' * i, 'password', true, '', '', '', '203.0.113.7', 'device-' || (i % 7)
      from generate_series(1, 50000) i`.execute(db)
    await sql`analyze login_record`.execute(db)
    const { data } = await logIn()
    const records = await site.ask<Page<LoginRecord>>('GET', '/v1/user/login-records?limit=100', { token: data.access_token })
    expect(records.data.list_items.map(({ known_device }) => known_device)).toEqual([false, ...Array(99).fill(true)])
    // All rows are counted once; a search of them all for each of the 100 would read five million.
    const read = await db.transaction().execute(async (tx) => {
      await listLogins(tx, wangId, { offset: 0, limit: 100 })
      const { rows } = await sql<{ read: string }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'login_record'`.execute(tx)
      return Number(rows[0]!.read)
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(200_000)
  })
})

test.each(['\u3164', '\uffa0\uffa0', '\u115f', '\u2800', '\u034f'])(
  'a name made of %j alone is rejected as invisible',
  async (nickname) => {
    const { data } = await logIn()
    expect(await site.ask('PUT', '/v1/user/info', { token: data.access_token, body: { nickname } })).toMatchObject({
      status: 400,
      code: 21004,
    })
  },
)

test('rows of an account that is being erased are missing, not a server error', async () => {
  const { data } = await logIn()
  const { db } = site.context
  const held = await db.startTransaction().execute()
  await held.deleteFrom('app_user').where('id', '=', wangId).execute()
  const files = await buildApp(site.context, [file])
  const asked = files.inject({ url: '/v1/user/avatar/upload', headers: { 'access-token': data.access_token } })
  const answer = asked.then((one) => [one.statusCode, one.json().code])
  await oneWaits()
  await held.commit().execute()
  expect(await answer).toEqual([404, 40004])
  await files.close()
})

describe('concurrently', () => {
  const asked = async (target: string, call: string, token?: string) => {
    await sql`delete from code_send`.execute(site.context.db)
    await site.ask('GET', call, token === undefined ? {} : { token })
    return site.codeFor(target)
  }
  const twenty = <T>(attempt: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, i) => attempt(i)))
  const owners = async () =>
    (await sql`select user_id from user_contact where verified_at is not null`.execute(site.context.db)).rows.length

  test('twenty registrations of one mobile create one account', async () => {
    const target = '13700137000'
    const code = await asked(target, `/v1/user/${target}/register-code`)
    const before = await owners()
    const body = { target, verification_code: code, password: goodPassword, agree: true }
    const answers = await twenty((i) => site.ask('POST', '/v1/user/by-register', { body, from: `198.51.${i}.1` }))
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, ...Array(19).fill(11003)])
    expect(await owners()).toBe(before + 1)
  })

  test('a mobile that is registered and taken by a change of number has one owner', async () => {
    for (let i = 0; i < 8; i++) {
      const [old, target] = [`1360013600${i}`, `1350013500${i}`]
      const { access_token: token } = await site.register(old)
      const fresh = await asked(target, `/v1/user/${target}/register-code`)
      const changing = await asked(target, `/v1/user/mobile/modification/${target}`, token)
      const former = await asked(old, `/v1/user/mobile/modification/${old}`, token)
      const change = { new_mobile: target, new_verification_code: changing, old_verification_code: former }
      const registration = { target, verification_code: fresh, password: goodPassword, agree: true }
      const [one, other] = await Promise.all([
        site.ask('POST', '/v1/user/mobile/modification', { token, body: change }),
        site.ask('POST', '/v1/user/by-register', { body: registration, from: `198.51.${i}.1` }),
      ])
      expect([
        [0, 11009],
        [11010, 0],
      ]).toContainEqual([one.code, other.code])
    }
  })

  test('logins and refreshes during a password reset leave no session of the old password', async () => {
    const { db } = site.context
    const { data } = await logIn()
    const code = await asked(wang, `/v1/user/${wang}/reset-code`)
    const guesses = twenty(async (i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 5))
      if (i % 2) return (await logIn(wang, goodPassword, `198.51.${i}.1`)).data?.access_token
      const { refresh_token, access_token } = data
      return (await site.ask<TokenData>('PUT', '/v1/authorize/access-token', { body: { refresh_token, access_token } })).data?.access_token
    })
    const reset = await site.ask('POST', `/v1/user/${wang}/new-password`, {
      body: { verification_code: code, new_password: 'ein ganz anderes' },
    })
    expect(reset.code).toBe(0)
    for (const token of await guesses) if (token) expect((await site.ask('GET', '/v1/user/info', { token })).status).toBe(401)
    expect(await db.selectFrom('session').select('id').where('user_id', '=', wangId).where('revoked_at', 'is', null).execute()).toEqual([])
  })

  test('a due deletion and its cancellation leave the account complete or erased', async () => {
    for (let i = 0; i < 8; i++) {
      const { access_token: token, user } = await site.register(`1340013400${i}`)
      const id = user?.user_id ?? ''
      await sql`update app_user set deletion_at = now() + make_interval(secs => ${i / 500}) where id = ${id}`.execute(site.context.db)
      const [restored] = await Promise.all([site.ask('POST', '/v1/user/restore', { token, body: {} }), sweepAccounts(site.context.db)])
      await sweepAccounts(site.context.db)
      const left = await site.context.db.selectFrom('app_user').select('deletion_at').where('id', '=', id).executeTakeFirst()
      if (restored.status === 200) expect(left).toEqual({ deletion_at: null })
      // Due already, or gone already.
      else expect([[404, 401].includes(restored.status), left]).toEqual([true, undefined])
    }
  })
})

test('a human check is always issued; after 300 failures of a network in the form that is cheap to make', async () => {
  const mint = async () => (await site.ask<HumanCheck>('GET', '/v1/human-check')).data
  const prefix = ({ parameters }: HumanCheck) => String(parameters['keyPrefix']).length
  expect(prefix(await mint())).toBe(32)
  await sql`update login_failure set failures = 300`.execute(site.context.db)
  const made = await mint()
  expect(prefix(made)).toBe(2)
  await sql`insert into code_send select now(), sha256(i::text::bytea), sha256(i::text::bytea), null from generate_series(1, 2000) i`.execute(
    site.context.db,
  )
  const ask = (headers: Record<string, string>) => site.ask('GET', '/v1/user/13700137009/register-code', { headers })
  expect((await ask({})).code).toBe(40030)
  expect((await ask({ 'x-human-check': await solved(made) })).code).toBe(0)
})

test('a long run ends when its user is logged out or disabled', { timeout: 60_000 }, async () => {
  const app = await buildApp(site.context, [
    (own, context) => serveStream(own, context, quantOf.stk.backtest, (_, stream) => stream.closed),
  ])
  const address = await app.listen({ port: 0 })
  const running = async (token: string) => {
    const stream = await fetch(address + quantOf.stk.backtest.path, {
      method: 'POST',
      headers: { 'access-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(request('stk', { start: '2024-01-02', end: '2024-06-28' })),
    })
    expect(stream.status).toBe(200)
    return stream
  }
  const [leaving, shut] = [await site.register('13300133000'), await site.register('13300133001')]
  const streams = await Promise.all([running(leaving.access_token), running(shut.access_token)])
  await sql`update app_user set disabled_at = now() where id = ${shut.user?.user_id}`.execute(site.context.db)
  await site.ask('DELETE', '/v1/authorize/access-token', { token: leaving.access_token })
  for (const text of await Promise.all(streams.map((stream) => stream.text()))) expect(text).toContain('[40102]')
  await app.close()
})

// Last: a failure here would leave the switch on.
test('maintenance refuses other spellings of a path as well', async () => {
  await setMaintenance(site.context.db, { on: true, until: null })
  const get = (url: string) => site.ask('GET', url).then(({ code }) => code)
  await expect.poll(() => get('/v1/user/info')).toBe(50303)
  for (const url of [
    '/%761/user/info',
    '/v%31/human-check',
    'http://elsewhere.example/v1/human-check',
    '/v1/user/info#x',
    '/%75ser/email/activation',
  ]) {
    expect(await get(url), url).toBe(50303)
  }
  await setMaintenance(site.context.db, { on: false, until: null })
  await expect.poll(() => get('/v1/user/info')).toBe(40100)
})
