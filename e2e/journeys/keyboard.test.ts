// A person without a mouse: from the login page to the trades of a report by the keys that the product tells of (`?`), Tab and Enter.
// After every press the focus is somewhere, in sight, and what can be pressed shows it.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'

let browser: Browser
let page: Page
let faults: string[]

beforeAll(async () => {
  browser = await launchBrowser()
  ;({ page, faults } = await openContext(browser, inject('url'), undefined, { prefetch: true }))
})
afterAll(() => browser?.close())
// A fault belongs to the step in which it was seen.
afterEach(() => expect(faults.splice(0)).toEqual([]))

const picture = (name: string) => pictureOf(page, `keyboard-${name}`)
const region = (name: string) => page.getByRole('region', { name, exact: true })

/** What has the focus, by its name, and what is wrong with that: nothing has it, it is out of sight, nothing shows it. */
const focus = () =>
  page.evaluate(() => {
    const it = document.activeElement as HTMLElement | null
    if (!it || it === document.body) return { name: '', wrong: 'nothing has the focus' }
    const labels = (it as HTMLInputElement).labels
    const name = (it.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? it.textContent ?? '').trim().slice(0, 40)
    const { top, bottom, left, right } = it.getBoundingClientRect()
    if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth) return { name, wrong: 'out of sight' }
    // Where one is taken to is no control: a heading, a section.
    if (it.tabIndex < 0) return { name, wrong: null }
    const ringed = (one: Element | null | undefined) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    // A field, a hidden radio or tick are drawn by what is around or beside them.
    const drawn = [it, it.parentElement, it.closest('.field'), it.closest('label'), it.nextElementSibling]
    return { name, wrong: drawn.some(ringed) ? null : 'no ring' }
  })
const nameOf = async () => (await focus()).name
/** A press of a key, after which one still sees where one is: the name of that. */
async function press(key: string): Promise<string> {
  await page.keyboard.press(key)
  let at = await focus()
  if (at.wrong) {
    await expect.poll(async () => (at = await focus()), { message: `after ${key}`, interval: 50 }).toMatchObject({ wrong: null })
  }
  return at.name
}
/** Tab by Tab to what has this name. @throws with the names on the way where it does not come */
async function tabTo(wanted: string | RegExp, key = 'Tab'): Promise<void> {
  const way: string[] = []
  for (let i = 0; i < 90; i++) {
    const name = await press(key)
    if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return
    way.push(name)
  }
  throw new Error(`no ${wanted} after ${way.join(' → ')}`)
}
/** The keys that the sheet tells of here. */
async function told(...labels: readonly string[]): Promise<void> {
  await press('?')
  const sheet = page.getByRole('dialog', { name: '快捷键' })
  await sheet.waitFor()
  const text = await sheet.textContent()
  for (const label of labels) expect(text).toContain(label)
  await press('Escape')
  await sheet.waitFor({ state: 'detached' })
}
/** The row of the grid that has the focus. */
const rowAt = () => page.evaluate(() => Number(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? -1))

describe('without a mouse', () => {
  it('a condition is changed, run, and the list is read', async () => {
    await page.goto('/rotation/convertible-bond/screen')
    await page.getByRole('button', { name: '进入体验账号' }).waitFor()
    await tabTo('进入体验账号')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '使用模板经典双低' }).waitFor()
    await tabTo('使用模板经典双低')
    await press('Enter')
    await region('筛选结果').getByText('演示转债').first().waitFor()

    await told('运行', '折叠或展开策略条件', '下一行', '打开当前行', '下一个标签页')
    await tabTo('折叠策略条件')
    expect(await press('b')).toBe('展开策略条件')
    expect(await press('b')).toBe('折叠策略条件')
    await tabTo('剩余规模取值')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('8')
    const listed = page.waitForResponse('**/realtime-screen')
    await press('Control+Enter')
    expect((await listed).ok()).toBe(true)
    await region('筛选结果').locator('.agreement.ok').waitFor()
    expect(await nameOf()).toBe('剩余规模取值')
    await picture('condition')

    // Out of the field, and to the table from wherever one is.
    await press('Tab')
    await press('j')
    expect(await rowAt()).toBe(1)
    await press('j')
    await press('ArrowDown')
    await press('k')
    expect(await rowAt()).toBe(2)
    await press('Enter')
    const drawer = page.locator('[role=dialog][data-modal]')
    await drawer.waitFor()
    const first = await drawer.getByRole('heading').first().textContent()
    await tabTo('下一个', 'Shift+Tab')
    await press('Enter')
    await expect.poll(() => drawer.getByRole('heading').first().textContent()).not.toBe(first)
    await picture('drawer')
    await press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(await rowAt()).toBe(2)
  })

  it('the backtest is gone to, run, and its report opens', async () => {
    for (const tab of ['history', 'grid', 'backtest']) {
      await press(']')
      await page.waitForURL(({ pathname }) => pathname.endsWith(`/${tab}`))
    }
    await region('将要运行').waitFor()
    // Past a folded builder it is not far to what is about to be run.
    await press('b')
    await tabTo('备注')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('没有鼠标')
    await press('Control+Enter')
    await page.getByRole('progressbar', { name: '回测进度' }).waitFor()
    expect(await nameOf()).toMatch(/回测/)
    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
    await region('结论').waitFor()
    await expect.poll(async () => (await focus()).wrong).toBeNull()
    await picture('report')
  })

  it('the report is walked from a number’s meaning to its trades and back to a day', async () => {
    await told('跳到报告的一节')
    await tabTo(/^年化收益/)
    await press('Enter')
    await page.locator('.definition-panel').waitFor()
    await press('Escape')
    expect(await nameOf()).toMatch(/^年化收益/)
    const sections = ['overview', 'periods', 'holdings', 'trades', 'contributions', 'risk', 'sensitivity', 'robustness', 'assumptions']
    for (const [i, id] of sections.entries()) {
      await press(String(i + 1))
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(id)
    }

    await press('4')
    await told('搜索', '下一行', '打开当前行', '导出')
    await tabTo('按代码或名称筛选交易')
    await press('Tab')
    await press('j')
    expect(await rowAt()).toBe(1)
    await press('j')
    await press('PageDown')
    await press('Home')
    expect(await page.evaluate(() => document.activeElement?.closest('[role="grid"]')?.getAttribute('aria-label'))).toBe('交易')
    await picture('trades')
    await press('Enter')
    await region('某日持仓').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('day')
    await press('Tab')
    expect(await nameOf()).toBe('交易日')
    await press('/')
    expect(await nameOf()).toBe('按代码或名称筛选交易')
  })
})
