// Visitors before their login, for the journeys of the pages that let them in.

import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openContext } from './browser.ts'

export const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }
/** Where a login ends: `/rotation/<market>` itself leads on at once, and closes a menu that was quicker. */
export const inside = (url: URL) => url.pathname === '/' || /^\/rotation\/[^/]+\/[^/]+/.test(url.pathname)

/**
 * Each visitor has an address of their own: the limits of one are not those of the others.
 * @param network the first three numbers of them, one file's own
 */
export function visitorsOf(network: string) {
  let visitors = 0
  return {
    visit: async (browser: Browser, url: string, viewport = desktop) => {
      const opened = await openContext(browser, url, viewport)
      await opened.context.setExtraHTTPHeaders({ 'X-Forwarded-For': `${network}.${++visitors}` })
      return opened
    },
    /** Of the newest of them. */
    address: () => `${network}.${visitors}`,
  }
}

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
export const notOf = (code: string) => (code === '111111' ? '222222' : '111111')
/** Refusals that a journey provokes are no faults. */
export const unexpected = (faults: readonly string[], ...expected: RegExp[]) =>
  faults.filter((fault) => ![/Failed to load resource/, ...expected].some((one) => one.test(fault)))

export async function readRisk(page: Page) {
  const box = page.getByRole('checkbox', { name: /^我已阅读并同意/ })
  expect(await box.isDisabled()).toBe(true)
  await button(page, '阅读风险揭示书').click()
  const dialog = page.getByRole('dialog', { name: '风险揭示书' })
  expect(await dialog.getByRole('button', { name: '我已读完' }).isDisabled()).toBe(true)
  await dialog.getByText('全文完').scrollIntoViewIfNeeded()
  await dialog.getByRole('status').getByText('已读到最后').waitFor()
  await dialog.getByRole('button', { name: '我已读完' }).click()
  await dialog.waitFor({ state: 'detached' })
  await box.check()
}

export const openMenu = (page: Page) => button(page, /^账户菜单/).click()

export async function logIn(page: Page, account: string, secret: string) {
  await field(page, '手机号/邮箱').fill(account)
  await field(page, '密码').fill(secret)
  await page.getByRole('form', { name: '密码登录' }).getByRole('button', { name: '登录', exact: true }).click()
}
