// From a list to the terminal and back: a basket that reads back, a config that is rehearsed, exported and run by the real client on this
// computer, and its orders on the page. On bonds that count as real; what demo data refuse is in qmt.test.ts and states.test.ts.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '@convexa/contract/calls'
import type { DryRun } from '@convexa/contract/qmt-basket'
import type { Browser, Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, password } from '../src/accounts.ts'
import { type Asking, accountAt } from '../src/asking.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { convexa } from '../src/command-line.ts'
import { type Product, startProduct } from '../src/product.ts'
import { openBasket as openBasketOf, qmtDesk } from '../src/qmt-desk.ts'
import { importBonds, type RealBonds } from '../src/real-bonds.ts'

const artefacts = new URL('../artefacts/', import.meta.url)
const address = 'trader@example.com'
const name = '双低实盘'
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 6))']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'convexa-client-'))

let product: Product
let browser: Browser
let page: Page
let ask: Asking
let bonds: RealBonds
let strategy: string
/** What trades the bonds by it. */
let config: string

beforeAll(async () => {
  mkdirSync(artefacts, { recursive: true })
  ;[product, browser] = await Promise.all([startProduct(240, { demo: 'small' }), launchBrowser()])
  await convexa(product.dataDir, ['user', 'create', address, '--nickname', '实盘', '--password-stdin'], { input: `${password}\n` })
  ask = await accountAt(product.url, address, password)
  bonds = await importBonds(product, ask, { without: 1 })
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const template = templates.find((one) => one.kind === 'cb' && one.name.includes('双低'))!
  strategy = (await ask(calls.cb.addStrategy, { body: { strategy_name: template.name, detail: template.parameters } })).id
  config = await (await qmtDesk(ask)).add('cb', name, strategy)
  page = (await openContext(browser, product.url)).page
  await logIn(page, address, '/')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const picture = (shown: string) => page.screenshot({ path: new URL(`qmt-client-${shown}.png`, artefacts).pathname })
const dialog = () => page.getByRole('dialog')
const row = (shown: string) => page.getByRole('row').filter({ hasText: shown })
const cellsOf = (table: ReturnType<Page['locator']>) =>
  table.locator('tbody tr').evaluateAll((rows) => rows.map((one) => [...one.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))

/** What is open at the width of a phone: nothing is wider than it. */
async function fitsAPhone(shown: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  try {
    await dialog().waitFor()
    // The page lays itself out anew a moment after it was made narrow.
    const widths = () => dialog().evaluate((box) => [document.documentElement.scrollWidth, box.scrollWidth <= 390])
    await expect.poll(widths).toEqual([390, true])
    await picture(`${shown}-phone`)
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 })
  }
}

async function saved(download: Download): Promise<{ name: string; bytes: Buffer }> {
  const path = join(folder, download.suggestedFilename())
  await download.saveAs(path)
  return { name: download.suggestedFilename(), bytes: readFileSync(path) }
}
const downloaded = async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), dialog().getByRole('button', { name: '下载' }).click()])
  return saved(download)
}

const run = (args: readonly string[]) =>
  new Promise<{ exit: number; said: string }>((resolve) => {
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' }
    execFile('python3', args, { env }, (error, out, said) => resolve({ exit: error ? Number(error.code) || 1 : 0, said: out + said }))
  })

/** The reading rule of a basket (domain.md 7.4): GBK, keys of code and market, weights over their sum. */
function readBasket(bytes: Buffer) {
  const [head, ...lines] = new TextDecoder('gbk', { fatal: true }).decode(bytes).trimEnd().split('\r\n')
  expect(head).toBe('代码,市场,数量,相对权重,方向,指定价,量比')
  const rows = lines.map((line) => line.split(','))
  const sum = rows.reduce((total, row) => total + Number(row[3]), 0)
  return rows.map(([code, market, volume, weight, side]) => ({
    key: `${code}.${market}`,
    volume: Number(volume),
    target: (100_000 * Number(weight)) / sum,
    side,
  }))
}

/** Of the list of a template, screened anew. */
async function openBasket(): Promise<void> {
  await page.goto('/rotation/convertible-bond')
  const template = page.getByRole('button', { name: /使用模板/ }).first()
  await template.or(page.getByRole('grid').getByRole('row').nth(3)).first().waitFor()
  if (await template.isVisible()) await template.click()
  await page.getByRole('grid').getByRole('row').nth(3).waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('button', { name: /QMT 篮子文件/ }).click()
  await dialog().getByRole('heading', { name: '导出篮子文件' }).waitFor()
}

it('a list of an older day makes no basket (24006)', async () => {
  await ask(calls.cb.glance, { params: { id: strategy }, body: {} })
  await page.goto(`/strategy/cb/${strategy}`)
  await openBasketOf(page)
  await dialog().getByText(`信号数据不是最新交易日（数据截至 ${bonds.dayBefore}），已停止导出`).waitFor()
  expect(await dialog().getByRole('button', { name: '下载' }).isDisabled()).toBe(true)
  await picture('stale')
})

it('a list of the newest day is looked at, saved as it was shown, and reads back', async () => {
  await bonds.append()
  await openBasket()
  const file = `-${bonds.lastDay.replaceAll('-', '')}-basket.csv`
  await dialog().getByText(file).waitFor()
  const shown = (await cellsOf(dialog().getByRole('table', { name: '篮子' }))).map((cells) => ({
    key: cells[1],
    volume: Number(cells[4]?.replaceAll(',', '')),
  }))
  expect(shown.length).toBeGreaterThan(5)
  await picture('basket')
  await dialog().getByRole('button', { name: '预览文件' }).click()
  const text = await dialog().getByRole('region', { name: '文件内容' }).locator('pre').textContent()
  await dialog()
    .getByText(`GBK · CRLF · 无 BOM · ${shown.length + 1} 行`)
    .waitFor()
  await picture('basket-file')
  const { name: saved, bytes } = await downloaded()
  expect(saved.endsWith(file)).toBe(true)
  expect(new TextDecoder('gbk').decode(bytes)).toBe(`${text?.replaceAll('\n', '\r\n')}\r\n`)
  const read = readBasket(bytes)
  expect(read.map(({ key, volume }) => ({ key, volume }))).toEqual(shown)
  for (const { volume, target, side } of read) {
    expect(volume % 10).toBe(0)
    expect(target).toBeCloseTo(100_000 / read.length, 0)
    expect(side).toBe('0')
  }
})

describe('a config', () => {
  let empty: DryRun
  beforeAll(async () => {
    empty = await ask(calls.qmt.dryRun, { params: { id: config }, body: { holdings: [] } })
    await page.goto('/qmt/config')
  })
  const archiveOf = async () => {
    await dialog().getByRole('checkbox', { name: '我已知晓' }).check()
    await dialog().getByRole('button', { name: '生成文件' }).click()
  }

  it('that nobody has looked at is exported with a mark in its name, and no key in it', async () => {
    await row(name)
      .getByRole('button', { name: `导出${name}` })
      .click()
    expect(await dialog().getByRole('button', { name: '生成文件' }).isDisabled()).toBe(true)
    await dialog().getByRole('checkbox', { name: '我知道差异未确认，仍要导出' }).check()
    await archiveOf()
    await dialog().getByText('不在文件里').waitFor()
    expect((await downloaded()).name).toMatch(/_未确认\.zip$/)
  })

  it('is rehearsed against what is held: sales, purchases and what stays, each with its reason, and a call that is near', async () => {
    const newcomer = empty.rows.find(({ reason_text }) => reason_text.startsWith('新进'))!
    const [less, ...others] = empty.rows.filter(({ code }) => code !== newcomer.code)
    const held = [`${less!.code} ${less!.target - 40}`, ...others.map(({ code, target }) => `${code} ${target}`), '123909.SZ 70']
    await row(name)
      .getByRole('button', { name: `演练${name}` })
      .click()
    await dialog().getByText('粘贴或导入', { exact: true }).click()
    await dialog().getByLabel('持仓表').fill(held.join('\n'))
    await dialog().getByRole('button', { name: '演练', exact: true }).click()
    const table = dialog().getByRole('table', { name: '演练差异' })
    await table.getByText('合计').waitFor()
    const told = (await cellsOf(table)).map((cells) => [cells[0], cells[1], cells[5], cells.at(-1)])
    const stays = others.map(({ code }) => ['不变', code, '0', expect.stringMatching(/^名次 \d+，继续持有/)])
    expect(told).toEqual([
      ['卖出', '123909.SZ', '−70', expect.stringMatching(/^移出：名次 24，超出持有区间 10$/)],
      ...[less!, newcomer]
        .toSorted((a, b) => a.rank! - b.rank!)
        .map(({ code, target }) =>
          code === newcomer.code
            ? ['买入', code, `+${target}`, expect.stringMatching(/^新进：名次 15 → \d，主要因「双低」由 [\d.]+ 到 [\d.]+$/)]
            : ['买入', code, '+40', expect.stringMatching(/^名次 \d，加仓到目标权重$/)],
        ),
      ...stays,
    ])
    expect(told.filter(([, , , reason]) => reason?.endsWith('强赎计数 11/15'))).toHaveLength(1)
    await dialog()
      .getByText(/^成交后持有的证券里有 1 只须留意/)
      .waitFor()
    await picture('dry-run')
    await fitsAPhone('dry-run')
    const clauses = await dialog()
      .getByRole('button', { name: /^看.+的条款$/ })
      .getAttribute('aria-label')
    await dialog()
      .getByRole('button', { name: clauses ?? '' })
      .click()
    const bond = page.getByRole('dialog', { name: clauses?.slice(1, -3) ?? '', exact: true })
    await bond.getByText('强赎计数 11/15').waitFor()
    await bond.getByRole('heading', { name: '条款' }).waitFor()
    await bond.getByRole('link', { name: /巨潮资讯网/ }).waitFor()
    await picture('clauses')
    await bond.getByRole('button', { name: '关闭' }).click()
    await bond.waitFor({ state: 'detached' })
    await dialog().getByRole('checkbox', { name: '我已核对以上 3 笔差异' }).check()
    await dialog().getByRole('button', { name: '确认并启用导出' }).click()
    await dialog().getByRole('button', { name: '完成', exact: true }).click()
  })

  it('is confirmed as it was looked at: the late answer to one result says nothing of the next', async () => {
    const address = `**/v1/quant/qmt/config/${config}/confirm`
    let arrive = (): void => {}
    const held = new Promise<void>((resolve) => (arrive = resolve))
    const confirmed = new Promise<void>((resolve) => {
      void page.route(address, async (route) => {
        const response = await route.fetch()
        resolve()
        await held
        await route.fulfill({ response })
      })
    })
    const rehearse = async (from: '空仓' | '粘贴或导入') => {
      await dialog().getByText(from, { exact: true }).click()
      if (from === '粘贴或导入') await dialog().getByLabel('持仓表').fill('123909.SZ 70')
      await dialog().getByRole('button', { name: '演练', exact: true }).click()
      await dialog().getByRole('table', { name: '演练差异' }).getByText('合计').waitFor()
    }
    await page.goto('/qmt/config')
    await row(name)
      .getByRole('button', { name: `演练${name}` })
      .click()
    await rehearse('空仓')
    await dialog()
      .getByRole('checkbox', { name: /我已核对以上/ })
      .check()
    await dialog().getByRole('button', { name: '确认并启用导出' }).click()
    await confirmed
    await dialog().getByRole('button', { name: '重新导入' }).click()
    await rehearse('粘贴或导入')
    arrive()
    await page.getByRole('status').filter({ hasText: '差异已确认' }).first().waitFor()
    expect(
      await dialog()
        .getByText(/^已于 .+ 确认$/)
        .count(),
    ).toBe(0)
    await dialog()
      .getByRole('checkbox', { name: /我已核对以上/ })
      .waitFor()
    await page.unroute(address)
    await dialog().getByRole('button', { name: '稍后再确认' }).click()
  })

  it('that was confirmed carries a key where that is ticked, with the checksum of its bytes', async () => {
    const { hash } = await ask(calls.qmt.dryRun, { params: { id: config }, body: { holdings: [] } })
    await ask(calls.qmt.confirm, { params: { id: config }, body: { hash } })
    await page.reload()
    await row(name)
      .getByRole('button', { name: `导出${name}` })
      .click()
    await dialog().getByText('差异已确认').waitFor()
    await dialog().getByRole('checkbox', { name: '把 API 密钥写进 config.json' }).check()
    await dialog().getByText('旧密钥 10 分钟后失效').waitFor()
    await picture('export')
    await fitsAPhone('export')
    await archiveOf()
    const proof = page.getByRole('dialog', { name: '验证身份' })
    await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
    await proof.getByRole('button', { name: '验证', exact: true }).click()
    const sum = dialog().locator('code').first()
    await sum.waitFor()
    const told = await sum.textContent()
    await picture('exported')
    await fitsAPhone('exported')
    const { name: file, bytes } = await downloaded()
    expect(file).not.toContain('未确认')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(told)
  })

  it('is traded by the real client in its simulator, and the orders are on the page', async ({ skip }) => {
    if (!python) skip('python3 is not here: the client was not run')
    const archive = (await run(['-c', unpack, folder])).said.trim()
    const { exit, said } = await run([join(archive, 'run_simulator.py')])
    expect([exit, said]).toEqual([0, expect.stringMatching(/今日委托 [1-9]\d* 笔.*未到目标 0 只/)])
    await page.reload()
    await row(name)
      .getByRole('button', { name: `${name}的更多操作` })
      .click()
    await page.getByRole('button', { name: '委托与成交' }).click()
    const day = dialog().getByRole('region', { name: /演练$/ })
    await day.getByText(/笔有成交/).waitFor()
    const filled = (await cellsOf(day)).map((cells) => ({
      code: cells[2]!,
      filled: Number(cells[5]?.replaceAll(',', '')),
      amount: Number(cells[7]),
      result: cells[8],
    }))
    expect(filled.every(({ result }) => result === '全部成交')).toBe(true)
    const bought = new Map<string, number>()
    for (const one of filled) bought.set(one.code, (bought.get(one.code) ?? 0) + one.filled)
    expect([...bought].sort()).toEqual(empty.rows.map(({ code, target }) => [code, target]).sort())
    expect(filled.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(empty.buy_amount, 0)
    await picture('fills')
    await fitsAPhone('fills')
  })
})

/** Unpacks the archive that has a key, and prints where. */
const unpack = `
import glob, os, sys, zipfile
path = [one for one in glob.glob(os.path.join(sys.argv[1], '*.zip')) if u'\\u672a\\u786e\\u8ba4' not in one][0]
target = os.path.join(sys.argv[1], 'client')
zipfile.ZipFile(path).extractall(target)
print(target)
`
