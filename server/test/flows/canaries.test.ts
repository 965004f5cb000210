import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notifyPath, type TokenData } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { unsealFor } from '../../src/base/secret.ts'
import type { AppContext } from '../../src/context/app-context.ts'
import type { Message } from '../../src/message/queue.ts'
import { messageUse } from '../../src/message/queue.ts'
import { messageSender } from '../../src/message/send.ts'
import { refundOrder } from '../../src/payment/administration.ts'
import { paymentDeps } from '../../src/payment/payment-deps.ts'
import { doDue } from '../../src/payment/payment-jobs.ts'
import { setPassword } from '../../src/user/administration.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { changeSecret } from '../fixtures/make-tables.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { testWorld } from '../fixtures/world.ts'
import { type PayNotice, type PayStandIn, payStandIn } from '../stand-ins/pay-stand-in.ts'
import { makePayKeys } from '../stand-ins/pay-stand-in-keys.ts'

// Secrets that occur nowhere else are driven through every account call and through paying, right and wrong. None may turn up in a log, in an answer that
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
  payV3Key: 'canaryPayApiV3Key-32-characters0',
  payAppSecret: 'canaryPayAppSecret22ee',
  payCode: 'canaryPayerCode33ff',
}
const payKeys = { ...makePayKeys(), v3Key: canaries.payV3Key }
/** Found out on the way: codes and tokens. */
const found: Record<string, string> = {}
const person = { mobile: '13912345678', email: 'canary.person@example.cn' }

let database: TestDatabase
let context: AppContext
let logged: string[]
let app: FastifyInstance
let dataDir: string
let standIn: PayStandIn
const refusals: string[] = []
/** Wherever the api knows a path: its own headers and what it sends. */
const headers: string[] = []

beforeAll(async () => {
  database = await testDatabase()
  await changeSecret(database.db, canaries.secretKey)
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-canary-'))
  const nowhere = 'http://127.0.0.1:1'
  standIn = await payStandIn({ keys: payKeys, notifyUrl: nowhere + notifyPath })
  standIn.courier = () => 'hold'
  ;({ context, logged } = testWorld(database, {
    now: () => new Date(),
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
      wechatPay: standIn.settings({ notifyUrl: nowhere + notifyPath, appSecret: canaries.payAppSecret }),
    },
  }))
  app = await buildApp(context)
})

afterAll(async () => {
  await app.close()
  await standIn.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, token?: string, agent?: string) {
  const answer = await app.inject({
    method,
    url,
    headers: {
      'content-type': 'application/json',
      'x-fingerprint': 'desktop-chrome-windows-0011',
      ...(token && { 'access-token': token }),
      ...(agent && { 'user-agent': agent }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  headers.push(JSON.stringify(answer.headers))
  if (answer.statusCode !== 200) refusals.push(answer.body)
  return { status: answer.statusCode, ...(answer.json() as { code: number; data: T }) }
}

const agentOfWechat = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36 MicroMessenger/8.0.50'

/** Orders that are paid, refused, left unclear and cancelled, notices that are right and wrong, a refund. */
async function buy(token: string): Promise<void> {
  const plan_id = await insertPlan(database.db)
  const order = async () => (await ask<{ order_id: string }>('POST', '/v1/vip/subscription/order', { plan_id }, token)).data.order_id
  const open = async (order_id: string) => ask<{ code_url: string }>('POST', '/v1/payment/wechat/native/process', { order_id }, token)
  const notify = async ({ headers, body }: PayNotice) => {
    const answer = await app.inject({ method: 'POST', url: notifyPath, headers, payload: body })
    if (answer.statusCode !== 204) refusals.push(answer.body)
    return answer.statusCode
  }
  const first = await order()
  standIn.troubles.push({ status: 400, code: 'PARAM_ERROR' })
  expect((await open(first)).code).toBe(31009)
  for (const trouble of ['signed by another', 'unsigned', 'changed', 'page', 'hang up'] as const) {
    standIn.troubles.push(trouble)
    expect((await open(first)).code).toBe(31007)
  }
  const { code_url } = (await open(first)).data
  const { otn } = standIn.find(code_url)!
  expect(standIn.pay(otn)).toBe(true)
  const notice = standIn.noticeOf(otn)
  expect(await notify({ ...notice, body: notice.body.replace('TRANSACTION', 'transaction') })).toBe(401)
  expect(await notify({ ...notice, headers: { ...notice.headers, 'wechatpay-signature': payKeys.v3Key } })).toBe(401)
  expect(await notify(standIn.noticeOf(otn, { amount: { total: 1, payer_total: 1, currency: 'CNY' } }))).toBe(204)
  expect(await notify(notice)).toBe(204)
  expect((await ask<{ status: number }>('GET', `/v1/order/${first}`, undefined, token)).data.status).toBe(6)
  await refundOrder(database.db, first, { amountFen: null, keepDays: false })
  const second = await order()
  // WeChat cannot be asked who pays; the code and the secret are in the address that it is asked by.
  const jsapi = { order_id: second, code: canaries.payCode }
  expect((await ask('POST', '/v1/payment/wechat/jsapi/process', jsapi, token, agentOfWechat)).status).not.toBe(200)
  await ask('DELETE', `/v1/order/${second}`, undefined, token)
  for (const trouble of ['busy', 'page'] as const) {
    standIn.troubles.push(trouble)
    await doDue(paymentDeps(database.db, context)!)
  }
}

/** The code of the newest message on its way to somebody. */
async function codeTo(to: string, name: string): Promise<string> {
  const rows = await database.db.selectFrom('message').select('sealed').orderBy('id', 'desc').execute()
  const messages = rows.map(({ sealed }) => JSON.parse(unsealFor(context.config, messageUse, sealed) ?? '{}') as Message)
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

test('successful and failed account calls leave no secret in logs, rows or answers', async () => {
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
  await buy(token)
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
  const send = messageSender({ db: database.db, config: context.config, log: (event, details) => context.log.warn(details, event) })
  for (const { id } of await database.db.selectFrom('message').select('id').execute())
    await send(id).catch((error: unknown) => context.log.error({ err: error }, 'job failed'))
  await sql`alter table login_record rename to login_record_away`.execute(database.db)
  expect((await login(mobile, canaries.newPassword)).status).toBe(500)
  await sql`alter table login_record_away rename to login_record`.execute(database.db)
  const { rows } = await sql<{ id: string }>`select id from app_user where id = (select user_id from user_contact limit 1)`.execute(
    database.db,
  )
  await setPassword(context, rows[0]?.id ?? '', canaries.operatorPassword)
  await ask('DELETE', '/v1/authorize/access-token', undefined, last.access_token)

  // Codes have six digits: as a word of their own, so that no part of an id or a time is taken for one.
  const needles = [
    // A line of it will do: of a text in JSON its ends are not the same.
    ['payPrivateKey', new RegExp(payKeys.merchant.privateKey.split('\n')[5]!.replace(/[+]/g, '\\+'))] as const,
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
