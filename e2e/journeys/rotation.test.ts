import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'
import { untilThere } from '../src/until-there.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const markets = [
  { segment: 'convertible-bond', title: '可转债轮动', template: '经典双低', backtestTab: '高级回测', benchmark: '可转债等权' },
  { segment: 'stock', title: '股票轮动', template: '小市值', backtestTab: '回测', benchmark: '沪深 300' },
] as const

const picture = (page: Page, name: string, fullPage = false) => pictureOf(page, name, { fullPage })

describe.each(markets)('$title: from the login page to the holdings of a day', ({ segment, template, backtestTab }) => {
  it('works for a newcomer without a fault on the console', async () => {
    const { context, page, faults } = await openContext(browser, inject('url'), undefined, { prefetch: true })

    // A visitor without a login is redirected to the login page, and back afterwards.
    await page.goto(`/rotation/${segment}`)
    await page.getByRole('button', { name: '进入体验账号' }).waitFor()
    expect(new URL(page.url()).searchParams.get('redirect')).toMatch(new RegExp(`^/rotation/${segment}`))
    await picture(page, `${segment}-1-login`)
    await page.getByRole('button', { name: '进入体验账号' }).click()

    await page.getByRole('button', { name: new RegExp(`使用模板${template}`) }).waitFor()
    expect(await page.getByText('演示数据').count()).toBeGreaterThan(0)
    await picture(page, `${segment}-2-templates`)
    await page.getByRole('button', { name: new RegExp(`使用模板${template}`) }).click()

    // The screen: ten or more rows, best first, with a price each.
    const rows = page.getByRole('region', { name: '筛选结果' }).getByRole('row')
    await rows.nth(5).waitFor()
    const first = await rows.nth(1).textContent()
    expect(first).toMatch(/9\d{5}\.DM/)
    await picture(page, `${segment}-3-screen`)

    await page.getByRole('link', { name: backtestTab, exact: true }).first().click()
    await page.getByRole('region', { name: '将要运行' }).waitFor()
    await picture(page, `${segment}-4-before-run`)
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    await page.getByRole('progressbar', { name: '回测进度' }).waitFor()
    await picture(page, `${segment}-5-running`)

    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
    const conclusion = page.getByRole('region', { name: '结论' })
    await conclusion.waitFor()
    const text = await conclusion.textContent()
    for (const label of ['年化收益', '最大回撤', '夏普比率', '年换手', '近一年', '基准']) expect(text).toContain(label)
    expect(text).toMatch(/[+−]\d+\.\d{2}%/)
    await page.getByRole('region', { name: '年度表现' }).getByRole('row').nth(2).waitFor()
    await page.waitForTimeout(800)
    await picture(page, `${segment}-6-report`, true)

    // The holdings of the day before the last one.
    const day = page.getByRole('region', { name: '某日持仓' })
    await page.keyboard.press('3')
    await day.getByRole('button', { name: '前一交易日' }).click()
    await untilThere(day, /9\d{5}\.DM/)
    expect(await day.textContent()).toMatch(/名次 \d+/)
    await day.scrollIntoViewIfNeeded()
    await picture(page, `${segment}-7-holdings`)

    // A reload shows the stored report again.
    const before = await conclusion.textContent()
    await page.reload()
    await conclusion.waitFor()
    expect(await conclusion.textContent()).toBe(before)

    expect(faults).toEqual([])
    await context.close()
  })
})

describe('what is not there', () => {
  it('an unknown path shows the not-found page, with a way back', async () => {
    const { context, page } = await openContext(browser, inject('url'))
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
    await picture(page, 'not-found')
    // A link that was cut in the middle of an escape.
    for (const cut of ['/%zz', '/r/%E0%A4%A']) {
      await page.goto(`${inject('url')}${cut}`)
      await page.getByText(/^(页面不存在|链接已失效)$/).waitFor()
    }
    await context.close()
  })
})

describe('a run that is cancelled', () => {
  it('stops, says so, and can be started again', async () => {
    const { context, page } = await openContext(browser, inject('url'))
    await page.goto('/rotation/stock/backtest')
    await page.getByRole('button', { name: '进入体验账号' }).click()
    await page
      .getByRole('button', { name: /^使用模板/ })
      .first()
      .click()
    await page.getByRole('link', { name: '回测', exact: true }).first().click()
    // A demo run is over in a moment: the first request is held back until the user has changed their mind.
    let held = 0
    await page.route('**/v1/quant/stock/backtest', (route) => (held++ === 0 ? undefined : route.continue()))
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    await page
      .getByRole('button', { name: /取消回测/ })
      .first()
      .click()
    await page.getByText('已取消').first().waitFor()
    await picture(page, 'cancelled')
    await page
      .getByRole('button', { name: /重新运行/ })
      .first()
      .click()
    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
    expect(held).toBe(2)
    await context.close()
  })
})
