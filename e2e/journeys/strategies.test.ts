// What a person keeps: the board, strategies, groups, runs and their comparison, on an account of its own.
import { calls } from '@convexa/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount, newMobile, password } from '../src/accounts.ts'
import { type Asking, accountAt } from '../src/asking.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { openedTab } from '../src/opened-tab.ts'
import { pictureOf } from '../src/picture.ts'
import { untilThere } from '../src/until-there.ts'

let browser: Browser
let page: Page
let ask: Asking

beforeAll(async () => {
  browser = await launchBrowser()
  page = (await openContext(browser, inject('url'))).page
})
afterAll(() => browser?.close())

const picture = (name: string, fullPage = false) => pictureOf(page, `strategies-${name}`, { fullPage })
const region = (name: string) => page.getByRole('region', { name, exact: true })

/** Two saved strategies with a finished run of one year each; the glance is left to the page. */
async function save(): Promise<void> {
  const options = await ask(calls.reference.strategyOptions, {})
  const end = options.ranges.cb?.end ?? ''
  for (const [i, template] of options.templates
    .filter(({ kind, parameters }) => kind === 'cb' && parameters.rank_factors.length > 0)
    .slice(0, 2)
    .entries()) {
    const settings = {
      ...{ start_date: `${Number(end.slice(0, 4)) - 1}${end.slice(4, 8)}0${1 + i * 7}`, end_date: end, benchmark: 'cb_ew', capital: 10 },
      ...({ cost: { buy_rate: 0.001, sell_rate: 0.001 }, execution: 'realistic', fill: 'close' } as const),
      ...({ call_handling: 't_minus_1_close', delisting: 'last_price', adjust: 'raw' } as const),
    }
    const { parameters: detail } = template
    const { id } = await ask(calls.cb.addStrategy, { body: { strategy_name: `留存${i + 1}`, detail, settings, tags: ['试'] } })
    await ask(calls.cb.backtest, { body: { parameters: detail, settings, strategy_id: id, note: `第${i + 1}次` } })
  }
}

describe('工作台', () => {
  it('begins with the first steps, and is a board once something is kept', async () => {
    const account = newMobile('1380007')
    await makeAccount(account, '留存')
    ask = await accountAt(inject('url'), account, password)
    await comeLoggedIn(page, account, '/')
    await region('从这里开始').getByRole('link', { name: '去做' }).waitFor()
    await region('市场').getByText('可转债等权').waitFor()
    await region('市场')
      .getByText(/沪深300/)
      .waitFor()
    await picture('newcomer')
    // Without a factor of one's own the examples stand right below what they are for.
    await leadTo(page, '/customized-factors')
    const empty = region('还没有自定义因子')
    const top = (name: string) =>
      empty
        .getByRole('button', { name })
        .first()
        .evaluate((button) => button.getBoundingClientRect().top)
    expect((await top('新建空白因子')) - (await empty.evaluate((part) => part.getBoundingClientRect().top))).toBeLessThan(120)
    await save()
    const table = page.getByRole('table', { name: '我的策略' })
    // What was never looked at is begun by itself, two at a time; held until it has been seen how far it is.
    let letGo = () => {}
    const seen = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/glance', (route) => seen.then(() => route.continue()))
    try {
      await page.goto('/')
      await page.getByText('概览刷新 0 / 2', { exact: true }).waitFor()
    } finally {
      letGo()
      await page.unrouteAll({ behavior: 'wait' })
    }
    await expect.poll(() => table.getByText(/还没有概览|刷新中|等待刷新/).count(), { timeout: 60_000 }).toBe(0)
    // `r` refreshes all that is shown. How far it is may be told for less than a look: the answers are counted.
    let refreshed = 0
    page.on('response', (response) => {
      refreshed += Number(response.request().method() === 'PUT' && response.ok() && new URL(response.url()).pathname.endsWith('/glance'))
    })
    await page.keyboard.press('r')
    await expect.poll(() => refreshed, { timeout: 60_000 }).toBe(2)
    await expect.poll(() => table.getByText('还没有概览').count(), { timeout: 60_000 }).toBe(0)
    await expect.poll(() => table.getByText(/刷新中|等待刷新/).count(), { timeout: 60_000 }).toBe(0)
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/[+−]?\d+\.\d{2}%/)
    expect(await region('最近回测').getByRole('row').count()).toBe(3)
    await picture('home')
  })

  it('keeps its other cards when one fails, and gets that one back', async () => {
    const lists = '**/v1/quant/backtest/list*'
    await page.route(lists, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ code: 50000, msg: '服务器出错', data: null, request_id: 'E-TEST' }),
      }),
    )
    await page.reload()
    const runs = region('最近回测')
    // The page is shared: what fails here must not leave the next tests without their list.
    await runs
      .getByRole('alert')
      .waitFor()
      .finally(() => page.unroute(lists))
    expect(await runs.textContent()).toContain('错误编号 E-TEST')
    await page.getByRole('table', { name: '我的策略' }).getByRole('link', { name: '留存1', exact: true }).waitFor()
    await runs.getByRole('button', { name: '重试' }).click()
    await runs.getByText('第2次').waitFor()
  })
})

describe('我的策略', () => {
  it('renames where the name stands, takes a refused name back, and compares what is ticked', async () => {
    await leadTo(page, '/personal/strategies')
    const row = page.getByRole('row').filter({ hasText: '留存1' })
    await row.getByRole('link', { name: '留存1' }).focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: '名称' }).fill('留存2')
    await page.keyboard.press('Enter')
    await page
      .locator('.toast')
      .filter({ hasText: /改名失败：.*已恢复原来的内容/ })
      .waitFor()
    await page.getByRole('link', { name: '留存1' }).waitFor()
    // The typed name is kept for another try.
    await page.getByRole('button', { name: '再改一次' }).click()
    const again = page.getByRole('textbox', { name: '名称' })
    await expect.poll(async () => [await again.inputValue(), await again.getAttribute('aria-invalid')]).toEqual(['留存2', 'true'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '给 留存1 添加备注' }).click()
    await page.getByRole('textbox', { name: '备注' }).fill('缓冲 5')
    await page.keyboard.press('Enter')
    await page.getByText('缓冲 5').waitFor()
    await page.getByRole('checkbox', { name: '选中 留存1' }).check()
    await page.getByRole('checkbox', { name: '选中 留存2' }).check()
    await region('规则一览')
      .getByText(/个交易日收盘/)
      .first()
      .waitFor()
    // Both curves over one another, from 1 on; and the tabs say how many there are.
    await region('近三年走势')
      .getByText(/起点 = 1\.00/)
      .waitFor()
    await region('近三年走势')
      .getByRole('slider', { name: /^2 个策略/ })
      .waitFor()
    await page.getByRole('link', { name: /^我的策略\s*2$/ }).waitFor()
    await picture('list')
    await page.getByRole('button', { name: '对比', exact: true }).click()
    await page.waitForURL(/\/strategy\/compare\?items=cb/)
  })

  it('says what cannot be compared, recomputes on the common range, and moves a column by the keyboard', async () => {
    const table = page.getByRole('table', { name: '指标与参数' })
    await untilThere(page.getByRole('main'), table.getByText('年化收益'))
    await untilThere(page.getByRole('main'), '区间不同，数字不可直接比较。')
    await page.getByRole('button', { name: '按共同区间重算' }).click()
    await untilThere(page.getByRole('main'), /已按 \d+ 个共同交易日重算/)
    expect(await table.locator('.best').count()).toBeGreaterThan(3)
    expect(await page.getByRole('grid', { name: '日收益相关' }).textContent()).toMatch(/0\.\d\d/)
    expect(await page.getByRole('grid', { name: '名单重合' }).textContent()).toMatch(/\d%/)
    const heads = () => table.locator('thead a').allTextContents()
    const before = await heads()
    await table.locator('thead a').first().focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(heads).toEqual([...before].reverse())
    await page.getByRole('button', { name: '分享' }).click()
    await page.getByText(/已复制对比链接/).waitFor()
    await picture('compare', true)
  })
})

describe('策略组', () => {
  it('is made of what is ticked, shares that sum to 100, and runs as a whole', async () => {
    await leadTo(page, '/personal/strategies')
    await page.getByRole('checkbox', { name: '选中 留存1' }).check()
    await page.getByRole('checkbox', { name: '选中 留存2' }).check()
    await page.getByRole('button', { name: '建策略组' }).click()
    const drawer = page.getByRole('dialog', { name: /新建可转债策略组/ })
    await drawer.getByRole('textbox', { name: '名称' }).fill('稳健')
    await drawer.getByRole('textbox', { name: '留存1 的资金占比' }).fill('40')
    await drawer.getByRole('button', { name: '保存' }).click()
    await drawer.getByText('资金占比合计须为 100%（当前 90%）').waitFor()
    await drawer.getByRole('button', { name: '一键归一' }).click()
    await drawer.getByText('合计 100%').waitFor()
    await picture('group-drawer')
    await drawer.getByRole('button', { name: '保存' }).click()
    await page.getByRole('heading', { level: 1, name: '稳健' }).waitFor()
    await page.getByRole('table', { name: '合并名单' }).getByText('演示转债').first().waitFor()
    // As one basket; what was made up is not to be traded.
    await page.getByRole('button', { name: '导出篮子' }).click()
    const basket = page.getByRole('dialog', { name: '导出篮子文件' })
    await basket.getByText('演示数据不能用于交易').waitFor()
    await basket.getByRole('button', { name: '取消' }).click()
    // One thing to press, though nothing has been run.
    await page.getByText('还没有整体回测过').waitFor()
    expect(await page.locator('main .button.primary').count()).toBe(1)
    await page.getByRole('button', { name: '运行组合回测' }).click()
    const dialog = page.getByRole('dialog', { name: /运行组合回测/ })
    await dialog.getByRole('button', { name: '近 1 年' }).click()
    await dialog.getByRole('button', { name: '运行', exact: true }).click()
    await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 60_000 })
    await region('结论').waitFor()
  })
})

describe('回测历史', () => {
  it('is filtered by its address, noted in place, and asks by name before it deletes', async () => {
    await leadTo(page, '/personal/backtest-history?note=第1次')
    await page.getByRole('button', { name: '修改备注：第1次' }).click()
    await page.getByRole('textbox', { name: '备注', exact: true }).fill('第1次，已看过')
    await page.keyboard.press('Enter')
    await page.getByText('第1次，已看过').waitFor()
    await page.getByRole('checkbox', { name: /^选中 留存1/ }).check()
    await page.getByRole('button', { name: '删除所选' }).click()
    await page
      .getByRole('alertdialog', { name: /^删除回测「留存1 #/ })
      .getByRole('button', { name: '取消' })
      .click()
    const star = page.getByRole('button', { name: /^收藏留存1 #/ })
    await star.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await page.reload()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await picture('history')
    await page.getByRole('button', { name: '清除条件' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
  })

  it('opens a run whose report is kept no more with its figures and the way to a new one', async () => {
    const told = { code: 21012, msg: '该回测仅保留参数与指标，可重新运行', data: null, request_id: 'x' }
    const core = /\/detail\/report\?parts=core$/
    await page.route(core, (route) => route.fulfill({ status: 409, json: told }))
    // A run of one rule: a group's has no conditions of its own to change.
    await page.getByRole('row', { name: /留存1/ }).getByRole('link').click()
    await page.getByText('该回测仅保留参数与指标，可重新运行。').waitFor()
    await picture('reduced-run')
    await page.unroute(core)
    await page.getByRole('button', { name: '改条件再跑' }).click()
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .waitFor()
    await leadTo(page, '/personal/backtest-history')
  })

  it('opens a report in another tab by Ctrl, from its link and from anywhere else in the row', async () => {
    const row = page.getByRole('row', { name: /留存1/ })
    for (const place of [row.getByRole('link'), row.getByText(/ ~ /)]) {
      const tab = await openedTab(page, () => place.click({ modifiers: ['ControlOrMeta'] }))
      expect(tab.pathname).toMatch(/\/backtest\/[\w-]{36}$/)
    }
    expect(new URL(page.url()).pathname).toBe('/personal/backtest-history')
  })
})

describe('策略详情', () => {
  it('shows the rule, its versions, what it lists and its runs; and is left as it was for whoever has no such strategy', async () => {
    const { list_items: items } = await ask(calls.cb.strategyList, {})
    const id = items.find((one) => one.strategy_name === '留存1')?.id ?? ''
    await leadTo(page, `/strategy/cb/${id}`)
    await page.getByRole('heading', { level: 1, name: '留存1' }).waitFor()
    await region('规则')
      .getByText(/等权持有/)
      .waitFor()
    await region('版本').getByText('第一次保存').waitFor()
    await region('概览').getByRole('button', { name: '展开名单' }).click()
    await page.getByRole('table', { name: '最新名单' }).getByText('演示转债').first().waitFor()
    expect(await region('保存后的表现').textContent()).toMatch(/自 \d{4}-\d\d-\d\d 保存第 1 版起/)
    await picture('detail', true)
    await leadTo(page, '/strategy/cb/01999999-0000-7000-8000-000000000000')
    await page.getByText('这个策略不存在或已被删除').waitFor()
  })

  it('says which factor of one’s own has become another since it was saved, and that one is gone', async () => {
    const name = `自定双低${Date.now().toString(36)}`
    const body = { factor_name: name, formula: 'close + conv_prem * 100' }
    const { factor_key: key, id } = await ask(calls.cb.addFactor, { body })
    const template = (await ask(calls.reference.strategyOptions, {})).templates.find(({ kind }) => kind === 'cb')!.parameters
    const ranked = { ...template.rank_factors[0]!, factor_key: key }
    const detail = { ...template, rank_factors: [ranked] }
    const kept = await ask(calls.cb.addStrategy, { body: { strategy_name: `用${name}`, detail, tags: [] } })
    // Factors are read once a document, and this one is new.
    await page.goto(`/strategy/cb/${kept.id}`)
    const rule = region('规则')
    await rule
      .getByText(/自定双低/)
      .first()
      .waitFor()
    expect(await rule.getByText(/已更新/).count()).toBe(0)
    await ask(calls.cb.changeFactor, { params: { id }, body: { ...body, formula: 'close + conv_prem * 50' } })
    await page.reload()
    await rule.getByText(`自定义因子「${name}」已更新：保存时第 1 版，现在第 2 版，结果可能不同`).waitFor()
    await ask(calls.cb.removeFactor, { params: { id }, query: { force: '1' } })
    await page.reload()
    await rule.getByText(`规则中的一个自定义因子（编号 ${key}）已删除，规则不能再运行`).waitFor()
    await ask(calls.cb.removeStrategy, { params: { id: kept.id } })
  })
})

describe('on a phone', () => {
  it('the board is one column with the to-dos first, and two columns are compared at a time', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await leadTo(page, '/')
    await page.getByText('留存1').first().waitFor()
    const tops = await Promise.all(
      ['待办', '我的策略', '最近回测'].map((name) => region(name).evaluate((part) => part.getBoundingClientRect().top)),
    )
    expect([...tops].sort((a, b) => a - b)).toEqual(tops)
    const { list_items: runs } = await ask(calls.quant.backtestList, {})
    const { kind, strategy_id: named } = runs.find(({ strategy_id }) => strategy_id !== null)!
    const long = 'A long name without end, '.repeat(2)
    await ask(calls[kind].renameStrategy, { params: { id: named! }, body: { strategy_name: long } })
    // The name of now is in what a fresh page reads.
    await page.goto('/')
    for (const path of ['/', '/personal/strategies', '/personal/group-strategies', '/personal/backtest-history']) {
      await leadTo(page, path)
      await page.locator('.table-cards > li, .strategy-cards > li').first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path).toBeLessThanOrEqual(0)
    }
    await leadTo(page, '/')
    await picture('phone-home')
  })
})

describe('what is removed by a press', () => {
  it('gives its focus to its neighbour of the same role, else to the heading of its part', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const { templates } = await ask(calls.reference.strategyOptions, {})
    const { parameters: detail } = templates.find(({ kind, parameters }) => kind === 'cb' && parameters.rank_factors.length > 0)!
    const ids: string[] = []
    for (const name of ['移走1', '移走2', '移走3'])
      ids.push((await ask(calls.cb.addStrategy, { body: { strategy_name: name, detail, tags: ['一', '二', '三'] } })).id)
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document
        return `${at?.tagName.toLowerCase()} ${at?.getAttribute('aria-label') ?? at?.textContent}`
      })

    // Columns of a comparison; without a second one there is no table.
    await page.goto(`/strategy/compare?items=${ids.map((id) => `cb:${id}`).join(',')}`)
    await page.getByRole('button', { name: '移除第 2 列 移走2' }).focus()
    // The code that watches over the focus comes when the page is idle.
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/watch-page-')))
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('button 移除第 2 列 移走3')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('h1 策略对比')

    // Tags within a dialog.
    await leadTo(page, '/personal/strategies')
    const more = page.getByRole('button', { name: / 的更多操作$/ })
    await page.getByRole('button', { name: '移走1 的更多操作' }).click()
    await page.getByRole('menuitem', { name: '标签' }).click()
    const dialog = page.locator('[role=dialog][data-modal]')
    for (const next of ['button 移除 三', 'button 移除 一']) {
      await dialog
        .getByRole('button', { name: '移除 二' })
        .or(dialog.getByRole('button', { name: '移除 三' }))
        .first()
        .focus()
      await page.keyboard.press('Enter')
      await expect.poll(focused).toBe(next)
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-modal]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('button 移走1 的更多操作')

    // Rows whose end is asked for and comes from the server.
    const labels = await more.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
    const at = labels.indexOf('移走2 的更多操作')
    await more.nth(at).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '删除' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: '删除', exact: true }).press('Enter')
    await expect.poll(focused).toBe(`button ${labels[at + 1]}`)
    for (const id of ids) if (id !== ids[1]) await ask(calls.cb.removeStrategy, { params: { id } })
  })
})
