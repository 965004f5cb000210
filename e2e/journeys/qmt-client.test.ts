// From a list to the terminal and back: a basket that reads back, a config that is rehearsed, exported and run by the real client on this
// computer, and its orders on the page. On bonds that count as real; the stocks beside them are demo data, which nothing trades.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '@convexa/contract/calls'
import type { Browser, Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, password } from '../src/accounts.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { type Product, startProduct } from '../src/product.ts'
import { convexa, importBonds } from '../src/real-bonds.ts'
import { type Asking, accountAt } from '../src/seed.ts'

const artefacts = new URL('../artefacts/', import.meta.url)
const address = 'trader@example.com'
const name = '双低实盘'
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 6))']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'convexa-client-'))

let product: Product
let browser: Browser
let page: Page
let ask: Asking
let lastDay: string
/** What trades the bonds. */
let config: string

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(240), launchBrowser()])
  await convexa(product.dataDir, ['user', 'create', address, '--nickname', '实盘', '--password-stdin'], `${password}\n`)
  ask = await accountAt(product.url, address, password)
  lastDay = (await importBonds(product, ask)).lastDay
  config = await configs()
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

async function saved(download: Download): Promise<{ name: string; bytes: Buffer; path: string }> {
  const path = join(folder, download.suggestedFilename())
  await download.saveAs(path)
  return { name: download.suggestedFilename(), bytes: readFileSync(path), path }
}

const run = (args: readonly string[]) =>
  new Promise<{ exit: number; said: string }>((resolve) => {
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' }
    execFile('python3', args, { env }, (error, out, said) => resolve({ exit: error ? Number(error.code) || 1 : 0, said: out + said }))
  })

/** An account, trading rules, a strategy of each market and what runs them. */
async function configs(): Promise<string> {
  const account = await ask(calls.qmt.addAccount, {
    body: {
      ...{ alias: '主账户', broker: '试验证券', account_no: '70010001', account_type: 'STOCK', client_type: 'mini' },
      ...{ initial_capital: 10, report_status: 0, is_enabled: true },
    },
  })
  const trading = await ask(calls.qmt.addTradingConfig, {
    body: {
      ...{ name: '尾盘', start_time: '14:50:00', end_time: '14:56:30', interval: 30, duration: 300, wait: 24 },
      ...{ price_mode: 1, price_offset: 0.0001, price_guard: 0.03, order_min: 3_000, order_max: 30_000, day_max: 200 },
      ...{ max_daily_turnover: 1, hold_rank: null, buy_rank: null, sell_first: true, limit_up_skip: true, only_own: true },
      ...{ take_profit: null, ignore_codes: [], heartbeat: '09:15', dry_run: true },
    },
  })
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const add = async (kind: 'cb' | 'stk', shown: string) => {
    const template = templates.find((one) => one.kind === kind && (kind === 'stk' || one.name.includes('双低')))!
    const { id } = await ask(calls[kind].addStrategy, { body: { strategy_name: template.name, detail: template.parameters } })
    return ask(calls.qmt.addConfig, {
      body: {
        ...{ name: shown, kind, account_id: account.id, source: { type: 'strategy', id }, capital: 10, hold_weight_type: 1 },
        ...{ trading_config_id: trading.id, enabled: true },
      },
    })
  }
  await add('stk', '演示股票')
  return (await add('cb', name)).id
}

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

async function openBasket(path: string): Promise<void> {
  await page.goto(path)
  await page
    .getByRole('button', { name: /使用模板/ })
    .first()
    .click()
  await page.getByRole('grid').getByRole('row').nth(3).waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('button', { name: /QMT 篮子文件/ }).click()
  await dialog().getByRole('heading', { name: '导出篮子文件' }).waitFor()
}

describe('a basket of a screen', () => {
  it('is looked at, saved, and reads back as it was shown', async () => {
    await openBasket('/rotation/convertible-bond')
    const table = dialog().getByRole('table', { name: '篮子' })
    await dialog()
      .getByText(`-${lastDay.replaceAll('-', '')}-basket.csv`)
      .waitFor()
    const shown = await table.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) => {
        const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')
        return { key: cells[1], volume: Number(cells[4]?.replaceAll(',', '')) }
      }),
    )
    expect(shown.length).toBeGreaterThan(5)
    await picture('basket')
    const [download] = await Promise.all([page.waitForEvent('download'), dialog().getByRole('button', { name: '下载' }).click()])
    const { name: file, bytes } = await saved(download)
    expect(file).toMatch(new RegExp(`^.+-${lastDay.replaceAll('-', '')}-basket\\.csv$`))
    const read = readBasket(bytes)
    expect(read.map(({ key, volume }) => ({ key, volume }))).toEqual(shown)
    for (const { volume, target, side } of read) {
      expect(volume % 10).toBe(0)
      expect(target).toBeCloseTo(100_000 / read.length, 0)
      expect(side).toBe('0')
    }
  })

  it('of demo data is refused in plain words', async () => {
    await openBasket('/rotation/stock')
    await dialog().getByText('演示数据不能用于交易').waitFor()
    expect(await dialog().getByRole('button', { name: '下载' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
  })
})

describe('a config', () => {
  const row = (shown: string) => page.getByRole('row').filter({ hasText: shown })

  it('of demo data is rehearsed and not exported', async () => {
    await page.goto('/qmt/config')
    await row('演示股票').getByRole('button', { name: '导出演示股票' }).click()
    await dialog().getByRole('checkbox', { name: '我知道差异未确认，仍要导出' }).check()
    await dialog().getByRole('checkbox', { name: '我已知晓' }).check()
    await dialog().getByRole('button', { name: '生成文件' }).click()
    await dialog().getByRole('alert').getByText('演示数据不能用于交易').waitFor()
    await page.keyboard.press('Escape')
  })

  it('that nobody has looked at is exported with a mark in its name, and no key in it', async () => {
    await row(name)
      .getByRole('button', { name: `导出${name}` })
      .click()
    expect(await dialog().getByRole('button', { name: '生成文件' }).isDisabled()).toBe(true)
    await dialog().getByRole('checkbox', { name: '我知道差异未确认，仍要导出' }).check()
    await dialog().getByRole('checkbox', { name: '我已知晓' }).check()
    await dialog().getByRole('button', { name: '生成文件' }).click()
    await dialog().getByText('不在文件里').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), dialog().getByRole('button', { name: '下载' }).click()])
    expect((await saved(download)).name).toMatch(/_未确认\.zip$/)
  })

  it('that was rehearsed and confirmed carries a key where that is ticked, with the checksum of its bytes', async () => {
    await row(name)
      .getByRole('button', { name: `演练${name}` })
      .click()
    await dialog().getByText('空仓', { exact: true }).click()
    await dialog().getByRole('button', { name: '演练', exact: true }).click()
    await dialog()
      .getByRole('checkbox', { name: /我已核对以上/ })
      .check()
    await dialog().getByRole('button', { name: '确认并启用导出' }).click()
    await dialog().getByRole('button', { name: '完成', exact: true }).click()
    await row(name)
      .getByRole('button', { name: `导出${name}` })
      .click()
    await dialog().getByText('差异已确认').waitFor()
    await dialog().getByRole('checkbox', { name: '我已知晓' }).check()
    await dialog().getByRole('checkbox', { name: '把 API 密钥写进 config.json' }).check()
    await dialog().getByText('旧密钥 10 分钟后失效').waitFor()
    await picture('export')
    await dialog().getByRole('button', { name: '生成文件' }).click()
    const proof = page.getByRole('dialog', { name: '验证身份' })
    await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
    await proof.getByRole('button', { name: '验证', exact: true }).click()
    const sum = dialog().locator('code').first()
    await sum.waitFor()
    const told = await sum.textContent()
    await picture('exported')
    const [download] = await Promise.all([page.waitForEvent('download'), dialog().getByRole('button', { name: '下载' }).click()])
    const { name: file, bytes } = await saved(download)
    expect(file).not.toContain('未确认')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(told)
  })

  it('is traded by the real client in its simulator, and the orders are on the page', async ({ skip }) => {
    if (!python) skip('python3 is not here: the client was not run')
    const { rows, buy_amount: planned } = await ask(calls.qmt.dryRun, { params: { id: config }, body: { holdings: [] } })
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
    const filled = await day.locator('tbody tr').evaluateAll((lines) =>
      lines.map((line) => {
        const cells = [...line.querySelectorAll('td')].map((cell) => cell.textContent ?? '')
        return { code: cells[2]!, filled: Number(cells[5]?.replaceAll(',', '')), amount: Number(cells[7]), result: cells[8] }
      }),
    )
    expect(filled.every(({ result }) => result === '全部成交')).toBe(true)
    const bought = new Map<string, number>()
    for (const one of filled) bought.set(one.code, (bought.get(one.code) ?? 0) + one.filled)
    expect([...bought].sort()).toEqual(rows.map(({ code, target }) => [code, target]).sort())
    expect(filled.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(planned, 0)
    await picture('fills')
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
