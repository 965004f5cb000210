// A trading day on the screen: quotes come and the list follows by itself; one source is lost and nobody notices; both are lost and the
// stamp says since when; over lunch and after the close it says what the prices are. On bonds that count as real, at a clock of the journey's.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { logIn, password } from '../src/accounts.ts'
import { accountAt } from '../src/asking.ts'
import { faultsOf, launchBrowser, openContext } from '../src/browser.ts'
import { convexa } from '../src/command-line.ts'
import { jump } from '../src/later.ts'
import { type LiveDesk, startLiveDesk } from '../src/live-desk.ts'
import { pictureOf } from '../src/picture.ts'
import { type Product, startProduct } from '../src/product.ts'
import { importBonds } from '../src/real-bonds.ts'

const address = 'watcher@example.com'

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let desk: LiveDesk
/** The trading day that the data do not have yet. */
let day: string

beforeAll(async () => {
  // Quotes are on; the source that the product itself would ask, at the true time, is nowhere.
  const env = { FEEDS: 'sina', SINA_URL: 'http://127.0.0.1:9' }
  ;[product, browser] = await Promise.all([startProduct(240, { env, demo: 'small' }), launchBrowser()])
  await convexa(product.dataDir, ['user', 'create', address, '--nickname', '盯盘', '--password-stdin'], { input: `${password}\n` })
  const bonds = await importBonds(product, await accountAt(product.url, address, password), { without: 1 })
  day = bonds.lastDay
  desk = await startLiveDesk(product.dataDir)
  ;({ context, page } = await openContext(browser, product.url))
}, 300_000)

afterAll(async () => {
  desk?.stop()
  await browser?.close()
  await product?.stop()
})

const stamp = () => page.locator('.stamp').first()
const said = async () => ((await stamp().textContent()) ?? '').trim()
const picture = (name: string) => pictureOf(page, `live-${name}`)
/** The first row's cells: prices that move with the quotes. */
const firstRow = () => page.getByRole('grid').or(page.getByRole('table')).first().locator('[role=row], tr').nth(1).textContent()

type Sources = Parameters<LiveDesk['at']>[1]
const both: Sources = { tencent: 'answers', sina: 'answers' }
let late = 0
let told: Sources = both
/** It is so late for the market and for the browser, whose timers have done what they would have. */
async function clock(time: string, sources: Sources): Promise<void> {
  told = sources
  await comeTo(Date.parse(`${day}T${time}+08:00`))
}

async function comeTo(moment: number): Promise<void> {
  const quotes = () => desk.at(new Date(moment), told)
  if (late > 0) await jump(page, moment - late, quotes)
  else {
    await quotes()
    await context.clock.install({ time: moment })
  }
  late = moment
}

/** What the stamp comes to say by itself: an answer is kept for three seconds, and the list is asked for again every fifteen. */
async function comesToSay(words: RegExp): Promise<void> {
  const look = async () => {
    const now = await said()
    late = await page.evaluate(() => Date.now())
    if (!words.test(now)) await comeTo(late + 15_000)
    return now
  }
  await expect.poll(look, { interval: 1_500, timeout: 60_000 }).toMatch(words)
}

it('follows the quotes of a day, and says what the prices are when they stop', async () => {
  const faults = faultsOf(page)
  await clock('10:05:00', both)
  await logIn(page, address, '/rotation/convertible-bond/screen')
  const templates = page.getByRole('button', { name: /^使用模板经典双低/ })
  await templates.or(stamp()).first().waitFor()
  if (await templates.isVisible()) await templates.click()
  await comesToSay(new RegExp(`^数据 ${day} 10:0\\d:\\d\\d · 实时$`))
  await page.getByLabel('自动刷新').selectOption({ label: '每 15 秒' })
  await page.getByRole('banner').getByText('实时行情').waitFor()
  const before = await firstRow()

  // One source is lost; the other goes on, and the list follows without a hand on it.
  await clock('10:25:00', { tencent: 'refuses', sina: 'answers' })
  await comesToSay(/10:[23]\d:\d\d · 实时$/)
  await expect.poll(firstRow).not.toBe(before)
  await picture('one-source')

  // Lunch is not silence: the list follows to the morning's last prices.
  await clock('11:30:30', { tencent: 'refuses', sina: 'answers' })
  await comesToSay(/11:30:00 · 午间收盘$/)

  // Both are lost: the last prices stay, with their time and how long it has been.
  await clock('13:10:00', both)
  await comesToSay(/13:[12]\d:\d\d · 实时$/)
  await clock('13:40:00', { tencent: 'refuses', sina: 'page' })
  await comesToSay(/(13:\d\d:\d\d) · 实时行情停在 \1，已 \d+ 分钟未更新$/)
  const last = await firstRow()
  await jump(page, 30_000)
  expect(await firstRow()).toBe(last)
  await picture('lost')

  // A source that answers with old prices is as good as lost; then it is back.
  await clock('14:10:00', { tencent: 'frozen', sina: 'refuses' })
  await clock('14:30:00', { tencent: 'answers', sina: 'refuses' })
  await comesToSay(/14:[345]\d:\d\d · 实时$/)
  await expect.poll(firstRow).not.toBe(last)

  await clock('15:00:30', both)
  await comesToSay(/15:00:00 · 收盘$/)
  await picture('closed')
  expect(faults).toEqual([])
})
