// Buying a membership in a real browser, for the test money of the stand-in for WeChat Pay: by a code that is scanned, given up, and
// bought again behind what one has.
import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { logIn, makeAccount } from '../src/accounts.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'

const artefacts = new URL('../artefacts/', import.meta.url)
const address = 'pay@example.com'
const month = '月度会员（测试）'
const year = '年度会员（测试）'
const android = 'Mozilla/5.0 (Linux; Android 15; PJF110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Mobile Safari/537.36'
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  mkdirSync(artefacts, { recursive: true })
  browser = await launchBrowser()
  await makeAccount(address, '会员')
  ;({ context, page, faults } = await openContext(browser, inject('url')))
  await context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  await logIn(page, address, '/personal/subscription')
})
afterAll(() => browser?.close())

const picture = (name: string) => page.screenshot({ path: new URL(`pay-${name}.png`, artefacts).pathname })
const card = (name: string) => page.getByRole('region', { name, exact: true })
const payDialog = (plan: string) => page.getByRole('dialog', { name: `开通「${plan}」` })
const orders = () => card('订单').getByRole('row')
const button = (within: Page | ReturnType<typeof payDialog>, name: string) => within.getByRole('button', { name, exact: true })

async function saysNothingSerious(): Promise<void> {
  expect(await seriousFaults(page)).toEqual([])
  expect(await darkFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Presses the button of a plan. @returns the text of the code that is shown then */
async function order(plan: string, word = '开通'): Promise<string> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/payment/wechat/native/process'))
  await button(page, `${word}${plan}`).click()
  const { data } = await (await answered).json()
  await payDialog(plan).getByRole('img', { name: '微信支付二维码' }).waitFor()
  return data.code_url
}

/** What the phone does that scans: pays on the page of the stand-in. */
async function payAt(code: string): Promise<void> {
  const phone = await context.newPage()
  await phone.goto(code)
  await phone.getByRole('button', { name: '确认支付' }).click()
  await phone.getByText('支付成功').waitFor()
  await phone.close()
}

describe('a membership', () => {
  it('is offered with what it unlocks beside what everybody has', async () => {
    const plans = card('会员方案')
    await plans.getByText('当前：免费版').waitFor()
    await plans.getByRole('listitem').filter({ hasText: month }).getByText('200 次').first().waitFor()
    expect(await plans.getByRole('listitem').count()).toBe(3)
    await card('订单').getByText('还没有订单').waitFor()
    await saysNothingSerious()
    await picture('plans')
  })

  it('is ordered, given up, and stands among the orders as closed', async () => {
    await order(month)
    const dialog = payDialog(month)
    await dialog.getByText('¥29.00').waitFor()
    await dialog.getByText(/^1[45]:\d\d$/).waitFor()
    await saysNothingSerious()
    await picture('code')
    await button(dialog, '取消订单').click()
    await dialog.waitFor({ state: 'detached' })
    await orders().filter({ hasText: month }).getByText('已关闭').waitFor()
  })

  it('is paid by a scan: the page hears of it by itself', async () => {
    const code = await order(month)
    await payAt(code)
    const dialog = payDialog(month)
    await dialog.getByText(/^会员已开通，有效期至/).waitFor()
    await picture('paid')
    await button(dialog, '完成').click()
    await card('会员方案').getByText(`当前：${month}`).waitFor()
    await orders().filter({ hasText: '已完成' }).getByRole('button', { name: '详情' }).click()
    const receipt = page.getByRole('dialog', { name: '订单详情' })
    await receipt.getByText('微信支付（扫码）').waitFor()
    await saysNothingSerious()
    await button(receipt, '关闭').first().click()
  })

  it('is renewed behind what one has; an order that waits is found again', async () => {
    const ends = /(\d{4}-\d\d-\d\d) 到期（还有 (\d+) 天）/
    const before = ends.exec(await card('会员方案').innerText())
    expect(before?.[2]).toBe('30')
    const code = await order(year, '续费')
    await page.reload()
    await payDialog(year).getByRole('img', { name: '微信支付二维码' }).waitFor()
    await payDialog(year).getByRole('button', { name: '关闭', exact: true }).click()
    await button(page, `续费${month}`).click()
    const question = page.getByRole('dialog', { name: '已有待支付订单' })
    await button(question, '继续支付').click()
    await payAt(code)
    await payDialog(year)
      .getByText(/^会员已开通/)
      .waitFor()
    await button(payDialog(year), '完成').click()
    await expect.poll(async () => ends.exec(await card('会员方案').innerText())?.[2]).toBe('395')
    await picture('renewed')
  })

  it.each([
    ['outside WeChat', '', '请在手机微信中打开本页面完成支付'],
    ['inside WeChat', ' MicroMessenger/8.0.50', '微信内支付暂未开放，请在电脑上打开本页面扫码支付'],
  ])('on a phone %s says where it can be paid', async (_, more, words) => {
    const phone = await browser.newContext({
      ...{ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', baseURL: inject('url'), viewport: { width: 390, height: 844 } },
      ...{ userAgent: android + more, storageState: await context.storageState() },
    })
    const small = await phone.newPage()
    await small.goto('/personal/subscription')
    await button(small, `续费${month}`).click()
    const dialog = small.getByRole('dialog', { name: `开通「${month}」` })
    await dialog.getByText(words).waitFor()
    expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await small.screenshot({ path: new URL('pay-phone.png', artefacts).pathname })
    await button(dialog, '取消订单').click()
    await dialog.waitFor({ state: 'detached' })
    await small.screenshot({ path: new URL('pay-phone-page.png', artefacts).pathname, fullPage: true })
    await phone.close()
  })

  it('was sold without a fault on the page', () => expect(faults).toEqual([]))
})
