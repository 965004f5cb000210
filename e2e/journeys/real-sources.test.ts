// Data that come from sources, on the screen: every block of figures names the sources of its own data version, and the lamp says what is
// wrong with the data of now. Bonds that count as real, days from files in a folder, a source that wants nothing to do with this machine.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '@convexa/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { comeLoggedIn, password } from '../src/accounts.ts'
import { type Asking, accountAt } from '../src/asking.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { convexa } from '../src/command-line.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { type Product, startProduct } from '../src/product.ts'
import { columns, importBonds, type RealBonds } from '../src/real-bonds.ts'
import { type Seeded, seed } from '../src/seed.ts'

const address = 'reader@example.com'
const bondsAt = '/rotation/convertible-bond'
const phone = { width: 390, height: 844 }

let product: Product
let browser: Browser
let page: Page
let ask: Asking
let bonds: RealBonds
let before: Seeded
const folder = mkdtempSync(join(tmpdir(), 'convexa-feed-'))
/** It is not asked twice for what it refuses; one that cannot be reached would be, for half a minute. */
const refusing = createServer((_request, answer) => answer.writeHead(403).end()).listen(0, '127.0.0.1')
await once(refusing, 'listening')
const refusal = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
const env = {
  ...{ FEEDS: 'eastmoney,file', FEED_FOLDER: folder },
  ...{ EASTMONEY_URL: refusal, EASTMONEY_OTHER_URL: refusal, EASTMONEY_HISTORY_URL: refusal, EASTMONEY_DATA_URL: refusal },
}
/** Days that the import does not have: 0 is the first of them. */
const missing = (i: number) => bonds.dates.at(i - 3)!

beforeAll(async () => {
  mkdirSync(join(folder, 'cb'))
  ;[product, browser] = await Promise.all([startProduct(240, { env, demo: 'small' }), launchBrowser()])
  await convexa(product.dataDir, ['user', 'create', address, '--nickname', '看数', '--password-stdin'], { input: `${password}\n` })
  ask = await accountAt(product.url, address, password)
  bonds = await importBonds(product, ask, { bonds: 60, without: 3 })
  before = await seed(ask, { kinds: ['cb'], each: 2, years: 1 })
  const opened = await openContext(browser, product.url)
  page = opened.page
  await opened.context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  await comeLoggedIn(page, address, `${bondsAt}/screen`)
  await page.getByRole('button', { name: /^使用模板经典双低/ }).click()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  refusing.close()
  rmSync(folder, { recursive: true, force: true })
})

const picture = (name: string, on = page) => pictureOf(on, `real-sources-${name}`)
const lamp = (word: string, on = page) => on.getByRole('button', { name: `数据状况：${word}`, exact: true })
const foot = (words: string, on = page) => on.getByText(words, { exact: true }).first().waitFor()
/** The days that the folder has are ingested; those that it lacks are waited for. */
const ingest = (exit: number, ...args: string[]) => convexa(product.dataDir, ['feed', 'run', '--market', 'cb', ...args], { env, exit })
const put = (day: string, edit?: Parameters<RealBonds['fileOf']>[1]) =>
  writeFileSync(join(folder, 'cb', `${day}.csv`), bonds.fileOf(day, edit))
/** A close that no limit allows, with all that follows from it as it was. */
const leaps = (cells: string[]) => cells.with(columns.indexOf('close'), '250.000')

/** What the panel behind the lamp says. */
async function sheetOf(word: string, shot: string): Promise<string> {
  await lamp(word).click()
  const sheet = page.getByRole('region', { name: '数据说明' })
  await sheet
    .getByText(/\d+\/\d+ 只/)
    .first()
    .waitFor({ timeout: 30_000 })
  const text = (await sheet.textContent()) ?? ''
  await picture(shot)
  await page.keyboard.press('Escape')
  return text
}

it('amber: days that have closed and are not there', async () => {
  await lamp('数据滞后').waitFor({ timeout: 30_000 })
  const text = await sheetOf('数据滞后', 'behind')
  expect(text).toContain(`数据截至 ${bonds.dates.at(-4)}，之后已有 3 个交易日收盘。`)
  expect(text).toContain('来源bonds.csv')
  await leadTo(page, `/strategy/cb/${before.strategies.cb[0]}`)
  await foot(`数据：bonds.csv · 截至 ${bonds.dates.at(-4)} 收盘`)
})

it('amber: a day that the checks did not let in, and a source that did not answer', async () => {
  put(missing(0))
  put(missing(1))
  put(missing(2), leaps)
  await ingest(1)
  await page.goto(`${bondsAt}/screen`)
  await lamp('数据滞后').waitFor({ timeout: 30_000 })
  const text = await sheetOf('数据滞后', 'refused')
  expect(text).toContain(`${missing(2)} 的数据没有通过检查，未发布；仍用 ${missing(1)} 的数据。`)
  expect(text).toMatch(/东方财富（转债日线）\d{4}-\d\d-\d\d \d\d:\d\d:\d\d 拒绝本机的访问，改由文件提供/)
})

it('amber: a source that did not answer, who stood in for it, and a row that was left out', async () => {
  put(missing(2), (cells, bond) => (bond === 3 ? leaps(cells) : cells))
  expect(await ingest(0)).toContain(`可转债 ${missing(2)} 行情：已发布。共 60 行，隔离 1 行。`)
  await page.reload()
  await lamp('数据未齐').waitFor({ timeout: 30_000 })
  const text = await sheetOf('数据未齐', 'lost')
  // Only the source that refuses has a list of bonds; once blocked it is not asked for it. In the evening more parts are open.
  expect(text).toMatch(/的行情有 59\/60（缺 \d{6}\.S[HZ]），(.+，)?证券列表还没有，(.+，)?到齐前用推算值或沿用前一交易日。/)
  expect(text).toMatch(/东方财富（转债日线）[^；]* 拒绝本机的访问，改由文件提供/)
  expect(text).toMatch(new RegExp(`${missing(2)} 未到齐的数据.*行情有 59/60，缺 \\d{6}\\.S[HZ]，到齐后自动更新`))
  expect(text).toContain(`来源bonds.csv、文件（至 ${missing(2)}）`)
  expect(text).toContain('隔离最近一次入库 1 行：转股溢价率与价格、转股价、正股价不符 1')
  expect(text).toContain('东方财富 · 转债日线还没有成功过，由文件代替')
  expect(await seriousFaults(page)).toEqual([])
  // The list says so too, and what was put aside is no suspension.
  const note = new RegExp(
    `^${missing(2).slice(5)} 的行情（缺 \\d{6}\\.S[HZ]）尚未到齐，缺行情的沿用最近收盘价；(.+、)?证券列表(、.+)?尚未到齐，名单按此前已知的。$`,
  )
  await page.getByText(note).waitFor()
  await page.getByRole('tab', { name: /^被剔除/ }).click()
  await page.getByText('缺行情', { exact: true }).first().waitFor()
  await picture('open-parts')
  expect(await seriousFaults(page)).toEqual([])
})

it('red: a rule with a factor that the data do not have', async () => {
  await page.evaluate(() => {
    const draft = JSON.parse(localStorage.getItem('cbStrategy') ?? '{}')
    draft.parameters.rank_factors.push({ ...draft.parameters.rank_factors[0], factor_key: 'pe_ttm' })
    localStorage.setItem('cbStrategy', JSON.stringify(draft))
  })
  await page.reload()
  await lamp('因子缺失').waitFor({ timeout: 30_000 })
  const text = await sheetOf('因子缺失', 'missing-factor')
  // The gravest first, then all else.
  expect(text).toMatch(/「[^」]+」在当前数据里没有值。.*东方财富（转债日线）/s)
  expect(text).toContain('当前数据没有「正股市盈率 TTM」')
  expect(text).not.toContain('未知因子')
  await page.emulateMedia({ colorScheme: 'dark' })
  await lamp('因子缺失').click()
  await picture('missing-factor-dark')
  expect(await darkFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  const { context, page: small } = await openContext(browser, product.url, phone)
  await comeLoggedIn(small, address, `${bondsAt}/screen`)
  await small.getByRole('button', { name: /^使用模板经典双低/ }).click()
  await lamp('数据未齐', small).click()
  await small.getByRole('dialog', { name: '数据说明' }).getByText('中断的数据源').waitFor()
  await picture('phone-lamp', small)
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
  await page.evaluate(() => {
    const draft = JSON.parse(localStorage.getItem('cbStrategy') ?? '{}')
    draft.parameters.rank_factors.pop()
    localStorage.setItem('cbStrategy', JSON.stringify(draft))
  })
})

it('every block of figures names the sources of its own version, on a desk and on a phone', async () => {
  const last = bonds.lastDay
  const [id] = before.strategies.cb
  const older = bonds.dates.at(-4)!
  // A report of before the days came: its version had the import alone.
  const report = `${bondsAt}/backtest/${before.runs.cb[0]}`
  await page.goto(report)
  await page.getByText(/^数据：bonds\.csv cb-\d{8}-[0-9a-f]{8}$/).waitFor()
  await picture('older-report')

  // The same again on the data of now.
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const { list_items: runs } = await ask(calls.quant.backtestList, {})
  const { settings } = runs[0]!
  const { parameters } = templates.find((one) => one.kind === 'cb' && one.parameters.rank_factors.length > 0)!
  await ask(calls.cb.backtest, { body: { parameters, settings: { ...settings, end_date: last }, note: '新的' } })
  await ask(calls.cb.glance, { params: { id: id! }, body: {} })
  await leadTo(page, `/strategy/cb/${id}`)
  await foot(`数据：bonds.csv、文件 · 截至 ${last} 收盘`)
  await page.getByText(`数据：bonds.csv、文件 · 截至 ${last} 收盘`).first().scrollIntoViewIfNeeded()
  await picture('glance')
  await page.getByRole('button', { name: '导出篮子' }).click()
  await page
    .locator('[role=dialog][data-modal]')
    .getByText(/证券列表(、.+)?尚未到齐，名单按此前已知的。$/)
    .waitFor()
  await picture('basket')
  await page.keyboard.press('Escape')
  const { list_items: now } = await ask(calls.quant.backtestList, {})
  await leadTo(page, `${bondsAt}/backtest/${now[0]!.backtest_id}`)
  await page.getByText(/^数据：bonds\.csv、文件 cb-/).waitFor()
  await picture('report')
  const end = page.getByText(/^数据：bonds\.csv、文件 · cb-\d{8}-[0-9a-f]{8} · 截至 .* 收盘$/)
  await page.getByRole('region', { name: '口径与假设' }).or(page.locator('#assumptions')).first().scrollIntoViewIfNeeded()
  await end.waitFor()
  await end.scrollIntoViewIfNeeded()
  await picture('report-foot')

  await leadTo(page, '/personal/backtest-history')
  await foot('数据：bonds.csv、文件 · 每次运行所用的版本写在它的报告里')
  await picture('runs')

  await leadTo(page, `${bondsAt}/grid`)
  await page.getByRole('button', { name: '运行', exact: true }).click()
  await page.getByRole('region', { name: '这张网格说明什么' }).waitFor({ timeout: 60_000 })
  await foot(`数据：bonds.csv、文件 · 截至 ${last} 收盘`)
  await picture('grid')
  await leadTo(page, `${bondsAt}/binning?factor=conv_prem`)
  await page.getByRole('button', { name: '运行', exact: true }).click()
  await page.getByRole('region', { name: '分箱结论' }).waitFor({ timeout: 60_000 })
  await foot(`数据：bonds.csv、文件 · 截至 ${last} 收盘`)
  await picture('binning')
  await leadTo(page, `${bondsAt}/history?date=${older}`)
  await foot(`数据：bonds.csv、文件 · 截至 ${older} 收盘`)
  await picture('history')

  const { context, page: small, faults } = await openContext(browser, product.url, phone)
  await comeLoggedIn(small, address, `/strategy/cb/${id}`)
  await foot(`数据：bonds.csv、文件 · 截至 ${last} 收盘`, small)
  await small.getByText(`数据：bonds.csv、文件 · 截至 ${last} 收盘`).first().scrollIntoViewIfNeeded()
  await picture('phone-glance', small)
  await leadTo(small, report)
  await small.locator('#assumptions').scrollIntoViewIfNeeded()
  await small.getByText(/^数据：bonds\.csv · cb-/).scrollIntoViewIfNeeded()
  await picture('phone-report', small)
  await leadTo(small, '/personal/backtest-history')
  await small.getByText('数据：bonds.csv、文件 · 每次运行所用的版本写在它的报告里').scrollIntoViewIfNeeded()
  await picture('phone-runs', small)
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(faults).toEqual([])
  await context.close()
})
