import { legalVersion, type SentCode, type TokenData, type User } from '@convexa/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountSite, accountSite, goodPassword } from '../fixtures/account-site.ts'
import { messagesTo } from '../fixtures/messages.ts'

let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

const mobile = '13800000001'
const codeOf = (target = mobile, more = '') => site.ask<SentCode>('GET', `/v1/user/${encodeURIComponent(target)}/register-code${more}`)
const form = async (over: object = {}, target = mobile) => ({
  target,
  verification_code: await site.codeFor(target),
  password: goodPassword,
  agree: true,
  ...over,
})
const register = (body: object) => site.ask<TokenData>('POST', '/v1/user/by-register', { body })

test.each([
  [mobile, '?channel=sms', '138****0001', { mobile_masked: '138****0001', email_masked: null, email_activated: false }],
  ['wang@example.cn', '', 'wa***@example.cn', { mobile_masked: null, email_masked: 'wa***@example.cn', email_activated: true }],
])('%s registers by a code, is logged in, and logs in by password', async (target, more, masked, user) => {
  expect(await codeOf(target, more)).toMatchObject({ status: 200, code: 0, data: { sent_to: masked, expire_in: 300, retry_after: 60 } })
  const made = await register(await form({}, target))
  expect(made).toMatchObject({ status: 200, data: { token_type: 'bearer', expires_in: 1800, user } })
  expect(await site.ask<User>('GET', '/v1/user/info', { token: made.data.access_token })).toMatchObject({ status: 200, data: user })
  const login = { account: ` ${target.toUpperCase()} `, password: goodPassword }
  expect(await site.ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ status: 200 })
})

test('the consent is stored with its version and time', async () => {
  await codeOf()
  await register(await form())
  const rows = await site.database.db.selectFrom('app_user').select(['consent_version', 'consented_at']).execute()
  expect(rows).toEqual([{ consent_version: legalVersion, consented_at: expect.any(Date) }])
})

test('database and log do not contain the mobile, the code or the password', async () => {
  await codeOf()
  const code = await site.codeFor(mobile)
  await register(await form())
  const { rows } = await site.database.pool.query<{ text: string }>(
    `select concat_ws(' ', (select string_agg(t::text, ' ') from app_user t), (select string_agg(t::text, ' ') from user_contact t),
      (select string_agg(t::text, ' ') from verification_code t), (select string_agg(t::text, ' ') from code_send t),
      (select string_agg(t::text, ' ') from message t)) as text`,
  )
  const kept = rows[0]!.text + site.logged.join('\n')
  for (const secret of [mobile, code, goodPassword])
    for (const shape of [secret, Buffer.from(secret).toString('hex')]) expect(kept).not.toContain(shape)
})

describe('errors of the form are reported before the code is checked', () => {
  test.each<[string, object, number, string]>([
    ['no agreement', { agree: false }, 40000, '请求参数有误：同意条款'],
    ['a code of five digits', { verification_code: '12345' }, 40000, '请求参数有误：验证码'],
    ['no mobile and no e-mail', { target: '12345' }, 11006, '手机号或邮箱格式不正确'],
    ['a foreign number', { target: '+15550100100' }, 11006, '手机号或邮箱格式不正确'],
    ['an e-mail with a line break', { target: 'a@b.cn\nbcc: c@d.cn' }, 40000, '请求参数有误：手机号或邮箱'],
    ['seven characters', { password: '七个字的密码啊' }, 11007, '密码长度需为8至128位'],
    ['129 characters', { password: '长'.repeat(129) }, 11007, '密码长度需为8至128位'],
    ['no password', { password: '' }, 11007, '密码长度需为8至128位'],
    ['a text for a password', { password: 'long'.repeat(200) }, 11007, '密码长度需为8至128位'],
    ['a common password', { password: 'Password123' }, 11008, '该密码过于常见，请更换'],
    ['the account as password', { password: mobile }, 11008, '该密码过于常见，请更换'],
    ['an unknown member', { vip_level: 1 }, 40000, '请求参数有误：不认识的字段「vip_level」'],
  ])('%s', async (_name, over, code, msg) => {
    await codeOf()
    expect(await register(await form(over))).toMatchObject({ status: 400, code, msg, data: null })
    expect(await register(await form())).toMatchObject({ status: 200 })
  })

  test('a password of 128 characters is accepted', async () => {
    await codeOf()
    expect(await register(await form({ password: '长短不一的密码，'.repeat(16) }))).toMatchObject({ status: 200 })
  })
})

describe('a code', () => {
  const wrong = async () => ((Number(await site.codeFor(mobile)) + 1) % 1_000_000).toString().padStart(6, '0')
  const refused = { status: 400, code: 11003, msg: '验证码错误或已失效', data: null }

  test('is valid once', async () => {
    await codeOf()
    const body = await form()
    expect((await register(body)).status).toBe(200)
    expect(await register(body)).toMatchObject(refused)
  })

  test('is invalid after five wrong attempts', async () => {
    await codeOf()
    for (let i = 0; i < 5; i++) expect(await register(await form({ verification_code: await wrong() }))).toMatchObject(refused)
    expect(await register(await form())).toMatchObject(refused)
  })

  test('is valid after four wrong attempts', async () => {
    await codeOf()
    for (let i = 0; i < 4; i++) await register(await form({ verification_code: await wrong() }))
    expect((await register(await form())).status).toBe(200)
  })

  test('expires after 300 seconds', async () => {
    await codeOf()
    await site.later(299)
    const body = await form()
    await site.later(1)
    expect(await register(body)).toMatchObject(refused)
  })

  test('is replaced by the next', async () => {
    await codeOf()
    const first = await form()
    await site.later(60)
    await codeOf()
    expect(await register(first)).toMatchObject(refused)
    expect((await register(await form())).status).toBe(200)
  })

  test('is valid for its target only', async () => {
    await codeOf()
    await codeOf('13800000002')
    expect(await register(await form({ target: '13800000002' }))).toMatchObject(refused)
  })

  test('that was not requested is rejected', async () => {
    expect(await register(await form({ verification_code: '000000' }))).toMatchObject(refused)
  })

  test('is accepted once of fifty concurrent registrations', async () => {
    await codeOf()
    const body = await form()
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 11003)).toHaveLength(49)
    expect(await site.database.db.selectFrom('app_user').selectAll().execute()).toHaveLength(1)
  })
})

describe('an existing account', () => {
  test('is reported by the message and, with its code, by the answer', async () => {
    await site.register(mobile)
    await codeOf()
    expect((await messagesTo(site.context, mobile)).at(-1)).toMatchObject({ purpose: 'already_registered' })
    expect(await register(await form({ verification_code: '000000' }))).toMatchObject({ code: 11003 })
    expect(await register(await form())).toMatchObject({ status: 409, code: 11009, msg: '该账号已注册，请直接登录', data: null })
  })

  test('of two concurrent registrations of a mobile one succeeds', async () => {
    await codeOf()
    const body = await form()
    const answers = await Promise.all([register(body), register(body), register({ ...body, target: ` ${mobile}` })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('does not show in the answer without its code', async () => {
    await site.register(mobile)
    const [known, unknown] = [await codeOf(mobile), await codeOf('13800010001')]
    const body = ({ text, request_id }: { text: string; request_id: string }) => text.replace(request_id, '')
    expect(body(known)).toBe(body(unknown))
    const names = ({ headers }: { headers: Record<string, unknown> }) =>
      Object.entries(headers).filter(([name]) => !['date', 'x-request-id'].includes(name))
    expect(names(known)).toEqual(names(unknown))
  })
})
