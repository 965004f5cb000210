import type { TokenData } from '@convexa/contract/authorize'
import type { Page } from 'playwright-core'

export const password = '一个够长的密码2026'

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
  await comeAs(page, (await answer.json()).data, path)
}

/** At `path` in a browser that knows nothing but this login. */
export async function comeAs(page: Page, { user: _, ...tokens }: TokenData, path: string): Promise<void> {
  // A document of the same origin that runs nothing.
  await page.goto('/favicon.svg')
  await page.evaluate((text) => {
    localStorage.clear()
    sessionStorage.clear()
    localStorage.setItem('tokenData', text)
  }, JSON.stringify(tokens))
  await page.goto(path)
}
