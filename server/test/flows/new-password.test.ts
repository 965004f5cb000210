import type { SentCode } from '@convexa/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountSite, accountSite, goodPassword } from '../fixtures/account-site.ts'
import { messagesTo } from '../fixtures/messages.ts'

let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

const mobile = '13900000001'
const next = '换成另一个密码'.repeat(2)
const codeOf = (target = mobile, more = '') => site.ask<SentCode>('GET', `/v1/user/${encodeURIComponent(target)}/reset-code${more}`)
const reset = (body: object, target = mobile) =>
  site.ask<{ logged_out_devices: number }>('POST', `/v1/user/${encodeURIComponent(target)}/new-password`, { body })
const form = async (over: object = {}) => ({ verification_code: await site.codeFor(mobile), new_password: next, ...over })
const login = (password: string) => site.ask('POST', '/v1/authorize/access-token/by-password', { body: { account: mobile, password } })

test('a new password ends the old one, logs all devices out and notifies the owner', async () => {
  const first = await site.register(mobile)
  await login(goodPassword)
  expect(await codeOf(mobile, '?channel=sms')).toMatchObject({ status: 200, data: { sent_to: '139****0001', expire_in: 300 } })
  const body = await form()
  expect(await reset(body)).toMatchObject({ status: 200, data: { logged_out_devices: 2 } })
  expect(await site.ask('GET', '/v1/user/info', { token: first.access_token })).toMatchObject({ status: 401, code: 40102 })
  expect(await login(goodPassword)).toMatchObject({ code: 11001 })
  expect(await login(next)).toMatchObject({ status: 200 })
  expect((await messagesTo(site.context, mobile)).at(-1)).toMatchObject({ purpose: 'password_changed', code: null })
  expect(await reset(body)).toMatchObject({ status: 400, code: 11003 })
})

test('a new password unlocks an account with too many failed logins', async () => {
  await site.register(mobile)
  await site.database.pool.query("update login_failure set failures = 1000, window_ends_at = now() + interval '1 year'")
  for (let i = 0; i < 6; i++) await login('wrong')
  expect(await login(goodPassword)).toMatchObject({ code: 11002 })
  await codeOf()
  await reset(await form())
  const elsewhere = { body: { account: mobile, password: next }, from: '198.51.100.4' }
  expect(await site.ask('POST', '/v1/authorize/access-token/by-password', elsewhere)).toMatchObject({ status: 200 })
})

describe('refused', () => {
  test.each<[string, object, string, number, string]>([
    ['seven characters', { new_password: '七个字的密码啊' }, mobile, 11007, '密码长度需为8至128位'],
    ['a common password', { new_password: '88888888' }, mobile, 11008, '该密码过于常见，请更换'],
    ['the account as password', { new_password: mobile }, mobile, 11008, '该密码过于常见，请更换'],
    ['a target of no form', {}, 'nobody', 11006, '手机号或邮箱格式不正确'],
    ['a wrong code', { verification_code: '000000' }, mobile, 11003, '验证码错误或已失效'],
    ['the code of another target', {}, '13900000002', 11003, '验证码错误或已失效'],
    ['letters for a code', { verification_code: 'abcdef' }, mobile, 40000, '请求参数有误：验证码'],
    ['an unknown member', { user_id: 'x' }, mobile, 40000, '请求参数有误：不认识的字段「user_id」'],
  ])('%s', async (_name, over, target, code, msg) => {
    await site.register(mobile)
    await codeOf()
    expect(await reset(await form(over), target)).toMatchObject({ status: 400, code, msg, data: null })
    expect((await reset(await form())).status).toBe(200)
  })

  test('a channel that does not fit the target', async () => {
    expect(await codeOf(mobile, '?channel=email')).toMatchObject({
      status: 400,
      code: 40000,
      msg: '请求参数有误：接收方式与手机号或邮箱不符',
    })
    expect(await codeOf(mobile, '?channel=pigeon')).toMatchObject({ status: 400, code: 40000, msg: '请求参数有误：接收方式' })
  })

  test('that there is no account is said in the message only', async () => {
    await site.register(mobile)
    const [known, unknown] = [await codeOf(mobile), await codeOf('13900010001')]
    const body = ({ text, request_id }: { text: string; request_id: string }) => text.replace(request_id, '')
    expect(body(known)).toBe(body(unknown))
    expect(await messagesTo(site.context, '13900010001')).toMatchObject([{ purpose: 'not_registered', code: null }])
  })

  test('the demo account cannot be reset', async () => {
    await codeOf('demo@convexa.example')
    expect(await messagesTo(site.context, 'demo@convexa.example')).toMatchObject([{ purpose: 'not_registered', code: null }])
  })
})

describe('a reset code re-authenticates too', () => {
  test('for its own account, once', async () => {
    const { access_token: token } = await site.register(mobile)
    const stranger = await site.register('13900000003')
    await codeOf()
    const body = { verification_code: await site.codeFor(mobile) }
    expect(await site.ask('POST', '/v1/user/re-auth', { token: stranger.access_token, body })).toMatchObject({ status: 400, code: 11003 })
    expect(await site.ask('POST', '/v1/user/re-auth', { token, body })).toMatchObject({ status: 200 })
    expect(await site.ask('POST', '/v1/user/re-auth', { token, body })).toMatchObject({ status: 400, code: 11003 })
  })
})
