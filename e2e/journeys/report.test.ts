import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'
import { untilLate } from '../src/later.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { openPhone, type Phone } from '../src/wechat-phone.ts'

const bonds = '/rotation/convertible-bond'

let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
/** Its address, and what the server says of it. */
let report: string
let stored: { metrics: { annual_return: number }; robustness: { drop_best5: { annual_return: number } } }

beforeAll(async () => {
  browser = await launchBrowser()
  ;({ context, page, faults } = await openContext(browser, inject('url')))
  await page.goto(`${bonds}/backtest`)
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  const whole = page.waitForResponse((answer) => answer.url().includes('/detail/report'), { timeout: 90_000 })
  await page
    .getByRole('button', { name: /运行回测/ })
    .first()
    .click()
  await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 90_000 })
  report = new URL(page.url()).pathname
  stored = ((await (await whole).json()) as { data: typeof stored }).data
  await drawn(page)
})
afterAll(() => browser?.close())

/** A fault belongs to the step in which it was seen. */
const silent = () => expect(faults.splice(0)).toEqual([])
const part = (name: string, on = page) => on.getByRole('region', { name, exact: true })
const picture = (name: string, on = page) => pictureOf(on, `report-${name}`)
const drawn = async (on: Page) => {
  await part('结论', on).waitFor()
  await on.locator('#overview canvas').first().waitFor()
}
/** The annual return that a row of a table tells. */
const percents = async (row: Locator) => [...((await row.textContent()) ?? '').matchAll(/[+−]\d+\.\d{2}%/g)].map(([text]) => text)
const written = (value: number) => `${value < 0 ? '−' : '+'}${(Math.abs(value) * 100).toFixed(2)}%`

describe('a report is read from the conclusion to the last assumption', () => {
  afterEach(silent)

  it('nine keys lead to nine sections, and each is there', async () => {
    const sections = ['净值与回撤', '月度收益', '持仓时间线', '交易', '单券贡献', '指标', '换手与成本', '靠谱吗：六项检查', '口径与假设']
    for (const [i, name] of sections.entries()) {
      await page.keyboard.press(String(i + 1))
      await part(name).waitFor()
      // A card that was waiting for its part of the report is another element once it is there.
      const top = () => part(name).evaluate((element) => element.getBoundingClientRect().top)
      if (i < 8) await expect.poll(async () => Math.abs((await top()) - 170), { message: name }).toBeLessThan(90)
      await expect.poll(() => page.locator('.report-sections [aria-current]').textContent()).toContain(String(i + 1))
    }
    for (const name of ['收益分布', '滚动指标', '事件窗口', '成本敏感', '容量', '参数敏感性', '集中度', '分组贡献', '某日持仓'])
      expect(await part(name).count(), name).toBeGreaterThan(0)
  })

  it('what only a grid can check is filled by itself, and stands there from then on', async () => {
    await page.keyboard.press('1')
    const told = part('结论')
    await expect.poll(() => told.textContent(), { timeout: 60_000 }).toMatch(/靠谱吗.*(六项都通过|\d 项通过，\d 项没过)/s)
    const text = (await told.textContent()) ?? ''
    expect(text).toMatch(/跑赢了吗.*万元.*(跑赢|说不准|没跑赢).*10 万元变成/s)
    expect(text).not.toMatch(/待查|没查|补算/)
    expect(await told.getByText('策略已扣交易成本，基准未扣').count()).toBe(1)
    await page.keyboard.press('8')
    await part('靠谱吗：六项检查')
      .getByText(/第 25 次尝试/)
      .waitFor()
    await picture('answers')
    await leadTo(page, '/personal/backtest-history')
    await page
      .getByRole('row')
      .filter({ hasText: /稳健度|不评稳健度/ })
      .first()
      .waitFor()
    await page.goto(report)
    await drawn(page)
    // Nobody asks a second time.
    expect(await part('结论').textContent()).not.toMatch(/待查|补算/)
  })

  it('a number opens what it means, with its own numbers in the formula', async () => {
    await page.keyboard.press('1')
    await part('结论')
      .getByRole('button', { name: /年化收益/ })
      .click()
    const panel = page.locator('.definition-panel')
    const text = await panel.textContent()
    expect(text).toContain(`= ${written(stored.metrics.annual_return)}`)
    for (const word of ['定义', '公式', '本次', '常见误读', '别的软件']) expect(text).toContain(word)
    await page.keyboard.press('Escape')
  })

  it('without the best five it says what the engine says', async () => {
    await page.keyboard.press('5')
    const row = part('集中度').getByRole('row').filter({ hasText: /^5 只/ })
    expect(await percents(row)).toContain(written(stored.robustness.drop_best5.annual_return))
  })

  it('what is brushed in one chart is shown in all, can be left out, and comes back', async () => {
    await page.keyboard.press('1')
    const box = await page.locator('#overview .canvas').boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.55, box.y + 120, { steps: 6 })
    await page.mouse.up()
    const strip = page.getByRole('status').filter({ hasText: '选中' })
    await strip.waitFor()
    const days = Number(/，(\d+) 个交易日/.exec((await strip.textContent()) ?? '')?.[1])
    expect(days).toBeGreaterThan(20)
    await picture('brushed')
    await strip.getByRole('button', { name: '剔除该区间重算' }).click()
    const second = part('剔除后重算')
    await second.waitFor()
    const [before, after] = [await percents(second.getByRole('row').nth(1)), await percents(second.getByRole('row').nth(2))]
    expect(before[0]).toBe(written(stored.metrics.annual_return))
    expect(after[0]).not.toBe(before[0])
    expect(await second.textContent()).toContain(`共少 ${days} 日`)
    await second.getByRole('button', { name: '全部恢复' }).click()
    expect(await part('剔除后重算').count()).toBe(0)
  })

  it('leaves the page as a workbook and as a long picture', async () => {
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const [workbook] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'XLSX，全部表格' }).click()])
    expect(workbook.suggestedFilename()).toMatch(/_演示\.xlsx$/)
    expect(
      readFileSync(await workbook.path())
        .subarray(0, 4)
        .toString('latin1'),
    ).toBe('PK\u0003\u0004')
    await page.getByRole('button', { name: '导出', exact: true }).click()
    await page.getByRole('menuitem', { name: '生成长图' }).click()
    const image = page.locator('.long-preview img')
    await image.waitFor()
    expect(await image.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight > 3_000])).toEqual([1_500, true])
    // Dragged out of the page it is called as it is when it is saved.
    const dragged = await image.evaluate((one) => {
      const dataTransfer = new DataTransfer()
      one.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }))
      return dataTransfer.getData('DownloadURL')
    })
    expect(dragged).toMatch(/^image\/png:[^:]+_\d{4}-\d\d-\d\d_.*长图.*\.png:blob:/)
    await picture('long')
    await page.keyboard.press('Escape')
  })

  it('is copied and dragged by hand with the signs of a file', async () => {
    await page.keyboard.press('2')
    const year = part('年度表现').getByRole('row').filter({ hasText: '全期' })
    await year.waitFor()
    const left = await year.evaluate((row) => {
      const range = document.createRange()
      range.selectNodeContents(row)
      document.getSelection()?.removeAllRanges()
      document.getSelection()?.addRange(range)
      const data = new DataTransfer()
      const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true })
      row.dispatchEvent(event)
      document.getSelection()?.removeAllRanges()
      return { shown: row.textContent, text: data.getData('text/plain'), markup: data.getData('text/html'), ours: event.defaultPrevented }
    })
    expect(left.shown).toMatch(/−\d/)
    expect(left.ours).toBe(true)
    for (const one of [left.text, left.markup]) {
      expect(one).not.toContain('−')
      expect(one).toMatch(/-\d+\.\d%/)
    }
    // Cells stay cells, though only a part of the table was marked.
    expect(left.markup).toMatch(/^<table.*<td/s)
    // A file that is dropped here is not opened in the place of the page.
    const refused = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['代码'], '名单.csv'))
      const given = { dataTransfer, bubbles: true, cancelable: true }
      return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, given)))
    })
    expect(refused).toEqual([true, true])
  })

  it('is drawn with the pixels of the screen, after a zoom too', async () => {
    await page.keyboard.press('1')
    const session = await context.newCDPSession(page)
    const canvas = page.locator('#overview canvas').first()
    // The browser tells of other pixels with its next frame.
    const ratio = () =>
      canvas.evaluate(
        (one: HTMLCanvasElement) => new Promise((resolve) => requestAnimationFrame(() => resolve(one.width / one.clientWidth))),
      )
    // As a zoom to 125 % and back.
    for (const [width, height, deviceScaleFactor] of [
      [1152, 720, 1.25],
      [1440, 900, 1],
    ] as const) {
      await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false })
      await expect.poll(ratio).toBeCloseTo(deviceScaleFactor, 1)
    }
  })

  it('is printed with all columns of its trades within the margins of A4', async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const frame = page.locator('.trades-frame')
    await frame.waitFor()
    const printed = await frame.evaluate((element) => element.clientWidth * Number(element.style.getPropertyValue('--print-zoom')))
    // 186 mm.
    expect(printed).toBeGreaterThan(600)
    expect(printed).toBeLessThanOrEqual((186 / 25.4) * 96)
  })

  it('takes a note where it stands', async () => {
    await page.getByRole('button', { name: '备注', exact: true }).click()
    await page.getByRole('textbox', { name: '备注' }).fill('第一次看长区间')
    await page.keyboard.press('Enter')
    await page.getByText('备注：第一次看长区间').waitFor()
    await page.reload()
    await page.getByText('备注：第一次看长区间').waitFor()
    await drawn(page)
    await page.keyboard.press('8')
    await picture('robustness')
  })
})

describe('what is computed again', () => {
  const open = async (name: string, change: (page: Page) => Promise<unknown>) => {
    const other = await context.newPage()
    const asked: string[] = []
    other.on('request', (request) => {
      const parts = new URL(request.url()).searchParams.get('parts')
      if (parts) asked.push(parts)
    })
    await change(other)
    await other.goto(report)
    await drawn(other)
    await part(name, other).waitFor()
    return { other, asked }
  }

  it('is asked for when it comes into view, once', async () => {
    const { other, asked } = await open('月度收益', async () => {})
    expect(asked).toEqual(['core'])
    await other.keyboard.press('3')
    await part('持仓时间线', other)
      .getByText(/按持有天数前/)
      .waitFor()
    await other.keyboard.press('4')
    await part('交易', other).getByText('单笔胜率').waitFor()
    expect(asked).toEqual(['core', 'holdings,trades'])
    await other.keyboard.press('5')
    await part('集中度', other).getByText('它们占总收益').waitFor()
    expect(asked).toEqual(['core', 'holdings,trades', 'daily_contribution'])
    await other.close()
  })

  it('says where another engine has it otherwise, and waits for data that are on their way', async () => {
    let tries = 0
    const { other } = await open('月度收益', (to) =>
      to.route(/report\?parts=holdings/, async (route) => {
        const msg = '正在取回这次回测的数据，请稍后重试'
        if (tries++ === 0)
          return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { code: 21008, msg, data: null, request_id: 'x' } })
        // The whole of it, also where this browser holds the answer.
        const { 'if-none-match': _tag, ...headers } = route.request().headers()
        const response = await route.fetch({ headers })
        const { data, ...rest } = await response.json()
        const recomputed = { engine_version: '9.9.9', nav_difference: 0.0123 }
        return route.fulfill({ response, json: { ...rest, data: { ...data, recomputed } } })
      }),
    )
    await other.keyboard.press('3')
    await other.getByText('由新版计算引擎复算，净值与保存时相差 0.0123，可重新运行').first().waitFor({ timeout: 60_000 })
    expect(tries).toBe(2)
    await other.close()
  })
})

describe('a report of less than a year', () => {
  it('is run again over five years by one press', async () => {
    const short = await context.newPage()
    const tell = { excess_annual: null, interval: null, share_above: null, t: null, recent_excess: null }
    await short.route(
      (url) => url.pathname.endsWith(`/${report.split('/').at(-1)}/detail/report`),
      async (route) => {
        const response = await route.fetch()
        const { data, ...rest } = await response.json()
        const settings = { ...data.settings, start_date: data.curves.dates.at(-100) }
        await route.fulfill({ response, json: { ...rest, data: { ...data, settings, worth: { ...data.worth, state: 'short', ...tell } } } })
      },
    )
    await short.goto(report)
    const again = short.waitForRequest((request) => request.url().endsWith('/advanced-backtest') && request.method() === 'POST')
    await short.getByRole('button', { name: '改为近 5 年再跑' }).click()
    const { settings } = (await again).postDataJSON()
    const years = Number(settings.end_date.slice(0, 4)) - Number(settings.start_date.slice(0, 4))
    expect([years, settings.start_date.slice(4)]).toEqual([5, settings.end_date.slice(4)])
    await short.waitForURL((url) => /\/backtest\/[0-9a-f-]{36}$/.test(url.pathname) && url.pathname !== report, { timeout: 90_000 })
    await drawn(short)
    await short.close()
  })
})

describe('a day of it', () => {
  it('leads to where its places came from, factor by factor', async () => {
    await leadTo(page, `${report}?day=2025-03-03`)
    await part('结论').waitFor()
    await page.keyboard.press('3')
    await part('某日持仓').getByRole('button', { name: '看各因子得分' }).click()
    await page.waitForURL(/\/history\?date=\d{4}-\d{2}-\d{2}$/)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    silent()
    await leadTo(page, report)
    await drawn(page)
  })
})

describe('inside WeChat', () => {
  it('the long picture is held by a finger, and no button hands out a file', async () => {
    const { context: phone, page: hand, faults: seen } = await openPhone(browser, inject('url'), context, { wechat: true })
    await hand.goto(report)
    await drawn(hand)
    await hand.getByRole('button', { name: '导出', exact: true }).click()
    await expect.poll(() => hand.getByRole('menuitem').allTextContents()).toEqual(['生成长图', '复制链接，在电脑打开'])
    await hand.getByRole('menuitem', { name: '生成长图' }).click()
    const image = hand.locator('.long-preview img')
    await image.waitFor()
    expect(await image.evaluate((one: HTMLImageElement) => [one.src.slice(0, 22), one.naturalWidth])).toEqual([
      'data:image/png;base64,',
      1_500,
    ])
    expect(await hand.getByRole('button', { name: /保存|下载|CSV|导出 JSON/ }).count()).toBe(0)
    expect(seen).toEqual([])
    await phone.close()
  })
})

describe('on a phone', () => {
  let phone: Phone
  beforeAll(async () => {
    phone = await openPhone(browser, inject('url'), context)
    await phone.page.goto(report)
    await drawn(phone.page)
  })
  afterAll(() => phone?.context.close())

  it('its own tools and numbers have room, and its foot is clear of what floats', async () => {
    const { page: hand, faults: seen } = phone
    await hand.getByRole('button', { name: '改条件再跑' }).waitFor()
    expect(await hand.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const lines = await hand.locator('.conclusion-number small > span').evaluateAll((all) => all.map((one) => one.clientHeight))
    // No number is torn from its word.
    expect(Math.max(...lines)).toBeLessThan(24)
    // A menu at the edge stays inside the window; at other widths too: menu.test.tsx.
    await hand.getByRole('button', { name: '导出', exact: true }).click()
    const menu = await hand.locator('.menu').boundingBox()
    expect(menu && menu.x >= 0 && menu.x + menu.width <= 390).toBe(true)
    await picture('phone-menu', hand)
    await hand.keyboard.press('Escape')
    const float = hand.getByRole('button', { name: /^报告章节/ })
    const words = hand.locator('.footer > span').last()
    await expect
      .poll(async () => {
        // What is drawn on the way down makes the page longer.
        await hand.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        const [above, below] = [await words.boundingBox(), await float.boundingBox()]
        return above && below && below.y - above.y - above.height
      })
      .toBeGreaterThanOrEqual(0)
    await picture('phone-foot', hand)
    expect(seen).toEqual([])
  })

  it('the first tap on a chart shows a tooltip, the second opens that day', async () => {
    const { page: hand, faults: seen } = phone
    await hand.evaluate(() => window.scrollTo(0, 0))
    const day = () => new URL(hand.url()).searchParams.get('day')
    const chart = part('净值与回撤', hand).getByRole('slider')
    await chart.tap({ position: { x: 200, y: 90 } })
    const told = part('净值与回撤', hand).locator('.chart-tip')
    await told.getByText('再点一次看当天持仓').waitFor()
    expect(day()).toBe(null)
    // A tap elsewhere moves the tooltip to another day; a tap near the same day, or on the tooltip, opens that day.
    const first = await told.locator('h4').textContent()
    await chart.tap({ position: { x: 100, y: 90 } })
    await expect.poll(() => told.locator('h4').textContent()).not.toBe(first)
    expect(day()).toBe(null)
    const date = (await told.locator('h4').textContent())?.slice(0, 10)
    await chart.tap({ position: { x: 106, y: 96 } })
    await expect.poll(day).toBe(date)

    const words = hand.getByRole('status').filter({ has: hand.getByRole('button', { name: /持仓$/ }) })
    const month = part('月度收益', hand).getByRole('row').last().locator('td button').last()
    await month.tap()
    await words.filter({ hasText: /^\d{4} 年 \d{1,2} 月 [+−\d]/ }).waitFor()
    expect(day()).toBe(date)
    await words.getByRole('button', { name: '看月末持仓' }).tap()
    await expect.poll(day).not.toBe(date)
    expect(await words.count()).toBe(0)

    const before = day()
    await hand.getByRole('button', { name: /^报告章节/ }).tap()
    await hand.locator('[role=dialog][data-modal]').getByRole('button', { name: /持仓/ }).tap()
    const span = part('持仓时间线', hand).locator('rect:has(title)').first()
    await span.tap()
    await words.filter({ hasText: /个交易日，平均权重/ }).waitFor()
    expect(day()).toBe(before)
    await span.tap()
    await expect.poll(day).not.toBe(before)
    expect(seen).toEqual([])
  })
})

describe('a report that is shared', () => {
  afterEach(silent)

  it('is read without a login until it is taken back', async () => {
    await page.keyboard.press('1')
    await page.getByRole('button', { name: '分享', exact: true }).click()
    await page.getByRole('button', { name: '创建链接' }).click()
    const link = await page.getByLabel('分享链接', { exact: true }).inputValue()
    const other = await openContext(browser, inject('url'), { width: 390, height: 844 })
    await other.page.goto(link)
    await drawn(other.page)
    const title = await other.page.title()
    expect(title).toMatch(/双低 · 10 只 · 20\d\d-\d\d-\d\d 至 20\d\d/)
    expect(title).not.toContain('%')
    const text = (await other.page.locator('main').textContent()) ?? ''
    expect(text).toContain('由用户分享的历史回测')
    expect(text).toContain('演示数据')
    expect(text).not.toContain('第一次看长区间')
    // On a phone nothing is wider than the page, and the menu of sections floats.
    expect(await other.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await other.page.getByRole('button', { name: /^报告章节/ }).click()
    await other.page.getByRole('navigation', { name: '报告章节' }).getByRole('button', { name: '持仓' }).click()
    await part('持仓时间线', other.page).waitFor()
    await picture('shared-phone', other.page)
    expect(other.faults).toEqual([])

    await page.getByRole('row').filter({ hasText: '有效' }).getByRole('button', { name: '撤回' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '撤回' }).click()
    await page.getByText('已撤回').first().waitFor()
    await other.page.reload()
    await other.page.getByText('分享者已撤回').waitFor()
    await other.page.goto(`/r/${'x'.repeat(43)}`)
    await other.page.getByText('链接已失效').waitFor()
    await picture('ended', other.page)
    await other.context.close()
    await page.keyboard.press('Escape')
  })
})

describe('when the server does not answer', () => {
  it('a section fails alone and comes again; a report says what is safe', async () => {
    await page.clock.install()
    let broken = true
    await page.route(/\/detail\/(\d{4}-|report\?parts=holdings)/, (route) => (broken ? route.abort() : route.continue()))
    await page.goto(`${report}?day=2025-03-03`)
    await part('结论').waitFor()
    await page.keyboard.press('3')
    const day = part('某日持仓')
    await untilLate(day.getByText('报告的其余部分不受影响。'), 3)
    await picture('day-failed')
    const timeline = part('持仓时间线')
    await untilLate(timeline.getByText('报告的其余部分不受影响。'), 3)
    broken = false
    await timeline.getByRole('button', { name: '重试' }).click()
    await timeline.getByText(/按持有天数前/).waitFor()
    await day.getByRole('button', { name: '重试' }).click()
    await day.getByRole('row').nth(3).waitFor()
    await page.route(/\/detail\/report\?parts=core$/, (route) => route.abort())
    await page.goto(report)
    await untilLate(page.getByText('报告已保存在服务器，可以稍后再看。'), 3)
    await context.close()
  })
})
