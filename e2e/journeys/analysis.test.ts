import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext, type StorageState } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { quietOf } from '../src/quiet.ts'

const bonds = '/rotation/convertible-bond'
let browser: Browser

/** The storage of somebody who has logged in and has a rule of both markets. */
let known: StorageState

beforeAll(async () => {
  browser = await launchBrowser()
  const { context, page } = await openContext(browser, inject('url'))
  await page.goto(`${bonds}/grid`)
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: '使用模板经典双低' }).click()
  await page.getByRole('textbox', { name: '横轴取值' }).waitFor()
  await leadTo(page, '/rotation/stock/backtest')
  await page.getByRole('button', { name: /^使用模板小市值/ }).click()
  await page.getByRole('region', { name: '将要运行' }).waitFor()
  known = await context.storageState()
  await context.close()
})
afterAll(() => browser?.close())

const picture = (page: Page, name: string) => pictureOf(page, `analysis-${name}`)

/** A user with a rule, on a page. */
async function open(path: string, viewport?: { width: number; height: number }) {
  const opened = await openContext(browser, inject('url'), viewport, { storageState: known })
  await opened.page.goto(path)
  return opened
}

/** A page's answer in the place of the server's. */
const answer = (page: Page, path: string, status: number, body: unknown) =>
  page.route(`**/v1/quant/convertible-bond/${path}`, (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
const failing = (code: number, msg: string) => ({ code, msg, data: null, request_id: 'E-TEST' })

describe('参数网格', () => {
  it('is asked, read, walked by keyboard, and opens a backtest with a cell’s numbers', async () => {
    const { context, page, faults } = await open(`${bonds}/grid`)
    await page.getByRole('textbox', { name: '横轴取值' }).fill('5:20:5')
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('5,x')
    await page.getByText('「x」不是数字').waitFor()
    expect(await page.getByRole('button', { name: '运行', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('5,10,20')
    await page.getByText('12 组').waitFor()
    // What has not been computed is hatched.
    expect(await page.getByRole('gridcell', { name: /未算出$/ }).count()).toBe(12)

    // From here on with the keyboard alone. A key that is held asks once: each time is one use of the day's.
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('grid-backtest')) asked++
    })
    for (let press = 0; press < 3; press++) await page.keyboard.press('Control+Enter')
    const readings = page.getByRole('region', { name: '这张网格说明什么' })
    await readings.waitFor({ timeout: 60_000 })
    expect(asked).toBe(1)
    expect(await readings.textContent()).toMatch(/过拟合概率.*运气门槛.*最高点.*(平台|大部分格子差不多).*样本外排名相关.*DSR/s)
    const grid = page.getByRole('grid', { name: /热力图/ })
    await grid.locator('[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('tooltip').filter({ hasText: '持有数量 10 只 × 轮动周期 10 日' }).waitFor()
    await page.keyboard.press('Space')
    expect(await page.getByRole('region', { name: '所选格的净值' }).textContent()).toContain('持有数量 10 只 × 轮动周期 10 日')
    await picture(page, 'grid')

    await grid.locator('[data-at="1,1"]').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/backtest$/)
    await page.getByText('已写入草稿：持有数量 10 只 × 轮动周期 10 日').waitFor()
    expect(await page.getByRole('textbox', { name: '轮动间隔' }).inputValue()).toBe('10')
    // The answer outlives the page.
    await page.goBack()
    await readings.waitFor()
    await page.getByText('条件或取值已改动').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a cell that was chosen is not one of the next grid, where its place is another or none', async () => {
    const { context, page } = await open(`${bonds}/grid`)
    await page.getByRole('textbox', { name: '横轴取值' }).fill('5,10,15,20')
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('1,5,10')
    await page.getByRole('button', { name: '运行', exact: true }).click()
    const curves = page.getByRole('region', { name: '所选格的净值' })
    await curves.waitFor({ timeout: 60_000 })
    await page.locator('[data-at="2,3"]').click()
    await curves.getByText('所选格：持有数量 20 只 × 轮动周期 10 日').waitFor()
    await page.getByRole('textbox', { name: '横轴取值' }).fill('5,10')
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('1,5')
    await page.getByRole('button', { name: '重新运行' }).click()
    await page.getByText('4 组', { exact: true }).waitFor()
    await curves.getByText('所选格：持有数量 10 只 × 轮动周期 5 日').waitFor({ timeout: 60_000 })
    // One that was ended at its deadline: what is done is drawn, the rest hatched.
    await page.route('**/v1/quant/convertible-bond/grid-backtest', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const part = { ...data, cells: data.cells.slice(0, 3), done: 3, partial: true }
      await route.fulfill({ response, json: { ...rest, data: part } })
    })
    await page.getByRole('button', { name: '重新运行' }).click()
    await page.getByText('一分钟内算完 3 / 4 组，其余以斜纹表示').waitFor({ timeout: 60_000 })
    expect(await page.getByRole('gridcell', { name: /未算出$/ }).count()).toBe(1)
    await page.locator('[data-at="0,0"]').dblclick()
    await page.waitForURL(/\/backtest$/)
    await page.getByText('已写入草稿：持有数量 5 只 × 轮动周期 1 日').waitFor()
    await context.close()
  })

  it('is computed anew over a wider range where the best cell stands at the edge', async () => {
    const { context, page } = await open(`${bonds}/grid`)
    await page.getByRole('textbox', { name: '横轴取值' }).fill('5,10,15')
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('5,10,20')
    // Wherever the demo market has its best cell: here it is the last of both axes.
    const asked: unknown[] = []
    await page.route('**/v1/quant/convertible-bond/grid-backtest', async (route) => {
      asked.push(route.request().postDataJSON())
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: { ...data, best: { index: [2, 2] } } } })
    })
    await page.getByRole('button', { name: '运行', exact: true }).click()
    const readings = page.getByRole('region', { name: '这张网格说明什么' })
    await readings.getByText('最高点在边缘，请放宽范围').waitFor({ timeout: 60_000 })
    await readings.getByRole('button', { name: '放宽并重算' }).click()
    await page.getByText('25 组', { exact: true }).waitFor()
    await expect.poll(() => asked.length).toBe(2)
    const values = (name: string) => page.getByRole('textbox', { name }).inputValue()
    expect([await values('横轴取值'), await values('纵轴取值')]).toEqual(['5,10,15,20,25', '5,10,20,30,40'])
    await expect.poll(() => page.getByRole('gridcell', { name: /未算出$/ }).count(), { timeout: 60_000 }).toBe(0)
    await context.close()
  })

  it('refuses more than the plan has, and says what to do when it takes too long', async () => {
    const { context, page } = await open(`${bonds}/grid`)
    await answer(page, 'grid-backtest', 504, failing(23021, '计算超时'))
    await page.getByRole('textbox', { name: '横轴取值' }).fill('1:60')
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('1:60')
    await page.getByText('组合数不能超过 2000；当前 3600').waitFor()
    await page.getByRole('textbox', { name: '纵轴取值' }).fill('1:10')
    await page.getByRole('button', { name: '运行', exact: true }).click()
    await page.getByText('组合过多，请减少到 300 组以内').waitFor()
    await page.getByRole('button', { name: /^改为 1,3,5/ }).click()
    await page.getByText('300 组', { exact: true }).waitFor()
    await context.close()
  })
})

describe('分箱分析', () => {
  it('who comes with a factor and has no rule yet looks at the factor, not at a choice of templates', async () => {
    const { context, page, faults } = await openContext(browser, inject('url'))
    await page.goto(`/login?redirect=${encodeURIComponent('/rotation/stock/binning?factor=pb')}`)
    await page.getByRole('button', { name: '进入体验账号' }).click()
    await page.getByRole('button', { name: '运行', exact: true }).click()
    const told = page.getByRole('region', { name: '分箱结论' })
    await told.waitFor({ timeout: 60_000 })
    expect(await told.textContent()).toContain('「市净率」')
    expect(faults).toEqual([])
    await context.close()
  })

  it('says what a factor sorts, and changes the rule by a press', async () => {
    const { context, page, faults } = await open(`${bonds}/binning?factor=conv_prem`)
    await page.getByRole('button', { name: '运行', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    const verdict = page.getByRole('region', { name: '分箱结论' })
    await verdict.waitFor({ timeout: 60_000 })
    expect(await verdict.textContent()).toMatch(/Rank IC 均值.*ICIR.*单调性.*覆盖率.*结论/s)
    for (const card of ['各箱年化超额', '各箱净值', 'IC 时序', 'IC 月度', '衰减', '箱间迁移'])
      expect(await page.getByRole('region', { name: card, exact: true }).count()).toBe(1)
    await picture(page, 'binning')
    // A pool of more than a hundred has ten bins by default, even if the run begins before the pool's size is known. The table adds means
    // over the bins' members.
    expect(await page.getByLabel('箱数').locator('option:checked').textContent()).toBe('10')
    expect(await page.getByText('条件已改动').count()).toBe(0)
    const bins = page.getByRole('region', { name: '各箱年化超额', exact: true })
    await bins.getByRole('button', { name: '表格' }).click()
    for (const column of ['因子范围', '因子均值', '平均收盘价', '平均转股溢价率', '平均只数', '年化波动'])
      expect(await bins.getByRole('columnheader', { name: column, exact: true }).count()).toBe(1)
    expect(await bins.getByRole('row').nth(1).textContent()).not.toMatch(/—|NaN/)
    // How much of the end bins' result depends on the day of formation.
    const curves = page.getByRole('region', { name: '各箱净值', exact: true })
    await curves.getByRole('button', { name: '对数' }).click()
    await curves.getByRole('button', { name: '起点', exact: true }).click()
    const band = page.getByRole('region', { name: '首尾两箱与换起点' })
    await band.getByText('底色是换 5 个起点后净值的高低范围').waitFor()
    expect(await band.getByText('对数 · 起点 = 1.00').count()).toBe(1)
    await picture(page, 'binning-band')
    await page.getByRole('button', { name: '把它加为打分因子' }).click()
    await page.getByText('已把「转股溢价率」加为打分因子').waitFor()
    await page.getByRole('button', { name: /^换成条件剔除：分位/ }).click()
    const rule = await page.evaluate(() => JSON.parse(localStorage.getItem('cbStrategy') ?? '{}').parameters)
    expect(rule.rank_factors.map((row: { factor_key: string }) => row.factor_key)).toContain('conv_prem')
    expect(rule.filter_factors.at(-1)).toMatchObject({ factor_key: 'conv_prem', action: 'exclude' })
    // The next factor by a key.
    await page.locator('body').click({ position: { x: 4, y: 400 } })
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('factor') !== 'conv_prem')
    expect(faults).toEqual([])
    await context.close()
  })
})

describe('历史筛选', () => {
  it('goes from day to day over closed ones, and keeps what came after apart', async () => {
    const { context, page, faults } = await open(`${bonds}/history?date=2024-02-08`)
    const list = (date: string) => page.getByRole('region', { name: `${date} 的名单` })
    await list('2024-02-08').waitFor()
    for (const column of ['后1日收益', '后5日收益', '后20日收益', '至今收益'])
      expect(await page.getByRole('columnheader', { name: column }).count()).toBe(1)
    expect(await page.getByText('事后数据：当天并不知道').count()).toBe(1)
    // The builder counts that day's securities, and says so.
    const counted = () => page.getByText(/收盘的只数$/).textContent()
    expect(await counted()).toBe('2024-02-08 收盘的只数')
    const then = await page.locator('[data-funnel]').textContent()
    // Spring festival: the next day of trade is eleven days on.
    await page.locator('body').click({ position: { x: 4, y: 200 } })
    await page.keyboard.press('ArrowRight')
    await list('2024-02-19').waitFor()
    await page.keyboard.press('ArrowLeft')
    await list('2024-02-08').waitFor()
    await picture(page, 'history')
    // A holiday of a year whose calendar nobody has asked for yet.
    await page.getByRole('textbox', { name: '日期', exact: true }).fill('2021-10-01')
    await list('2021-09-30').waitFor()
    await page.goto(`${bonds}/history?date=2024-02-08`)
    await list('2024-02-08').waitFor()
    // Back from another page by its tab: what was looked at last, without asking again.
    await page.getByRole('link', { name: '参数网格' }).first().click()
    await page.waitForURL(/grid$/)
    await page.getByRole('link', { name: '历史筛选' }).first().click()
    await list('2024-02-08').waitFor()

    await page.getByRole('button', { name: '多天', exact: true }).click()
    await page.getByRole('button', { name: '近 12 个月末' }).click()
    await page.getByRole('region', { name: '日期', exact: true }).getByRole('button', { name: '运行', exact: true }).click()
    const days = page.getByRole('region', { name: '多个日期' })
    await days.waitFor()
    expect(await days.getByRole('listitem').count()).toBe(12)
    // Of several days none is meant: the newest one's counts, of that day again.
    expect(await counted()).not.toContain('2024-02-08')
    expect(await page.locator('[data-funnel]').textContent()).not.toBe(then)
    await picture(page, 'history-days')
    expect(faults).toEqual([])
    await context.close()
  })

  it('tells in its place what went wrong, and tries again', async () => {
    const { context, page } = await open(`${bonds}/grid`)
    await answer(page, 'history-screen', 503, failing(50302, '服务繁忙，请稍后重试'))
    await page.getByRole('link', { name: '历史筛选' }).first().click()
    const failure = page.getByRole('alert').filter({ hasText: '服务繁忙，请稍后重试' })
    await failure.getByText('错误编号 E-TEST').waitFor()
    await page.unroute('**/v1/quant/convertible-bond/history-screen')
    await failure.getByRole('button', { name: '重试' }).click()
    await page.getByRole('region', { name: /的名单$/ }).waitFor()
    await context.close()
  })
})

describe('回测', () => {
  it('is set up again while one runs; both are told in the header, Esc cancels what is looked at', async () => {
    const { context, page } = await open('/rotation/stock/backtest')
    // Streams that say nothing until they are cancelled.
    await page.route('**/v1/quant/stock/backtest', () => undefined)
    await page.getByRole('textbox', { name: '备注' }).fill('第一次')
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    await page.getByRole('button', { name: '再设一个' }).click()
    await page.getByRole('region', { name: '正在进行的回测' }).waitFor()
    // Wherever one is: the tab's title and a word for the reader; a closed tab would cancel it, so the browser asks.
    expect(await page.title()).toMatch(/^0% 回测中 – ./)
    expect(await page.locator('[aria-live="polite"]', { hasText: '回测已开始' }).count()).toBe(1)
    const leaving = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await leaving
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await page.getByRole('button', { name: '近3年' }).last().click()
    await page
      .getByRole('button', { name: /排队运行/ })
      .first()
      .click()
    await page.getByRole('button', { name: /2 个任务/ }).click()
    await expect.poll(() => page.getByRole('list', { name: '回测任务' }).getByRole('listitem').count()).toBe(2)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByText('已取消').first().waitFor()
    await page.getByRole('button', { name: /1 个任务/ }).waitFor()
    await context.close()
  })

  it('that breaks off keeps the curve that it had, marked as unfinished, and can be run again', async () => {
    const { context, page } = await open('/rotation/stock/backtest')
    const run = { run_id: 'r' }
    const lines = [
      { type: 'queued', ...run, seq: 1, position: 1 },
      { type: 'stage', ...run, seq: 2, stage: 'simulate', label: '逐日模拟' },
      { type: 'curve', ...run, seq: 3, dates: ['2023-05-16', '2023-05-17'], nav: [1, 1.842], bench: [1, 1.1] },
      { type: 'progress', ...run, seq: 4, percent: 63.4, date: '2023-05-17', nav: 1.842, bench: 1.1, hold: 10, trades: 2 },
    ].map((event) => `data: success=${JSON.stringify(event)}\n\n`)
    const broken = { contentType: 'text/event-stream', body: `${lines.join('')}data: error=回测进程异常退出，请重试[23020]\n\n` }
    await page.route('**/v1/quant/stock/backtest', (route) => route.fulfill(broken))
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    const told = page.getByRole('alert').filter({ hasText: '回测进程异常退出，请重试' })
    await told.waitFor()
    expect(await told.textContent()).toContain('截至 2023-05-17 的部分结果仅供查看，未完成，勿用于判断。')
    const curve = page.getByRole('region', { name: '净值随回放生长' })
    await curve.getByText('未完成，勿用于判断').waitFor()
    expect(await curve.textContent()).toMatch(/1\.842.*10 只.*2 笔/s)
    await page.getByRole('button', { name: '重新运行' }).waitFor()
    await context.close()
  })
})

describe('on a phone', () => {
  it('nothing is wider than the screen, and the step is at the thumb', async () => {
    const { context, page } = await open(`${bonds}/history?date=2024-02-08`, { width: 390, height: 844 })
    await page.getByRole('region', { name: '2024-02-08 的名单' }).waitFor()
    const box = await page.getByRole('button', { name: '下一交易日' }).boundingBox()
    expect(box?.y).toBeGreaterThan(600)
    expect(box?.height).toBeGreaterThanOrEqual(44)
    const fits = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await fits()
    await picture(page, 'phone-history')
    await leadTo(page, `${bonds}/backtest`)
    await page.getByRole('region', { name: '将要运行' }).waitFor()
    await fits()
    for (const tab of ['grid', 'binning'] as const) {
      await leadTo(page, `${bonds}/${tab}`)
      await page.getByRole('button', { name: '运行', exact: true }).click()
      await page.getByRole('region', { name: { grid: '这张网格说明什么', binning: '分箱结论' }[tab] }).waitFor({ timeout: 60_000 })
      await fits()
      await picture(page, `phone-${tab}`)
      await page.setViewportSize({ width: 320, height: 568 })
      expect(await page.getByRole('textbox', { name: /日期$/ }).evaluateAll(cutOff)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      if (tab === 'binning') continue
      // A cell that is tapped says its numbers from the lower edge, and leads on.
      await page.locator('[data-at="0,1"]').click()
      const sheet = page.locator('[role=dialog][data-modal]')
      await sheet.getByText('邻格夏普').waitFor()
      await sheet.getByRole('button', { name: '用这组参数打开高级回测' }).waitFor()
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
    await context.close()
  })
})

describe('in a low window', () => {
  it('one bar stays, lists can be read, and what is opened stands inside', async () => {
    const { context, page } = await open(`${bonds}/history?date=2024-02-08`, { width: 320, height: 256 })
    const quiet = quietOf(context)
    const pages = ['history?date=2024-02-08', 'screen', 'backtest', 'grid', 'binning'].map((tab) => `${bonds}/${tab}`)
    for (const path of [...pages, '/customized-factors', '/personal/strategies']) {
      await leadTo(page, path)
      await quiet()
      for (const [width, height] of [
        [320, 256],
        [667, 375],
        [844, 390],
      ] as const) {
        await page.setViewportSize({ width, height })
        expect([path, width, (await page.evaluate(barsThatStay)) <= 1]).toEqual([path, width, true])
      }
    }
    await page.setViewportSize({ width: 320, height: 256 })
    await leadTo(page, pages[0]!)
    await page.getByRole('region', { name: '2024-02-08 的名单' }).waitFor()
    for (const opener of await page.locator('main button[aria-expanded]:visible').all()) {
      await opener.click()
      const popup = page.locator('.popup-place')
      await popup.waitFor()
      const box = await popup.boundingBox()
      const inside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 320 && box.y + box.height <= 256
      expect([await opener.textContent(), inside]).toEqual([await opener.textContent(), true])
      await page.keyboard.press('Escape')
      await popup.waitFor({ state: 'detached' })
    }
    // A dialog keeps its head alone.
    await leadTo(page, '/personal/strategies')
    await page.getByRole('button', { name: '导入 JSON' }).click()
    const dialog = page.locator('[role=dialog][data-modal]')
    await dialog.waitFor()
    const [whole, foot] = [await dialog.boundingBox(), await dialog.locator('footer').evaluate((one) => getComputedStyle(one).position)]
    expect([whole && whole.y >= 0 && whole.y + whole.height <= 256, foot]).toEqual([true, 'static'])
    await context.close()
  })
})

/** How many bars across the window stay where they are while the page scrolls. */
async function barsThatStay(): Promise<number> {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const bars = () =>
    new Map(
      [...document.querySelectorAll('body *')].flatMap((one) => {
        const { width, height, top } = one.getBoundingClientRect()
        const stays = /fixed|sticky/.test(getComputedStyle(one).position) && one.checkVisibility()
        return stays && width > innerWidth * 0.6 && height > 20 && top < innerHeight && top + height > 0 ? [[one, top] as const] : []
      }),
    )
  window.scrollTo(0, 300)
  await drawn()
  const before = bars()
  window.scrollTo(0, 420)
  await drawn()
  const moved = window.scrollY > 300
  return moved ? [...bars()].filter(([one, top]) => before.get(one) === top).length : 0
}

/** What is not seen whole of what stands in fields. */
const cutOff = (fields: Element[]) =>
  fields.flatMap((field) => (field.scrollWidth > field.clientWidth ? [`${(field as HTMLInputElement).value}`] : []))
