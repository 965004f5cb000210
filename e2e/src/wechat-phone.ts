import type { Browser, BrowserContext, Page } from 'playwright-core'
import { faultsOf, saveData } from './browser.ts'

const agents = {
  android: 'Mozilla/5.0 (Linux; Android 15; PJF110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Mobile Safari/537.36',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
} as const

export interface Phone {
  context: BrowserContext
  page: Page
  faults: string[]
}

export interface WechatPhone extends Phone {
  /** What its owner does when WeChat's sheet opens. */
  owner: { does: 'pays' | 'cancels' | 'fails' }
  /** What the sheets were opened with so far: `prepay_id=…`. */
  sheets: string[]
}

/** A phone with a browser of its own, logged in as another context is. `wechat`: the page is shown by WeChat, which says so. */
export async function openPhone(
  browser: Browser,
  baseURL: string,
  like: BrowserContext,
  { system = 'android', wechat = false }: { system?: keyof typeof agents; wechat?: boolean } = {},
): Promise<Phone> {
  const context = await browser.newContext({
    ...{ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', baseURL, viewport: { width: 390, height: 844 }, hasTouch: true },
    ...{ userAgent: agents[system] + (wechat ? ' MicroMessenger/8.0.50' : ''), storageState: await like.storageState() },
  })
  await saveData(context)
  const page = await context.newPage()
  return { context, page, faults: faultsOf(page) }
}

/**
 * The same inside WeChat, with a bridge in the place of its own: the sheet's owner pays at the stand-in (`payUrl`), goes back, or has a
 * bank that says no.
 */
export async function openWechatPhone(browser: Browser, baseURL: string, like: BrowserContext, payUrl: string): Promise<WechatPhone> {
  const phone = await openPhone(browser, baseURL, like, { wechat: true })
  const owner: WechatPhone['owner'] = { does: 'pays' }
  const sheets: string[] = []
  await phone.context.exposeFunction('openSheetOfPhone', async (prepay: string) => {
    sheets.push(prepay)
    if (owner.does === 'cancels') return 'cancel'
    return owner.does === 'pays' && (await payAtStandIn(payUrl, prepay)) ? 'ok' : 'fail'
  })
  await phone.context.addInitScript(() => {
    const open = window as unknown as { openSheetOfPhone(prepay: string): Promise<string> }
    const invoke = (_name: string, parameters: { package: string }, done: (answer: { err_msg: string }) => void) =>
      void open.openSheetOfPhone(parameters.package).then((end) => done({ err_msg: `get_brand_wcpay_request:${end}` }))
    Object.assign(window, { WeixinJSBridge: { invoke } })
  })
  return { ...phone, owner, sheets }
}

/** What a person presses on the stand-in's page: pays what is open; of what is closed the money comes late. */
export async function payAtStandIn(payUrl: string, token: string): Promise<boolean> {
  const answer = await fetch(`${payUrl}/scan`, { method: 'POST', body: new URLSearchParams({ pr: token }) })
  return (await answer.text()).includes('支付成功')
}
