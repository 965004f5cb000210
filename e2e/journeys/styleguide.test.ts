import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { darkFaults, seriousFaults, still } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'

// The style guide exists in development only. It is built as such once, and served with the product behind it: unbundled, each of its
// pages would be a thousand requests.

const web = fileURLToPath(new URL('../../web', import.meta.url))
let built: string
let server: PreviewServer
let browser: Browser
let url: string

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'convexa-styleguide-'))
  vi.stubEnv('CONVEXA_SERVER', inject('url'))
  vi.stubEnv('NODE_ENV', 'development')
  const given = {
    root: web,
    mode: 'development',
    logLevel: 'error',
    build: { outDir: built, minify: false, rolldownOptions: { input: join(web, 'styleguide.html') } },
  } as const
  await build(given)
  server = await preview({ ...given, preview: { port: 0, host: '127.0.0.1' } })
  url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
  browser = await launchBrowser()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await browser?.close()
  await server?.close()
  rmSync(built, { recursive: true, force: true })
})

/** What is old is faded to half on purpose, under a stamp in full contrast that says so (product.md 2.1). */
const parts = { exclude: ['.stale'] }

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

async function openGuide(preferences: Record<string, unknown>, viewport = desktop) {
  const opened = await openContext(browser, url, viewport)
  await opened.context.addInitScript((kept) => {
    for (const [key, value] of Object.entries(kept))
      localStorage.getItem(`preference:${key}`) ?? localStorage.setItem(`preference:${key}`, JSON.stringify(value))
  }, preferences)
  await opened.page.goto('/styleguide')
  await opened.page.getByRole('heading', { name: '图', exact: true }).waitFor()
  // The last chart is drawn when none waits any more.
  await opened.page.waitForFunction(() => !document.querySelector('.chart-box > .waiting'))
  await still(opened.page)
  return opened
}

const variants = [
  { name: 'desktop', preferences: { theme: 'system' }, viewport: desktop },
  { name: 'phone', preferences: { theme: 'system' }, viewport: phone },
  { name: 'rise-green-standard', preferences: { theme: 'system', rise: 'green', density: 'standard', patterns: true }, viewport: desktop },
] as const

describe.each(variants)('the style guide, $name, light and dark', ({ name, preferences, viewport }) => {
  it('shows every part, is accessible, stays within its width and is silent on the console', async () => {
    const { context, page, faults } = await openGuide(preferences, viewport)
    const picture = (look: string) => pictureOf(page, `styleguide-${look}-${name}`)
    await picture('light')
    expect(await page.locator('.styleguide-part').count()).toBeGreaterThan(8)
    expect(await seriousFaults(page, parts)).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide).toBeLessThanOrEqual(0)
    expect(await darkFaults(page, parts)).toEqual([])
    await picture('dark')
    expect(faults).toEqual([])
    await context.close()
  })
})

describe('by keyboard alone', () => {
  let page: Page
  beforeAll(async () => {
    page = (await openGuide({ theme: 'light' })).page
  })
  afterAll(() => page?.context().close())

  it('a drawer keeps the focus, walks its list, closes by Esc and gives the focus back', async () => {
    const opener = page.getByRole('button', { name: '打开抽屉' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: '演示转债3' })
    await drawer.waitFor()
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('[data-modal]') !== null),
      ).toBe(true)
    }
    await drawer.getByRole('button', { name: '下一个' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '演示转债4' }).waitFor()
    await pictureOf(page, 'styleguide-drawer')
    expect(await seriousFaults(page, parts)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog][data-modal]').waitFor({ state: 'detached' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('a splitter moves, keeps its bounds, folds, and is as it was after a reload', async () => {
    const splitter = page.getByRole('separator', { name: '条件宽度' })
    const now = async () => Number(await splitter.getAttribute('aria-valuenow'))
    await splitter.focus()
    await page.keyboard.press('ArrowRight')
    expect(await now()).toBe(336)
    await page.keyboard.press('Shift+ArrowLeft')
    expect(await now()).toBe(272)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    expect(await now()).toBe(160)
    await page.keyboard.press('ArrowRight')
    await page.reload()
    await splitter.waitFor()
    expect(await now()).toBe(176)
    await splitter.focus()
    await page.keyboard.press('Enter')
    expect(await splitter.getAttribute('aria-valuetext')).toBe('已收起')
    await page.keyboard.press('Enter')
    expect(await now()).toBe(176)
    // And by the mouse.
    const box = await splitter.boundingBox()
    if (!box) throw new Error('the splitter is not shown')
    await page.mouse.move(box.x + box.width / 2, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 100, box.y + 8, { steps: 4 })
    await page.mouse.up()
    expect(await now()).toBe(276)
  })

  it('tabs are one stop; arrows choose, wrap around and skip what is disabled', async () => {
    const tab = (name: RegExp) => page.getByRole('tab', { name })
    await tab(/持仓/).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await tab(/被剔除/).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await tab(/成交/).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('tabpanel', { name: /成交/ }).waitFor()
  })

  it('a combobox finds by code, chooses, and gives back what was not chosen', async () => {
    const box = page.getByRole('combobox', { name: '证券' })
    await box.fill('900437')
    await page.getByRole('option', { name: /演示转债437/ }).waitFor()
    await pictureOf(page, 'styleguide-combobox')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('演示转债437')
    await box.pressSequentially('没有')
    await page.getByText('没有符合的选项').waitFor()
    await page.keyboard.press('Escape')
    expect(await box.inputValue()).toBe('演示转债437')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).not.toBe('')

    const industries = page.getByRole('combobox', { name: '行业' }).first()
    await industries.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    expect(await industries.textContent()).toContain('电力设备、电子、汽车')
    await page.keyboard.press('Escape')
    expect(await industries.getAttribute('aria-expanded')).toBe('false')
  })

  it('a form says what is wrong under its fields and leads to the first', async () => {
    const form = page.getByRole('form', { name: '注册' })
    await form.getByRole('button', { name: '注册' }).click()
    const code = form.getByRole('textbox', { name: '验证码' })
    expect(await code.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    const described = await code.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? `no ${id}`),
    )
    expect(described).toEqual(['请输入 6 位数字验证码'])
    await form.getByText('请填写确认密码').waitFor()
    await form.getByText('请先阅读并同意').waitFor()
    await form.getByRole('button', { name: '获取验证码' }).click()
    await form.getByRole('button', { name: /5\d 秒后可重发|60 秒后可重发/ }).waitFor()
    await page.getByRole('form', { name: '策略' }).getByRole('button', { name: '保存' }).click()
    await page.getByText('区间少于 60 个交易日，统计指标没有意义').waitFor()
    await pictureOf(page.getByRole('form', { name: '策略' }), 'styleguide-form')
    await pictureOf(form, 'styleguide-account')
  })

  it('toasts stay 3 s and are three at most, wait while one reads them, and can be acted on', async () => {
    const { clock } = page
    const toasts = page.locator('.toast:not([data-ending-style])')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const [done, undone, read, failed] = [
      '已保存「双低低溢价 10 只」撤销',
      '已撤销',
      '概览刷新完成，名单差异 2 换 2',
      '改名失败：名称已存在',
    ]
    const shown = () => expect.poll(() => toasts.allTextContents())
    const drawn = () => page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }))
    /** What the last event led to is done with, then time goes on, which nothing else does on this page, and what that led to is done with. */
    const later = async (milliseconds: number) => {
      await drawn()
      await clock.runFor(milliseconds)
      await drawn()
    }
    await clock.install()
    await clock.pauseAt(Date.now() + 60_000)
    await press('完成')
    await press('消息')
    await press('失败')
    await shown().toEqual([done, read, failed])
    expect(await page.getByRole('alert').filter({ hasText: '改名失败' }).count()).toBe(1)
    // The same words renew their time; an action is done once, and its toast goes.
    await press('消息')
    await press('完成')
    await shown().toEqual([done, read, failed])
    await pictureOf(page, 'styleguide-toasts')
    await press('撤销')
    await shown().toEqual([read, failed, undone])

    // They wait under the mouse, and go 3 s after it has left.
    await toasts.filter({ hasText: undone }).hover()
    await later(9_000)
    await shown().toHaveLength(3)
    await page.mouse.move(0, 0)
    await later(2_900)
    await shown().toHaveLength(3)
    await later(200)
    await shown().toEqual([])

    // So does what the keyboard has reached.
    await press('完成')
    for (const key of ['F6', 'Tab', 'Tab']) await page.keyboard.press(key)
    await page.locator('.toast button:focus').waitFor()
    await later(9_000)
    await shown().toEqual([done])
    await page.keyboard.press('Enter')
    await shown().toEqual([undone])
    await later(3_100)
    await shown().toEqual([])
    await clock.resume()
  })

  it('a sampled line tells the true day', async () => {
    const chart = page.getByRole('slider', { name: /^点数：/ })
    await chart.focus()
    await page.keyboard.press('Home')
    for (let i = 0; i < 7; i++) await page.keyboard.press('Shift+ArrowRight')
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
    const said = await chart.getAttribute('aria-valuetext')
    const tooltip = page.locator('.chart-tip:visible')
    await tooltip.waitFor()
    const [day, points] = (said ?? '').replace(' 点', '').split('，')
    expect(await tooltip.textContent()).toContain(day)
    expect(await tooltip.textContent()).toContain(points)
    expect(await tooltip.textContent()).toContain('第 143 天')
    // Its own look: ECharts writes another one on the element, in which long names run out of a narrow window.
    const look = await tooltip.evaluate((one) => [getComputedStyle(one).whiteSpace, getComputedStyle(one).boxShadow !== 'none'])
    expect(look).toEqual(['normal', true])
  })
})
