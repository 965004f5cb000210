import type { Envelope, HumanCheck, SentCode, TokenData, User, WechatCredential, WechatTickets } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { solved } from '../../test/fixtures/human-check.ts'
import { messagesTo } from '../../test/fixtures/messages.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { people, type Trouble, type WechatStandIn, wechatStandIn } from '../../test/stand-ins/wechat-stand-in.ts'
import { buildApp } from '../app.ts'
import type { AppContext } from '../context/app-context.ts'
import { readAddress } from './addresses.ts'
import { bindAddress, createUser } from './contacts.ts'
import { demoAccount } from './guests.ts'
import { hashPassword } from './passwords.ts'
import { routes } from './routes.ts'
import { issueTickets } from './wechat-tickets.ts'

const wang = { mobile: '13800138000', email: 'wang@example.cn', password: '一个够长的密码' }
const li = { mobile: '13900139000', password: '另一个够长的密码' }

let database: TestDatabase
let wechat: WechatStandIn
let context: AppContext
let logged: string[]
let app: FastifyInstance
let wangId: string

const settings = (more: object = {}) => ({
  appId: wechat.appId,
  appSecret: wechat.appSecret,
  openUrl: wechat.url,
  apiUrl: wechat.url,
  requireState: false,
  ...more,
})

beforeAll(async () => {
  database = await testDatabase()
  wechat = await wechatStandIn()
  ;({ context, logged } = testWorld(database, { config: { wechat: settings() } }))
  app = await buildApp(context, [routes])
})

beforeEach(async () => {
  for (const table of ['app_user', 'used_once', 'verification_code', 'code_send', 'login_failure', 'message'])
    await sql`delete from ${sql.table(table)}`.execute(database.db)
  wangId = await makeUser(wang)
  await makeUser(li)
})

afterAll(async () => {
  await app.close()
  await wechat.close()
  await database.drop()
})

const hashes = new Map<string, string>()

async function makeUser({ mobile, email, password }: { mobile: string; email?: string; password: string }): Promise<string> {
  const passwordHash = hashes.get(password) ?? (await hashPassword(password))
  hashes.set(password, passwordHash)
  return context.db.transaction().execute(async (transaction) => {
    const address = readAddress(mobile)
    const id = (await createUser(transaction, context.config, { address, passwordHash, agreed: 'test' })) ?? ''
    if (email) await bindAddress(transaction, context.config, id, readAddress(email))
    return id
  })
}

interface Given {
  body?: object
  token?: string
  cookie?: string
  headers?: Record<string, string>
}

async function ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, { body, token, cookie, headers }: Given = {}, to = app) {
  const sent = { ...(token ? { 'access-token': token } : {}), ...(cookie ? { cookie } : {}), ...headers }
  const answer = await to.inject({ method, url, headers: sent, ...(body ? { payload: body } : {}) })
  const { code, msg, data } = answer.json<Envelope<T>>()
  return { status: answer.statusCode, code, msg, data }
}

const byWechat = (body: object, given: Given = {}, to = app) =>
  ask<TokenData & WechatTickets>('POST', '/v1/authorize/access-token/by-wechat-web', { ...given, body }, to)
const scan = (person: keyof typeof people) => byWechat({ code: wechat.scan(person) })
const login = async ({ mobile, password }: { mobile: string; password: string }) =>
  (await ask<TokenData>('POST', '/v1/authorize/access-token/by-password', { body: { account: mobile, password } })).data.access_token
const reAuth = (token: string, password: string) => ask('POST', '/v1/user/re-auth', { token, body: { password } })
const info = (token: string) => ask<User>('GET', '/v1/user/info', { token })
const list = async (token: string) =>
  (await ask<{ list_items: WechatCredential[] }>('GET', '/v1/user/wechat-web-credential/list', { token })).data.list_items
const bindOwn = (token: string, code: string) =>
  ask<{ bound: true; nickname: string }>('POST', '/v1/user/wechat-web-credential', { token, body: { code } })
const tickets = async (person: keyof typeof people) => {
  const { data } = await scan(person)
  return { wx_openid: data.wx_openid, wx_unionid: data.wx_unionid }
}
/** Asks for a code and reads it where it was queued. Limits are not of interest here. */
const codeFor = async (target: string) => {
  await sql`delete from code_send`.execute(database.db)
  const sent = await ask<SentCode>('GET', `/v1/user/${target}/bind-wechat-code`)
  expect(sent).toMatchObject({ status: 200, data: { expire_in: 300, retry_after: 60 } })
  return (await messagesTo(context, target)).at(-1)?.code ?? ''
}
const bind = (target: string, body: object) => ask<TokenData>('POST', `/v1/user/${target}/bind-wechat`, { body })

describe('who scans for the first time', () => {
  test('gets tickets, binds them to the account of their mobile, and is in; the second scan is a login', async () => {
    const first = await scan('A')
    expect(first).toMatchObject({ status: 409, code: 11021, msg: '该微信尚未绑定账号', data: { expire_in: 600 } })
    const { wx_openid, wx_unionid } = first.data
    const bound = await bind(wang.mobile, { wx_openid, wx_unionid, verification_code: await codeFor(wang.mobile) })
    expect(bound).toMatchObject({ status: 200, data: { token_type: 'bearer', user: { user_id: wangId, wechat_bound: true } } })
    const second = await scan('A')
    expect(second).toMatchObject({ status: 200, code: 0, data: { user: { user_id: wangId } } })
    expect((await info(second.data.access_token)).data.mobile_masked).toBe('138****8000')
    const records = await ask<{ list_items: { method: string }[] }>('GET', '/v1/user/login-records', { token: second.data.access_token })
    expect(records.data.list_items.map(({ method }) => method)).toEqual(['wechat', 'wechat'])
  })

  test.each([['13700137000'], ['neu@example.cn']])('without an account of %s gets one, without a password', async (target) => {
    const bound = await bind(target, { ...(await tickets('B')), verification_code: await codeFor(target) })
    expect(bound).toMatchObject({ status: 200, data: { user: { wechat_bound: true } } })
    const row = await database.db.selectFrom('app_user').selectAll().where('id', '=', bound.data.user!.user_id).executeTakeFirst()
    expect(row).toMatchObject({ password_hash: null, consented_at: expect.any(Date) })
    expect((await scan('B')).data.user?.user_id).toBe(bound.data.user?.user_id)
    const guess = { account: target, password: 'undefined' }
    expect((await ask('POST', '/v1/authorize/access-token/by-password', { body: guess })).code).toBe(11001)
  })

  test('a WeChat without a unionid is known by its openid; a strange name is not shown', async () => {
    const token = await login(wang)
    expect(await bindOwn(token, wechat.scan('C'))).toMatchObject({ status: 200, data: { bound: true, nickname: '微信用户' } })
    expect((await scan('C')).data.user?.user_id).toBe(wangId)
    expect((await list(token))[0]).toMatchObject({ wx_openid: 'oSta****CCCC', wx_unionid: null })
  })

  test('another application of the same operator: the unionid finds the account', async () => {
    await bindOwn(await login(wang), wechat.scan('A'))
    await sql`update wechat_credential set openid_index = '\\x00'`.execute(database.db)
    expect((await scan('A')).data.user?.user_id).toBe(wangId)
  })
})

describe('what is known of a WeChat follows each scan', () => {
  const idOf = (person: 'A' | 'B' | 'C', identity: Partial<{ openid: string; unionid: string | null }>) => wechat.becomes(person, identity)
  const ofC = { openid: people.C.openid, unionid: null }

  test('a unionid that comes later is kept, so that another application finds the account', async () => {
    await bindOwn(await login(wang), wechat.scan('C'))
    idOf('C', { unionid: 'uStandIn-CCCCCCCCCCCCCCCCCCC' })
    expect((await scan('C')).data.user?.user_id).toBe(wangId)
    idOf('C', { openid: 'oOtherApp-CCCCCCCCCCCCCCCCC' })
    expect((await scan('C')).data.user?.user_id).toBe(wangId)
    // The new openid is kept too: now it alone finds the account, and a scan without the unionid takes nothing away.
    idOf('C', { unionid: null })
    expect((await scan('C')).data.user?.user_id).toBe(wangId)
    expect(await list(await login(wang))).toMatchObject([{ wx_openid: 'oOth****CCCC', wx_unionid: 'uSta****CCCC' }])
    idOf('C', ofC)
  })

  test('what belongs to another account is left there, and logged', async () => {
    await bindOwn(await login(wang), wechat.scan('C'))
    await bindOwn(await login(li), wechat.scan('A'))
    const before = logged.length
    // The unionid is found first: the scan opens the other account, whose openid is not taken from the first.
    idOf('C', { unionid: people.A.unionid })
    const opened = (await scan('C')).data.user?.user_id
    expect(opened).not.toBe(wangId)
    expect(logged.slice(before).join()).toContain('WeChat known at two accounts')
    idOf('C', ofC)
    expect((await scan('C')).data.user?.user_id).toBe(wangId)
    expect((await scan('A')).data.user?.user_id).toBe(opened)
  })
})

describe('codes of WeChat', () => {
  test('fifty at once with one code are one login', async () => {
    await bindOwn(await login(wang), wechat.scan('A'))
    const code = wechat.scan('A')
    const before = wechat.calls()
    const codes = (await Promise.all(Array.from({ length: 50 }, () => byWechat({ code })))).map((answer) => answer.code)
    expect(codes.filter((one) => one === 0)).toHaveLength(1)
    expect(codes.filter((one) => one === 11020)).toHaveLength(49)
    expect(wechat.calls() - before).toBe(2)
  })

  test('made up, empty or expired', async () => {
    expect(await byWechat({ code: 'made-up' })).toMatchObject({ status: 400, code: 11020, data: null })
    expect(await byWechat({ code: '' })).toMatchObject({ status: 400, code: 40000 })
    const code = wechat.scan('A')
    wechat.later(301)
    expect((await byWechat({ code })).code).toBe(11020)
  })

  test.each<[Trouble]>([['busy'], ['silence'], ['hang up'], ['page'], ['no json'], ['redirect']])(
    'WeChat in trouble: %s',
    async (trouble) => {
      wechat.troubles.push(trouble)
      expect(await scan('A')).toMatchObject({ status: 503, code: 11024, msg: '微信服务暂时不可用，请稍后重试', data: null })
    },
  )

  test('our own wrong settings are WeChat’s refusal, told to the operator', async () => {
    for (const wrong of [{ appSecret: 'wrong' }, { appId: 'wrong' }, { apiUrl: 'http://127.0.0.1:1' }]) {
      const other = testWorld(database, { config: { wechat: settings(wrong) } })
      const to = await buildApp(other.context, [routes])
      expect((await byWechat({ code: wechat.scan('A') }, {}, to)).code).toBe(11024)
      expect(other.logged.join()).toMatch(/wechat (refuses|does not answer)/)
      expect(other.logged.join()).not.toMatch(/wrong&|secret=/)
      await to.close()
    }
  })

  test('where no application is configured, nobody logs in by WeChat', async () => {
    const to = await buildApp(testWorld(database).context, [routes])
    expect(await byWechat({ code: 'x' }, {}, to)).toMatchObject({ status: 503, code: 11024, msg: '本站未开通微信登录' })
    await to.close()
  })
})

describe('the state of a scan', () => {
  const state = 'a-state-of-this-browser-1'
  const cookie = `theme=dark; __Host-wxs=${state}; other=1`

  test.each([
    ['its own', { state }, cookie, 11021, 11021],
    ['another browser’s', { state: 'a-state-of-an-attacker-1' }, cookie, 11020, 11020],
    ['none in the call', {}, cookie, 11021, 11020],
    ['none in the browser', { state }, undefined, 11021, 11020],
    ['none at all', {}, undefined, 11021, 11020],
  ])('%s', async (_name, body, sent, open, strict) => {
    const given = sent === undefined ? {} : { cookie: sent }
    expect((await byWechat({ code: wechat.scan('A'), ...body }, given)).code).toBe(open)
    const to = await buildApp(testWorld(database, { config: { wechat: settings({ requireState: true }) } }).context, [routes])
    expect((await byWechat({ code: wechat.scan('A'), ...body }, given, to)).code).toBe(strict)
    await to.close()
  })
})

describe('tickets', () => {
  test('WeChat’s own ids, halves in the wrong place, of two scans, or changed are refused', async () => {
    const one = await tickets('A')
    const two = await tickets('B')
    const verification_code = await codeFor(wang.mobile)
    const flipped = one.wx_openid.slice(0, -2) + (one.wx_openid.endsWith('A') ? 'BB' : 'AA')
    for (const [wx_openid, wx_unionid] of [
      [people.A.openid, people.A.unionid],
      [one.wx_unionid, one.wx_openid],
      [one.wx_openid, one.wx_openid],
      [one.wx_openid, two.wx_unionid],
      [flipped, one.wx_unionid],
      ['中', '文'],
    ])
      expect(await bind(wang.mobile, { wx_openid, wx_unionid, verification_code })).toMatchObject({ status: 400, code: 11023 })
    expect((await bind(wang.mobile, { ...one, verification_code })).status).toBe(200)
  })

  test('are good once', async () => {
    const used = await tickets('A')
    expect((await bind(wang.mobile, { ...used, verification_code: await codeFor(wang.mobile) })).status).toBe(200)
    expect((await bind(li.mobile, { ...used, verification_code: await codeFor(li.mobile) })).code).toBe(11023)
  })

  test('are good for ten minutes of the database’s clock', async () => {
    const identity = { ...people.A, avatarUrl: null }
    const verification_code = await codeFor(wang.mobile)
    for (const [seconds, code] of [
      [0, 11023],
      [5, 0],
    ] as const) {
      const { expire_in: _, ...body } = await issueTickets(context.db, context.config, identity, seconds)
      expect((await bind(wang.mobile, { ...body, verification_code })).code).toBe(code)
    }
  })

  test('a wrong code leaves them good, the sixth try does not', async () => {
    const good = await tickets('A')
    const right = await codeFor(wang.mobile)
    const wrong = right === '000000' ? '000001' : '000000'
    for (let i = 0; i < 4; i++) expect((await bind(wang.mobile, { ...good, verification_code: wrong })).code).toBe(11003)
    expect((await bind(wang.mobile, { ...good, verification_code: right })).status).toBe(200)
    expect((await bind(wang.mobile, { ...good, verification_code: right })).code).toBe(11003)
  })

  test('five bindings at once are one', async () => {
    const body = { ...(await tickets('A')), verification_code: await codeFor(wang.mobile) }
    const answers = await Promise.all(Array.from({ length: 5 }, () => bind(wang.mobile, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ code }) => [0, 11003, 11023].includes(code))).toBe(true)
  })
})

describe('conflicts', () => {
  test('a WeChat of another account is told to who holds the right code only', async () => {
    const given = await tickets('A')
    await bindOwn(await login(wang), wechat.scan('A'))
    expect((await bind(li.mobile, { ...given, verification_code: '000000' })).code).toBe(11003)
    expect(await bind(li.mobile, { ...given, verification_code: await codeFor(li.mobile) })).toMatchObject({ status: 409, code: 11022 })
    expect(await bindOwn(await login(li), wechat.scan('A'))).toMatchObject({ status: 409, code: 11022, msg: '该微信已绑定其他账号' })
  })

  test('two accounts that take one WeChat at once: one gets it', async () => {
    const [one, two] = [await login(wang), await login(li)]
    const codes = (await Promise.all([bindOwn(one, wechat.scan('A')), bindOwn(two, wechat.scan('A'))])).map(({ code }) => code)
    expect(codes.sort()).toEqual([0, 11022])
  })

  test('an account with a WeChat gets another one by re-authentication only; then all other logins end', async () => {
    const token = await login(wang)
    const elsewhere = await login(wang)
    await bindOwn(token, wechat.scan('A'))
    const code = wechat.scan('B')
    expect(await bindOwn(token, code)).toMatchObject({ status: 400, code: 11013 })
    expect(await bind(wang.mobile, { ...(await tickets('B')), verification_code: await codeFor(wang.mobile) })).toMatchObject({
      code: 11013,
    })
    await reAuth(token, wang.password)
    // Refused before the code was used: it is still good.
    expect(await bindOwn(token, code)).toMatchObject({ status: 200, data: { nickname: '乙同学' } })
    expect((await info(token)).status).toBe(200)
    expect((await info(elsewhere)).code).toBe(40102)
    expect((await scan('A')).code).toBe(11021)
    expect((await scan('B')).data.user?.user_id).toBe(wangId)
    expect((await messagesTo(context, wang.email)).map(({ purpose }) => purpose)).toEqual(['wechat_bound', 'wechat_bound'])
  })

  test('the same WeChat again changes nothing', async () => {
    const token = await login(wang)
    await bindOwn(token, wechat.scan('A'))
    await reAuth(token, wang.password)
    expect((await bindOwn(token, wechat.scan('A'))).status).toBe(200)
    expect((await bind(wang.mobile, { ...(await tickets('B')), verification_code: '000000' })).code).toBe(11003)
    expect(await list(token)).toHaveLength(1)
  })
})

describe('own credentials', () => {
  test('are listed without WeChat’s ids and unbound after re-authentication, by their owner alone', async () => {
    const token = await login(wang)
    const elsewhere = await login(wang)
    const other = await login(li)
    await bindOwn(token, wechat.scan('A'))
    const [own] = await list(token)
    expect(own).toEqual({
      id: expect.any(String),
      wx_openid: 'oSta****AAAA',
      wx_unionid: 'uSta****AAAA',
      nickname: '甲同学',
      avatar_url: null,
      bound_at: expect.stringMatching(/\+08:00$/),
    })
    expect(await list(other)).toEqual([])
    const remove = (by: string) => ask('DELETE', `/v1/user/wechat-web-credential/${own!.id}`, { token: by })
    expect((await remove(token)).code).toBe(11013)
    await reAuth(other, li.password)
    expect(await remove(other)).toMatchObject({ status: 404, code: 40004 })
    await reAuth(token, wang.password)
    expect(await remove(token)).toMatchObject({ status: 200, data: {} })
    expect(await remove(token)).toMatchObject({ status: 404, code: 40004 })
    expect((await info(token)).data.wechat_bound).toBe(false)
    expect((await info(elsewhere)).code).toBe(40102)
    expect((await scan('A')).code).toBe(11021)
  })

  test('need a login', async () => {
    for (const [method, path] of [
      ['GET', '/list'],
      ['POST', ''],
      ['DELETE', '/0198c0de-0000-7000-8000-000000000001'],
    ] as const)
      expect((await ask(method, `/v1/user/wechat-web-credential${path}`, method === 'POST' ? { body: { code: 'x' } } : {})).code).toBe(
        40100,
      )
  })

  test('a visitor of the demo has none', async () => {
    const { data } = await ask<TokenData>('POST', '/v1/authorize/access-token/by-password', { body: demoAccount })
    expect((await bindOwn(data.access_token, wechat.scan('A'))).code).toBe(25010)
  })

  test('an account that was shut is bound to none', async () => {
    await sql`update app_user set disabled_at = now() where id = ${wangId}`.execute(database.db)
    const bound = await bind(wang.mobile, { ...(await tickets('A')), verification_code: await codeFor(wang.mobile) })
    expect(bound).toMatchObject({ status: 400, code: 11001, msg: '该账号已停用，如有疑问请联系客服' })
    expect((await scan('A')).code).toBe(11021)
  })

  test('an account that was shut is not opened by WeChat', async () => {
    await bindOwn(await login(wang), wechat.scan('A'))
    await sql`update app_user set disabled_at = now() where id = ${wangId}`.execute(database.db)
    expect(await scan('A')).toMatchObject({ status: 400, code: 11001, msg: '该账号已停用，如有疑问请联系客服' })
  })
})

describe('asking for a bind code', () => {
  test('says the same whether the target has an account or not, and refuses what is none', async () => {
    const known = await ask('GET', `/v1/user/${wang.mobile}/bind-wechat-code?channel=sms`)
    const unknown = await ask('GET', '/v1/user/13800138001/bind-wechat-code?channel=sms')
    expect(known).toEqual({ ...unknown, data: { ...(unknown.data as object), sent_to: '138****8000' } })
    expect((await ask('GET', '/v1/user/12345/bind-wechat-code')).code).toBe(11006)
    expect((await ask('GET', `/v1/user/${wang.mobile}/bind-wechat-code?channel=email`)).code).toBe(40000)
  })

  test('once a minute, and not for another site’s picture', async () => {
    const path = `/v1/user/${wang.mobile}/bind-wechat-code`
    expect((await ask('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(400)
    expect((await ask('GET', path)).code).toBe(0)
    expect(await ask('GET', path)).toMatchObject({ status: 429, code: 11004 })
    expect(await messagesTo(context, wang.mobile)).toHaveLength(1)
  })
})

test('who makes codes up has WeChat asked 300 times in ten minutes, and keeps nobody from scanning', async () => {
  const before = wechat.calls()
  const heard = new Map<number, number>()
  for (let i = 0; i < 32; i++) {
    const some = await Promise.all(Array.from({ length: 10 }, (_, k) => byWechat({ code: `made-up-${i}-${k}` })))
    for (const { code } of some) heard.set(code, (heard.get(code) ?? 0) + 1)
  }
  expect(wechat.calls() - before).toBe(300)
  expect([...heard]).toEqual([
    [11020, 300],
    [40030, 20],
  ])
  // A neighbour shows that they are a person.
  const { data: work } = await ask<HumanCheck>('GET', '/v1/human-check')
  expect((await byWechat({ code: wechat.scan('A') }, { headers: { 'x-human-check': await solved(work) } })).code).toBe(11021)
  const elsewhere = await app.inject({
    ...{ method: 'POST', url: '/v1/authorize/access-token/by-wechat-web', remoteAddress: '203.0.113.7' },
    payload: { code: wechat.scan('A') },
  })
  expect(elsewhere.json()).toMatchObject({ code: 11021 })
})

test('neither the database nor the log holds WeChat’s ids, codes or secrets', async () => {
  const code = wechat.scan('A')
  await byWechat({ code })
  await bindOwn(await login(wang), wechat.scan('A'))
  const { rows } = await sql<{ text: string }>`
    select concat((select string_agg(w::text, ' ') from wechat_credential w), (select string_agg(u::text, ' ') from used_once u)) as text`.execute(
    database.db,
  )
  const kept = rows[0]!.text + logged.join('\n')
  for (const secret of [code, people.A.openid, people.A.unionid, wechat.appSecret])
    for (const shape of [secret, Buffer.from(secret).toString('hex')]) expect(kept).not.toContain(shape)
})
