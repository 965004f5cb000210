// From a list to the terminal and back: a basket that reads back, a config that is rehearsed, exported and run by the real client on this
// computer, and its orders on the page. On bonds that count as real; what demo data refuse is in qmt.test.ts and states.test.ts.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '@convexa/contract/calls'
import type { DryRun } from '@convexa/contract/qmt-basket'
import type { Browser, Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comeLoggedIn, password } from '../src/accounts.ts'
import { type Asking, accountAt } from '../src/asking.ts'
import { seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { convexa } from '../src/command-line.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { type Product, startProduct } from '../src/product.ts'
import { openBasket as openBasketOf, qmtDesk } from '../src/qmt-desk.ts'
import { type Client, clientOf, hasPython, readBasket, runPython, shanghaiDay, unpackClient } from '../src/qmt-terminal.ts'
import { importBonds, type RealBonds } from '../src/real-bonds.ts'
import { untilThere } from '../src/until-there.ts'

const address = 'trader@example.com'
const name = '双低实盘'
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
  ;[product, browser] = await Promise.all([startProduct(240, { demo: 'small' }), launchBrowser()])
  await convexa(product.dataDir, ['user', 'create', address, '--nickname', '实盘', '--password-stdin'], { input: `${password}\n` })
  ask = await accountAt(product.url, address, password)
  bonds = await importBonds(product, ask, { without: 1 })
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const template = templates.find((one) => one.kind === 'cb' && one.name.includes('双低'))!
  strategy = (await ask(calls.cb.addStrategy, { body: { strategy_name: template.name, detail: template.parameters } })).id
  config = await (await qmtDesk(ask)).add('cb', name, strategy)
  page = (await openContext(browser, product.url)).page
  await comeLoggedIn(page, address, '/')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const picture = (shown: string) => pictureOf(page, `qmt-client-${shown}`)
const dialog = () => page.locator('[role=dialog][data-modal]')
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

/** Of the list of a template, screened anew. */
async function openBasket(): Promise<void> {
  // New data are seen by a fresh page at once.
  await page.goto('/rotation/convertible-bond')
  const template = page.getByRole('button', { name: /使用模板/ }).first()
  await template.or(page.getByRole('grid').getByRole('row').nth(3)).first().waitFor()
  if (await template.isVisible()) await template.click()
  await page.getByRole('grid').getByRole('row').nth(3).waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('menuitem', { name: /QMT 篮子文件/ }).click()
  await dialog().getByRole('heading', { name: '导出篮子文件' }).waitFor()
}

it('a list of an older day makes no basket (24006)', async () => {
  await ask(calls.cb.glance, { params: { id: strategy }, body: {} })
  await leadTo(page, `/strategy/cb/${strategy}`)
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
    await leadTo(page, '/qmt/config')
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
      .getByRole('button', { name: /^看条款：/ })
      .getAttribute('aria-label')
    await dialog()
      .getByRole('button', { name: clauses ?? '' })
      .click()
    const bond = page.getByRole('dialog', { name: clauses?.slice('看条款：'.length) ?? '', exact: true })
    await bond.getByText('强赎计数 11/15').waitFor()
    await untilThere(bond, bond.getByRole('heading', { name: '条款' }))
    await bond.getByRole('link', { name: /巨潮资讯网/ }).waitFor()
    await picture('clauses')
    await bond.getByRole('button', { name: '关闭' }).click()
    await bond.waitFor({ state: 'detached' })
    await dialog().getByRole('checkbox', { name: '我已核对以上 3 笔差异' }).check()
    await dialog().getByRole('button', { name: '确认并启用导出' }).click()
    await dialog().getByRole('button', { name: '完成', exact: true }).click()
  })

  it('that was confirmed carries a key where that is ticked, with the checksum of its bytes', async () => {
    const { hash } = await ask(calls.qmt.dryRun, { params: { id: config }, body: { holdings: [] } })
    await ask(calls.qmt.confirm, { params: { id: config }, body: { hash } })
    await leadTo(page, '/qmt/config')
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
    if (!hasPython) skip('python3 is not here: the client was not run')
    const { exit, said } = await runPython([join(await unpackClient(folder), 'run_simulator.py')])
    expect([exit, said]).toEqual([0, expect.stringMatching(/今日委托 [1-9]\d* 笔.*未到目标 0 只/)])
    await leadTo(page, '/qmt/config')
    await row(name)
      .getByRole('button', { name: `${name}的更多操作` })
      .click()
    await page.getByRole('menuitem', { name: '委托与成交' }).click()
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

describe('what the client does not know', () => {
  let client: Client
  let journal = { id: 'first', n: 9 }
  let resting: object[] = []
  const held = () => [bought, kept].map(({ code, target }) => ({ code, volume: target }))
  const beat = (over: object = {}) => client.beat({ holdings: held(), journal, resting, ...over })
  let bought: DryRun['rows'][number]
  let sold: DryRun['rows'][number]
  let kept: DryRun['rows'][number]
  /** An order of a day that is not over, whenever this runs, and one of a day that is. */
  const ahead = shanghaiDay(1)
  const past = shanghaiDay(-1)
  const order = (over: object) => ({
    ...{ filled: 0, price: null, status: 'unsure', note: '', dry_run: false, ordered_at: `${past}T14:50:12+08:00` },
    ...over,
  })
  const open = () =>
    order({ order_id: 'OPEN2345', trade_date: ahead, code: bought.code, side: 'buy', volume: bought.target, limit: 101.234 })
  const over = () => order({ order_id: 'OVER2345', trade_date: past, code: sold.code, side: 'sell', volume: 240, limit: 98.5 })
  const card = () => page.getByRole('region', { name: '待核对的委托' })
  const rowOf = (code: string) => card().getByRole('listitem').filter({ hasText: code })
  const press = async (within: ReturnType<typeof card>, name: RegExp) => within.getByRole('button', { name }).click()
  const answer = () => page.getByRole('alertdialog').getByRole('button', { name: '已核对' }).click()
  /** Comes to the page anew, because an open one polls the client's reports only every half minute. */
  const looked = async () => {
    await leadTo(page, '/qmt/config')
    await card().waitFor()
  }

  beforeAll(async () => {
    await ask(calls.user.reAuth, { body: { password } })
    const { api_key } = await ask(calls.qmt.newApiKey, {})
    const { rows } = await ask(calls.qmt.dryRun, { params: { id: config }, body: { holdings: [] } })
    ;[bought, sold, kept] = rows as [DryRun['rows'][number], DryRun['rows'][number], DryRun['rows'][number]]
    client = clientOf(product.url, api_key, config)
    resting = [
      { code: bought.code, why: 'order', since: ahead, order_id: 'OPEN2345', account: 0, book: bought.target },
      { code: kept.code, why: 'less', since: past, account: 60, book: kept.target },
    ]
    await beat({ changes: [{ code: sold.code, date: past, why: 'cut', before: 500, after: 240 }] })
    await client.fills([open(), over()])
    await leadTo(page, '/qmt/config')
  })

  it('is asked on the page, in the menu and on the work desk, and fits a phone', async () => {
    await card().getByText('3 项待回答').waitFor()
    await page
      .getByRole('navigation', { name: 'QMT 实盘' })
      .getByRole('link', { name: /^运行配置\s*3\s*项待核对$/ })
      .waitFor()
    await page
      .getByRole('navigation', { name: '主导航' })
      .getByRole('link', { name: /^QMT实盘\s*3\s*项待核对$/ })
      .waitFor()
    await rowOf(bought.code).getByText(`账户 0 · 账本 ${bought.target} · 其他配置 0`).waitFor()
    await picture('questions')
    expect(await seriousFaults(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await card().scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await picture('questions-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await leadTo(page, '/')
    await page.getByText(`「${name}」有 3 项待核对`).waitFor()
    await page.getByText(`账本变动：${sold.name}`).waitFor()
    await leadTo(page, '/qmt/config')
  })

  it('is named by the dry run, which plans nothing of it', async () => {
    await row(name)
      .getByRole('button', { name: `演练${name}` })
      .click()
    await dialog().getByText('客户端心跳', { exact: true }).click()
    await dialog().getByRole('button', { name: '演练', exact: true }).click()
    const left = dialog()
      .getByText(/只不在本次买卖计划里：$/)
      .last()
      .locator('..')
    await left.waitFor()
    const words = await left.textContent()
    expect(words).toContain(`${bought.name}（待核对：${ahead} 的买入委托不知道是否成交，回答之前不买卖）`)
    expect(words).toContain(`${kept.name}（暂停：账户里的数量少于各配置账本之和，恢复之前不买卖）`)
    const codes = (await cellsOf(dialog().getByRole('table', { name: '演练差异' }))).map((cells) => cells[1])
    for (const { code } of [bought, sold, kept]) expect(codes).not.toContain(code)
    await left.scrollIntoViewIfNeeded()
    await picture('dry-run-resting')
    await leadTo(page, '/qmt/config')
  })

  it('says that a client is away, and that its answer waits for it', async () => {
    const old = '2026-11-20T14:52:00+08:00'
    await page.route('**/v1/quant/qmt/config/list', async (route) => {
      const response = await route.fetch()
      const answered = await response.json()
      for (const one of answered.data.list_items) one.last_heartbeat = old
      await route.fulfill({ response, json: answered })
    })
    await looked()
    await card().getByText(`「${name}」的客户端不在线，最近心跳 2026-11-20 14:52。回答会保留，它下次运行时收到。`).waitFor()
    await picture('questions-away')
    await page.unroute('**/v1/quant/qmt/config/list')
    await beat()
    await looked()
    await expect
      .poll(() =>
        card()
          .getByText(/的客户端不在线/)
          .count(),
      )
      .toBe(0)
  })

  it('没有成交 counts after the close of the day only; 全部成交 takes its place at once, and the client tells it back', async () => {
    await beat()
    await looked()
    await press(rowOf(bought.code), /没有成交$/)
    await page.getByRole('alertdialog').getByText('收盘前它仍可能成交，这个回答在委托当日 15:05 之后生效。').waitFor()
    await picture('questions-none-filled')
    await answer()
    await rowOf(bought.code).getByText('已回答：成交 0，收盘后（15:05）生效').waitFor()
    await card().getByText('2 项待回答').waitFor()
    await press(rowOf(bought.code), /全部成交$/)
    await rowOf(bought.code).getByText(`已回答：成交 ${bought.target}，等待客户端确认`).waitFor()
    await picture('questions-answered')
    expect((await beat()).settled).toMatchObject([{ order_id: 'OPEN2345', filled: bought.target }])
    await client.fills([{ ...open(), filled: bought.target, price: 101.234, status: 'filled', proof: 'user', seq: 10 }])
    expect((await beat()).settled).toEqual([])
    await looked()
    await rowOf(bought.code).getByText(`已核对：成交 ${bought.target}`).waitFor()
  })

  it('部分成交 takes a number within the order', async () => {
    await beat()
    await looked()
    const part = rowOf(sold.code).getByRole('textbox', { name: /成交数量$/ })
    const button = rowOf(sold.code).getByRole('button', { name: /部分成交$/ })
    for (const wrong of ['0', '240', '-10', '12.5']) {
      await part.fill(wrong)
      await expect.poll(() => button.isDisabled()).toBe(true)
    }
    await part.fill('120')
    await button.click()
    await page.getByRole('alertdialog', { name: '这笔委托只成交了 120？' }).waitFor()
    await answer()
    await rowOf(sold.code).getByText('已回答：成交 120，等待客户端确认').waitFor()
    expect((await beat()).settled).toMatchObject([{ order_id: 'OVER2345', filled: 120 }])
    await client.fills([{ ...over(), filled: 120, price: 98.5, status: 'part_cancelled', proof: 'user', seq: 11 }])
    await looked()
    await rowOf(sold.code).getByText('已核对：成交 120').waitFor()
  })

  it('what the account holds less than the book is answered with a number', async () => {
    await beat()
    await looked()
    const asked = rowOf(kept.code)
    await asked.getByRole('textbox', { name: /本配置持有$/ }).fill('40')
    await asked.getByRole('button', { name: '确定' }).click()
    await asked.getByText('已回答：持有 40，等待客户端确认').waitFor()
    const [word] = (await beat()).books
    expect(word).toMatchObject({ code: kept.code, volume: 40 })
    resting = []
    await beat({ words: [word!.word] })
    await looked()
    await expect.poll(() => rowOf(kept.code).count()).toBe(0)
  })

  it('a journal that is lost stops its client, and the site’s record is its way on', async () => {
    journal = { id: 'second', n: 1 }
    expect(await beat({ holdings: [], fresh: true })).toMatchObject({ halt: true, opening: null })
    await looked()
    const lost = page.getByRole('region', { name: `${name}的委托记录` })
    await lost.getByText(/以免重复买入/).waitFor()
    await picture('questions-journal')
    await press(lost, /^按网站记录重建$/)
    await page.getByRole('alertdialog').getByRole('button', { name: '按网站记录重建' }).click()
    const proof = page.getByRole('dialog', { name: '验证身份' })
    const chosen = lost.getByText('已选择按网站记录重建。')
    await proof.or(chosen).first().waitFor()
    if (await proof.isVisible()) {
      await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
      await proof.getByRole('button', { name: '验证', exact: true }).click()
    }
    await chosen.waitFor()
    const { opening } = await beat({ holdings: [], fresh: true })
    expect(opening?.book).toHaveLength(2)
    journal = { id: 'second', n: 2 }
    expect(await beat({ journal: { ...journal, opening: opening?.token } })).toMatchObject({ halt: false })
    await looked()
    await expect.poll(() => lost.count()).toBe(0)
  })

  it('is explained by a picture, beside the checks of a terminal, which stay ticked', async () => {
    await card().getByRole('button', { name: '客户端怎样处理' }).click()
    await dialog().getByRole('img', { name: '客户端不确定一笔委托时怎么做' }).waitFor()
    await picture('guide')
    expect(await seriousFaults(page)).toEqual([])
    const whole = () =>
      dialog()
        .getByRole('listitem')
        .evaluateAll((rows) => rows.every((one) => one.scrollWidth <= one.clientWidth))
    expect(await whole()).toBe(true)
    const first = dialog().getByRole('checkbox').first()
    await first.check()
    await dialog()
      .getByText(/^1\/\d+$/)
      .waitFor()
    await leadTo(page, '/qmt/config?guide=terminal')
    await expect.poll(() => first.isChecked()).toBe(true)
    await picture('guide-terminal')
    await fitsAPhone('guide')
    await dialog().getByRole('button', { name: '关闭' }).click()
  })

  it('what happened is listed until it was read; where nothing is asked that is said', async () => {
    await page.route('**/v1/quant/qmt/questions', (route) =>
      route.fulfill({ json: { code: 0, msg: '成功', request_id: 'x', data: { orders: [], books: [], journals: [], changes: [] } } }),
    )
    await leadTo(page, '/qmt/config')
    await card()
      .getByText(/^没有待核对的委托。/)
      .waitFor()
    const told = page.getByRole('region', { name: '提醒' })
    await told.getByText(`委托待核对：${bought.name}`).waitFor()
    await told.getByText('自动交易已停').first().waitFor()
    await picture('alerts')
    await told.getByRole('button', { name: '全部标为已读' }).click()
    await told.getByText('没有未读的').waitFor()
    await page.unroute('**/v1/quant/qmt/questions')
  })
})
