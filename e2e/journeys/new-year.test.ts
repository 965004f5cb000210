import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'
import { convexa } from '../src/command-line.ts'
import { pictureOf } from '../src/picture.ts'
import { type Product, startProduct } from '../src/product.ts'

// After the end of its trading calendar the product still works, over New Year and a year later: pages count every weekday as a trading
// day (推定), and terminals get no targets for such a day. One running product is used throughout; its clock and the browser's are moved.

const folder = mkdtempSync(join(tmpdir(), 'convexa-new-year-'))
const dataDir = join(folder, 'data')
const clockFile = join(folder, 'offset')
const moved = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL('../src/moved-clock.mjs', import.meta.url))}`,
  CLOCK_OFFSET_FILE: clockFile,
}
let browser: Browser
let product: Product
/** The program's last year with closed days. */
let year = 0

const setClock = (text: string) => writeFileSync(clockFile, String(Date.parse(`${text}+08:00`) - Date.now()))
const makeDemo = () => convexa(dataDir, ['demo', '--size', 'small'], { env: moved })

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true })
  const { through } = JSON.parse(await convexa(dataDir, ['feed', 'calendar', 'show', '--json'])) as { through: string }
  year = Number(through.slice(0, 4))
  setClock(`${year}-12-31T16:00:00`)
  await makeDemo()
  ;[browser, product] = await Promise.all([launchBrowser(), startProduct(180, { dataDir, env: moved, yearsAhead: false })])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A visitor of a moment: the page's clock is the server's. */
async function visit(moment: string, act: (page: Page) => Promise<void>): Promise<void> {
  setClock(moment)
  const { context, page, faults } = await openContext(browser, product.url)
  await context.clock.install({ time: new Date(`${moment}+08:00`) })
  await page.goto('/rotation/convertible-bond')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  await page.getByRole('region', { name: '筛选结果' }).getByRole('row').nth(3).waitFor()
  await act(page)
  await pictureOf(page, `new-year-${moment.slice(0, 10)}`)
  // 21009, whose status is 404, is how the server says that it does not know the year.
  expect(faults.filter((fault) => !/closed-dates|status of 404/.test(fault))).toEqual([])
  await context.close()
}
const clockWords = (page: Page) => page.locator('.clock').textContent()
const lampWords = async (page: Page) => {
  await page.getByRole('button', { name: /^数据状况/ }).click()
  const sheet = page.getByRole('region', { name: '数据说明' })
  await sheet.getByText('演示模型').first().waitFor()
  return (await sheet.textContent()) ?? ''
}

it('on the last day that the calendar knows nothing is guessed', () =>
  visit(`${year}-12-31T16:00:00`, async (page) => {
    await expect.poll(() => clockWords(page)).toContain('已收盘')
    expect(await clockWords(page)).not.toContain('推定')
    expect(await lampWords(page)).not.toContain('推定')
  }))

it('on the first weekdays of the new year pages go on, and say that the day is expected', async () => {
  // 1 January and weekends are closed in any year.
  const days = ['02', '03', '04'].map((day) => `${year + 1}-01-${day}`)
  const day = days.find((date) => new Date(date).getUTCDay() % 6 !== 0)!
  await visit(`${day}T10:00:00`, async (page) => {
    await expect.poll(() => clockWords(page)).toContain('交易中（推定）')
    expect(await lampWords(page)).toContain('今年的休市日尚未公布')
    // Still the data of the last known day.
    expect(await page.getByText(`截至 ${year}-12-31 收盘`).count()).toBeGreaterThan(0)
  })
})

it('a fresh installation of more than a year later has a demo market up to its day', async () => {
  setClock(`${year + 2}-03-01T16:00:00`)
  await makeDemo()
  await visit(`${year + 2}-03-01T16:00:00`, async (page) => {
    await expect.poll(() => clockWords(page)).toMatch(/推定|周末/)
    const text = await lampWords(page)
    expect(text).toContain('演示行情把每个工作日都算作交易日（推定）')
    expect(await page.getByText(new RegExp(`截至 ${year + 2}-0(2-2\\d|3-01) 收盘`)).count()).toBeGreaterThan(0)
  })
})
