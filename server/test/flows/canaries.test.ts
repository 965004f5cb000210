import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TokenData } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { Message } from '../../src/message/queue.ts'
import { messageUse } from '../../src/message/queue.ts'
import { messageSender } from '../../src/message/send.ts'
import { unsealFor } from '../../src/secret.ts'
import { setPassword } from '../../src/user/administration.ts'
import type { World } from '../../src/world.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { testWorld } from '../world.ts'

// Secrets that occur nowhere else are driven through every account call, right and wrong. None may turn up in a log, in an answer that
// refuses, or as text in any table, the queue's and the audit's included (G20).

const canaries = {
  secretKey: 'canary-secret-key-8d1f4b7a9c2e5f60-long-enough',
  smtp: 'canarySmtpPassword77aa',
  sms: 'canarySmsAccessKeySecret88bb',
  wechat: 'canaryWechatAppSecret99cc',
  wechatCode: 'canaryWechatCode11dd',
  password: 'canary-password-甲乙丙丁',
  newPassword: 'canary-new-password-戊己庚辛',
  wrongPassword: 'canary-wrong-password-壬癸',
  operatorPassword: 'canary-operator-password-子丑',
  misplaced: 'canary-password-in-the-account-field',
}
/** Found out on the way: codes and tokens. */
const found: Record<string, string> = {}
const person = { mobile: '13912345678', email: 'canary.person@example.cn' }

let database: TestDatabase
let world: World
let logged: string[]
let app: FastifyInstance
let dataDir: string
const refusals: string[] = []
/** Wherever the api knows a path: its own headers and what it sends. */
const headers: string[] = []

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-canary-'))
  const nowhere = 'http://127.0.0.1:1'
  ;({ world, logged } = testWorld(database, {
    config: {
      dataDir,
      secretKey: canaries.secretKey,
      smtpUrl: `smtp://user:${canaries.smtp}@127.0.0.1:1`,
      sms: {
        endpoint: nowhere,
        accessKeyId: 'id',
        accessKeySecret: canaries.sms,
        signName: '凸度',
        codeTemplate: 'SMS_1',
        noticeTemplate: null,
      },
      wechat: { appId: 'wx1', appSecret: canaries.wechat, openUrl: nowhere, apiUrl: nowhere, requireState: false },
    },
  }))
  app = await buildApp(world)
})

afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, token?: string) {
  const answer = await app.inject({
    method,
    url,
    headers: {
      'content-type': 'application/json',
      'x-fingerprint': 'desktop-chrome-windows-0011',
      ...(token && { 'access-token': token }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  headers.push(JSON.stringify(answer.headers))
  if (answer.statusCode !== 200) refusals.push(answer.body)
  return { status: answer.statusCode, ...(answer.json() as { code: number; data: T }) }
}

/** The code of the newest message on its way to somebody. */
async function codeTo(to: string, name: string): Promise<string> {
  const rows = await database.db.selectFrom('message').select('sealed').orderBy('id', 'desc').execute()
  const messages = rows.map(({ sealed }) => JSON.parse(unsealFor(world.config, messageUse, sealed) ?? '{}') as Message)
  const code = messages.find((one) => one.to === to && one.code)?.code
  if (!code) throw new Error(`no code to ${to}`)
  found[name] = code
  // The next may be sent at once.
  await sql`delete from code_send`.execute(database.db)
  return code
}

const tokensOf = (name: string, data: TokenData) => {
  found[`${name} access`] = data.access_token
  found[`${name} refresh`] = data.refresh_token
  return data
}
const login = (account: string, password: string) => ask<TokenData>('POST', '/v1/authorize/access-token/by-password', { account, password })
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('no secret is found where none belongs, after every account call went right and wrong', async () => {
  const { mobile, email } = person
  expect((await ask('GET', `/v1/user/${mobile}/register-code?channel=sms`)).status).toBe(200)
  const code = await codeTo(mobile, 'register code')
  const registration = { target: mobile, password: canaries.password, agree: true }
  expect((await ask('POST', '/v1/user/by-register', { ...registration, verification_code: wrongCode(code) })).code).toBe(11003)
  const first = await ask<TokenData>('POST', '/v1/user/by-register', { ...registration, verification_code: code })
  expect(first.status).toBe(200)
  const registered = tokensOf('register', first.data)

  expect((await login(mobile, canaries.wrongPassword)).code).toBe(11001)
  expect((await login(canaries.misplaced, canaries.password)).code).toBe(11001)
  const second = tokensOf('login', (await login(mobile, canaries.password)).data)
  const third = tokensOf(
    'refreshed',
    (await ask<TokenData>('PUT', '/v1/authorize/access-token', { refresh_token: second.refresh_token, access_token: second.access_token }))
      .data,
  )
  for (const body of [
    `{"account":"${mobile}","password":"${canaries.password}"`,
    { account: mobile, password: canaries.password, code: canaries.misplaced },
    { account: { $ne: 1 }, password: [canaries.password] },
  ]) {
    expect((await ask('POST', '/v1/authorize/access-token/by-password', body)).status).toBe(400)
  }
  await ask('POST', `/v1/authorize/access-token/by-password?password=${canaries.password}`, {})
  await ask('GET', `/v1/none/${encodeURIComponent(canaries.password)}?token=${third.access_token}`)
  await ask('GET', '/v1/user/info', undefined, `${third.access_token}x`)

  const token = third.access_token
  await ask('POST', '/v1/user/re-auth', { password: canaries.wrongPassword }, token)
  expect((await ask('POST', '/v1/user/re-auth', { password: canaries.password }, token)).status).toBe(200)
  await ask('PUT', '/v1/user/info', { nickname: '甲', password: canaries.password }, token)
  expect((await ask('GET', `/v1/user/email/activation?email=${email}`, undefined, token)).status).toBe(200)
  const activation = await codeTo(email, 'activation code')
  await ask('POST', '/v1/user/email/activation', { activation_code: wrongCode(activation) }, token)
  expect((await ask('POST', '/user/email/activation', { activation_code: activation }, token)).status).toBe(200)
  await ask('GET', '/v1/user/mobile/modification/13912345679', undefined, token)
  await codeTo('13912345679', 'mobile code')
  await ask(
    'POST',
    '/v1/user/mobile/modification',
    { new_mobile: '13912345679', new_verification_code: found['mobile code'], old_verification_code: '' },
    token,
  )
  for (const url of ['/v1/authorize/access-token/by-wechat-web', '/v1/user/wechat-web-credential']) {
    expect((await ask('POST', url, { code: canaries.wechatCode }, token)).status).not.toBe(200)
  }
  await ask('POST', `/v1/user/${mobile}/bind-wechat`, {
    wx_openid: found['login access'],
    wx_unionid: canaries.wechatCode,
    verification_code: code,
  })
  expect((await ask('GET', '/v1/user/export', undefined, token)).status).toBe(200)
  expect((await ask('DELETE', '/v1/user', undefined, token)).status).toBe(200)
  await ask('POST', '/v1/user/restore', undefined, token)

  expect((await ask('GET', `/v1/user/${mobile}/reset-code?channel=sms`)).status).toBe(200)
  const reset = await codeTo(mobile, 'reset code')
  await ask('POST', `/v1/user/${mobile}/new-password`, { verification_code: wrongCode(reset), new_password: canaries.newPassword })
  expect(
    (await ask('POST', `/v1/user/${mobile}/new-password`, { verification_code: reset, new_password: canaries.newPassword })).status,
  ).toBe(200)
  await ask('PUT', '/v1/authorize/access-token', { refresh_token: registered.refresh_token, access_token: registered.access_token })
  const last = tokensOf('last', (await login(mobile, canaries.newPassword)).data)

  // Vendors that cannot be reached, a database that breaks in the middle of a login, an operator.
  const send = messageSender({ db: database.db, config: world.config, log: (event, details) => world.log.warn(details, event) })
  for (const { id } of await database.db.selectFrom('message').select('id').execute())
    await send(id).catch((error: unknown) => world.log.error({ err: error }, 'job failed'))
  await sql`alter table login_record rename to login_record_away`.execute(database.db)
  expect((await login(mobile, canaries.newPassword)).status).toBe(500)
  await sql`alter table login_record_away rename to login_record`.execute(database.db)
  const { rows } = await sql<{ id: string }>`select id from app_user where id = (select user_id from user_contact limit 1)`.execute(
    database.db,
  )
  await setPassword(world, rows[0]?.id ?? '', canaries.operatorPassword)
  await ask('DELETE', '/v1/authorize/access-token', undefined, last.access_token)

  // Codes have six digits: as a word of their own, so that no part of an id or a time is taken for one.
  const needles = [
    ...Object.entries(canaries).map(([name, secret]) => [name, new RegExp(secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))] as const),
    ...Object.entries(found).map(
      ([name, secret]) => [name, /^\d+$/.test(secret) ? new RegExp(`(?<![\\w.+-])${secret}(?![\\w.+-])`) : new RegExp(secret)] as const,
    ),
  ]
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(['register code', 'activation code', 'reset code', 'login refresh', 'last access']),
  )
  const people = Object.entries(person).map(([name, value]) => [name, new RegExp(value.replaceAll('.', '\\.'))] as const)
  const places = { logs: logged.join('\n'), refusals: refusals.join('\n'), headers: headers.join('\n'), tables: await textOfAllTables() }
  expect(logged.length).toBeGreaterThan(30)
  expect(refusals.length).toBeGreaterThan(15)
  const hits = Object.entries(places).flatMap(([place, text]) =>
    [...needles, ...people].filter(([, needle]) => needle.test(text)).map(([name]) => `${name} in ${place}`),
  )
  expect(hits).toEqual([])
  for (const secret of Object.values(found).filter((one) => one.length > 6)) {
    expect(places.tables).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

/** Every row of every table of every schema of ours, bytes as hex. */
async function textOfAllTables(): Promise<string> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(database.db)
  expect(rows.some(({ schema }) => schema === 'pgboss')).toBe(true)
  const texts: string[] = []
  for (const { schema, name } of rows) {
    const all = await sql<{
      text: string | null
    }>`select string_agg(t::text, ' ') as text from ${sql.table(`${schema}.${name}`)} t`.execute(database.db)
    texts.push(all.rows[0]?.text ?? '')
  }
  return texts.join('\n')
}
