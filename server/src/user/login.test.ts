import type { HumanCheck, TokenData } from '@convexa/contract'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { solved } from '../../test/fixtures/human-check.ts'
import { loginSite, wang } from '../../test/fixtures/login-site.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { forgetAttempts } from './attempts.ts'
import { demoAccount } from './guests.ts'
import { hashPassword } from './passwords.ts'
import { routes } from './routes.ts'

const here = loginSite()
const { ask, login, refresh, info } = here
const byPassword = '/v1/authorize/access-token/by-password'

test('a login, a look at oneself, a refresh, a logout', async () => {
  const first = await login({ account: ' WANG@example.cn ', password: wang.password })
  expect(first).toMatchObject({
    status: 200,
    code: 0,
    data: { expires_in: 1800, login_ends_in: 14 * 86_400, token_type: 'bearer', user: { nickname: '老王' } },
  })
  expect(await info(first.data.access_token)).toMatchObject({
    status: 200,
    data: {
      nickname: '老王',
      email_masked: 'wa***@example.cn',
      mobile_masked: null,
      vip: { level: 0 },
      created_at: expect.stringMatching(/\+08:00$/),
    },
  })
  const second = await refresh(first.data)
  expect(second).toMatchObject({ status: 200, data: { user: { nickname: '老王' } } })
  expect(second.data.access_token).not.toBe(first.data.access_token)
  // What was under way with the old token is not cut off.
  expect((await info(first.data.access_token)).status).toBe(200)
  expect(await ask('DELETE', '/v1/authorize/access-token', { token: second.data.access_token })).toMatchObject({ status: 200, data: {} })
  for (const token of [first, second]) expect(await info(token.data.access_token)).toMatchObject({ status: 401, code: 40102 })
  expect(await refresh(second.data)).toMatchObject({ status: 401, code: 40102 })
})

test('the demo account is open where the operator offers it, and shut where not', async () => {
  expect(await login(demoAccount)).toMatchObject({ status: 200, data: { user: { nickname: '体验用户' } } })
  const closed = await buildApp(testWorld(here.database, { config: { demoLogin: false } }).context, [routes])
  const answer = await closed.inject({ method: 'POST', url: byPassword, payload: demoAccount })
  expect(answer.json()).toMatchObject({ code: 11001 })
  await closed.close()
})

test('a login by way of a proxy that tells the port too', async () => {
  for (const from of ['203.0.113.9:51234', '[2001:db8:1:2::9]:51234']) {
    expect(await login({ ...wang, password: 'wrong' }, from)).toMatchObject({ code: 11001 })
    expect(await login(wang, from)).toMatchObject({ code: 0 })
  }
  const { rows } = await sql<{ ip: string }>`select distinct host(ip) as ip from login_record where user_id = ${here.wangId}`.execute(
    here.database.db,
  )
  expect(rows.map(({ ip }) => ip)).toEqual(expect.arrayContaining(['203.0.113.9', '2001:db8:1:2::9']))
})

test('a login over a link-local address, which Node names with its interface', async () => {
  const by = { method: 'POST', url: byPassword, remoteAddress: 'fe80::fc:ff:fe00:1%eth0' } as const
  expect((await here.app.inject({ ...by, payload: { ...wang, password: 'wrong' } })).json()).toMatchObject({ code: 11001 })
  expect((await here.app.inject({ ...by, payload: wang })).json()).toMatchObject({ code: 0 })
})

describe('a password is the same in each form that a keyboard writes', () => {
  const typed = (password: string) => login({ ...wang, password })
  const stored = async () =>
    (await here.database.db.selectFrom('app_user').select('password_hash').where('id', '=', here.wangId).executeTakeFirstOrThrow())
      .password_hash!
  const store = (password_hash: string) =>
    here.database.db.updateTable('app_user').set({ password_hash }).where('id', '=', here.wangId).execute()
  let own: string
  beforeAll(async () => {
    own = await stored()
  })
  afterAll(() => store(own))

  test.each([
    ['composed and not', 'Café-长城之约7', 'Cafe\u0301-长城之约7'],
    ['full width and half', 'ｗｏ的转债Ｋｅｙ９', 'wo的转债Key9'],
  ])('%s', async (_what, one, other) => {
    await store(await hashPassword(one))
    expect([(await typed(one)).code, (await typed(other)).code]).toEqual([0, 0])
    expect((await typed(` ${one}`)).code).toBe(11001)
  })

  test('a hash of the password as it was typed once still opens, and is renewed by the login', async () => {
    const old = await hash('ｗｏ的转债Ｋｅｙ９', { memoryCost: 1_024, timeCost: 1, parallelism: 1 })
    await store(old)
    expect((await typed('wo的转债Key9')).code).toBe(11001)
    const { code, data } = await typed('ｗｏ的转债Ｋｅｙ９')
    expect(code).toBe(0)
    expect(await stored()).not.toBe(old)
    expect((await typed('wo的转债Key9')).code).toBe(0)
    await store(old)
    const again = await ask('POST', '/v1/user/re-auth', { token: data.access_token, body: { password: 'ｗｏ的转债Ｋｅｙ９' } })
    expect([again.code, (await stored()) === old]).toEqual([0, false])
  })
})

describe('who is not let in hears one sentence', () => {
  test.each([
    ['a wrong password', { account: wang.account, password: 'wrong' }],
    ['an unknown account', { account: 'nobody@example.cn', password: wang.password }],
    ['an account without a password', { account: '13800138000', password: ''.padEnd(8, 'x') }],
  ])('%s', async (_name, body) => {
    expect(await login(body)).toMatchObject({ status: 400, code: 11001, msg: '账号或密码错误', data: null })
  })

  test('after as much work, whether the account exists or not', async () => {
    // The fastest of many, in turn: what the machine does besides falls away.
    const fastest = { [wang.account]: Number.POSITIVE_INFINITY, 'nobody@example.cn': Number.POSITIVE_INFINITY }
    const alike = () =>
      fastest['nobody@example.cn']! > fastest[wang.account]! * 0.6 && fastest['nobody@example.cn']! < fastest[wang.account]! * 1.6
    for (let i = 0; i < 15 || (i < 90 && !alike()); i++) {
      for (const account of Object.keys(fastest)) {
        await sql`delete from login_failure`.execute(here.database.db)
        const since = performance.now()
        await login({ account, password: 'wrong' })
        fastest[account] = Math.min(fastest[account]!, performance.now() - since)
      }
    }
    const [known = 0, unknown = 0] = Object.values(fastest)
    expect(unknown).toBeGreaterThan(known * 0.6)
    expect(unknown).toBeLessThan(known * 1.6)
  })
})

describe('guessing', () => {
  const wrong = (from?: string) => login({ account: wang.account, password: 'wrong' }, from)

  test('five wrong passwords close the account for that network, however fast they come', async () => {
    const codes = (await Promise.all(Array.from({ length: 12 }, () => wrong()))).map(({ code }) => code)
    const heard = (what: number) => codes.filter((code) => code === what).length
    // A busy machine may answer that it is busy: that is none of the five, or one whose answer was lost.
    expect(heard(11001)).toBeLessThanOrEqual(5)
    expect(heard(11001) + heard(11002) + heard(50301)).toBe(12)
    expect(heard(11001) + heard(50301)).toBeGreaterThanOrEqual(5)
    for (let tries = 0; tries < 6 && (await wrong()).code !== 11002; tries++);
    const right = await login(wang)
    expect(right).toMatchObject({ status: 429, code: 11002, msg: '尝试次数过多，请15分钟后再试' })
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(800)
    // The owner at home is another network.
    expect((await login(wang, '198.51.100.9')).status).toBe(200)
    await sql`update login_failure set window_ends_at = now()`.execute(here.database.db)
    expect((await login(wang)).status).toBe(200)
  })

  test('the right password takes the count back', async () => {
    for (let i = 0; i < 4; i++) await wrong()
    expect((await login(wang)).status).toBe(200)
    for (let i = 0; i < 4; i++) expect((await wrong()).code).toBe(11001)
  })

  test('31 wrong passwords for an account that somebody made up shut nobody of that network out', async () => {
    const codes: number[] = []
    for (let i = 0; i < 31; i++) {
      codes.push((await login({ account: 'nobody@example.cn', password: 'wrong' }, `203.0.113.${i + 1}`)).code)
    }
    expect(codes).toEqual([...Array(5).fill(11001), ...Array(26).fill(11002)])
    expect((await login(wang)).code).toBe(0)
  })

  test('after thirty wrong ones over many accounts a network is asked for the human check; a known device is not', async () => {
    const fingerprint = 'desktop-firefox-linux-00aa11bb'
    expect((await ask('POST', byPassword, { body: wang, fingerprint, from: '198.51.100.9' })).code).toBe(0)
    const tiredOut = async (neighbour: (i: number) => string) => {
      for (let i = 0; i < 30; i++) {
        expect((await login({ account: `guess${i}@example.cn`, password: 'wrong' }, neighbour(i))).code).toBe(11001)
      }
    }
    const solve = async () => solved((await ask<HumanCheck>('GET', '/v1/human-check')).data)
    for (const [neighbour, from, elsewhere] of [
      [(i: number) => `203.0.113.${i + 1}`, '203.0.113.77', '198.51.100.9'],
      [(i: number) => `2001:db8:1:2::${i + 1}`, '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
    ] as const) {
      await tiredOut(neighbour)
      expect(await login(wang, from)).toMatchObject({ status: 429, code: 40030, msg: '请先完成人机验证' })
      expect((await ask('POST', byPassword, { body: wang, fingerprint, from })).code).toBe(0)
      const humanCheck = await solve()
      expect((await ask('POST', byPassword, { body: wang, from, humanCheck })).code).toBe(0)
      // It is good once, and a wrong password is wrong with it too.
      expect((await ask('POST', byPassword, { body: wang, from, humanCheck })).code).toBe(40030)
      const guess = { body: { ...wang, password: 'wrong' }, from, humanCheck: await solve() }
      expect((await ask('POST', byPassword, guess)).code).toBe(11001)
      expect((await login(wang, elsewhere)).code).toBe(0)
    }
  })

  test('neither right passwords nor the refusals of other rules count against a network', async () => {
    for (let i = 0; i < 29; i++) await login({ account: `guess${i}@example.cn`, password: 'wrong' })
    for (let i = 0; i < 3; i++) expect((await login(wang)).code).toBe(0)
    await sql`insert into login_failure select key, 5, now() + interval '1 hour' from (select sha256(('account' || chr(10) || ${here.wangId}::text || chr(10) || '203.0.113')::bytea) as key) k`.execute(
      here.database.db,
    )
    for (let i = 0; i < 3; i++) expect((await wrong()).code).toBe(11002)
    expect((await login({ account: 'guess@example.cn', password: 'wrong' })).code).toBe(11001)
    expect((await login({ account: 'guess@example.cn', password: 'wrong' })).code).toBe(40030)
  })
})

test('of 500 logins at once those beyond the queue, or the places of the api, hear so at once, and other calls go on', async () => {
  const { data } = await login(wang, '198.51.100.200')
  const since = performance.now()
  const all = Promise.all(
    Array.from({ length: 500 }, async (_, i) => {
      const { code } = await login(wang, `198.51.${i >> 2}.7`)
      return { code, ms: performance.now() - since }
    }),
  )
  expect((await info(data.access_token)).code).toBeOneOf([0, 40102])
  const between = performance.now() - since
  const answers = await all
  const refused = answers.filter(({ code }) => code === 50301 || code === 50302)
  expect(refused.length).toBeGreaterThanOrEqual(500 - 2 - 64)
  expect(answers.filter(({ code }) => ![0, 11002, 40030, 50301, 50302].includes(code))).toEqual([])
  expect(between).toBeLessThan(Math.max(...answers.map(({ ms }) => ms)))
})

test('the owner hears by e-mail of a login on a device that was never seen, once', async () => {
  const from = (fingerprint: string) => ask<TokenData>('POST', byPassword, { body: wang, fingerprint })
  const messages = () =>
    here.database.db
      .selectFrom('message')
      .select('id')
      .execute()
      .then(({ length }) => length)
  await login(wang)
  const before = await messages()
  await from('mobile-safari-ios-never-seen-1')
  expect(await messages()).toBe(before + 1)
  await from('mobile-safari-ios-never-seen-1')
  expect(await messages()).toBe(before + 1)
})

describe('guessing from everywhere', () => {
  const device = 'desktop-chrome-windows-0011223344556677'
  const wrong = (i: number) =>
    ask('POST', byPassword, {
      body: { account: wang.account, password: `wrong ${i}` },
      from: `198.${18 + (i % 2)}.${Math.floor(i / 10)}.${i % 250}`,
    })
  // A busy server has said nothing about the password: asked again, as a guesser would.
  const guess = async (i: number) => {
    for (let tries = 1; ; tries++) {
      const { code } = await wrong(i)
      if (code !== 50301 || tries === 5) return code
    }
  }
  const home = () => ask<TokenData>('POST', byPassword, { body: wang, from: '203.0.113.99', fingerprint: device })

  test('of 1,000 wrong passwords from 200 addresses at most 100 are looked at, and the owner’s own device still gets in', async () => {
    expect((await home()).status).toBe(200)
    const codes: number[] = []
    for (let i = 0; i < 1_000; i += 20) codes.push(...(await Promise.all(Array.from({ length: 20 }, (_, k) => guess(i + k)))))
    expect(new Set(codes)).toEqual(new Set([11001, 40030]))
    expect(codes.filter((code) => code === 11001).length).toBeLessThanOrEqual(100)
    expect((await home()).status).toBe(200)
    // The same browser without its mark is one of the crowd.
    expect((await login(wang, '203.0.113.98')).code).toBe(40030)
  })

  test('a device that is not known gets in with the human check while others guess, and without it is asked for one', async () => {
    for (let i = 0; i < 22; i++) await guess(i)
    expect(await login(wang, '203.0.113.98')).toMatchObject({ status: 429, code: 40030 })
    const humanCheck = await solved((await ask<HumanCheck>('GET', '/v1/human-check')).data)
    expect((await ask('POST', byPassword, { body: wang, from: '203.0.113.98', humanCheck })).code).toBe(0)
  })

  test('after a hundred in a row only a new password opens the account to devices that are not known', async () => {
    expect((await home()).status).toBe(200)
    const waits = () =>
      sql`delete from login_failure where failures < 100 and window_ends_at < now() + interval '1 year'`.execute(here.database.db)
    for (let i = 0; i < 100; i++) {
      expect(await guess(i)).toBe(11001)
      await waits()
    }
    const closed = await login(wang)
    expect(closed).toMatchObject({ status: 429, code: 11002, msg: '尝试次数过多，请通过“忘记密码”设置新密码后登录' })
    await waits()
    // A new password forgets the row of failures, as this does.
    await forgetAttempts(here.database.db, here.wangId)
    expect((await login(wang)).status).toBe(200)
  })
})

describe('who was shut out by the operator', () => {
  const disabled = (at: 'now()' | 'null') =>
    sql`update app_user set disabled_at = ${sql.raw(at)} where id = ${here.wangId}`.execute(here.database.db)

  test('is logged out at once, and told only after the right password', async () => {
    const { data } = await login(wang)
    await disabled('now()')
    expect(await info(data.access_token)).toMatchObject({ status: 401, code: 40102 })
    expect(await refresh(data)).toMatchObject({ status: 401, code: 40102 })
    expect(await login(wang)).toMatchObject({ status: 400, code: 11001, msg: '该账号已停用，如有疑问请联系客服' })
    expect(await login({ ...wang, password: 'wrong' })).toMatchObject({ status: 400, code: 11001, msg: '账号或密码错误' })
    await disabled('null')
    expect((await login(wang)).status).toBe(200)
  })
})
