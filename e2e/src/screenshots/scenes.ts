import type { Locator, Page } from 'playwright-core'
import { nothingOrdered } from '../pay-desk.ts'
import { openBasket, openDryRun, openExport, openFills } from '../qmt-desk.ts'
import type { Seeded } from '../seed.ts'

/** A screen as the contact sheet shows it. */
export interface Scene {
  name: string
  path: string
  /** Seen by somebody who is not logged in. */
  guest?: true
  /** Seen by somebody who has bought, and who seldom does anything else. */
  buyer?: true
  /** Of bonds that count as real: what is refused on demo data. */
  traded?: true
  /** What is pressed before the picture is taken. */
  before?: (page: Page) => Promise<unknown>
  /** The whole page, however long. */
  whole?: boolean
  /** Only this part of it. */
  part?: (page: Page) => Locator
  /** Shown to a phone inside WeChat. */
  inWechat?: true
}

const wechatAgent =
  'Mozilla/5.0 (Linux; Android 15; PJF110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Mobile Safari/537.36 MicroMessenger/8.0.50'

/** Goes to a scene's page as who it is shown to. */
export async function goTo(page: Page, { path, inWechat }: Scene): Promise<void> {
  const own = await page.context().newCDPSession(page)
  const { userAgent } = await own.send('Browser.getVersion')
  await own.send('Emulation.setUserAgentOverride', { userAgent: inWechat ? wechatAgent : userAgent })
  await page.goto(path)
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
/** Starts what the screen offers and waits for what it shows then. */
const run = (name: RegExp, shown: string) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('region', { name: shown }).first().waitFor({ timeout: 90_000 })
}

/** Waits for what the screen shows by itself. */
const shown = (name: RegExp) => (page: Page) => page.getByRole('region', { name }).first().waitFor({ timeout: 90_000 })

export const scenesOf = ({ strategies, groups, runs, share }: Seeded, orders = nothingOrdered): Scene[] => [
  { name: 'login', path: '/login', guest: true },
  { name: 'register', path: '/register', guest: true },
  { name: 'shared-report', path: `/r/${share}`, guest: true },
  { name: 'home', path: '/' },
  { name: 'templates', path: '/rotation/convertible-bond/screen', before: browseTemplates },
  { name: 'cb-screen', path: '/rotation/convertible-bond/screen', before: listAndCurve },
  { name: 'cb-security', path: '/rotation/convertible-bond/screen', before: openFirstRow },
  { name: 'cb-excluded', path: '/rotation/convertible-bond/screen', before: (page) => page.getByRole('tab', { name: /^被剔除/ }).click() },
  { name: 'cb-factor-picker', path: '/rotation/convertible-bond/screen', before: openPicker },
  { name: 'cb-history', path: '/rotation/convertible-bond/history?date=2024-02-05', before: shown(/的名单$/) },
  { name: 'cb-history-days', path: '/rotation/convertible-bond/history', before: lookAtMonthEnds, whole: true },
  { name: 'cb-grid', path: '/rotation/convertible-bond/grid', before: run(/^运行$/, '这张网格说明什么') },
  { name: 'cb-backtest', path: '/rotation/convertible-bond/backtest' },
  { name: 'cb-running', path: '/rotation/convertible-bond/backtest', before: runBacktest },
  { name: 'cb-binning', path: '/rotation/convertible-bond/binning?factor=conv_prem', before: run(/^运行$/, '分箱结论'), whole: true },
  { name: 'cb-report', path: `/rotation/convertible-bond/backtest/${runs.cb[0]}`, before: readToTheEnd, whole: true },
  { name: 'stk-screen', path: '/rotation/stock/screen' },
  { name: 'stk-report', path: `/rotation/stock/backtest/${runs.stk[0]}`, before: shown(/^结论$/) },
  { name: 'strategy', path: `/strategy/cb/${strategies.cb[0]}`, before: shown(/^概览$/), whole: true },
  { name: 'group', path: `/strategy/cb/group/${groups.cb}`, before: shown(/^合并名单$/), whole: true },
  { name: 'compare', path: `/strategy/compare?items=${strategies.cb.map((id) => `cb:${id}`).join(',')}`, whole: true },
  { name: 'factors', path: '/customized-factors', before: runFactor },
  { name: 'strategies', path: '/personal/strategies', before: tickAll, whole: true },
  { name: 'import', path: '/personal/strategies', before: press('导入 JSON') },
  { name: 'groups', path: '/personal/group-strategies' },
  { name: 'backtests', path: '/personal/backtest-history' },
  { name: 'profile', path: '/personal/profile' },
  {
    name: 'subscription',
    path: '/personal/subscription',
    before: (page) => page.getByRole('button', { name: /^开通/ }).first().waitFor(),
    whole: true,
  },
  { name: 'login-history', path: '/personal/login-history' },
  { name: 'qmt', path: '/qmt/config', before: shown(/^准备清单$/) },
  { name: 'qmt-trade', path: '/qmt/trade-config?id=new', before: shown(/^时间轴$/) },
  { name: 'qmt-accounts', path: '/qmt/account-management', before: accountsShown },
  { name: 'qmt-basket', path: `/strategy/cb/${strategies.cb[0]}`, before: openBasket },
  { name: 'qmt-dry-run', path: '/qmt/config', before: openDryRun },
  { name: 'qmt-export', path: '/qmt/config', before: openExport },
  { name: 'qmt-fills', path: '/qmt/config', before: openFills },
  { name: 'qmt-basket-rows', path: `/strategy/cb/${strategies.cb[0]}`, traded: true, before: openBasket },
  { name: 'qmt-dry-run-real', path: '/qmt/config', traded: true, before: openDryRun },
  { name: 'qmt-clauses', path: '/qmt/config', traded: true, before: openClauses },
  { name: 'not-found', path: '/no/such/page' },
  // Last: while an order waits, every page speaks of it.
  { name: 'pay-paid', path: `/personal/subscription?order=${orders.paid}`, buyer: true, before: ended(/^会员已开通/) },
  { name: 'pay-expired', path: `/personal/subscription?order=${orders.expired}`, buyer: true, before: ended(/^订单已过期/) },
  { name: 'pay-late', path: `/personal/subscription?order=${orders.late}`, buyer: true, before: ended(/已退款$/) },
  { name: 'pay-receipt', path: '/personal/subscription', buyer: true, before: openReceipt },
  { name: 'pay-code', path: '/personal/subscription', buyer: true, before: orderByCode },
  { name: 'pay-banner', path: '/personal/profile', buyer: true, before: (page) => page.getByText('你有一笔待支付订单').waitFor() },
  { name: 'pay-order', path: '/personal/subscription', buyer: true, before: shownOrder, whole: true },
  { name: 'pay-wechat', path: '/personal/subscription', buyer: true, inWechat: true, before: orderInWechat },
]

/** The dialog of an order that has ended. */
const ended = (words: RegExp) => (page: Page) => page.locator('[role=dialog][data-modal]').getByText(words).first().waitFor()

/** What is known of the order that was paid. */
async function openReceipt(page: Page): Promise<void> {
  const orders = page.getByRole('region', { name: '订单', exact: true })
  const paid = orders.locator('tr, li').filter({ hasText: '已完成' }).first()
  await paid.getByRole('button', { name: '详情' }).click()
  await page.getByRole('dialog', { name: '订单详情' }).getByText('微信支付单号').waitFor()
}

/** The code of a new order, or of the one that waits. */
async function orderByCode(page: Page): Promise<void> {
  const month = page.getByRole('button', { name: /^(开通|续费)月度/ })
  await month.click()
  await page.getByRole('dialog', { name: /^开通「/ }).waitFor()
}

const shownOrder = (page: Page) =>
  page.getByRole('region', { name: '订单', exact: true }).getByRole('button', { name: '继续支付' }).first().waitFor()

async function orderInWechat(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(开通|续费)月度/ }).click()
  await page.waitForURL(/\/pay\/wechat/)
  await page.getByRole('button', { name: /^(立即|继续)支付$/ }).waitFor()
}

/** Below this width the builder is a sheet, and a row is a card. */
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) <= 768

/** All of them ticked: what they do, and their curves over one another. */
async function tickAll(page: Page): Promise<void> {
  if (!isPhone(page)) await page.getByRole('checkbox').first().check()
  await page.locator('.curves-overlay canvas').first().waitFor()
}

async function browseTemplates(page: Page): Promise<void> {
  if (isPhone(page)) {
    await page.getByRole('button', { name: /^策略/ }).first().click()
  } else await press(/从模板开始/)(page)
  await page.getByRole('button', { name: '浏览全部模板' }).click()
  await page
    .getByRole('button', { name: /^使用模板/ })
    .first()
    .waitFor()
}

/** Parts far below are drawn when they come near: the page is gone down once, then its top is shown. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.locator('#overview canvas').first().waitFor({ timeout: 60_000 })
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    for (let at = 0; at < document.documentElement.scrollHeight; at += 600) {
      window.scrollTo(0, at)
      for (let frames = 0; frames < 3; frames++) await drawn()
    }
    window.scrollTo(0, 0)
  })
}

const accountsShown = (page: Page) => page.getByRole('region', { name: '账户', exact: true }).getByText('主账户').first().waitFor()

/** The clauses of the first bond that a dry run warns of. */
async function openClauses(page: Page): Promise<void> {
  await openDryRun(page)
  await page
    .getByRole('button', { name: /^看条款：/ })
    .first()
    .click()
  await page.getByRole('heading', { name: '条款' }).waitFor()
}

/** Both of the workbench's answers are there. */
async function listAndCurve(page: Page): Promise<void> {
  const patience = { timeout: 90_000 }
  await page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').first().waitFor(patience)
  await page.getByRole('region', { name: '净值速览' }).getByText(/%$/).first().waitFor(patience)
}

async function runBacktest(page: Page): Promise<void> {
  await page.getByRole('button', { name: isPhone(page) ? '运行' : /^运行回测/ }).click()
  await page.getByRole('region', { name: '净值随回放生长' }).waitFor({ timeout: 90_000 })
}

async function openFirstRow(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: '筛选结果' })
  await (isPhone(page) ? list.getByRole('listitem').first().getByRole('button') : list.getByRole('row').nth(1)).click()
  await page.locator('[role=dialog][data-modal]').locator('.skeleton').first().waitFor({ state: 'detached' })
}

async function runFactor(page: Page): Promise<void> {
  await press(/^运行/)(page)
  await page.getByText('覆盖率', { exact: true }).first().waitFor({ timeout: 90_000 })
}

async function openPicker(page: Page): Promise<void> {
  if (isPhone(page)) await press(/^条件/)(page)
  await press('添加因子')(page)
  // The spreads of what is in view.
  await page.locator('[data-spread] rect').first().waitFor()
}

async function lookAtMonthEnds(page: Page): Promise<void> {
  await page.getByText('多天', { exact: true }).click()
  await press('近 12 个月末')(page)
  await page.getByRole('region', { name: '日期', exact: true }).getByRole('button', { name: '运行' }).click()
  await shown(/^多个日期$/)(page)
}
