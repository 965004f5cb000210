import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const picture = (page: Page, name: string) => pictureOf(page, `data-sheet-${name}`)
const lamp = (page: Page) => page.getByRole('button', { name: /^数据状况/ })

async function openScreen(segment: string, template: string, viewport?: { width: number; height: number }) {
  const opened = await openContext(browser, inject('url'), viewport)
  const { page } = opened
  await page.goto(`/rotation/${segment}`)
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: new RegExp(`使用模板${template}`) }).click()
  return opened
}

it('on a desk the lamp stands on every tab of a market and opens what is known of its data', async () => {
  const { context, page, faults } = await openScreen('convertible-bond', '经典双低')
  await page.getByRole('button', { name: '数据状况：演示数据' }).click()
  const sheet = page.getByRole('region', { name: '数据说明' })
  // The shares are counted once after a start.
  await sheet
    .getByText(/\d+\/\d+ 只/)
    .first()
    .waitFor()
  const text = (await sheet.textContent()) ?? ''
  for (const word of ['演示数据由模型模拟生成', '来源', '演示模型', 'demo-cb-', '含已退市', '规则用到的因子', '双低', '当前数据没有的因子'])
    expect(text).toContain(word)
  await picture(page, 'desktop')
  expect(await seriousFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'desktop-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  // The keys do what the mouse does, and the focus goes back to the lamp.
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet.count()).toBe(0)
  expect(await lamp(page).evaluate((node) => node === document.activeElement)).toBe(true)
  // Every block of figures says where they come from and of when they are.
  const foot = /^数据：演示数据 · 截至 \d{4}-\d{2}-\d{2} 收盘$/
  for (const block of ['筛选结果', '净值速览']) await page.getByRole('region', { name: block }).getByText(foot).waitFor()
  await picture(page, 'feet')
  for (const tab of ['历史筛选', '参数网格', '高级回测', '分箱分析']) {
    await page.getByRole('link', { name: tab, exact: true }).first().click()
    await lamp(page).waitFor()
  }
  await leadTo(page, '/')
  await expect.poll(() => page.getByText(foot).count()).toBe(2)
  await picture(page, 'home')
  expect(faults).toEqual([])
  await context.close()
})

it('on a phone it stands in the bar and opens a sheet; of stocks too', async () => {
  const { context, page, faults } = await openScreen('stock', '小市值', { width: 390, height: 844 })
  await picture(page, 'phone-bar')
  await page.getByRole('button', { name: '数据状况：演示数据' }).click()
  const sheet = page.getByRole('dialog', { name: '数据说明' })
  await sheet
    .getByText(/\d+\/\d+ 只/)
    .first()
    .waitFor()
  expect(await sheet.textContent()).toContain('demo-stk-')
  await picture(page, 'phone')
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'phone-dark')
  await sheet.getByRole('button', { name: '关闭' }).click()
  await expect.poll(() => sheet.count()).toBe(0)
  await page.emulateMedia({ colorScheme: 'light' })
  await leadTo(page, '/')
  await expect.poll(() => page.getByText(/^数据：演示数据 · 截至/).count()).toBe(2)
  await picture(page, 'phone-home')
  expect(faults).toEqual([])
  await context.close()
})
