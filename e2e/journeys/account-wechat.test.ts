// WeChat's scan, in a real browser, at the stand-in of its pages: the way in, and in the profile of an account that is there.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { codeFor, makeAccount, masked, newMobile, password } from '../src/accounts.ts'
import { seriousFaults } from '../src/axe.ts'
import { launchBrowser } from '../src/browser.ts'
import { jump } from '../src/later.ts'
import { pictureOf } from '../src/picture.ts'
import { hold } from '../src/quiet.ts'
import { untilThere } from '../src/until-there.ts'
import { button, field, inside, logIn, notOf, openMenu, phone, readRisk, unexpected, visitorsOf } from '../src/visitors.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const network = visitorsOf('198.51.101')
const visit = (viewport?: typeof phone) => network.visit(browser, inject('url'), viewport)
const picture = (page: Page, name: string) => pictureOf(page, name, { fullPage: true })

describe('WeChat', () => {
  const scan = async (page: Page, person: string) => {
    await page.getByRole('tab', { name: '微信扫码' }).click()
    await page
      .frameLocator('iframe[title="微信登录二维码"]')
      .getByRole('button', { name: `以用户 ${person} 扫码` })
      .click()
  }

  it('seen the first time is bound to an account, which is made for it; the second time it opens it', async () => {
    const owner = newMobile('1380011')
    const { context, page, faults } = await visit()
    await page.goto('/login?redirect=%2Frotation%2Fstock%2Fscreen')
    await scan(page, 'A')
    await page.waitForURL('**/bind-wechat?**')
    await page.getByText('微信已授权，还差一步：绑定或创建你的账号').waitFor()
    await field(page, '手机号/邮箱').fill('someone@example.cn')
    expect(await page.getByRole('radio', { name: '邮箱' }).isChecked()).toBe(true)
    await field(page, '手机号/邮箱').fill(owner)
    expect(await page.getByRole('radio', { name: '短信' }).isChecked()).toBe(true)
    await button(page, '获取验证码').click()
    const code = await codeFor(owner, 'bind_wechat')
    await readRisk(page)
    await field(page, '验证码').fill(notOf(code))
    await button(page, '绑定并登录').click()
    await page.getByText('验证码错误或已失效').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'bind-wechat')
    await field(page, '验证码').fill(code)
    await button(page, '绑定并登录').click()
    await page.waitForURL((url) => url.pathname === '/rotation/stock/screen')
    await button(page, /^使用模板/)
      .first()
      .waitFor()
    await openMenu(page)
    await page.getByText(masked(owner)).waitFor()
    await button(page, '退出登录').click()
    await page.waitForURL('**/login')
    await scan(page, 'A')
    await page.waitForURL(inside)
    expect(unexpected(faults, /^409 .*by-wechat-web$/, /^400 .*bind-wechat$/)).toEqual([])
    await context.close()
  })

  it('is bound, replaced and taken off in the profile of an account that is there', async () => {
    const mobile = newMobile('1380011')
    await makeAccount(mobile, '小明')
    const { context, page, faults } = await visit()
    await page.goto('/login?redirect=%2Fpersonal%2Fprofile')
    await logIn(page, mobile, password)
    await page.getByRole('link', { name: /绑定\s*微信/ }).click()
    const drawer = page.getByRole('dialog', { name: /微信$/ })
    // The frame moves with the drawer as it comes in: a press that met nothing is pressed again.
    const pick = async (person: string) => {
      for (let tries = 0; tries < 3; tries++) {
        const isConfirmed = page.waitForRequest(/\/connect\/confirm/, { timeout: 10_000 }).then(
          () => true,
          () => false,
        )
        await drawer
          .frameLocator('iframe')
          .getByRole('button', { name: `以用户 ${person} 扫码` })
          .click()
        if (await isConfirmed) return
      }
    }
    await pick('C')
    // A name that turns the direction of writing is not shown.
    await untilThere(drawer, drawer.getByText('微信用户', { exact: true }))
    expect(new URL(page.url()).search).toBe('')
    await picture(page, 'wechat-bound')
    expect(await seriousFaults(page)).toEqual([])

    // Another one in its place: only after showing who one is.
    await drawer.getByRole('button', { name: '换绑其他微信' }).click()
    await pick('B')
    const who = page.getByRole('dialog', { name: '验证身份' })
    await who.getByRole('textbox', { name: '登录密码' }).fill(password)
    await who.getByRole('button', { name: '验证', exact: true }).click()
    await drawer.getByText('乙同学', { exact: true }).waitFor()
    await drawer.getByRole('button', { name: '解绑', exact: true }).click()
    await page.getByRole('alertdialog', { name: '解绑微信「乙同学」？' }).getByRole('button', { name: '解绑' }).click()
    await drawer.frameLocator('iframe').getByText('请使用微信扫一扫登录').waitFor()

    await page.goto('/personal/profile/wechat?code=stolen&state=0123456789abcdef0123456789abcdef')
    await drawer.getByText('登录状态已失效，请重新扫码').waitFor()
    expect(unexpected(faults, /postMessage/, /400 .*wechat-web-credential/)).toEqual([])
    await context.close()
  })

  it('leads back only to the tab that began: another state is not even asked about', async () => {
    const { context, page, faults } = await visit(phone)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/login/wechat-callback?code=stolen&state=0123456789abcdef0123456789abcdef')
    await page.getByText('登录状态已失效，请重新扫码').waitFor()
    expect(asked.filter((url) => url.includes('by-wechat-web'))).toEqual([])
    await picture(page, 'wechat-stale')
    await page.getByRole('link', { name: '重新扫码' }).click()
    await page.frameLocator('iframe').getByText('请使用微信扫一扫登录').waitFor()
    expect(await seriousFaults(page, 'main')).toEqual([])
    await picture(page, 'wechat-phone')
    const state = new URL((await page.locator('iframe').getAttribute('src')) ?? '').searchParams.get('state')
    expect(state).toMatch(/^[0-9a-f]{32}$/)
    // WeChat redirects back without a code after a refusal on the phone.
    await page.goto(`/login/wechat-callback?state=${state}`)
    await page.getByText('你取消了微信授权').waitFor()
    // axe posts a message to every frame, WeChat's included.
    expect(unexpected(faults, /postMessage/)).toEqual([])
    await context.close()
  })

  it('shows its code for five minutes, then offers another', async () => {
    const { context, page } = await visit()
    await page.clock.install()
    await page.goto('/login?way=wechat')
    const frame = page.locator('iframe')
    await page.frameLocator('iframe').getByRole('button').first().waitFor()
    const first = await frame.getAttribute('src')
    await jump(page, 250_000)
    await page.getByText(/还剩 \d+ 秒/).waitFor()
    await jump(page, 60_000)
    await page.getByText('二维码已过期').waitFor()
    await picture(page, 'wechat-over')
    await page.getByRole('alert').getByRole('button', { name: '刷新二维码' }).click()
    await page.frameLocator('iframe').getByRole('button').first().waitFor()
    expect(await frame.getAttribute('src')).not.toBe(first)
    await context.close()
  })

  it('that does not answer is told as such', async () => {
    const { context, page } = await visit()
    await page.clock.install()
    await page.route(`${inject('wechatUrl')}/**`, hold)
    await page.goto('/login?way=wechat')
    await page.locator('iframe').waitFor()
    await jump(page, 11_000)
    await page.getByText('微信二维码加载失败').waitFor()
    await page.unroute(`${inject('wechatUrl')}/**`)
    await button(page, '重试').click()
    await page.frameLocator('iframe').getByRole('button').first().waitFor()
    await context.close()
  })

  it('inside WeChat is one button', async () => {
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50'
    const context: BrowserContext = await browser.newContext({ locale: 'zh-CN', baseURL: inject('url'), viewport: phone, userAgent: agent })
    const page = await context.newPage()
    await page.goto('/login?way=wechat')
    await button(page, '微信一键登录').waitFor()
    await picture(page, 'wechat-inside')
    await button(page, '微信一键登录').click()
    await page.getByRole('button', { name: '以用户 A 扫码' }).click()
    await page.waitForURL(inside)
    await context.close()
  })
})
