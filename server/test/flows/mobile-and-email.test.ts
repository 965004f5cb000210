import type { SentCode, User } from '@convexa/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoAccount } from '../../src/user/guests.ts'
import { type AccountSite, accountSite, goodPassword } from '../fixtures/account-site.ts'
import { messagesTo } from '../fixtures/messages.ts'
import { makeUser } from '../fixtures/users.ts'

let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

const old = '13700000001'
const fresh = '13700000002'
const mail = 'wang@example.cn'
const info = (token: string) => site.ask<User>('GET', '/v1/user/info', { token })

describe('mobile', () => {
  const codeOf = (token: string, mobile: string) => site.ask<SentCode>('GET', `/v1/user/mobile/modification/${mobile}`, { token })
  const change = (token: string, body: object) =>
    site.ask<{ mobile_masked: string }>('POST', '/v1/user/mobile/modification', { token, body })
  const both = async (over: object = {}) => ({
    new_mobile: fresh,
    new_verification_code: await site.codeFor(fresh),
    old_verification_code: await site.codeFor(old),
    ...over,
  })
  /** Logged in by `old`, both codes sent. */
  const replacing = async () => {
    const { access_token: token } = await site.register(old)
    await codeOf(token, old)
    await codeOf(token, fresh)
    return token
  }

  test('a first one needs the password and one code; the e-mail is notified', async () => {
    const { access_token: token } = await site.register(mail)
    expect(await codeOf(token, fresh)).toMatchObject({ status: 200, data: { sent_to: '137****0002' } })
    const body = await both({ old_verification_code: '' })
    expect(await change(token, body)).toMatchObject({ status: 400, code: 11013, msg: '请先完成身份验证' })
    await site.reAuth(token)
    expect(await change(token, body)).toMatchObject({ status: 200, data: { mobile_masked: '137****0002' } })
    expect((await info(token)).data).toMatchObject({ mobile_masked: '137****0002', email_masked: 'wa***@example.cn' })
    expect((await messagesTo(site.context, mail)).at(-1)).toMatchObject({ purpose: 'mobile_changed' })
    const login = { account: fresh, password: goodPassword }
    expect(await site.ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ status: 200 })
  })

  test('a replacement needs both codes, logs other devices out, and ends and notifies the old number', async () => {
    const token = await replacing()
    const login = { account: old, password: goodPassword }
    const { data: other } = await site.ask<{ access_token: string }>('POST', '/v1/authorize/access-token/by-password', { body: login })
    expect(await change(token, await both())).toMatchObject({ status: 200, data: { mobile_masked: '137****0002' } })
    expect(await info(other.access_token)).toMatchObject({ status: 401, code: 40102 })
    expect((await info(token)).status).toBe(200)
    expect((await messagesTo(site.context, old)).at(-1)).toMatchObject({ purpose: 'mobile_changed' })
    expect(await site.ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ code: 11001 })
    expect(await change(token, await both())).toMatchObject({ status: 400 })
  })

  test.each<[string, (codes: { new: string; old: string }) => object, number, string]>([
    ['no old code', () => ({ old_verification_code: '' }), 11011, '请先验证原手机号'],
    ['a wrong old code', () => ({ old_verification_code: '000000' }), 11003, '验证码错误或已失效'],
    ['a wrong new code', () => ({ new_verification_code: '000000' }), 11003, '验证码错误或已失效'],
    ['both swapped', (c) => ({ new_verification_code: c.old, old_verification_code: c.new }), 11003, '验证码错误或已失效'],
    ['the new code twice', (c) => ({ old_verification_code: c.new }), 11003, '验证码错误或已失效'],
    ['the old code twice', (c) => ({ new_verification_code: c.old }), 11003, '验证码错误或已失效'],
    ['another number than the code was sent to', () => ({ new_mobile: '13700000009' }), 11003, '验证码错误或已失效'],
    ['an e-mail', () => ({ new_mobile: mail }), 11006, '手机号或邮箱格式不正确'],
    ['letters', () => ({ old_verification_code: 'abc' }), 40000, '请求参数有误：原手机号的验证码'],
  ])('%s: nothing is changed, and the right codes still work', async (_name, over, code, msg) => {
    const token = await replacing()
    const codes = { new: await site.codeFor(fresh), old: await site.codeFor(old) }
    expect(await change(token, await both(over(codes)))).toMatchObject({ status: 400, code, msg, data: null })
    expect((await info(token)).data.mobile_masked).toBe('137****0001')
    expect((await change(token, await both())).status).toBe(200)
  })

  test('another user’s number gets its code, and only the answer with that code says so', async () => {
    await makeUser(site.context, { accounts: [fresh] })
    const token = await replacing()
    expect(await change(token, await both({ new_verification_code: '000000' }))).toMatchObject({ code: 11003 })
    expect(await change(token, await both())).toMatchObject({ status: 409, code: 11010, msg: '该手机号已被其他账号使用' })
    expect((await info(token)).data.mobile_masked).toBe('137****0001')
  })

  test('codes requested by another login are rejected', async () => {
    const token = await replacing()
    const { access_token: thief } = await site.register(mail)
    await site.reAuth(thief)
    expect(await change(thief, await both({ old_verification_code: '' }))).toMatchObject({ code: 11003 })
    expect((await change(token, await both())).status).toBe(200)
  })

  test('of two concurrent replacements one succeeds', async () => {
    const token = await replacing()
    const body = await both()
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(token, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('e-mail', () => {
  const codeOf = (token: string, email?: string) =>
    site.ask<SentCode>('GET', `/v1/user/email/activation${email === undefined ? '' : `?email=${encodeURIComponent(email)}`}`, { token })
  const activate = (token: string, code: string, v1 = false) =>
    site.ask('POST', `${v1 ? '/v1' : ''}/user/email/activation`, { token, body: { activation_code: code } })

  test.each([true, false])('inactive, code sent, submitted, activated (with /v1: %s)', async (v1) => {
    const { access_token: token } = await site.register(old)
    expect(await codeOf(token, mail)).toMatchObject({ status: 400, code: 11013 })
    await site.reAuth(token)
    expect(await codeOf(token, mail)).toMatchObject({ status: 200, data: { sent_to: 'wa***@example.cn', expire_in: 300, retry_after: 60 } })
    expect((await info(token)).data).toMatchObject({ email_masked: 'wa***@example.cn', email_activated: false })
    const login = { account: mail, password: goodPassword }
    expect(await site.ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ code: 11001 })
    expect(await activate(token, '000000', v1)).toMatchObject({ status: 400, code: 11012, msg: '激活码错误或已失效' })
    const code = await site.codeFor(mail)
    expect(await activate(token, code, v1)).toMatchObject({ status: 200, data: { email_masked: 'wa***@example.cn', activated: true } })
    expect(await activate(token, code, !v1)).toMatchObject({ status: 400, code: 11012 })
    expect((await info(token)).data).toMatchObject({ email_activated: true })
    expect((await messagesTo(site.context, old)).at(-1)).toMatchObject({ purpose: 'email_changed' })
    expect(await site.ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ status: 200 })
  })

  test('a request without an address resends to the pending one, or is answered by a sentence', async () => {
    const { access_token: token } = await site.register(old)
    expect(await codeOf(token)).toMatchObject({ status: 400, code: 40000, msg: '请求参数有误：账号还没有邮箱，请填写要激活的邮箱' })
    await site.reAuth(token)
    await codeOf(token, mail)
    await site.later(60)
    expect(await codeOf(token)).toMatchObject({ status: 200, data: { sent_to: 'wa***@example.cn' } })
    expect(await codeOf(token, 'no mail')).toMatchObject({ status: 400, code: 11006 })
    expect(await codeOf(token, fresh)).toMatchObject({ status: 400, code: 11006 })
  })

  test('a resend during a change goes to the new one, also after re-authentication has expired', async () => {
    const { access_token: token } = await site.register(mail)
    expect(await codeOf(token)).toMatchObject({ status: 200, data: { sent_to: 'wa***@example.cn' } })
    await site.reAuth(token)
    await codeOf(token, 'new@example.cn')
    await site.later(3_600)
    await site.context.db.updateTable('session').set({ re_auth_until: null }).execute()
    expect(await codeOf(token, 'other@example.cn')).toMatchObject({ code: 11013 })
    expect(await codeOf(token)).toMatchObject({ status: 200, data: { sent_to: 'ne***@example.cn' } })
    expect((await activate(token, await site.codeFor('new@example.cn'))).status).toBe(200)
    // What was used is no longer resent to: the one in force is.
    await site.later(60)
    expect(await codeOf(token)).toMatchObject({ status: 200, data: { sent_to: 'ne***@example.cn' } })
  })

  test('PUT accepts the profile of GET and ignores fields that cannot be changed', async () => {
    const { access_token: token } = await site.register(old)
    const given = (await info(token)).data
    const answer = await site.ask<User>('PUT', '/v1/user/info', { token, body: { ...given, nickname: '另一个名字', vip_level: 9 } })
    expect(answer).toMatchObject({ status: 200, data: { ...given, nickname: '另一个名字' } })
    expect(await site.ask('PUT', '/v1/user/info', { token, body: { ...given, prefs: { theme: 'pink' } } })).toMatchObject({ code: 40000 })
  })

  test('a change keeps and notifies the former one until the new one is activated', async () => {
    const { access_token: token } = await site.register(mail)
    await site.reAuth(token)
    await codeOf(token, 'new@example.cn')
    expect((await info(token)).data).toMatchObject({ email_masked: 'wa***@example.cn', email_activated: true })
    expect((await activate(token, await site.codeFor('new@example.cn'))).status).toBe(200)
    expect((await info(token)).data).toMatchObject({ email_masked: 'ne***@example.cn', email_activated: true })
    expect((await messagesTo(site.context, mail)).at(-1)).toMatchObject({ purpose: 'email_changed' })
  })

  test('a code for another e-mail replaces the first', async () => {
    const { access_token: token } = await site.register(old)
    await site.reAuth(token)
    await codeOf(token, mail)
    await codeOf(token, 'new@example.cn')
    expect(await activate(token, await site.codeFor(mail))).toMatchObject({ code: 11012 })
    expect(await activate(token, await site.codeFor('new@example.cn'))).toMatchObject({ status: 200 })
  })

  test('another user’s e-mail is rejected only with its code', async () => {
    await makeUser(site.context, { accounts: [mail] })
    const { access_token: token } = await site.register(old)
    await site.reAuth(token)
    expect(await codeOf(token, mail)).toMatchObject({ status: 200 })
    expect(await activate(token, await site.codeFor(mail))).toMatchObject({ status: 409, code: 11009 })
    expect((await info(token)).data.email_activated).toBe(false)
  })

  test('a pending one can be registered by another user', async () => {
    const { access_token: token } = await site.register(old)
    await site.reAuth(token)
    await codeOf(token, mail)
    await site.later(60)
    expect((await site.register(mail)).access_token).toBeTruthy()
  })
})

test('a demo guest cannot set a mobile or an e-mail', async () => {
  const { data } = await site.ask<{ access_token: string }>('POST', '/v1/authorize/access-token/by-password', { body: demoAccount })
  const token = data.access_token
  for (const [method, url, body] of [
    ['GET', `/v1/user/mobile/modification/${fresh}`],
    ['POST', '/v1/user/mobile/modification', { new_mobile: fresh, new_verification_code: '000000', old_verification_code: '' }],
    ['GET', `/v1/user/email/activation?email=${mail}`],
    ['POST', '/user/email/activation', { activation_code: '000000' }],
  ] as const) {
    expect(await site.ask(method, url, { token, ...(body && { body }) })).toMatchObject({ status: 409, code: 25010 })
  }
})

test('every call needs a login', async () => {
  expect(await site.ask('GET', `/v1/user/mobile/modification/${fresh}`)).toMatchObject({ status: 401, code: 40100 })
  expect(await site.ask('POST', '/v1/user/mobile/modification', { body: {} })).toMatchObject({ status: 401, code: 40100 })
  expect(await site.ask('GET', '/v1/user/email/activation')).toMatchObject({ status: 401, code: 40100 })
  for (const at of ['', '/v1'])
    expect(await site.ask('POST', `${at}/user/email/activation`, { body: {} })).toMatchObject({ status: 401, code: 40100 })
})
