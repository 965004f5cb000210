import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { seriousFaults, still } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'
import { quietOf } from '../src/quiet.ts'

// 自定义因子: a factor is written, seen part by part, saved and used; help and words beside it. One page, in order.

let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let quiet: () => Promise<void>

const picture = (name: string) => pictureOf(page, `factors-${name}`)
const formula = () => page.locator('.cm-content')
const status = () => page.getByRole('region', { name: '公式', exact: true }).getByRole('status')
const name = `双低分位${Date.now().toString(36)}`

beforeAll(async () => {
  browser = await launchBrowser()
  ;({ context, page, faults } = await openContext(browser, inject('url')))
  quiet = quietOf(context)
  page.setDefaultTimeout(30_000)
  await page.goto('/login?redirect=/customized-factors')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByText('从示例开始').waitFor()
})
afterAll(() => browser?.close())
// A fault belongs to the step in which it was seen.
afterEach(() => expect(faults.splice(0)).toEqual([]))

async function write(text: string) {
  await formula().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
}

describe('a factor of one’s own', () => {
  it('is begun from an example, and mistakes are told where they stand', async () => {
    await page.getByRole('complementary', { name: '我的因子' }).getByRole('button', { name: '双低 20 日分位' }).last().click()
    await formula().waitFor()
    await status().getByText('语法正确').waitFor()
    expect(await status().textContent()).toContain('1 个函数 · 2 个因子 · 7 个节点')
    await write('ts_rank(close')
    await status().getByText('第 1 行第 1 列：函数ts_rank的参数个数不正确').waitFor()
    await write('close + conv_prem')
    // The line of the cursor leaves the ring of the focus whole.
    const right = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().right)
    expect((await right('.cm-editor.cm-focused')) - (await right('.cm-focused .cm-activeLine'))).toBeGreaterThanOrEqual(2)
    await page.getByRole('button', { name: /「转股溢价率」是小数.*通常需要 ×100/ }).waitFor()
    await picture('1-units')
  })

  it('completes Chinese by its initials and says what a function takes', async () => {
    await write('')
    await page.keyboard.type('ts_ra', { delay: 30 })
    await page.locator('.cm-tooltip-autocomplete [aria-selected]').first().waitFor()
    await page.keyboard.press('Tab')
    await page.locator('.word-signature').waitFor()
    await page.keyboard.type('zgyjl', { delay: 30 })
    await page.locator('.cm-tooltip-autocomplete [aria-selected]').getByText('转股溢价率').waitFor()
    await picture('2-completion')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    expect(await formula().textContent()).toContain('conv_prem')
  })

  it('takes by Tab what fits, however fast one types', async () => {
    const slow = await context.newCDPSession(page)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    for (let time = 0; time < 2; time++) {
      await write('')
      for (const typed of ['ts_ra', 'zgyjl']) {
        await page.keyboard.type(typed)
        await page.keyboard.press('Tab')
      }
      expect(await formula().textContent()).toBe('ts_rank(conv_prem)')
    }
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.keyboard.type(', 20')
    await status().getByText('语法正确').waitFor()
  })

  it('is run by a key: each part with its value, and what to know before it is used', async () => {
    await page.getByLabel('名称', { exact: true }).fill(name)
    await write('ts_rank(close + conv_prem * 100, 20)')
    await status().getByText('语法正确').waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText(/^读法：/).waitFor()
    const parts = page.getByRole('region', { name: '公式调试器' }).getByRole('row')
    expect(await parts.count()).toBe(6)
    expect(await parts.nth(2).textContent()).toMatch(/close \+ conv_prem \* 100双低[\d.]+/)
    const checks = page.getByRole('region', { name: '检查' })
    for (const word of ['覆盖率', '未来函数', '未发现', '相关']) expect(await checks.textContent()).toContain(word)
    expect(await page.getByRole('region', { name: '最低 10 只' }).getByRole('row').count()).toBe(11)
    await page.getByRole('button', { name: '上一交易日' }).click()
    // Until then the day before is still there, at half its strength.
    await page.locator('.stale').first().waitFor({ state: 'detached' })
    await page.getByText(/^读法：/).waitFor()
    await still(page)
    await picture('3-run')
    expect(await seriousFaults(page)).toEqual([])
  })

  it('is looked at from day to day, over the New Year too', async () => {
    const day = page.getByRole('region', { name: '公式调试器' }).getByLabel('日期', { exact: true })
    await day.fill('2025-12-31')
    await day.press('Enter')
    const next = page.getByRole('button', { name: '下一交易日' })
    // Until the days of both years are here any weekday may be one.
    await quiet()
    await next.click()
    await expect.poll(() => day.inputValue()).toBe('2026-01-05')
    await page.getByRole('button', { name: '上一交易日' }).click()
    await expect.poll(() => day.inputValue()).toBe('2025-12-31')
  })

  it('is kept through a reload before it is saved, then saved by a key', async () => {
    await page.reload()
    await page.getByText('未保存').first().waitFor()
    await page.getByRole('button', { name: new RegExp(name) }).click()
    await page.getByLabel('名称', { exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText(`已保存「${name}」`).waitFor()
    await page.getByRole('button', { name: new RegExp(`${name}.*custom_\\w+.*未引用`) }).waitFor()
    await page.getByRole('button', { name: '第 1 版' }).click()
    await page
      .getByRole('dialog', { name: /历次公式/ })
      .getByText('第 1 版')
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('ranks a screen from here', async () => {
    await page.getByRole('button', { name: '加入打分' }).click()
    await page.waitForURL(/\/rotation\/convertible-bond\/screen/)
    await page.getByText(name).first().waitFor()
    await page.goBack()
  })

  it('on the phone is read and run, its list in a sheet', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^我的因子/ }).click()
    await page
      .locator('[role=dialog][data-modal]')
      .getByRole('button', { name: new RegExp(name) })
      .click()
    await page.getByRole('button', { name: '运行', exact: true }).last().click()
    await page.getByText(/^读法：/).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await picture('4-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('says so in its place when a run fails, and goes on', async () => {
    await page.route('**/customized-factor/running', (route) =>
      route.fulfill({ status: 503, json: { code: 50301, msg: '服务繁忙，请稍后重试', data: null, request_id: 'E-1' } }),
    )
    await page.getByRole('button', { name: /^运行/ }).first().click()
    await page.getByRole('alert').getByText('服务繁忙，请稍后重试').first().waitFor()
    await page.unroute('**/customized-factor/running')
    await page.getByRole('button', { name: '重试' }).first().click()
    await page.getByText(/^读法：/).waitFor()
  })

  it('that another one names is deleted by whoever types its name', async () => {
    // Another of the user's own is made of it.
    await page.evaluate(async (name) => {
      const token = JSON.parse(localStorage.getItem('tokenData') ?? 'null')?.access_token
      const headers = { 'Access-Token': token, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ factor_name: `${name}加倍`, formula: `\`${name}\` * 2` })
      await fetch('/v1/quant/convertible-bond/customized-factors', { method: 'POST', headers, body })
    }, name)
    await page.reload()
    const mine = page.getByRole('complementary', { name: '我的因子' })
    await mine.getByRole('button', { name: new RegExp(`${name}[^倍]*1 处引用`) }).click()
    await page.getByRole('button', { name: '删除', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: `删除因子「${name}」？` })
    await question.getByText(`自定义因子「${name}加倍」`).waitFor()
    const button = question.getByRole('button', { name: '删除', exact: true })
    expect(await button.isDisabled()).toBe(true)
    await question.getByRole('textbox').fill(name.slice(1))
    expect(await button.isDisabled()).toBe(true)
    await question.getByRole('textbox').fill(name)
    await button.click()
    await page.getByText(`已删除「${name}」`).waitFor()
  })

  it('that nothing uses is deleted after a question', async () => {
    await page
      .getByRole('complementary', { name: '我的因子' })
      .getByRole('button', { name: new RegExp(`${name}加倍`) })
      .first()
      .click()
    await page.getByRole('button', { name: '删除', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await page.getByText(`已删除「${name}加倍」`).waitFor()
  })
})

describe('help beside the page', () => {
  it('opens by a key, explains words, and is left by Esc', async () => {
    await page.keyboard.press('h')
    const help = page.getByRole('complementary', { name: '帮助' })
    for (const part of ['这一屏能做什么', '怎么看数字', '常见问题', '快捷键']) await help.getByRole('heading', { name: part }).waitFor()
    await help.getByRole('button', { name: '名词表' }).click()
    await help.getByLabel('搜索名词').fill('溢价')
    await help.getByRole('button', { name: '转股溢价率' }).click()
    await help.getByText('转债价格 ÷ 转股价值 − 1').waitFor()
    await picture('5-help')
    expect(await seriousFaults(page, 'aside[aria-label="帮助"]')).toEqual([])
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })
})
