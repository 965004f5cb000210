import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, TokenData, Website } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { type Api, type Process, startApiProcess, startWorkerProcess, until } from '../fixtures/processes.ts'
import { type AlibabaStandIn, alibabaStandIn } from '../stand-ins/alibaba-stand-in.ts'
import { type SmtpStandIn, smtpStandIn } from '../stand-ins/smtp-stand-in.ts'
import { type WechatStandIn, wechatStandIn } from '../stand-ins/wechat-stand-in.ts'

// An api and a worker as processes: with stand-ins for every vendor, and with none. Each story has its own, for they mostly wait.

let sms: AlibabaStandIn
let mail: SmtpStandIn
let wechat: WechatStandIn

const smsOf = ({ endpoint }: AlibabaStandIn) => ({
  SMS_ENDPOINT: endpoint,
  SMS_ACCESS_KEY_ID: 'key-id',
  SMS_ACCESS_KEY_SECRET: 'key-secret',
  SMS_SIGN_NAME: '凸度量化',
  SMS_CODE_TEMPLATE: 'SMS_1',
})
const alibaba = () => alibabaStandIn({ accessKeyId: 'key-id', accessKeySecret: 'key-secret' })

beforeAll(async () => {
  ;[sms, mail, wechat] = await Promise.all([alibaba(), smtpStandIn(), wechatStandIn()])
})

afterAll(async () => {
  await Promise.all([sms.close(), mail.close(), wechat.close()])
})

interface Ground {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly api: Api
  readonly worker: Process
  /** All that is stopped after the story. */
  readonly running: Process[]
}

/** An api and a worker for one story. */
async function withGround(more: Record<string, string>, story: (deps: Ground) => Promise<void>): Promise<void> {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-messages-'))
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...more }
  const [api, worker] = await Promise.all([startApiProcess(env), startWorkerProcess(env, database.db)])
  const running: Process[] = [api, worker]
  try {
    await story({ database, dataDir, env, api, worker, running })
  } finally {
    await Promise.all(running.map((one) => one.stop()))
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ask<T>(api: Api, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const since = performance.now()
  const response = await fetch(api.address + path, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, data } = (await response.json()) as Envelope<T>
  return { status: response.status, code, data, ms: performance.now() - since }
}

const website = (api: Api) => ask<Website>(api, 'GET', '/v1/website')
const outboxOf = (dataDir: string) =>
  existsSync(join(dataDir, 'outbox')) ? readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.json')) : []
const waiting = async ({ db }: TestDatabase) => (await db.selectFrom('message').select('id').execute()).length

describe.concurrent('messages', () => {
  test('without vendors codes go to the outbox and WeChat is not offered', () =>
    withGround({}, async ({ api, dataDir }) => {
      const outbox = () => outboxOf(dataDir)
      expect((await website(api)).data).toMatchObject({ wechat_web: null, features: { sms: false, email: false, wechat_login: false } })
      expect((await ask(api, 'POST', '/v1/authorize/access-token/by-wechat-web', { code: 'x' })).code).toBe(11024)
      expect(await ask(api, 'GET', '/v1/user/13800138000/register-code')).toMatchObject({ status: 200, code: 0 })
      await until(async () => outbox().length === 1, 'the message is in the outbox')
      const file = join(dataDir, 'outbox', outbox()[0]!)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const message = JSON.parse(readFileSync(file, 'utf8'))
      expect(message).toMatchObject({ to: '13800138000', channel: 'sms', purpose: 'register', code: expect.stringMatching(/^\d{6}$/) })
      const body = { target: '13800138000', verification_code: message.code, password: '一个足够长的密码', agree: true }
      expect(await ask<TokenData>(api, 'POST', '/v1/user/by-register', body)).toMatchObject({ code: 0, data: { token_type: 'bearer' } })
    }))

  test('a message of a killed worker is sent by another one, marked as a possible second time', async () => {
    const vendor = await alibaba()
    await withGround(smsOf(vendor), async ({ api, worker, env, database, running }) => {
      vendor.script.push('silence', { code: 'isv.BUSINESS_LIMIT_CONTROL' })
      expect((await ask(api, 'GET', '/v1/user/13700137000/register-code')).code).toBe(0)
      await until(async () => vendor.calls() === 1, 'the vendor was asked')
      await worker.kill()
      // As ten seconds later: its heartbeat is missed.
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds' where state = 'active'`.execute(database.db)
      running.push(await startWorkerProcess(env, database.db))
      // The vendor refuses a second one within the minute: the first has arrived, and it is not tried again.
      await until(async () => (await waiting(database)) === 0, 'the message is done', 40_000)
      expect(vendor.calls()).toBe(2)
    })
    await vendor.close()
  })

  test('with SMS, mail and WeChat, and an SMS vendor that hangs at first', () => {
    const env = {
      ...smsOf(sms),
      SMTP_URL: mail.url,
      MAIL_FROM: '凸度量化 <no-reply@convexa.example>',
      WECHAT_APP_ID: wechat.appId,
      WECHAT_APP_SECRET: wechat.appSecret,
      WECHAT_OPEN_URL: wechat.url,
      WECHAT_API_URL: wechat.url,
    }
    return withGround(env, async ({ api, dataDir, database }) => {
      const { data: site } = await website(api)
      expect(site.features).toMatchObject({ sms: true, email: true, wechat_login: true })
      sms.script.push('silence')
      const asked = await ask(api, 'GET', '/v1/user/13900139000/register-code')
      expect(asked.code).toBe(0)
      // Answered while the vendor still says nothing.
      expect(await waiting(database)).toBe(1)
      expect((await ask(api, 'GET', '/v1/user/li@example.cn/register-code?channel=email')).code).toBe(0)
      await until(async () => mail.mails.length === 1, 'the mail arrives')

      // A browser's way: the page to scan, back with code and state, login; then to the account of one's mobile.
      const state = 'state-of-this-browser-01'
      const address = new URL(site.wechat_web?.authorize_url ?? '')
      address.searchParams.set('redirect_uri', `${api.address}/login/wechat-callback`)
      address.searchParams.set('state', state)
      const page = await (await fetch(address)).text()
      expect(page).toContain('请使用微信扫一扫登录')
      const confirm = new URL(address.href.replace('/connect/qrconnect', '/connect/confirm'))
      confirm.searchParams.set('person', 'A')
      const back = new URL((await fetch(confirm, { redirect: 'manual' })).headers.get('location') ?? '')
      expect(back.searchParams.get('state')).toBe(state)
      const scanned = { code: back.searchParams.get('code'), state }
      const login = await ask(api, 'POST', '/v1/authorize/access-token/by-wechat-web', scanned, { cookie: `__Host-wxs=${state}` })
      expect(login).toMatchObject({ status: 409, code: 11021, data: { expire_in: 600 } })

      // The first attempt hung for 8 s; the next one arrives.
      await until(async () => sms.taken.length === 1, 'the text message arrives', 30_000)
      expect(sms.taken[0]).toMatchObject({ to: '13900139000', template: 'SMS_1', params: { code: expect.stringMatching(/^\d{6}$/) } })
      await until(async () => (await waiting(database)) === 0, 'nothing is left behind')
      expect(outboxOf(dataDir)).toEqual([])
    })
  })
})
