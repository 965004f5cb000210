import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount } from '../src/accounts.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { quietOf } from '../src/quiet.ts'

// The login rule in two tabs of one browser: one refresh for all, one warning for all, one end for all.

const account = 'two-tabs@example.com'
const bonds = '/rotation/convertible-bond/screen'
const profile = '/personal/profile'
const records = '/personal/login-history'
const refresh = '/v1/authorize/access-token'

interface Tokens {
  access_token: string
  refresh_token: string
}

let browser: Browser
let context: BrowserContext
let first: Page
let second: Page
/** Until neither tab asks for anything. */
let quiet: () => Promise<void>
/** Requests and answers of both tabs, as `GET /v1/user/info` and `401 GET /v1/user/info`. */
let asked: string[] = []
let answered: string[] = []

const lineOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(account, '两个标签页')
  const opened = await openContext(browser, inject('url'))
  await opened.page.close()
  ;({ context } = opened)
  quiet = quietOf(context)
  context.on('request', (request) => asked.push(lineOf(request.method(), request.url())))
  context.on('response', (answer) => answered.push(`${answer.status()} ${lineOf(answer.request().method(), answer.url())}`))
})
afterAll(() => browser?.close())

beforeEach(async () => {
  first = await context.newPage()
  second = await context.newPage()
  await comeLoggedIn(first, account, profile)
  await Promise.all([second.goto(records), second.waitForResponse('**/v1/user/info')])
  // A call still on its way would meet the end of its token, and ask for a new one, before the story begins.
  await quiet()
  asked = []
  answered = []
  return async () => {
    await first.close()
    await second.close()
  }
})

const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const tokensOf = async (page: Page) => JSON.parse((await kept(page, 'tokenData')) ?? 'null') as Tokens
const keep = (page: Page, tokens: Tokens) =>
  page.evaluate((text) => localStorage.setItem('tokenData', text), JSON.stringify({ ...tokens, expires_in: 1_800, token_type: 'bearer' }))
const refreshes = () => asked.filter((line) => line === `PUT ${refresh}`).length
const refused = () => answered.filter((line) => /^401 (GET|POST) /.test(line)).length

async function ask(method: string, path: string, given: { token?: string; body?: unknown }) {
  const answer = await fetch(`${inject('url')}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(given.token ? { 'Access-Token': given.token } : {}) },
    ...(given.body ? { body: JSON.stringify(given.body) } : {}),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: Tokens }).data
}

/** An access token that the server knows as ended, with a refresh token that is good: the pair was renewed twice elsewhere. */
async function endedAccess(): Promise<Tokens> {
  const renewed = ({ access_token, refresh_token }: Tokens) => ask('PUT', refresh, { body: { access_token, refresh_token } })
  const old = await tokensOf(first)
  const { refresh_token } = await renewed(await renewed(old))
  return { access_token: old.access_token, refresh_token }
}

const reload = (...pages: Page[]) => Promise.all(pages.map((page) => page.reload()))
const shown = (page: Page) => page.getByRole('button', { name: /^账户菜单/ }).waitFor()
const warning = (page: Page) => page.getByRole('alertdialog', { name: '请先登录' })
const redirectOf = (page: Page) => new URL(page.url()).searchParams.get('redirect')

describe('an access token that has ended', () => {
  it('is renewed once by two tabs that find it at the same time', async () => {
    const ended = await endedAccess()
    await keep(first, ended)
    await reload(first, second)
    await Promise.all([shown(first), shown(second)])
    await quiet()
    expect(refused()).toBeGreaterThanOrEqual(2)
    expect(refreshes()).toBe(1)
    expect((await tokensOf(second)).access_token).not.toBe(ended.access_token)
    expect([await warning(first).count(), await warning(second).count()]).toEqual([0, 0])

    // Both go on with the new one.
    answered.length = 0
    await reload(first, second)
    await quiet()
    expect([refused(), refreshes()]).toEqual([0, 1])
  })
})

describe('a login that is about to end', () => {
  const ending = (page: Page) => page.getByRole('alertdialog', { name: /^登录将在 \d+ 秒后到期/ })
  const soon = (page: Page) =>
    page.evaluate(() => {
      const tokens = JSON.parse(localStorage.getItem('tokenData') ?? '{}')
      localStorage.setItem('tokenData', JSON.stringify({ ...tokens, ends_at: Date.now() + 50_000 }))
    })

  it('says so a minute before, and goes on when it is asked to', async () => {
    await soon(first)
    await reload(first)
    await ending(first).getByText('正在填写而没有保存的内容').waitFor()
    await ending(first).getByRole('button', { name: '保持登录' }).click()
    await expect.poll(() => ending(first).count()).toBe(0)
    expect(refreshes()).toBe(1)
    await quiet()
    // The refresh in the first tab has closed the dialog of the second.
    expect(await ending(second).count()).toBe(0)
  })

  it('of the longest age leads to a new one, and back', async () => {
    await first.route(`**${refresh}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const response = await route.fetch()
      const answer = await response.json()
      return route.fulfill({ response, json: { ...answer, data: { ...answer.data, login_ends_in: 40 } } })
    })
    await soon(first)
    await reload(first)
    await ending(first).getByRole('button', { name: '保持登录' }).click()
    await ending(first).getByText('这次登录已到最长期限').waitFor()
    await pictureOf(first, 'login-rule-ending')
    await ending(first).getByRole('button', { name: '重新登录' }).click()
    await first.waitForURL('**/login?**')
    expect(redirectOf(first)).toBe(profile)
  })
})

describe('a login that is over', () => {
  it('is warned of once; its close leads to the login, clears both tabs and comes back afterwards', async () => {
    await leadTo(first, bonds)
    await first.getByRole('button', { name: /使用模板经典双低/ }).click()
    await first.getByRole('region', { name: '筛选结果' }).getByRole('row').nth(1).waitFor()
    await quiet()
    answered.length = 0
    await ask('DELETE', refresh, { token: (await tokensOf(first)).access_token })
    await first.goto(`${bonds}?from=mail`)
    await warning(first).waitFor()
    await quiet()
    expect(refused()).toBeGreaterThanOrEqual(5)
    expect([refreshes(), await warning(first).count(), await first.getByRole('alertdialog').count()]).toEqual([1, 1, 1])
    await pictureOf(first, 'login-rule-warning')
    expect(await kept(first, 'tokenData')).not.toBeNull()

    await warning(first).getByRole('button', { name: '去登录' }).click()
    await first.waitForURL('**/login?**')
    await second.waitForURL('**/login?**')
    expect([redirectOf(first), redirectOf(second)]).toEqual([`${bonds}?from=mail`, records])
    for (const page of [first, second])
      expect([await kept(page, 'tokenData'), await kept(page, 'userData'), await warning(page).count()]).toEqual([null, null, 0])

    await first.getByRole('button', { name: '进入体验账号' }).click()
    await first.waitForURL((url) => url.pathname + url.search === `${bonds}?from=mail`)
    await shown(first)
  })

  it('by logging out is over in the other tab too, without a warning; the way back leads nowhere but to this site', async () => {
    await first.getByRole('button', { name: /^账户菜单/ }).click()
    await first
      .getByRole('dialog', { name: /^账户菜单/ })
      .getByRole('button', { name: '退出登录' })
      .click()
    await first.waitForURL('**/login*')
    await second.waitForURL('**/login?**')
    await quiet()
    expect(redirectOf(second)).toBe(records)
    // A call that was on its way may still be refused: nobody renews for it, and nobody is warned.
    expect([refreshes(), await warning(first).count(), await warning(second).count()]).toEqual([0, 0, 0])

    await first.goto(`/login?redirect=${encodeURIComponent('/\t/example.com/x')}`)
    await first.getByRole('button', { name: '进入体验账号' }).click()
    await shown(first)
    expect(new URL(first.url()).origin).toBe(inject('url'))
  })
})
