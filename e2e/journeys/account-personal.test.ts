// The account's own pages in a real browser: every change of it is made as its owner makes it, with the codes that were sent.
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { codeFor, comeLoggedIn, logIn, makeAccount, masked, newMobile, password } from '../src/accounts.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { quietOf } from '../src/quiet.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const profile = '/personal/profile'
let browser: Browser
let visitors = 0

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const picture = (page: Page, name: string) => pictureOf(page, `personal-${name}`)
const toast = (page: Page, words: string | RegExp) => page.locator('.toast').filter({ hasText: words }).first().waitFor()
const row = (page: Page, name: string) => page.getByRole('listitem', { includeHidden: true }).filter({ hasText: name }).first()
const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

/** A browser of its own, at an address of its own. */
async function open(size = desktop) {
  const opened = await openContext(browser, inject('url'), size)
  await opened.context.setExtraHTTPHeaders({ 'x-forwarded-for': `203.0.113.${++visitors}` })
  return opened
}

/** Somebody who is logged in and at `path`. */
async function somebody(account: string, { path = profile, size = desktop, nickname = '小明' } = {}) {
  await makeAccount(account, nickname)
  const opened = await open(size)
  await comeLoggedIn(opened.page, account, path)
  return opened
}

let askedBefore = false
/** The server asks who one is: by the password. The first time a wrong one is tried, and axe is asked. */
async function reAuth(page: Page) {
  const dialog = page.getByRole('dialog', { name: '验证身份' })
  await dialog.waitFor()
  if (!askedBefore) {
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('textbox', { name: '登录密码' }).fill('不是这个密码')
    await dialog.getByRole('button', { name: '验证', exact: true }).click()
    await dialog.getByText('密码错误').waitFor()
    askedBefore = true
  }
  await dialog.getByRole('textbox', { name: '登录密码' }).fill(password)
  await dialog.getByRole('button', { name: '验证', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('the mobile', () => {
  it('is bound for the first time after showing who one is', async () => {
    const mobile = newMobile('1390000')
    const email = `wang${mobile}@example.cn`
    const { context, page } = await somebody(email)
    await row(page, '手机').getByRole('link', { name: /绑定/ }).click()
    const drawer = page.getByRole('dialog', { name: '绑定手机号' })
    await drawer.getByLabel('新手机号', { exact: true }).fill(mobile)
    await drawer.getByRole('button', { name: '获取验证码' }).click()
    await drawer.getByText(`验证码已发送至 ${masked(mobile)}`).waitFor()
    expect(await drawer.getByRole('button', { name: /秒后可重发/ }).isDisabled()).toBe(true)
    await drawer.getByLabel('新手机号验证码').fill(await codeFor(mobile, 'mobile_new'))
    await drawer.getByRole('button', { name: '绑定手机号' }).click()
    await reAuth(page)
    await toast(page, `手机号已绑定为 ${masked(mobile)}`)
    await page.waitForURL((url) => url.pathname === profile)
    expect(await row(page, '手机').textContent()).toContain(masked(mobile))
    await context.close()
  })

  it('is replaced by the codes of both, on a phone', async () => {
    const mobile = newMobile('1390000')
    const strange = newMobile('1390000')
    const next = newMobile('1390000')
    const { context, page } = await somebody(mobile, { size: phone })
    await row(page, '手机').getByRole('link').click()
    const drawer = page.getByRole('dialog', { name: '更换手机号' })
    const old = drawer.getByLabel('原手机号', { exact: false }).first()
    await old.fill(strange)
    await old.blur()
    await drawer.getByText(`与已绑定的手机号 ${masked(mobile)} 不一致`).waitFor()
    expect(await drawer.getByRole('button', { name: '获取验证码' }).isDisabled()).toBe(true)
    await old.fill(mobile)
    await drawer.getByRole('button', { name: '获取验证码' }).click()
    await drawer.getByLabel('原手机号验证码').fill(await codeFor(mobile, 'mobile_old'))
    await picture(page, 'mobile-old-phone')
    await drawer.getByRole('button', { name: '下一步' }).click()
    await drawer.getByLabel('新手机号', { exact: true }).fill(next)
    await drawer.getByRole('button', { name: '获取验证码' }).click()
    const right = await codeFor(next, 'mobile_new')
    const code = drawer.getByLabel('新手机号验证码')
    await code.fill(right === '000000' ? '000001' : '000000')
    await drawer.getByRole('button', { name: '更换手机号' }).click()
    await drawer.getByText('验证码错误或已失效').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await code.fill(right)
    await drawer.getByRole('button', { name: '更换手机号' }).click()
    await toast(page, `手机号已更换为 ${masked(next)}`)
    expect(await row(page, '手机').textContent()).toContain(masked(next))
    await context.close()
  })
})

describe('the e-mail', () => {
  it('comes into force by six digits', async () => {
    const mobile = newMobile('1390000')
    const email = `li${mobile}@example.cn`
    const { context, page } = await somebody(mobile)
    await row(page, '邮箱').getByRole('link').click()
    const drawer = page.getByRole('dialog', { name: '激活邮箱' })
    await drawer.getByRole('textbox', { name: '邮箱' }).fill(email)
    await drawer.getByRole('button', { name: '发送激活码' }).click()
    await reAuth(page)
    await drawer.getByText('激活码已发送至').waitFor()
    expect(await row(page, '邮箱').textContent()).not.toContain('已激活')
    const right = await codeFor(email, 'activate_email')
    const digits = drawer.getByLabel('激活码', { exact: true })
    await digits.fill(right === '000000' ? '000001' : '000000')
    await drawer.getByRole('button', { name: '激活', exact: true }).click()
    await drawer.getByText('激活码错误或已失效').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'email-digits')
    await digits.fill(right)
    await drawer.getByRole('button', { name: '激活', exact: true }).click()
    await toast(page, '已激活')
    expect(await row(page, '邮箱').textContent()).toMatch(/l\w?\*\*\*@example\.cn已激活/)
    await context.close()
  })

  it('or by the link, which this page hears of', async () => {
    const mobile = newMobile('1390000')
    const email = `zhao${mobile}@example.cn`
    const { context, page } = await somebody(mobile)
    await page.goto(`${profile}/email`)
    const drawer = page.getByRole('dialog', { name: '激活邮箱' })
    await drawer.getByRole('textbox', { name: '邮箱' }).fill(email)
    await drawer.getByRole('button', { name: '发送激活码' }).click()
    await reAuth(page)
    await drawer.getByText('激活码已发送至').waitFor()
    await page.goto(`/activate-email?code=${await codeFor(email, 'activate_email')}`)
    await page.getByText('已激活').first().waitFor()
    await page.getByRole('link', { name: '返回个人资料' }).click()
    await row(page, '邮箱').getByText('已激活').waitFor()
    await context.close()
  })
})

describe('the password', () => {
  it('is changed by a code; every other device is logged out, this one stays', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile, { path: '/personal/profile/password' })
    const other = await open(phone)
    await comeLoggedIn(other.page, mobile, profile)
    await row(other.page, '手机').waitFor()
    const drawer = page.getByRole('dialog', { name: '修改登录密码' })
    await drawer.getByRole('button', { name: '保存新密码' }).click()
    for (const words of ['请填写手机号', '请填写验证码', '请填写新密码', '请填写确认密码']) await drawer.getByText(words).waitFor()
    await drawer.getByLabel('手机号').fill(mobile)
    await drawer.getByRole('button', { name: '获取验证码' }).click()
    await drawer.getByLabel('验证码').fill(await codeFor(mobile, 'reset_password'))
    await drawer.getByRole('textbox', { name: '新密码' }).fill('password')
    await drawer.getByRole('textbox', { name: '确认密码' }).fill('另一个密码')
    await drawer.getByText('该密码过于常见，请更换').waitFor()
    await drawer.getByRole('textbox', { name: '新密码' }).fill('换成另一个够长的')
    await drawer.getByRole('textbox', { name: '确认密码' }).fill('换成另一个够长的')
    await drawer.getByRole('button', { name: '保存新密码' }).click()
    await toast(page, '密码已修改，其他 1 台设备已退出登录')
    await page.reload()
    await row(page, '手机').getByText(masked(mobile)).waitFor()

    await other.page.reload()
    await other.page.getByRole('alertdialog', { name: '请先登录' }).getByRole('button', { name: '去登录' }).click()
    await other.page.waitForURL('**/login?**')
    await logIn(other.page, mobile, profile, '换成另一个够长的')
    await other.context.close()
    await context.close()
  })
})

describe('the avatar', () => {
  /** A picture made here: a red field with a blue right half. */
  const png = async (page: Page) => {
    const made = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 800
      canvas.height = 400
      const pen = canvas.getContext('2d')!
      pen.fillStyle = '#c8161d'
      pen.fillRect(0, 0, 800, 400)
      pen.fillStyle = '#1f5fbf'
      pen.fillRect(400, 0, 400, 400)
      return canvas.toDataURL('image/png')
    })
    return { name: '照片.PNG', mimeType: 'image/png', buffer: Buffer.from(made.split(',')[1] ?? '', 'base64') }
  }

  it('is a picture cut square by keys; what is too large or no picture is refused', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    await page.getByRole('button', { name: '更换头像' }).click()
    const dialog = page.getByRole('dialog', { name: '更换头像' })
    const input = dialog.getByLabel('头像图片')
    const give = (name: string, bytes: Buffer) => input.setInputFiles({ name, mimeType: 'image/png', buffer: bytes })
    await give('大图.png', Buffer.alloc(2 * 1024 * 1024 + 1))
    await dialog.getByText('图片不能超过 2MB').waitFor()
    await give('文字.png', Buffer.from('这不是图片'))
    await dialog.getByText('仅支持 JPG、PNG、WEBP').waitFor()
    await give('矢量.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await dialog.getByText('仅支持 JPG、PNG、WEBP').waitFor()
    expect(await dialog.getByRole('application').count()).toBe(0)

    await input.setInputFiles(await png(page))
    const crop = dialog.getByRole('application', { name: '头像裁剪区域' })
    await crop.waitFor()
    const left = () => crop.locator('img').evaluate((image) => image.style.left)
    const before = await left()
    await crop.focus()
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft')
    expect(await left()).not.toBe(before)
    await page.keyboard.press('+')
    await dialog.getByText('1.1 倍').waitFor()
    await picture(page, 'avatar-crop')
    expect(await seriousFaults(page)).toEqual([])

    // A server that is busy for once: what was chosen stays, and is sent again.
    await page.route(
      '**/v1/file/*',
      (route) => route.fulfill({ status: 503, json: { code: 50301, msg: '服务繁忙，请稍后重试', data: null } }),
      {
        times: 1,
      },
    )
    await dialog.getByRole('button', { name: '保存' }).click()
    await dialog.getByText('服务繁忙，请稍后重试').waitFor()
    await dialog.getByRole('button', { name: '重试' }).click()
    await toast(page, '头像已更换')
    const shown = page.getByRole('button', { name: /^账户菜单/ }).locator('img')
    await shown.waitFor()
    // The picture was pushed all the way to its blue half.
    const colour = await shown.evaluate((image: HTMLImageElement) => {
      const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')!
      pen.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1)
      return [image.naturalWidth, ...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]
    })
    expect(colour[0]).toBe(256)
    expect(colour[3]).toBeGreaterThan(150)
    expect(colour[1]).toBeLessThan(80)
    await picture(page, 'avatar-done')
    await context.close()
  })
})

describe('the nickname', () => {
  it('is changed where it stands, at once, and taken back when it is refused', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    const begin = () => page.getByRole('button', { name: '修改昵称' }).click()
    const field = page.getByRole('textbox', { name: '昵称' })
    await begin()
    await field.fill('不要这个')
    await page.keyboard.press('Escape')
    await page.getByText('小明', { exact: true }).waitFor()
    await begin()
    await field.fill('   ')
    await page.keyboard.press('Enter')
    await page.getByText('名称需为1至50个字符').waitFor()

    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const kept = async (route: Route) => {
      await held
      await route.continue()
    }
    const refused = (route: Route) => route.fulfill({ status: 409, json: { code: 21003, msg: '名称已存在', data: null } })
    // The page also reads the account now and then: only what is written is held back, and later refused. One route for both:
    // a request that comes between two would reach the server.
    let answer = kept
    await page.route('**/v1/user/info', (route) => (route.request().method() === 'PUT' ? answer(route) : route.continue()))
    await field.fill('转债研究员')
    await page.keyboard.press('Enter')
    await page.getByText('转债研究员', { exact: true }).waitFor()
    const saved = page.waitForResponse((response) => response.url().endsWith('/v1/user/info') && response.request().method() === 'PUT')
    release()
    await saved
    await page.getByRole('button', { name: '账户菜单：转债研究员' }).waitFor()

    answer = refused
    await begin()
    await field.fill('一'.repeat(10))
    await page.keyboard.press('Enter')
    await page.getByText('名称已存在').waitFor()
    expect(await field.inputValue()).toBe('一'.repeat(10))
    await page.getByRole('button', { name: '取消' }).click()
    await page.getByText('转债研究员', { exact: true }).waitFor()
    await context.close()
  })
})

describe('leaving', () => {
  it('all devices ends the login here and elsewhere', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    const other = await open()
    await comeLoggedIn(other.page, mobile, profile)
    await row(other.page, '手机').waitFor()
    await page.getByRole('button', { name: '退出全部设备' }).click()
    await page.getByRole('alertdialog', { name: '退出全部设备？' }).getByRole('button', { name: '全部退出' }).click()
    await page.waitForURL('**/login*')
    expect(await kept(page, 'tokenData')).toBeNull()
    await other.page.reload()
    await other.page.getByRole('alertdialog', { name: '请先登录' }).waitFor()
    await other.context.close()
    await context.close()
  })

  it('for good takes seven days, in which a banner on every page takes it back', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    await page.getByRole('button', { name: '注销账号' }).click()
    await page.getByRole('alertdialog', { name: '注销账号「小明」？' }).getByRole('button', { name: '注销账号' }).click()
    await reAuth(page)
    await page.getByText(/账号将于 .* 注销，届时全部数据会被删除/).waitFor()
    await picture(page, 'deletion')
    await leadTo(page, '/rotation/stock/screen')
    const banner = page.getByRole('status').filter({ hasText: '账号将于' })
    await banner.getByRole('button', { name: '撤销注销' }).click()
    await toast(page, '已撤销注销')
    await banner.waitFor({ state: 'detached' })
    await leadTo(page, profile)
    await page.getByRole('button', { name: '注销账号' }).waitFor()
    await context.close()
  })
})

describe('what was chosen', () => {
  it('goes with the account to another device', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    await page.getByRole('button', { name: '绿涨红跌' }).click()
    await page.getByRole('button', { name: '减少动效' }).click()
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/v1/user/info'))
    await page.getByRole('button', { name: '深色' }).click()
    await saved
    const look = (one: Page) => one.evaluate(() => ({ ...document.documentElement.dataset }))
    expect(await look(page)).toMatchObject({ theme: 'dark', rise: 'green', motion: 'reduced' })
    const other = await open(phone)
    await logIn(other.page, mobile, profile)
    await other.page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    expect(await look(other.page)).toMatchObject({ theme: 'dark', rise: 'green', motion: 'reduced' })
    await picture(other.page, 'phone-dark')

    // The profile knows both devices, and ends the other one.
    await page.reload()
    const devices = page.getByRole('region', { name: '已登录的设备' })
    await devices.getByText('当前设备').waitFor()
    await picture(page, 'devices')
    await devices.getByRole('button', { name: /^退出(?!其他)/ }).click()
    await page.getByText(/^已退出/).waitFor()
    await devices.getByRole('button').first().waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByRole('alertdialog', { name: '请先登录' }).waitFor()
    await other.context.close()

    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出' }).click()
    await reAuth(page)
    expect((await file).suggestedFilename()).toMatch(/^convexa-\d{4}-\d{2}-\d{2}\.json$/)
    await context.close()
  })
})

describe('the login history', () => {
  it('marks this device and strange ones, pages by keys, and leads to a new password', async () => {
    const mobile = newMobile('1390000')
    await makeAccount(mobile, '小明')
    for (let i = 0; i < 21; i++) {
      const answer = await fetch(`${inject('url')}/v1/authorize/access-token/by-password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'mobile-safari-ios-00112233', 'X-Forwarded-For': '198.51.100.7' },
        body: JSON.stringify({ account: mobile, password }),
      })
      expect(answer.status).toBe(200)
    }
    const { context, page, faults } = await open()
    await logIn(page, mobile, '/personal/login-history')
    const table = page.getByRole('table', { name: '登录记录' })
    const rows = table.getByRole('row')
    await table.getByText('本机').first().waitFor()
    expect(await rows.count()).toBe(21)
    expect(await rows.nth(1).textContent()).toMatch(/密码.*本机.*203\.0\.113\.\*.*成功/)
    expect(await rows.nth(1).getByRole('button', { name: '不是我本人' }).count()).toBe(0)
    expect(await rows.nth(2).textContent()).not.toContain('本机')
    await picture(page, 'login-history')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('PageDown')
    await page.waitForURL('**/personal/login-history?offset=20')
    await page.getByText('第 21–22 条，共 22 条').waitFor()
    await page.keyboard.press('PageUp')
    await page.waitForURL((url) => url.search === '')
    await rows.nth(20).waitFor()

    // Another device sees this one as new.
    const other = await open(phone)
    await logIn(other.page, mobile, '/personal/login-history')
    const cards = other.page.getByRole('list', { name: '登录记录' }).getByRole('listitem')
    await cards.nth(1).getByText('新设备').waitFor()
    const [first, strange] = await Promise.all([0, 1].map((at) => cards.nth(at).evaluate((card) => getComputedStyle(card).backgroundColor)))
    expect(strange).not.toBe(first)
    expect(await seriousFaults(other.page)).toEqual([])
    await picture(other.page, 'login-history-phone')
    await cards.nth(1).getByRole('button', { name: '不是我本人' }).click()
    await other.page.getByRole('alertdialog').getByRole('button', { name: '修改密码并退出其他设备' }).click()
    await other.page.getByRole('dialog', { name: '修改登录密码' }).waitFor()
    await other.context.close()

    expect(faults).toEqual([])
    await page.reload()
    await page.getByRole('alertdialog', { name: '请先登录' }).waitFor()
    await context.close()
  })

  it('that fails is empty, and asked for again in its place', async () => {
    const mobile = newMobile('1390000')
    const { context, page } = await somebody(mobile)
    await page.route('**/v1/user/login-records*', (route) =>
      route.fulfill({ status: 500, json: { code: 50000, msg: '服务器开小差了，请稍后重试', data: null } }),
    )
    await page.getByRole('navigation', { name: '个人中心' }).getByRole('link', { name: '登录记录' }).click()
    await page.getByText('服务器开小差了，请稍后重试').waitFor()
    await page.unroute('**/v1/user/login-records*')
    await page.getByRole('button', { name: '重试' }).click()
    await page.getByText('成功').first().waitFor()
    await context.close()
  })
})

// At a desk: axe.test.ts.
describe('every page of the account', () => {
  it('has no serious finding of axe and fits: on a phone, light and dark, and on a tablet, which has the colours of a desk', async () => {
    const { context, page, faults } = await open(phone)
    const quiet = quietOf(context)
    await page.goto(`/login?redirect=${profile}`)
    await page.evaluate(() => localStorage.setItem('preference:theme', JSON.stringify('system')))
    await page.getByRole('button', { name: '进入体验账号' }).click()
    await page.waitForURL(`**${profile}`)
    await page.getByText('体验账号一天后连同其中的内容一起清除，资料不能修改').waitFor()
    for (const path of [profile, '/personal/login-history']) {
      const name = path.split('/').at(-1)
      await leadTo(page, path)
      await quiet()
      for (const [device, size] of [
        ['tablet', { width: 820, height: 1100 }],
        ['phone', phone],
      ] as const) {
        await page.setViewportSize(size)
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path }).toBe(size.width)
        expect(await seriousFaults(page), `${path}, ${device}`).toEqual([])
        await picture(page, `${name}-${device}-light`)
      }
      expect(await darkFaults(page), `${path}, dark`).toEqual([])
      await picture(page, `${name}-phone-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    // In the system's high contrast grounds are not drawn: what they say is a line or a colour of the system.
    await page.setViewportSize(desktop)
    await page.emulateMedia({ forcedColors: 'active' })
    await leadTo(page, profile)
    const shown = await page
      .getByRole('switch')
      .first()
      .evaluate((input) => getComputedStyle(input).borderTopStyle)
    const chosen = await page
      .locator('.segmented [aria-pressed=true]')
      .first()
      .evaluate((button) => getComputedStyle(button).outlineStyle)
    const under = await page.locator('.tabs > [aria-current=page]').evaluate((tab) => {
      const [line, ground] = [getComputedStyle(tab, '::after'), getComputedStyle(document.body)]
      return line.backgroundColor === ground.backgroundColor
    })
    expect({ shown, chosen, under }).toEqual({ shown: 'solid', chosen: 'solid', under: false })
    await picture(page, 'high-contrast')
    expect(faults).toEqual([])
    await context.close()
  })
})
