import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { darkFaults, seriousFaults, still } from '../src/axe.ts'
import { launchBrowser, openContext, type StorageState } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { quietOf } from '../src/quiet.ts'

const bonds = '/rotation/convertible-bond'
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

let browser: Browser
/** The storage of somebody who has logged in and chosen a template. */
let kept: StorageState
/** The address of a report. */
let report: string

beforeAll(async () => {
  browser = await launchBrowser()
  const { context, page } = await openContext(browser, inject('url'))
  await page.goto(`${bonds}/backtest`)
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  await page
    .getByRole('button', { name: /运行回测/ })
    .first()
    .click()
  await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
  report = new URL(page.url()).pathname
  kept = await context.storageState()
  await context.close()
})
afterAll(() => browser?.close())

const listed = (page: Page) => page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').first().waitFor()
const picture = (page: Page, name: string) => pictureOf(page, `shell-${name}`)

/** Somebody logged in, in a window of a size; `preferences` as they chose them before. */
async function open(path: string, { size = desktop, preferences = {} }: Opening = {}) {
  const { context, page, faults } = await openContext(browser, inject('url'), size, { storageState: kept })
  await context.addInitScript((chosen) => {
    for (const [key, value] of Object.entries(chosen))
      if (localStorage.getItem(`preference:${key}`) === null) localStorage.setItem(`preference:${key}`, JSON.stringify(value))
  }, preferences)
  const quiet = quietOf(context)
  await page.goto(path)
  return { context, page, faults, quiet }
}
interface Opening {
  size?: { width: number; height: number }
  preferences?: Record<string, unknown>
}

/** One page for stories that leave it as they found it; after one that failed the next begins with a page of its own. */
function keptOpen(path: string, opening?: Opening) {
  let opened: Awaited<ReturnType<typeof open>> | null = null
  const close = async () => {
    await opened?.context.close()
    opened = null
  }
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await close()
  })
  afterAll(close)
  return async () => {
    opened ??= await open(path, opening)
    return opened
  }
}

/** Opens what lies above a page, one after the other; what is below is asked when nothing lies above. */
async function nothingSeriousAbove(page: Page, openers: readonly (() => Promise<void>)[]) {
  const part = '[data-modal], .account-menu'
  const above = page.locator(part)
  for (const opener of openers) {
    await opener()
    await above.waitFor()
    await still(page)
    expect(await seriousFaults(page, part)).toEqual([])
    expect(await darkFaults(page, part)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('Escape')
    await expect.poll(() => above.count()).toBe(0)
  }
}

const colourOf = (page: Page, token: string) =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), token)
const account = (page: Page) => page.getByRole('button', { name: /^账户菜单/ })

describe('how it all looks', () => {
  it('a dark page is dark before its script has come', async () => {
    const { context, page } = await open('about:blank', { preferences: { theme: 'dark' } })
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    await page.route('**/assets/*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${bonds}/screen`, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.styleSheets.length > 0 && document.body)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(15, 18, 22)')
    expect(await page.locator('#root').innerText()).toBe('加载中…')
    await picture(page, 'first-paint-dark')
    release()
    await listed(page)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(15, 18, 22)')
    await picture(page, 'dark')
    await context.close()
  })

  it('follows the system while it is asked to; what is chosen after that holds for every tab, and stays', async () => {
    const { context, page, faults, quiet } = await open(`${bonds}/screen`)
    const other = await context.newPage()
    await other.goto('/personal/login-history')
    await account(other).waitFor()
    await listed(page)
    const look = (one: Page) => one.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.dataset['density']])
    const theme = async () => (await look(page))[0]
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')

    // Density changes the rows, 绿涨红跌 every colour of the market.
    const row = page.getByRole('region', { name: '筛选结果' }).getByRole('row').nth(3)
    const height = () => row.evaluate((one) => one.getBoundingClientRect().height)
    const compact = await height()
    const [up, down] = [await colourOf(page, '--up'), await colourOf(page, '--down')]
    const heated = page.locator('.heat-up-1, .heat-up-2, .heat-up-3').first()
    const heat = () => heated.evaluate((cell) => getComputedStyle(cell).backgroundColor)
    const before = await heat()
    await account(page).click()
    await page.getByRole('button', { name: '绿涨红跌' }).click()
    expect([await colourOf(page, '--up'), await colourOf(page, '--down')]).toEqual([down, up])
    expect(await heat()).not.toBe(before)
    await page.getByRole('button', { name: '标准' }).click()
    await expect.poll(height).toBeGreaterThan(compact)
    await page.keyboard.press('Escape')
    await picture(page, 'green-up')
    await account(page).click()
    await page.getByRole('button', { name: '深色' }).click()
    await page.getByRole('group', { name: '图案填充' }).getByRole('button', { name: '开' }).click()
    await expect.poll(() => look(other)).toEqual(['dark', 'standard'])
    expect(await page.evaluate(() => localStorage.getItem('preference:patterns'))).toBe('true')

    const turned = await colourOf(page, '--up')
    await page.goto(report)
    await page.getByRole('region', { name: '结论' }).waitFor()
    expect([await theme(), await colourOf(page, '--up')]).toEqual(['dark', turned])
    await quiet()
    await picture(page, 'green-up-report')
    expect(faults).toEqual([])
    await context.close()
  })
})

describe('at a desk', () => {
  const desk = keptOpen(`${bonds}/screen`, { preferences: { theme: 'system' } })

  it('the menu opens under the mouse, walks by arrows and closes by Esc', async () => {
    const { page } = await desk()
    await listed(page)
    const menu = page.getByRole('navigation', { name: '主导航' })
    await menu.getByRole('link', { name: '股票轮动' }).hover()
    await menu.getByRole('link', { name: '实时筛选' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await menu.getByRole('link', { name: '实时筛选' }).count()).toBe(0)
    await page.mouse.move(700, 600)
    await menu.getByRole('link', { name: '股票轮动' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('实时筛选')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('历史筛选')
    expect(await menu.getByRole('link', { name: '可转债轮动' }).getAttribute('aria-current')).toBe('true')
  })

  it('what lies above a page has no serious finding of axe, light or dark', async () => {
    const { page } = await desk()
    await listed(page)
    await nothingSeriousAbove(page, [() => page.keyboard.press('Control+k'), () => page.keyboard.press('?'), () => account(page).click()])
    await account(page).click()
    // All of it is seen: the last of its choices is the way out.
    const cut = await page.locator('.menu:has(> .account-menu)').evaluate((menu) => menu.scrollHeight - menu.clientHeight)
    expect(cut).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('nothing of the header, nor of the tools of a list, is lost at 1366, at 1024, nor at 820', async () => {
    const { page } = await desk()
    await listed(page)
    for (const width of [1366, 1024, 820]) {
      await page.setViewportSize({ width, height: 768 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      const right = await account(page).evaluate((button) => button.getBoundingClientRect().right)
      expect(right).toBeLessThanOrEqual(width)
      // Its card cuts off what does not fit.
      const tool = page.getByRole('region', { name: '筛选结果' }).getByRole('button', { name: /当前名单$/ })
      const ends = await tool.evaluate((button) =>
        [button, button.closest('.card')].map((part) => part?.getBoundingClientRect().right ?? 0),
      )
      expect(ends[0]).toBeLessThan(ends[1] ?? 0)
      await picture(page, `header-${width}`)
    }
    await page.setViewportSize(desktop)
  })

  it('without a network it is said in the place of the result, what was there is kept, and it goes on by itself when it is back', async () => {
    const { context, page } = await desk()
    await listed(page)
    await context.setOffline(true)
    await page.getByRole('button', { name: /^运行筛选/ }).click()
    const failed = page.getByRole('alert').filter({ hasText: '网络连接失败，请检查网络' })
    await failed.waitFor({ timeout: 60_000 })
    await picture(page, 'offline')
    expect(await page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').count()).toBeGreaterThan(5)
    await context.setOffline(false)
    await failed.waitFor({ state: 'detached' })
  })

  it('a banner is closed for the day, and the next one speaks', async () => {
    const { page } = await desk()
    await listed(page)
    await page.getByText('当前是演示数据').waitFor()
    await page.getByRole('button', { name: '今天不再显示这条提示' }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.reload()
    await listed(page)
    expect(await page.getByText('当前是演示数据').count()).toBe(0)
  })
})

describe('keys', () => {
  const desk = keptOpen(`${bonds}/screen`)

  it('do what the sheet says, and nothing while one types, composes or answers a dialog', async () => {
    const { page, faults } = await desk()
    await listed(page)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: '快捷键' })
    for (const label of ['运行', '折叠或展开策略条件', '下一个标签页', '搜索证券、策略、因子与页面', '去股票'])
      await sheet.getByText(label, { exact: true }).waitFor()
    expect(await sheet.getByText('去自定义因子').count()).toBe(1)
    expect(await sheet.getByText('去 QMT 实盘').count()).toBe(1)
    await picture(page, 'keys')
    // A dialog is open: `b` must not fold what is behind it.
    await page.keyboard.press('b')
    await page.keyboard.press('Escape')
    const folded = page.getByRole('button', { name: '展开策略条件' })
    expect(await folded.count()).toBe(0)

    await page.keyboard.press('b')
    await folded.waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: '折叠策略条件' }).waitFor()

    for (const composing of [{ isComposing: true }, { keyCode: 229 }])
      await page.evaluate((how) => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true, ...how })), composing)
    await page.getByRole('textbox', { name: /同一正股/ }).focus()
    await page.keyboard.press('b')
    expect(await folded.count()).toBe(0)
    // What is no number would be refused, and nothing listed.
    await page.keyboard.press('Backspace')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())

    await page.keyboard.press(']')
    await page.waitForURL(({ pathname }) => pathname.endsWith('/history'))
    await page.keyboard.press('[')
    await page.waitForURL(/\/screen$/)
    // Both are pressed at once, and again where a busy page received the second too late for a sequence.
    const sequence = (second: string, to: RegExp) =>
      expect
        .poll(() => Promise.all(['g', second].map((key) => page.keyboard.press(key))).then(() => page.url()), {
          interval: 3_000,
          timeout: 60_000,
        })
        .toMatch(to)
    await sequence('s', /\/rotation\/stock/)
    await sequence('c', /convertible-bond/)
    await listed(page)
    await page.keyboard.press('j')
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[role="grid"] [data-row]')?.dataset['row'])).toBe('1')
    expect(faults).toEqual([])
  })

  it('Ctrl+Enter runs also from a field', async () => {
    const { page } = await desk()
    await leadTo(page, `${bonds}/backtest`)
    await page.getByRole('region', { name: '将要运行' }).waitFor()
    await page.getByRole('textbox', { name: /同一正股/ }).focus()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
  })

  it('open the palette, which finds by initials and opens the security, then remembers it', async () => {
    const { page, faults } = await desk()
    await leadTo(page, `${bonds}/backtest`)
    await page.getByRole('region', { name: '将要运行' }).waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: '代码、名称或拼音' })
    // What is typed before the focus is there goes nowhere.
    const takesKeys = () => expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true)
    await takesKeys()
    await page.getByRole('option', { name: /可转债轮动 · 实时筛选/ }).waitFor()
    await page.keyboard.type('ＹＳＺＺ')
    const bondsFound = page.getByRole('group', { name: '可转债' }).getByRole('option')
    await bondsFound.first().waitFor()
    expect(await bondsFound.first().locator('mark').first().textContent()).toBe('演示转债')
    await picture(page, 'palette')
    // An Enter that ends a composition in Safari, and with some input methods of Windows: the composition is over, its code alone tells.
    await box.evaluate((field) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })))
    await page.keyboard.press('ArrowDown')
    const chosen = page.getByRole('dialog', { name: /^搜索证券/ }).locator('[aria-selected="true"]')
    expect(await chosen.count()).toBe(1)
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    const code = (await chosen.locator('.mono').textContent()) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/screen\\?code=${code}`))
    await page.locator('[role=dialog][data-modal]').getByText(code).first().waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/screen$/)
    await page.keyboard.press('/')
    await page.getByRole('group', { name: '最近' }).getByText(code).waitFor()
    await takesKeys()
    await page.keyboard.type('没有这个')
    await page.getByText('没有找到「没有这个」').waitFor()
    await page.keyboard.press('Escape')
    expect(await box.count()).toBe(0)
    expect(faults).toEqual([])
  })
})

describe('the phone', () => {
  const hand = keptOpen(`${bonds}/screen`, { size: phone, preferences: { theme: 'system' } })
  const fits = async (page: Page) =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBe(page.viewportSize()?.width)
  /** What a finger must hit, smaller than 44 px in the given part. */
  const small = (page: Page, part: string) =>
    page.evaluate(
      (selector) =>
        [...document.querySelectorAll(`${selector} :is(a, button, select, input:not([type=checkbox]))`)]
          .map((target) => ({ name: target.getAttribute('aria-label') ?? target.textContent, box: target.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 24))
          .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`),
      part,
    )

  it('has a bar above and tabs below, and the rule in a sheet', async () => {
    const { page, faults } = await hand()
    await listed(page)
    const height = (selector: string) => page.locator(selector).evaluate((part) => part.getBoundingClientRect().height)
    expect([await height('.phone-bar'), await height('.phone-tabs')]).toEqual([48, 56])
    expect(await page.getByRole('navigation', { name: '主导航' }).getByRole('link').allTextContents()).toEqual([
      '工作台',
      '筛选',
      '回测',
      '我的',
    ])
    for (const part of ['.phone-bar', '.phone-tabs', '.phone-draft', '.phone-run', '.screen-bar'])
      expect(await small(page, part), part).toEqual([])
    await picture(page, 'phone-screen')

    await page.getByRole('button', { name: /^条件/ }).click()
    const rule = page.getByRole('dialog', { name: '策略条件' })
    await rule.waitFor()
    expect(await rule.evaluate((sheet) => sheet.getBoundingClientRect().height)).toBe(phone.height)
    // A field that is drawn anew meanwhile has no size for a moment.
    const smallestFont = () =>
      rule
        .locator('input:not([type=checkbox]), select')
        .evaluateAll((all) => Math.min(...all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize))))
    await expect.poll(smallestFont).toBeGreaterThanOrEqual(16)
    await picture(page, 'phone-rule')
    await rule.getByRole('button', { name: '运行筛选' }).click()
    await expect.poll(() => rule.count()).toBe(0)

    await page.getByRole('button', { name: '更多列' }).click()
    await page.getByRole('grid', { name: '名单' }).waitFor()
    await fits(page)
    await page.getByRole('button', { name: '两行显示' }).click()
    await page
      .getByRole('button', { name: /演示转债/ })
      .first()
      .click()
    await page.waitForURL(/code=/)
    await page.locator('[role=dialog][data-modal]').getByText('得分拆解').waitFor()
    await picture(page, 'phone-drawer')
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: '我的' }).click()
    await page.waitForURL(/\/personal\/profile$/)
    await page.getByRole('button', { name: '退出登录' }).waitFor()
    await fits(page)
    await picture(page, 'phone-me')
    await page.goBack()
    await page.getByRole('button', { name: /换一个页面/ }).click()
    await page.getByRole('menuitem', { name: '回测', exact: true }).first().click()
    await page.waitForURL(/backtest$/)
    expect(faults).toEqual([])
  })

  it('what lies above a page has no serious finding of axe, light or dark', async () => {
    const { page } = await hand()
    await leadTo(page, `${bonds}/screen`)
    await listed(page)
    await nothingSeriousAbove(page, [
      () => page.keyboard.press('Control+k'),
      () => page.keyboard.press('?'),
      () => page.getByRole('button', { name: /^条件/ }).click(),
    ])
  })

  const pages = [
    ['screen', () => `${bonds}/screen`, 'region', '筛选结果'],
    ['backtest', () => `${bonds}/backtest`, 'region', '将要运行'],
    ['report', () => report, 'region', '结论'],
    ['templates', () => '/rotation/stock/screen', 'button', /^使用模板/],
    ['login', () => '/login', 'button', '进入体验账号'],
  ] as const

  // At a desk all screens are asked: axe.test.ts.
  it('has no page wider than 390, nor than 360, and none with a serious finding, light or dark', async () => {
    const { page, quiet } = await hand()
    for (const [name, path, role, shown] of pages) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 360, height: 780 })
      if (name === 'login') {
        await page.evaluate(() => ['tokenData', 'userData'].map((key) => localStorage.removeItem(key)))
        await page.goto('/login')
      } else await leadTo(page, path())
      await page.getByRole(role, { name: shown }).first().waitFor()
      await quiet()
      for (const size of [{ width: 360, height: 780 }, phone]) {
        await page.setViewportSize(size)
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() }).toBe(size.width)
      }
      if (name === 'report') await picture(page, 'phone-report')
      expect(await seriousFaults(page), name).toEqual([])
      expect(await darkFaults(page), `${name}, dark`).toEqual([])
    }
  })
})

// Last: it ends the login that all others share.
describe('leaving', () => {
  it('logs out even when the server cannot be told', async () => {
    const { context, page } = await open(`${bonds}/screen`)
    await listed(page)
    let told = 0
    await page.route('**/v1/authorize/access-token', (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      told++
      return route.abort()
    })
    await account(page).click()
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL(/\/login/)
    expect(told).toBe(1)
    expect(await page.evaluate(() => localStorage.getItem('tokenData'))).toBeNull()
    await context.close()
  })

  it('asks first while a backtest runs: 取消 has the focus, Esc is 取消', async () => {
    const { context, page } = await open(`${bonds}/backtest`)
    await page.getByRole('region', { name: '将要运行' }).waitFor()
    await page.route('**/advanced-backtest', () => {})
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    await page.getByText('正在提交回测').first().waitFor()
    await account(page).click()
    await page.getByRole('button', { name: '退出登录' }).click()
    const question = page.getByRole('alertdialog', { name: '退出登录？' })
    await question.waitFor()
    expect(await question.textContent()).toContain('回测「经典双低」正在运行')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('取消')
    await picture(page, 'confirm')
    await page.keyboard.press('Escape')
    await expect.poll(() => question.count()).toBe(0)
    expect(page.url()).toContain('/backtest')
    await account(page).click()
    await page.getByRole('button', { name: '退出登录' }).click()
    await question.getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL(/\/login/)
    await context.close()
  })
})
