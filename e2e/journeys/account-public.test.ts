// The way in, in a real browser: registering, a forgotten password, the human check, and how a login ends; by WeChat's scan in
// account-wechat.test.ts. Nobody sends the messages: the journey reads the codes where they are left.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { codeFor, password as madePassword, makeAccount, masked, newMobile } from '../src/accounts.ts'
import { seriousFaults } from '../src/axe.ts'
import { launchBrowser } from '../src/browser.ts'
import { jump } from '../src/later.ts'
import { pictureOf } from '../src/picture.ts'
import { button, field, inside, logIn, notOf, openMenu, phone, readRisk, unexpected, visitorsOf } from '../src/visitors.ts'

const password = 'Tu-Du-2026-lun-dong'
const another = 'Bie-De-Mi-Ma-2026'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const network = visitorsOf('192.0.2')
const visit = (viewport?: typeof phone) => network.visit(browser, inject('url'), viewport)
const picture = (page: Page, name: string) => pictureOf(page, name, { fullPage: true })

async function next(page: Page) {
  await button(page, '下一步').click()
  await field(page, '验证码').waitFor()
}

/** Mobile number of the account that the registration test creates and the other tests use. */
let mobile: string

describe('registering', () => {
  it('by mobile says what is missing, keeps its clock past a reload, refuses a wrong code, and leads in', async () => {
    mobile = newMobile('1380000')
    const { context, page, faults } = await visit()
    await page.goto('/login?redirect=%2Frotation%2Fstock%2Fscreen')
    await page.getByRole('link', { name: '立即注册' }).click()
    await field(page, '手机号/邮箱').waitFor()
    expect(await button(page, '获取验证码').isDisabled()).toBe(true)
    await button(page, '注册').click()
    for (const name of ['手机号或邮箱', '验证码', '密码', '确认密码']) await page.getByText(`请填写${name}`, { exact: true }).waitFor()
    await page.getByText('请先阅读并同意《用户协议》《隐私政策》《风险揭示书》').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'register-empty')

    await field(page, '手机号/邮箱').fill(mobile)
    await button(page, '获取验证码').click()
    await page.getByText(`验证码已发送至 ${masked(mobile)}，5 分钟内有效`).waitFor()
    const code = await codeFor(mobile, 'register')
    expect(code).toMatch(/^\d{6}$/)
    await page.reload()
    expect(await field(page, '手机号/邮箱').inputValue()).toBe(mobile)
    await button(page, /^[1-5]\d 秒后可重发$/).waitFor()
    // Another target has a clock of its own.
    await field(page, '手机号/邮箱').fill(newMobile('1380000'))
    await button(page, '获取验证码').waitFor()
    await field(page, '手机号/邮箱').fill(mobile)
    await button(page, /秒后可重发$/).waitFor()

    await field(page, '验证码').fill(notOf(code))
    await field(page, '设置密码').fill('password123')
    await field(page, '确认密码').fill('password1234')
    await field(page, '确认密码').blur()
    await page.getByText('该密码过于常见，请更换').waitFor()
    await page.getByText('两次输入的密码不一致').waitFor()
    await field(page, '设置密码').fill(password)
    await field(page, '确认密码').fill(password)
    await page.getByText(/^强度 (较强|强)$/).waitFor()
    await readRisk(page)
    await button(page, '注册').click()
    await page.getByText('验证码错误或已失效').waitFor()
    expect(await field(page, '验证码').evaluate((element) => element === document.activeElement)).toBe(true)
    await picture(page, 'register-wrong-code')
    // As it is copied out of a message.
    await field(page, '验证码').fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
    await button(page, '注册').click()
    await page.waitForURL((url) => url.pathname === '/rotation/stock/screen')
    await button(page, /^账户菜单/).waitFor()
    expect(unexpected(faults, /^400 .*by-register$/)).toEqual([])
    await context.close()
  })

  it('by e-mail, on a phone', async () => {
    const email = `reader${newMobile('1380000')}@example.cn`
    const { context, page, faults } = await visit(phone)
    await page.goto('/register')
    await field(page, '手机号/邮箱').fill(email)
    await button(page, '获取验证码').click()
    await page.getByText('验证码已发送至 re***@example.cn，5 分钟内有效').waitFor()
    expect(await field(page, '验证码').getAttribute('autocomplete')).toBe('one-time-code')
    await field(page, '验证码').fill(await codeFor(email, 'register'))
    await field(page, '设置密码').fill(password)
    await field(page, '确认密码').fill(password)
    await readRisk(page)
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await picture(page, 'register-phone')
    await field(page, '确认密码').press('Enter')
    await page.waitForURL(inside)
    expect(unexpected(faults)).toEqual([])
    await context.close()
  })

  it('tells of an account that is there only whoever has the code', async () => {
    const { context, page } = await visit()
    await page.goto('/register')
    await page.clock.install()
    await field(page, '手机号/邮箱').fill(mobile)
    // One was asked for a moment ago, from elsewhere.
    await fetch(`${inject('url')}/v1/user/${mobile}/register-code`, { headers: { 'X-Forwarded-For': '192.0.2.250' } })
    await button(page, '获取验证码').click()
    await page.getByText(/^验证码发送过于频繁，请\d+秒后再试$/).waitFor()
    await button(page, /^\d+ 秒后可重发$/).waitFor()
    await jump(page, 61_000)
    await button(page, '获取验证码').waitFor()
    await context.close()
  })
})

describe('logging in', () => {
  it('from a network that guesses passwords shows first that a person does, and goes on by itself', async () => {
    const network = (i: number) => `198.18.7.${i + 1}`
    const guess = (i: number) =>
      fetch(`${inject('url')}/v1/authorize/access-token/by-password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': network(i) },
        body: JSON.stringify({ account: `guess${i}@example.com`, password: 'wrong' }),
      })
    for (let i = 0; i < 30; i++) await guess(i)
    expect((await guess(30)).status).toBe(429)
    const { context, page, faults } = await visit()
    await context.setExtraHTTPHeaders({ 'X-Forwarded-For': network(200) })
    const neighbour = newMobile('1380000')
    await makeAccount(neighbour, '邻居')
    await page.goto('/login')
    await logIn(page, neighbour, madePassword)
    const check = page.getByRole('group', { name: '人机验证' })
    await check.getByText('当前网络的登录请求较多，登录前需要确认不是机器人。').waitFor()
    await picture(page, 'login-human-check')
    await page.waitForURL(inside)
    expect(unexpected(faults, /^429 .*by-password$/)).toEqual([])
    await context.close()
  })

  it('is for this tab, or for the browser where it is to be remembered', async () => {
    const { context, page } = await visit()
    await page.goto('/login')
    await logIn(page, mobile, password)
    await page.waitForURL(inside)
    expect(await page.evaluate(() => [localStorage.getItem('tokenData'), sessionStorage.getItem('tokenData') !== null])).toEqual([
      null,
      true,
    ])
    await openMenu(page)
    await button(page, '退出登录').click()
    await page.waitForURL('**/login')
    await page.getByRole('checkbox', { name: '记住我' }).check()
    await logIn(page, mobile, password)
    await page.waitForURL(inside)
    expect(await page.evaluate(() => sessionStorage.getItem('tokenData'))).toBe(null)

    const second = await context.newPage()
    await second.goto('/rotation/stock/screen')
    await button(second, /^账户菜单/).waitFor()
    await openMenu(page)
    await button(page, '退出登录').click()
    await page.waitForURL('**/login*')
    await second.waitForURL('**/login?redirect=%2Frotation%2Fstock%2Fscreen')
    await context.close()
  })
})

describe('whoever asks for many codes', () => {
  it('shows first that a person does: the browser works for it, without anything from elsewhere', async () => {
    const { context, page, faults } = await visit()
    const source = network.address()
    const asking = newMobile('1370000')
    for (let i = 0; i < 4; i++) {
      const answer = await fetch(`${inject('url')}/v1/user/${newMobile('1370000')}/register-code`, {
        headers: { 'X-Forwarded-For': source },
      })
      expect(answer.status).toBe(200)
    }
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await page.goto('/register')
    await field(page, '手机号/邮箱').fill(asking)
    await button(page, '获取验证码').click()
    await page.getByRole('group', { name: '人机验证' }).locator('altcha-widget').waitFor()
    await picture(page, 'human-check')
    expect(await seriousFaults(page)).toEqual([])
    await page.getByText(`验证码已发送至 ${masked(asking)}，5 分钟内有效`).waitFor({ timeout: 60_000 })
    expect(await codeFor(asking, 'register')).toMatch(/^\d{6}$/)
    expect([...hosts]).toEqual([inject('url')])
    expect(unexpected(faults, /^429 .*register-code$/)).toEqual([])
    await context.close()
  })
})

describe('the link of an activation mail', () => {
  it('keeps its code through the login; a dead one is said to be dead', async () => {
    const { context, page, faults } = await visit(phone)
    await page.goto('/activate-email?code=123456')
    await page.getByText('请先登录').waitFor()
    await page.getByRole('link', { name: '去登录' }).click()
    await logIn(page, mobile, password)
    await page.waitForURL('**/activate-email?code=123456')
    await page.getByText('链接已失效').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'activate-dead')
    expect(unexpected(faults, /^400 .*email\/activation$/)).toEqual([])
    await context.close()
  })
})

describe('a forgotten password', () => {
  it('is asked for in the same words whether the account exists or not', async () => {
    const nobody = newMobile('1390008')
    const { context, page } = await visit(phone)
    await page.goto('/forgot-password')
    await field(page, '手机号/邮箱').fill(nobody)
    await button(page, '下一步').click()
    await page.getByText('若该账号存在，验证码已发送，5 分钟内有效').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'forgot-phone')
    // Another one within the minute is not sent: the page counts until then.
    await page.goto('/forgot-password')
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await field(page, '手机号/邮箱').fill(nobody)
    await button(page, '下一步').click()
    await button(page, /秒后可以继续/).waitFor()
    await picture(page, 'forgot-wait')
    await context.close()
  })

  it('is replaced; other logins end with a warning and come back with the new one', async () => {
    const owner = `owner${newMobile('1380000')}@example.cn`
    await makeAccount(owner, '小明')
    const elsewhere = await visit()
    await elsewhere.page.goto('/login')
    await logIn(elsewhere.page, owner, madePassword)
    await elsewhere.page.waitForURL(inside)

    const { context, page, faults } = await visit()
    await page.goto('/login')
    await field(page, '手机号/邮箱').fill(owner)
    await page.getByRole('link', { name: '忘记密码？' }).click()
    expect(await field(page, '手机号/邮箱').inputValue()).toBe(owner)
    await next(page)
    const code = await codeFor(owner, 'reset_password')
    await page.reload()
    await page.getByText('若该账号存在，验证码已发送，5 分钟内有效').waitFor()
    await field(page, '验证码').fill(code)
    await field(page, '新密码').fill(another)
    await field(page, '确认密码').fill(another)
    await picture(page, 'forgot-new-password')
    await button(page, '重置密码').click()
    await page.getByText('密码已重置，其他设备已退出登录').waitFor()
    await picture(page, 'forgot-done')
    await page.waitForURL('**/login')
    expect(await field(page, '手机号/邮箱').inputValue()).toBe(owner)
    expect(unexpected(faults)).toEqual([])
    await context.close()

    const { page: other } = elsewhere
    await other.goto('/rotation/stock/backtest')
    await other.getByRole('alertdialog', { name: '请先登录' }).getByRole('button', { name: '去登录' }).click()
    await other.waitForURL('**/login?redirect=%2Frotation%2Fstock%2Fbacktest')
    await logIn(other, owner, madePassword)
    await other.getByText('账号或密码错误').waitFor()
    await logIn(other, owner, another)
    await other.waitForURL('**/rotation/stock/backtest')
    await elsewhere.context.close()
  })

  it('is not set by a code that was tried too often', async () => {
    const guessed = newMobile('1380000')
    await makeAccount(guessed, '小红')
    const { context, page } = await visit()
    await page.goto('/forgot-password')
    await field(page, '手机号/邮箱').fill(guessed)
    await next(page)
    const code = await codeFor(guessed, 'reset_password')
    await field(page, '新密码').fill(another)
    await field(page, '确认密码').fill(another)
    const refusal = () => page.waitForResponse('**/new-password')
    for (let i = 0; i < 5; i++) {
      await field(page, '验证码').fill(notOf(code))
      expect((await Promise.all([refusal(), button(page, '重置密码').click()]))[0].status()).toBe(400)
      await page.getByText('验证码错误或已失效').waitFor()
    }
    await field(page, '验证码').fill(code)
    expect((await Promise.all([refusal(), button(page, '重置密码').click()]))[0].status()).toBe(400)
    await page.getByText('验证码错误或已失效').waitFor()
    await context.close()
  })
})
