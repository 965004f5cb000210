import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { letterTo } from './outbox.ts'

export const password = '一个够长的密码2026'

let given = 0
/**
 * A mobile that nobody has had: a second try of a journey finds its account as untouched as the first did.
 * @param begin seven digits that are one file's own
 */
export const newMobile = (begin: `1${string}`): string => `${begin}${String(++given).padStart(4, '0')}`
/** As a mobile is shown. */
export const masked = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`

/** An account as an operator makes it: known by its mobile or e-mail, with the password above. One that is there already stays as it is. */
export async function makeAccount(address: string, nickname: string): Promise<void> {
  const answer = await fetch(inject('deskUrl'), { method: 'POST', body: JSON.stringify({ address, nickname, password }) })
  if (!answer.ok && answer.status !== 409) throw new Error(`no account for ${address}: ${answer.status}`)
}

/** As if so much time had passed for all that an account has ordered. */
export async function letOrdersAge(address: string, seconds: number): Promise<void> {
  const answer = await fetch(new URL('/later', inject('deskUrl')), { method: 'POST', body: JSON.stringify({ address, seconds }) })
  if (!answer.ok) throw new Error(`no orders of ${address} grew older: ${answer.status}`)
}

/** The newest code that went to an address for a purpose. */
export const codeFor = async (to: string, purpose: string): Promise<string> =>
  (await letterTo(inject('dataDir'), to, (letter) => letter.purpose === purpose)).code ?? ''

/** Logs in by the login page and waits for `path`. */
export async function logIn(page: Page, account: string, path: string, given = password): Promise<void> {
  await page.goto(`/login?redirect=${encodeURIComponent(path)}`)
  await page.getByLabel('手机号/邮箱').fill(account)
  await page.getByRole('textbox', { name: '密码' }).fill(given)
  await page.getByRole('checkbox', { name: '记住我' }).check()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL((url) => url.pathname === path)
}

/** At `path` in a browser that knows nothing else, logged in as by the login page with 记住我 ticked, which costs two documents more: for journeys whose story begins later. */
export async function comeLoggedIn(page: Page, account: string, path: string): Promise<void> {
  const answer = await page.request.post('/v1/authorize/access-token/by-password', { data: { account, password } })
  const { user: _, ...tokens } = (await answer.json()).data
  // A document of the same origin that runs nothing.
  await page.goto('/favicon.svg')
  await page.evaluate((text) => {
    localStorage.clear()
    localStorage.setItem('tokenData', text)
  }, JSON.stringify(tokens))
  await page.goto(path)
}
