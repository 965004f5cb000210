import type { HumanCheck, SentCode } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tryAdvisoryLock } from '../../src/db/advisory-lock.ts'
import { locks } from '../../src/db/locks.ts'
import { codePurposes } from '../../src/message/texts.ts'
import { readAddress } from '../../src/user/addresses.ts'
import { checkCode, issueCode, spendCode } from '../../src/user/codes.ts'
import { newHumanCheck } from '../../src/user/human-check.ts'
import { type AccountSite, accountSite } from '../fixtures/account-site.ts'
import { solved } from '../fixtures/human-check.ts'
import { messagesTo } from '../fixtures/messages.ts'
import { makeUser } from '../fixtures/users.ts'

let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

const mobile = '13600000001'
const numbered = (i: number) => `136${String(10_000_000 + i)}`
const codeOf = (target = mobile, given: { from?: string; headers?: Record<string, string> } = {}) =>
  site.ask<SentCode>('GET', `/v1/user/${target}/register-code`, given)
const check = async () => (await site.ask<HumanCheck>('GET', '/v1/human-check')).data
const asHuman = async () => ({ 'x-human-check': await solved(await check()) })
const address = (i: number) => `198.51.${Math.floor(i / 250)}.${(i % 250) + 1}`

describe('one target', () => {
  test('of fifty concurrent requests one is sent, the others wait a minute', async () => {
    // On a busy machine the last of fifty are refused as busy, and ask again.
    const answerOf = async (from: string) => {
      for (;;) {
        const answer = await codeOf(mobile, { from })
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => answerOf(address(i))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(49)
    const waits = refused.map(({ headers }) => Number(headers['retry-after']))
    const seconds = Math.max(...waits)
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused[waits.indexOf(seconds)]).toMatchObject({ code: 11004, msg: `验证码发送过于频繁，请${seconds}秒后再试`, data: null })
    expect(await messagesTo(site.context, mobile)).toHaveLength(1)
  })

  test('gets one code a minute and five an hour over all purposes', async () => {
    const codes: number[] = []
    for (const path of ['register-code', 'reset-code', 'register-code', 'reset-code', 'register-code', 'reset-code']) {
      const given = { from: address(codes.length), headers: codes.length < 3 ? {} : await asHuman() }
      codes.push((await site.ask('GET', `/v1/user/${mobile}/${path}`, given)).code)
      expect(await site.ask('GET', `/v1/user/${mobile}/${path}`, given)).toMatchObject({ code: 11004 })
      await site.later(61)
    }
    expect(codes).toEqual([0, 0, 0, 0, 0, 11004])
  })

  test('is told after ten codes a day when the next is possible', async () => {
    for (let i = 0; i < 10; i++) {
      expect((await codeOf(mobile, { from: address(i) })).status).toBe(200)
      await site.later(1_300)
    }
    const refused = await codeOf(mobile, { from: address(99) })
    expect(refused).toMatchObject({ status: 429, code: 11005, msg: '今日验证码次数已达上限' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(70_000)
  })
})

describe('one address', () => {
  test('a solved human check allows a registration from an address shared by hundreds', async () => {
    const codes: number[] = []
    for (let i = 0; i < 8; i++) codes.push((await codeOf(numbered(i), { headers: await asHuman() })).code)
    expect(codes).toEqual(Array(8).fill(0))
    expect((await codeOf(numbered(8))).code).toBe(40030)
    expect((await codeOf(numbered(9), { from: '203.0.113.8' })).code).toBe(0)
    // A target has its own caps all the same.
    expect((await codeOf(numbered(7), { headers: await asHuman() })).code).toBe(11004)
  })

  test('gets a hundred codes an hour, fifty targets, three hundred a day; an IPv6 /64 is one address', async () => {
    const from = (i: number) => `2001:db8:1:2::${(i + 1).toString(16)}`
    const sentBefore = async (count: number, seconds: number, targets: number) => {
      const { db } = site.database
      await sql`delete from code_send`.execute(db)
      await codeOf(mobile, { from: from(0) })
      await sql`insert into code_send select now() - make_interval(secs => ${seconds} * (1 + 1.0 * i / ${count})), sha256((i % ${targets}::int)::text::bytea), source_hash, null
        from code_send, generate_series(1, ${count - 1}::int) i`.execute(db)
    }
    const sent = async (i: number) => (await codeOf(numbered(i), { from: from(i), headers: await asHuman() })).code
    await sentBefore(99, 1_000, 9)
    expect([await sent(1), await sent(2)]).toEqual([0, 11004])
    await sentBefore(50, 1_000, 49)
    expect([await sent(1), await sent(2)]).toEqual([11004, 11004])
    await sentBefore(49, 1_000, 48)
    expect([await sent(1), await sent(2)]).toEqual([0, 11004])
    await sentBefore(299, 20_000, 9)
    expect([await sent(1), await sent(2)]).toEqual([0, 11005])
    expect((await codeOf(numbered(77), { from: '2001:db8:1:3::1' })).status).toBe(200)
  })
})

test('requests do not wait for long jobs such as an ingestion', async () => {
  const heard: number[] = []
  for (const [i, lock] of [locks.ingest, locks.sweep, locks.follow, locks.ticker].entries()) {
    const beside = await tryAdvisoryLock(site.database.db, lock, async () =>
      heard.push((await codeOf(numbered(i), { from: address(i) })).status),
    )
    expect(beside).toBe(true)
  }
  expect(new Set(heard)).toEqual(new Set([200]))
})

test('one user gets ten codes a day over all numbers and addresses', async () => {
  const userId = await makeUser(site.context, { accounts: [mobile] })
  const asked = (i: number) => ({
    purpose: 'mobile_new' as const,
    target: readAddress(numbered(i)),
    userId,
    ip: address(i),
    humanCheck: undefined,
  })
  for (let i = 0; i < 10; i++) await issueCode(site.context, asked(i))
  await expect(issueCode(site.context, asked(10))).rejects.toMatchObject({ code: 11005 })
})

describe('the human check', () => {
  const tighten = async () => {
    for (let i = 0; i < 4; i++) await codeOf(numbered(i))
  }

  test('is required of an address with many requests, and is good for one', async () => {
    await tighten()
    expect(await codeOf()).toMatchObject({ status: 429, code: 40030, msg: '请先完成人机验证', data: null })
    const headers = await asHuman()
    expect((await codeOf(mobile, { headers })).status).toBe(200)
    await site.later(61)
    expect(await codeOf(mobile, { headers })).toMatchObject({ code: 40030 })
  })

  test('is required of everybody once the site has sent 2,000 codes in an hour, and the operator is warned', async () => {
    await sql`insert into code_send select now(), sha256(i::text::bytea), sha256(i::text::bytea), null from generate_series(1, 1999) i`.execute(
      site.database.db,
    )
    expect(await codeOf(numbered(1), { from: address(1) })).toMatchObject({ status: 200 })
    expect(site.logged.some((line) => line.includes('the whole site is at its limit'))).toBe(true)
    expect(await codeOf(numbered(2), { from: address(2) })).toMatchObject({ code: 40030 })
    expect((await codeOf(numbered(2), { from: address(2), headers: await asHuman() })).status).toBe(200)
    await site.later(3_600)
    expect((await codeOf(numbered(3), { from: address(3) })).status).toBe(200)
  })

  test('accepts one of fifty concurrent uses of the same solution', async () => {
    await sql`insert into code_send select now(), sha256(i::text::bytea), sha256(i::text::bytea), null from generate_series(1, 2000) i`.execute(
      site.database.db,
    )
    const headers = await asHuman()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => codeOf(numbered(i), { from: address(i), headers })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // A busy machine may answer a few that it is busy.
    expect(answers.filter(({ code }) => code === 40030 || code === 50301)).toHaveLength(49)
  })

  test('expires after ten minutes of the database’s clock, which a client cannot prolong', async () => {
    await tighten()
    const over = { 'x-human-check': await solved(await newHumanCheck(site.context, true, 0)) }
    expect(await codeOf(mobile, { headers: over })).toMatchObject({ code: 40030 })
    const challenge = await check()
    const { until } = challenge.parameters['data'] as { until: number }
    expect(until - Date.now() / 1_000).toBeGreaterThan(590)
    expect(until - Date.now() / 1_000).toBeLessThanOrEqual(601)
    const longer = { ...challenge, parameters: { ...challenge.parameters, data: { until: until + 3_600 } } }
    expect(await codeOf(mobile, { headers: { 'x-human-check': await solved(longer) } })).toMatchObject({ code: 40030 })
  })

  test('rejects every other solution', async () => {
    await tighten()
    const { 'x-human-check': good } = await asHuman()
    const made: Record<string, string> = {
      nothing: '',
      'no base64': '%%%',
      'no JSON': Buffer.from('{').toString('base64'),
      null: Buffer.from('null').toString('base64'),
      'half of it': good.slice(0, good.length / 2),
      'no solution': changed(good, (answer) => ({ challenge: answer.challenge })),
      'another counter and key': changed(good, (answer) => ({ ...answer, solution: { counter: 1, derivedKey: '00'.repeat(32) } })),
      'easier work': changed(good, ({ challenge, solution }) => ({ challenge: easier(challenge), solution })),
      'no signature': changed(good, ({ challenge, solution }) => ({ challenge: { ...challenge, signature: '' }, solution })),
      'much text': 'A'.repeat(10_000),
    }
    for (const [name, header] of Object.entries(made)) {
      const { status, code } = await codeOf(mobile, { headers: { 'x-human-check': header } })
      expect({ name, status, code }).toEqual({ name, status: 429, code: 40030 })
    }
    expect((await codeOf(mobile, { headers: { 'x-human-check': good } })).status).toBe(200)
  })
})

interface Answered {
  challenge: { parameters: Record<string, unknown>; signature: string }
  solution?: unknown
}
const changed = (good: string, how: (answer: Answered) => unknown) =>
  Buffer.from(JSON.stringify(how(JSON.parse(Buffer.from(good, 'base64').toString('utf8')) as Answered))).toString('base64')
const easier = (challenge: Answered['challenge']) => ({ ...challenge, parameters: { ...challenge.parameters, cost: 1 } })

describe('a GET with side effects is answered to our own page and to programs only', () => {
  test.each<[string, Record<string, string>]>([
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a sister site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['an address typed or a link', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['an image of our own', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
    ['an old prefetch', { purpose: 'prefetch' }],
    ['another origin, of a browser that says no more', { origin: 'https://evil.example', host: 'convexa.example' }],
    ['no origin', { origin: 'null', host: 'convexa.example' }],
    ['an origin that begins like ours', { origin: 'https://convexa.example.evil.example', host: 'convexa.example' }],
  ])('%s sends nothing', async (_name, headers) => {
    for (const path of ['register-code', 'reset-code'])
      expect(await site.ask('GET', `/v1/user/${mobile}/${path}`, { headers })).toMatchObject({ status: 400, code: 40001 })
    expect(await messagesTo(site.context, mobile)).toEqual([])
  })

  test.each<[string, Record<string, string>]>([
    ['our page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['our page in an old browser', { origin: 'https://convexa.example', host: 'convexa.example' }],
    ['a program', {}],
  ])('%s does', async (_name, headers) => {
    expect(await codeOf(mobile, { headers })).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  })

  test('HEAD is refused as well', async () => {
    expect((await site.ask('HEAD', `/v1/user/${mobile}/register-code`)).status).toBe(405)
    expect(await messagesTo(site.context, mobile)).toEqual([])
  })
})

test('a code is valid for its own purpose only', async () => {
  const purposes = Object.keys(codePurposes) as (keyof typeof codePurposes)[]
  const target = readAddress(mobile)
  const passed: string[] = []
  for (const purpose of purposes) {
    await sql`delete from code_send`.execute(site.database.db)
    await issueCode(site.context, { purpose, target, userId: null, ip: '203.0.113.7', humanCheck: undefined })
    const code = await site.codeFor(mobile)
    for (const other of purposes) {
      const claim = { purpose: other, target, userId: null, code }
      const right = await checkCode(site.context, claim).catch(() => null)
      if (right) await site.database.db.transaction().execute((transaction) => spendCode(transaction, right))
      if (right) passed.push(`${purpose} ${other}`)
    }
  }
  expect(passed).toEqual(purposes.map((purpose) => `${purpose} ${purpose}`))
})
