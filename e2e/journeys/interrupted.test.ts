// Hands that are quicker, slower or clumsier than a page expects, and code that does not come: nothing that was typed or meant is lost by it.
import { calls } from '@convexa/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount, password } from '../src/accounts.ts'
import { accountAt } from '../src/asking.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { quietOf } from '../src/quiet.ts'

const bonds = '/rotation/convertible-bond'
const address = 'hasty@example.com'
let browser: Browser
let page: Page
let quiet: () => Promise<void>

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(address, '匆忙')
  const ask = await accountAt(inject('url'), address, password)
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const [template] = templates.filter(({ kind, parameters }) => kind === 'cb' && parameters.rank_factors.length > 0)
  if (!template) throw new Error('no template of bonds')
  await ask(calls.cb.addStrategy, { body: { strategy_name: '留着的', detail: template.parameters, tags: [] } })
  const opened = await openContext(browser, inject('url'))
  page = opened.page
  quiet = quietOf(opened.context)
  await comeLoggedIn(page, address, `${bonds}/screen`)
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  await listed()
})
afterAll(() => browser?.close())

const listed = () => page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').first().waitFor()
const ready = () => page.getByRole('region', { name: '将要运行' }).waitFor()

/** How often something is asked of the server while `act` goes on and a little after. */
async function asked(path: RegExp, act: () => Promise<void>): Promise<number> {
  let times = 0
  const count = (request: { method(): string; url(): string }) => {
    if (request.method() === 'POST' && path.test(request.url())) times++
  }
  page.on('request', count)
  await act()
  await expect.poll(() => times).toBeGreaterThan(0)
  await quiet()
  page.off('request', count)
  return times
}

describe('hands', () => {
  it('that are quicker than the list of the palette go where they mean', async () => {
    await leadTo(page, `${bonds}/backtest`)
    await ready()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: '代码、名称或拼音' })
    // Bonds are among what is found by now.
    await box.fill('演示转债')
    const first = page.getByRole('group', { name: '可转债' }).getByRole('option').first()
    const code = (await first.locator('.mono').textContent()) ?? ''
    await box.fill('')
    await first.waitFor({ state: 'detached' })
    // Typed and entered while the browser has no time to draw between.
    await box.evaluate(async (input: HTMLInputElement, typed) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, typed)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      for (let i = 0; i < 5; i++) await null
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    }, code)
    await page.waitForURL(new RegExp(`/screen\\?code=${code}`))
    await page.keyboard.press('Escape')
  })

  it('that run with Ctrl+Enter from a date run with the date that is seen', async () => {
    await leadTo(page, `${bonds}/backtest`)
    await ready()
    const date = page.getByRole('textbox', { name: '开始日期' }).first()
    await date.fill('2025/1/6')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/advanced-backtest'))
    await page.keyboard.press('Control+Enter')
    expect((await sent).postDataJSON()).toMatchObject({ settings: { start_date: '2025-01-06' } })
    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
  })

  it.each(['on the page', 'in the formula'])('that hold a key too long, %s, run once', async (where) => {
    await leadTo(page, '/customized-factors')
    await page.getByRole('button', { name: '双低 20 日分位' }).last().click()
    await page.getByText('语法正确').waitFor()
    await page.getByRole('button', { name: /^运行/ }).first().waitFor()
    if (where === 'in the formula') await page.getByRole('textbox', { name: '公式' }).click()
    else await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const times = await asked(/customized-factor\/running$/, async () => {
      await page.keyboard.down('Control')
      for (let i = 0; i < 8; i++) await page.keyboard.down('Enter')
      await page.keyboard.up('Enter')
      await page.keyboard.up('Control')
    })
    expect(times).toBe(1)
  })
})

describe('code that does not come', () => {
  it('of a message leaves the page as it is, and says its words', async () => {
    const code = '**/assets/hosts-*.js'
    await page.route(code, (route) => route.abort())
    // It is fetched when the browser is idle, at the latest with the first message.
    const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('hosts'))
    await page.goto(`${bonds}/screen`)
    await listed()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+c')
    await lost
    await page.getByText('已复制').waitFor()
    expect(await page.getByRole('region', { name: '筛选结果' }).count()).toBe(1)
    await page.unroute(code)
  })

  it('of a question has the browser ask it', async () => {
    const code = '**/assets/hosts-*.js'
    await page.route(code, (route) => route.abort())
    await page.goto('/personal/strategies')
    let question = ''
    page.once('dialog', (dialog) => {
      question = dialog.message()
      void dialog.dismiss()
    })
    await page.getByRole('button', { name: '留着的 的更多操作' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await expect.poll(() => question).toContain('删除策略「留着的」？')
    await page.getByRole('row').filter({ hasText: '留着的' }).waitFor()
    await page.unroute(code)
  })
})
