// Buying a membership in a real browser, for the test money of the stand-in for WeChat Pay: by a code that is scanned, by WeChat's own
// sheet, given up, forgotten, paid too late or twice, and bought again behind what one has.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { letOrdersAge, logIn, makeAccount } from '../src/accounts.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { openPhone, openWechatPhone, payAtStandIn, type WechatPhone } from '../src/wechat-phone.ts'

const address = 'pay@example.com'
const month = '月度会员（测试）'
const year = '年度会员（测试）'
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(address, '会员')
  ;({ context, page, faults } = await openContext(browser, inject('url')))
  await context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  await logIn(page, address, '/personal/subscription')
})
afterAll(() => browser?.close())

const picture = (name: string) => pictureOf(page, `pay-${name}`)
const card = (name: string) => page.getByRole('region', { name, exact: true })
/** Text of the focused element. Closing a dialog must not send a keyboard user back to the top of the page. */
const focused = () => page.evaluate(() => document.activeElement?.textContent)
const payDialog = (plan: string) => page.getByRole('dialog', { name: `开通「${plan}」` })
const orders = () => card('订单').getByRole('row')
const button = (within: Page | ReturnType<typeof payDialog>, name: string) => within.getByRole('button', { name, exact: true })

/** Of a page; the dialog of an order is asked by pay-dialog.test.tsx. */
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

/** Days of the membership as its page tells them. */
async function daysOf(where: Page): Promise<number> {
  await where.goto('/personal/subscription')
  return shownDays(where)
}
const shownDays = async (where: Page): Promise<number> => {
  const words = await where
    .getByText(/到期（还有 \d+ 天）/)
    .first()
    .innerText()
  return Number(/还有 (\d+) 天/.exec(words)?.[1])
}
const daysLeft = () => shownDays(page)

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

  it('is where a refusal leads that it would lift, and what was missed stands out', async () => {
    await leadTo(page, '/rotation/convertible-bond/screen')
    await button(page, '使用模板经典双低').click()
    await card('筛选结果').waitFor()
    await leadTo(page, '/rotation/convertible-bond/grid')
    for (const axis of ['横轴取值', '纵轴取值']) await page.getByRole('textbox', { name: axis }).fill('1:20')
    const refused = '组合数不能超过 200；当前 400；会员可提升额度（网格组合数）'
    await page.getByRole('alert').filter({ hasText: refused }).getByRole('link', { name: '查看会员方案' }).click()
    const plans = card('会员方案')
    await plans.getByText(refused).waitFor()
    expect(await plans.locator('mark').allInnerTexts()).toEqual(['200 组', '2,000 组', '2,000 组'])
    await saysNothingSerious()
    await picture('wish')
    await leadTo(page, '/personal/subscription')
  })

  it('is ordered, given up, and stands among the orders as closed', async () => {
    await order(month)
    const dialog = payDialog(month)
    await dialog.getByText('¥29.00').waitFor()
    await dialog.getByText(/^1[45]:\d\d$/).waitFor()
    await expect.poll(focused).toBe('我已支付，检查状态')
    await picture('code')
    await button(dialog, '取消订单').click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('开通')
    await orders().filter({ hasText: month }).getByText('已关闭').waitFor()
  })

  it('is paid by a scan, and the page updates by itself', async () => {
    const code = await order(month)
    await payAt(code)
    const dialog = payDialog(month)
    await dialog.getByText(/^会员已开通，有效期至/).waitFor()
    await expect.poll(focused).toBe('完成')
    await picture('paid')
    await button(dialog, '完成').click()
    await card('会员方案').getByText(`当前：${month}`).waitFor()
    await orders().filter({ hasText: '已完成' }).getByRole('button', { name: '详情' }).click()
    const receipt = page.getByRole('dialog', { name: '订单详情' })
    await receipt.getByText('微信支付（扫码）').waitFor()
    await saysNothingSerious()
    await button(receipt, '关闭').first().click()
  })

  it('a renewal begins after the current membership, and an open order is offered again', async () => {
    expect(await daysLeft()).toBe(30)
    await order(year, '续费')
    await page.reload()
    await payDialog(year).getByRole('img', { name: '微信支付二维码' }).waitFor()
    // The dialog compares the renewal with the current membership.
    await payDialog(year).getByText('会员有效期').waitFor()
    await payDialog(year).getByText('与现在相同').waitFor()
    // Without its dialog a code is good for nothing.
    const left = page.waitForResponse((answer) => answer.url().endsWith('/payment/wechat/native/close'))
    await payDialog(year).getByRole('button', { name: '关闭', exact: true }).click()
    expect((await (await left).json()).code).toBe(0)
    await orders().filter({ hasText: year }).getByText('已取消支付').waitFor()
    await button(page, `续费${month}`).click()
    const question = page.getByRole('dialog', { name: '已有待支付订单' })
    const shown = page.waitForResponse((answer) => answer.url().endsWith('/payment/wechat/native/process'))
    await button(question, '继续支付').click()
    await payAt((await (await shown).json()).data.code_url)
    await payDialog(year)
      .getByText(/^会员已开通/)
      .waitFor()
    await button(payDialog(year), '完成').click()
    await expect.poll(daysLeft).toBe(395)
    await picture('renewed')
  })

  it('on a phone outside WeChat says where it can be paid', async () => {
    const phone = await openPhone(browser, inject('url'), context)
    const small = phone.page
    await small.goto('/personal/subscription')
    await button(small, `续费${month}`).click()
    const dialog = small.getByRole('dialog', { name: `开通「${month}」` })
    await dialog.getByText('请在手机微信中打开本页面完成支付').waitFor()
    await dialog.getByRole('button', { name: '复制链接' }).waitFor()
    expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await pictureOf(small, 'pay-phone')
    await button(dialog, '取消订单').click()
    await dialog.waitFor({ state: 'detached' })
    await pictureOf(small, 'pay-phone-page', { fullPage: true })
    await phone.context.close()
  })
})

describe('an order that waits', () => {
  const banner = () => page.getByRole('status').filter({ hasText: `你有一笔待支付订单（${month} ¥29.00，` })

  it('is spoken of on every page, leads to its code, and is put aside for itself alone', async () => {
    await leadTo(page, '/personal/subscription')
    await order(month, '续费')
    await payDialog(month).getByRole('button', { name: '关闭', exact: true }).click()
    await leadTo(page, '/rotation/stock/screen')
    await banner()
      .getByText(/剩余 1[45]:\d\d/)
      .waitFor()
    await saysNothingSerious()
    await picture('banner')
    const phone = await openPhone(browser, inject('url'), context)
    await phone.page.goto('/personal/profile')
    await button(phone.page, '继续支付').waitFor()
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await pictureOf(phone.page, 'pay-banner-phone')
    await phone.context.close()
    await button(page, '继续支付').click()
    await payDialog(month).getByRole('img', { name: '微信支付二维码' }).waitFor()
    // Where it is shown anyhow the banner says nothing.
    await banner().waitFor({ state: 'detached' })
    await leadTo(page, '/')
    await banner().getByRole('button', { name: '今天不再显示这条提示' }).click()
    await banner().waitFor({ state: 'detached' })
    await leadTo(page, '/personal/subscription')
    await order(month, '续费')
    await button(payDialog(month), '取消订单').click()
    await order(month, '续费')
    await leadTo(page, '/')
    await button(page, '取消').click()
    await page.getByRole('alertdialog').getByRole('button', { name: '取消订单' }).click()
    await banner().waitFor({ state: 'detached' })
  })

  it('is closed when its time is over; money that comes all the same goes back', async () => {
    await leadTo(page, '/personal/subscription')
    const before = await daysLeft()
    const code = await order(month, '续费')
    await letOrdersAge(address, 16 * 60)
    await payDialog(month).getByText('订单已过期，请重新下单。若已付款，款项会原路退回。').waitFor()
    await picture('expired')
    expect(await payAtStandIn(inject('payUrl'), code)).toBe(true)
    // The dialog and the list update by themselves, without a click or a reload.
    await payDialog(month).getByText('¥29.00 · 已退款').waitFor({ timeout: 60_000 })
    await payDialog(month).getByText('订单已过期，付款已原路退回。').waitFor()
    await picture('late')
    await button(payDialog(month), '完成').click()
    const row = orders().filter({ hasText: '已关闭 · 已退款' })
    await row.first().waitFor({ timeout: 60_000 })
    expect(await daysLeft()).toBe(before)
    await row.first().getByRole('button', { name: '详情' }).click()
    const receipt = page.getByRole('dialog', { name: '订单详情' })
    await receipt.getByText('¥29.00 · 已退款').waitFor()
    await picture('refunded')
  })
})

describe('inside WeChat', () => {
  let phone: WechatPhone
  const small = () => phone.page
  const main = () => small().getByRole('main')
  const press = (name: string) => main().getByRole('button', { name, exact: true }).click()
  const buy = async () => {
    await small().goto('/personal/subscription')
    await press(`续费${month}`)
    await small().waitForURL(/\/pay\/wechat\?order=/)
    await main()
      .getByRole('heading', { name: `开通「${month}」` })
      .waitFor()
  }
  const snap = (name: string) => pictureOf(small(), `pay-wechat-${name}`, { fullPage: true })

  beforeAll(async () => {
    phone = await openWechatPhone(browser, inject('url'), context, inject('payUrl'))
    await phone.context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  })
  afterAll(() => phone?.context.close())

  it('the sheet is given back, has a bank that says no, and is paid in the end: its first money, come late, goes back', async () => {
    const before = await daysOf(small())
    await buy()
    await snap('order')
    expect(await seriousFaults(small())).toEqual([])
    expect(await darkFaults(small())).toEqual([])
    await small().emulateMedia({ colorScheme: 'light' })
    phone.owner.does = 'cancels'
    await press('立即支付')
    // The redirect through WeChat gave the payer's openid; its one-time code is used up.
    await main().getByText('你取消了支付，订单有效期内可以继续。').waitFor()
    await snap('cancelled')
    phone.owner.does = 'fails'
    await press('继续支付')
    await main().getByText('支付失败，可以重试').waitFor()
    await snap('failed')
    phone.owner.does = 'pays'
    await press('重试')
    await main()
      .getByText(/^会员已开通，有效期至/)
      .waitFor()
    await snap('paid')
    expect(new Set(phone.sheets).size).toBe(3)
    // A reload shows the paid state again.
    await small().reload()
    await main()
      .getByText(/^会员已开通，有效期至/)
      .waitFor()
    // The days were given to another browser: a fresh document asks for them.
    await page.goto('/personal/subscription')
    await orders().nth(1).waitFor()
    expect(await payAtStandIn(inject('payUrl'), phone.sheets[0]!)).toBe(true)
    // The list is asked again by itself.
    await orders().filter({ hasText: '已完成 · 已退款' }).waitFor({ timeout: 60_000 })
    expect(await daysLeft()).toBe(before + 30)
    await orders().filter({ hasText: '已完成 · 已退款' }).getByRole('button', { name: '详情' }).click()
    await page.getByRole('dialog', { name: '订单详情' }).getByText('微信支付（微信内）').waitFor()
  })

  it('an order whose time is over says so, and a press meanwhile is refused in words', async () => {
    await buy()
    await letOrdersAge(address, 16 * 60)
    await press('立即支付')
    await main().getByText('订单已过期，请重新下单。若已付款，款项会原路退回。').waitFor()
    await snap('expired')
    await main().getByRole('link', { name: '重新选择方案' }).click()
    await small().waitForURL(/\/personal\/subscription$/)
  })

  it('an order that is opened by its link is paid there, and not by a stranger’s code', async () => {
    await buy()
    const address = small().url()
    await small().goto(`${address}&code=0strangers&state=theirs`)
    await main().getByRole('button', { name: '立即支付', exact: true }).waitFor()
    expect(phone.sheets).toHaveLength(3)
    await small().goto(address.replace('/pay/wechat', '/personal/subscription'))
    await small().waitForURL(/\/pay\/wechat\?order=/)
    await press('取消订单')
    await small().getByRole('alertdialog').getByRole('button', { name: '取消订单' }).click()
    await main().getByText('订单已关闭，请重新下单').waitFor()
  })

  it('after a sheet that fails, WeChat is asked anew who pays, once', async () => {
    await buy()
    const before = phone.sheets.length
    phone.owner.does = 'fails'
    await press('立即支付')
    // The first was made out to the payer of last time, the second to whom WeChat named when the page came back.
    await main().getByText('支付失败，可以重试').waitFor()
    expect(phone.sheets).toHaveLength(before + 2)
    await press('重试')
    await expect.poll(() => phone.sheets.length).toBe(before + 3)
    await main().getByText('支付失败，可以重试').waitFor()
    await press('取消订单')
    await small().getByRole('alertdialog').getByRole('button', { name: '取消订单' }).click()
    await main().getByText('订单已关闭，请重新下单').waitFor()
  })

  it('an iPhone sees no price where nothing is sold to it', async () => {
    const iphone = await openPhone(browser, inject('url'), context, { system: 'iphone', wechat: true })
    await iphone.page.goto('/personal/subscription')
    await iphone.page.getByText('由于相关规范，iOS 功能暂不可用').waitFor()
    expect(await iphone.page.getByRole('region', { name: '会员方案' }).getByText('¥').count()).toBe(0)
    await pictureOf(iphone.page, 'pay-iphone')
    await iphone.context.close()
  })
})

it('was sold without a fault on the page', () => expect(faults).toEqual([]))
