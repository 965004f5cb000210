// The pages of QMT in a real browser: a key that is shown once, accounts, the kill switch, trading configs, a config in four steps and
// its dry run. On demo data, which may be rehearsed and are never traded; the way to a terminal on bonds that count as real is
// qmt-client.test.ts. What stands before a story is made through the API: each can be told alone.
import { calls } from '@convexa/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount, password } from '../src/accounts.ts'
import { type Asking, accountAt } from '../src/asking.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { openDryRun, type QmtDesk, qmtDesk } from '../src/qmt-desk.ts'

const address = 'qmt@example.com'
const strategy = '双低10只'
let browser: Browser
let page: Page
let desk: QmtDesk
let ask: Asking
let strategyId: string

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(address, '实盘')
  ask = await accountAt(inject('url'), address, password)
  const { templates } = await ask(calls.reference.strategyOptions, {})
  const template = templates.find((one) => one.kind === 'cb' && one.parameters.rank_factors.length > 0)
  if (!template) throw new Error('no template of bonds')
  strategyId = (await ask(calls.cb.addStrategy, { body: { strategy_name: strategy, detail: template.parameters, tags: [] } })).id
  desk = await qmtDesk(ask)
  const opened = await openContext(browser, inject('url'))
  page = opened.page
  await opened.context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  await comeLoggedIn(page, address, '/qmt/account-management')
})
afterAll(() => browser?.close())

const picture = (name: string) => pictureOf(page, `qmt-${name}`)
const card = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const question = () => page.getByRole('alertdialog')
const toast = (words: string | RegExp) => page.locator('.toast').filter({ hasText: words }).first().waitFor()
/** Beside the dialog that is open it would be inert: nobody could press it, and it would not be read out. */
const button = (within: Page | ReturnType<typeof dialog>, name: string | RegExp) => within.getByRole('button', { name, exact: true })

let made = 0
/** A name that nothing has had. */
const fresh = (name: string) => `${name}${++made}`

it('a key is made after showing who one is, is shown once, and takes the place of another only by a word', async () => {
  await leadTo(page, '/qmt/account-management')
  await button(page, '生成密钥').click()
  await button(dialog('生成 API 密钥'), '生成').click()
  const proof = dialog('验证身份')
  await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
  await button(proof, '验证').click()
  const made = dialog('请保存新密钥')
  const key = await made.locator('code').textContent()
  expect(key).toMatch(/^qmt_[\w-]{43}$/)
  await button(made, '我已保存').click()
  await made.getByText('还没有复制').waitFor()
  await button(made, '我已保存').click()
  await made.waitFor({ state: 'detached' })
  await card('API 密钥')
    .getByText(`qmt_****${key?.slice(-4)}`)
    .waitFor()
  expect(await page.getByText(key ?? '').count()).toBe(0)
  await button(page, '重新生成').click()
  const asked = dialog('重新生成 API 密钥')
  expect(await button(asked, '重新生成').isDisabled()).toBe(true)
  await asked.getByRole('textbox').fill('重新生成')
  await button(asked, '重新生成').click()
  await made.getByText('旧密钥再过 10 分钟失效').waitFor()
  await button(made, '复制').click()
  await made.getByText(/已复制|请手动选中/).waitFor()
  await button(made, '我已保存').click()
  if (await made.isVisible()) await button(made, '我已保存').click()
  await card('API 密钥').getByText(/失效$/).waitFor()
})

it('an account is a label with a mask; the duty to report is said until it is done; a number that is there is refused at its field', async () => {
  await leadTo(page, '/qmt/account-management')
  const own = fresh('备用账户')
  const number = `8002${String(made).padStart(4, '0')}`
  const add = async (alias: string) => {
    await card('账户').getByRole('button', { name: '添加账户' }).last().click()
    const drawer = dialog('添加账户')
    await drawer.getByLabel('别名').fill(alias)
    await drawer.getByRole('textbox', { name: '券商' }).fill('试验证券')
    await drawer.getByLabel('资金账号').fill(number)
    await button(drawer, '添加').click()
    return drawer
  }
  const row = () => card('账户').getByRole('row').filter({ hasText: own })
  await (await add(own)).waitFor({ state: 'detached' })
  await row()
    .getByText(`****${number.slice(-4)}`)
    .waitFor()
  await card('账户').getByRole('status').filter({ hasText: own }).waitFor()
  await button(page, `编辑${own}`).click()
  const drawer = dialog('编辑账户')
  await drawer.getByRole('radio', { name: '已向券商报告' }).check()
  await drawer.getByLabel('报告日期').fill('2026-10-08')
  await button(drawer, '保存').click()
  await row().getByText('已报告 2026-10-08').waitFor()
  await card('账户').getByRole('status').filter({ hasText: own }).waitFor({ state: 'detached' })
  await picture('accounts')
  const again = await add('又一个')
  await toast('该QMT账户已存在')
  expect(await again.locator('.field-error').getByText('该QMT账户已存在').count()).toBe(1)
})

async function goOn(): Promise<void> {
  await button(page, '恢复自动交易').click()
  await question().getByRole('button', { name: '恢复' }).click()
  const proof = dialog('验证身份')
  await proof.or(card('急停').getByText('自动交易未停止')).first().waitFor()
  // The password that was given for a key a moment ago is still valid proof.
  if (await proof.isVisible()) {
    await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
    await button(proof, '验证').click()
  }
  await card('急停').getByText('自动交易未停止').waitFor()
}

it('the kill switch stops at one press, and asks before it goes on', async () => {
  await page.goto('/qmt/account-management')
  await button(page, '立即停止全部自动交易').click()
  await card('急停').getByText('已急停', { exact: true }).waitFor()
  await goOn()
})

it('trading that is stopped elsewhere is said on the open page by itself', async () => {
  await leadTo(page, '/qmt/account-management')
  await card('急停').getByText('自动交易未停止').waitFor()
  await ask(calls.qmt.setKillSwitch, { body: { on: true } })
  await card('急停').getByText('已急停', { exact: true }).waitFor()
  await goOn()
})

it('a trading config begins with the template, draws its day as one types, is saved, and is not left by accident', async () => {
  await leadTo(page, '/qmt/trade-config?id=new')
  const day = card('时间轴')
  await day.getByText('每 30 秒一批，最多 10 批').waitFor()
  await page.getByLabel('拆单间隔').fill('60')
  await day.getByText('每 60 秒一批，最多 5 批').waitFor()
  await page.getByLabel('结束时间').fill('14:59')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('执行时段须在连续竞价时间内').waitFor()
  await page.getByLabel('结束时间').fill('14:56')
  await page.getByLabel('结束时间').blur()
  await page.keyboard.press('Control+s')
  await toast('交易参数已保存')
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /尾盘模板/ })
    .waitFor()
  await picture('trade-config')
  await page.getByLabel('单笔最大').fill('20000')
  await button(page, '新建').click()
  await button(question(), '取消').click()
  expect(await page.getByLabel('单笔最大').inputValue()).toBe('20000')
  await button(page, '新建').click()
  await button(question(), '放弃修改').click()
  await page.getByRole('heading', { name: '新建交易参数' }).waitFor()
})

describe('a config', () => {
  const drawer = () => dialog(/运行配置$/)

  it('is made in four steps, each of which says what is missing; the last shows every line of what would be traded', async () => {
    await leadTo(page, '/qmt/config')
    await card('准备清单')
      .getByText(/^\d\/6$/)
      .waitFor()
    await card('运行配置').getByRole('button', { name: '新建配置' }).last().click()
    await drawer()
      .getByRole('radio', { name: /主账户/ })
      .check()
    await button(drawer(), '下一步').click()
    await button(drawer(), '下一步').click()
    await drawer().getByText('请选择策略或策略组').waitFor()
    await drawer().getByLabel('策略或策略组').selectOption({ label: strategy })
    expect(await drawer().getByLabel('名称').inputValue()).toBe(`${strategy} 10万`)
    const own = fresh('四步')
    await drawer().getByLabel('名称').fill(own)
    await button(drawer(), '下一步').click()
    await drawer().getByRole('radio', { name: /尾盘/ }).first().check()
    await button(drawer(), '保存并演练').click()
    await drawer().getByText('现有持仓').first().waitFor()
    expect(new URL(page.url()).searchParams.get('step')).toBe('dry-run')
    // A table that cannot be read: said where, and kept.
    await drawer().getByLabel('持仓表').fill('900001')
    await button(drawer(), '演练').click()
    await drawer()
      .getByText(/第 1 行/)
      .waitFor()
    expect(await drawer().getByLabel('持仓表').inputValue()).toBe('900001')
    await button(drawer(), '空仓').click()
    await button(drawer(), '演练').click()
    const table = drawer().getByRole('table', { name: '演练差异' })
    await table.getByText('合计 10 只').waitFor({ timeout: 60_000 })
    expect(await table.locator('tbody tr').count()).toBe(10)
    expect(await table.locator('tbody tr').first().textContent()).toMatch(/^买入9\d{5}\.DM演示转债.*0\d+\+\d+.*¥[\d,]+.*%.*名次/)
    await drawer().getByText('演示数据不能用于交易。').waitFor()
    await drawer().getByRole('checkbox', { name: '我已核对以上 10 笔差异' }).check()
    expect(await button(drawer(), '确认并启用导出').isDisabled()).toBe(true)
    await picture('dry-run')
    await button(drawer(), '稍后再确认').click()
    await card('运行配置').getByRole('row').filter({ hasText: own }).getByText('未确认 · 差异 10').waitFor()
  })

  it('of demo data is not exported: said in the dialog', async () => {
    const own = fresh('演示')
    await desk.add('cb', own, strategyId)
    await leadTo(page, '/qmt/config')
    await button(page, `导出${own}`).click()
    await page.getByRole('checkbox', { name: '我知道差异未确认，仍要导出' }).check()
    await page.getByRole('checkbox', { name: '我已知晓' }).last().check()
    await button(page, '生成文件').click()
    await page.locator('[role=dialog][data-modal]').getByRole('alert').getByText('演示数据不能用于交易').waitFor()
  })

  it('of a capital that cannot be read is not saved with another: the box keeps what was typed and says what is wrong', async () => {
    const own = fresh('读不出')
    const id = await desk.add('cb', own, strategyId)
    await page.goto(`/qmt/config?id=${id}&step=source`)
    const capital = drawer().getByLabel('资金')
    await capital.fill('2')
    await capital.pressSequentially('O')
    await button(drawer(), '仅保存').click()
    await drawer().getByText('资金须在 0.1–100000 万元之间').waitFor()
    expect(await capital.inputValue()).toBe('2O')
    const { list_items } = await ask(calls.qmt.configList, {})
    expect(list_items.find((one) => one.id === id)?.capital).toBe(10)
    await page.keyboard.press('Escape')
    await button(question(), '放弃修改').click()
  })

  it('of a name that is taken is refused in its place and in a toast', async () => {
    const [first, second] = [fresh('先到'), fresh('后到')]
    await desk.add('cb', first, strategyId)
    await page.goto(`/qmt/config?id=${await desk.add('cb', second, strategyId)}&step=source`)
    await drawer().getByLabel('名称').fill(first)
    await button(drawer(), '仅保存').click()
    await toast('名称已存在')
    expect(await drawer().locator('.field-error').getByText('名称已存在').count()).toBe(1)
    await page.keyboard.press('Escape')
    await button(question(), '放弃修改').click()
  })

  it('is switched off in the list, and keeps its account from being deleted: said in its place, without a toast', async () => {
    const own = fresh('开关')
    await desk.add('cb', own, strategyId)
    await leadTo(page, '/qmt/config')
    await button(page, `${own}的更多操作`).click()
    await page.getByRole('menuitem', { name: '停用' }).click()
    await card('运行配置').getByRole('row').filter({ hasText: own }).getByText('已停用').waitFor()
    await picture('configs')
    await leadTo(page, '/qmt/account-management')
    await button(page, '删除主账户').click()
    await button(question(), '删除').click()
    await card('账户').getByRole('alert').getByText('该账户正被运行配置使用，无法删除').waitFor()
    expect(await page.getByText('该账户正被运行配置使用，无法删除').count()).toBe(1)
  })
})

describe('what stands open while it is changed elsewhere', () => {
  const drawer = () => dialog(/运行配置$/)
  /** As the browser says of a page that one comes back to. */
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const stored = async (id: string) => {
    const { list_items } = await ask(calls.qmt.configList, {})
    const found = list_items.find((one) => one.id === id)
    if (!found) throw new Error('the config is gone')
    return found
  }
  const raise = (id: string, capital: number) => ask(calls.qmt.changeConfig, { params: { id }, body: { capital } })

  it('a capital that was saved and is taken back is saved again; what is not saved is not rehearsed', async () => {
    const id = await desk.add('cb', fresh('改回'), strategyId)
    await page.goto(`/qmt/config?id=${id}&step=source`)
    const save = async (capital: string) => {
      await drawer().getByLabel('资金').fill(capital)
      await button(drawer(), '下一步').click()
      await button(drawer(), /^(保存并)?演练$/).click()
      await drawer().getByText('现有持仓').first().waitFor()
    }
    const backToSource = async () => {
      await button(drawer(), '上一步').click()
      await button(drawer(), '上一步').click()
    }
    await save('20')
    expect((await stored(id)).capital).toBe(20)
    await backToSource()
    await save('10')
    expect((await stored(id)).capital).toBe(10)
    await backToSource()
    await drawer().getByLabel('资金').fill('30')
    await page.goBack()
    await page.goBack()
    await button(drawer(), '保存并演练').waitFor()
    expect((await stored(id)).capital).toBe(10)
  })

  it('a config that is switched off keeps what was changed of it meanwhile', async () => {
    const own = fresh('停用时')
    const id = await desk.add('cb', own, strategyId)
    await page.goto('/qmt/config')
    await button(page, `${own}的更多操作`).waitFor()
    await raise(id, 20)
    await button(page, `${own}的更多操作`).click()
    await page.getByRole('menuitem', { name: '停用' }).click()
    await card('运行配置').getByRole('row').filter({ hasText: own }).getByText('已停用').waitFor()
    expect(await stored(id)).toMatchObject({ capital: 20, enabled: false })
  })

  it('what is held stays as it was typed while the config changes elsewhere; what was rehearsed is asked for again', async () => {
    const own = fresh('演练时')
    const id = await desk.add('cb', own, strategyId)
    await page.goto(`/qmt/config?id=${id}&step=dry-run`)
    await button(drawer(), '空仓').click()
    await button(drawer(), '演练').click()
    const table = drawer().getByRole('table', { name: '演练差异' })
    await table.getByText('合计 10 只').waitFor({ timeout: 60_000 })
    await button(drawer(), '重新导入').click()
    await button(drawer(), '粘贴或导入').click()
    await drawer().getByLabel('持仓表').fill('900001.DM 10')
    await button(drawer(), '演练').click()
    await table.waitFor({ timeout: 60_000 })
    await raise(id, 20)
    await comeBack()
    await drawer().getByText('配置刚才有改动，请重新演练。').waitFor()
    expect(await drawer().getByLabel('持仓表').inputValue()).toBe('900001.DM 10')
    expect(await table.count()).toBe(0)
    await button(drawer(), '演练').click()
    await table.waitFor({ timeout: 60_000 })
  })

  it('an export is of the config as it is now', async () => {
    const own = fresh('打包时')
    const id = await desk.add('cb', own, strategyId)
    await leadTo(page, '/qmt/config')
    await button(page, `导出${own}`).click()
    await dialog(`导出「${own}」`).getByText('10 万元').waitFor()
    await raise(id, 20)
    await comeBack()
    await dialog(`导出「${own}」`).getByText('20 万元').waitFor()
  })

  it('trading rules are shown as they are now; what one is typing stays, and is said to be behind', async () => {
    const { list_items } = await ask(calls.qmt.tradingConfigList, {})
    const { id: _id, updated_at: _at, ...rules } = await ask(calls.qmt.tradingConfig, { params: { id: list_items.at(-1)!.id } })
    const body = { ...rules, name: fresh('跟随') }
    const { id } = await ask(calls.qmt.addTradingConfig, { body })
    const most = page.getByLabel('单笔最大')
    await page.goto(`/qmt/trade-config?id=${id}`)
    await expect.poll(() => most.inputValue()).toBe('30000')
    await ask(calls.qmt.changeTradingConfig, { params: { id }, body: { ...body, order_max: 5_000 } })
    await comeBack()
    await expect.poll(() => most.inputValue()).toBe('5000')
    await page.getByLabel('单笔最小').fill('1000')
    await ask(calls.qmt.changeTradingConfig, { params: { id }, body: { ...body, order_max: 6_000 } })
    await comeBack()
    await page.getByText('已在别处修改').waitFor()
    expect([await page.getByLabel('单笔最小').inputValue(), await most.inputValue()]).toEqual(['1000', '5000'])
    await button(page, '重新载入').click()
    await expect.poll(() => most.inputValue()).toBe('6000')
    expect(await page.getByText('已在别处修改').count()).toBe(0)
    // What was saved is left without a question.
    await page.getByLabel('单笔最小').fill('2000')
    await button(page, '保存').click()
    await toast('交易参数已保存')
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    await button(page, '新建').click()
    await page.getByRole('heading', { name: '新建交易参数' }).waitFor()
  })

  it('an account that is switched off elsewhere is not switched on again by a remark', async () => {
    await leadTo(page, '/qmt/account-management')
    const { list_items } = await ask(calls.qmt.accountList, {})
    const { id, account_masked: _no, last_heartbeat: _beat, ...body } = list_items.find(({ alias }) => alias === '主账户')!
    await button(page, '编辑主账户').click()
    const open = dialog('编辑账户')
    await open.getByRole('switch').waitFor()
    await ask(calls.qmt.changeAccount, { params: { id }, body: { ...body, is_enabled: false } })
    await comeBack()
    try {
      await open.getByRole('switch', { name: '停用' }).waitFor()
      await open.getByLabel('备注').fill('改着')
      await button(open, '保存').click()
      await open.waitFor({ state: 'detached' })
      const after = (await ask(calls.qmt.accountList, {})).list_items.find((one) => one.id === id)
      expect(after).toMatchObject({ is_enabled: false, remark: '改着' })
    } finally {
      await ask(calls.qmt.changeAccount, { params: { id }, body })
    }
  })

  it('a kill switch that cannot be read says so, and can still be pressed', async () => {
    await ask(calls.qmt.setKillSwitch, { body: { on: true } })
    await leadTo(page, '/qmt/account-management')
    await card('急停').getByText('已急停', { exact: true }).waitFor()
    const address = '**/v1/quant/qmt/kill-switch'
    await page.route(address, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
    await comeBack()
    await card('急停')
      .getByText(/没有读到最新状态/)
      .waitFor()
    await button(page, '立即停止全部自动交易').click()
    await toast('已急停')
    await goOn()
    // Also where nothing was ever read.
    await page.reload()
    await card('急停').getByText('仍可以立即停止').waitFor()
    await button(page, '立即停止全部自动交易').click()
    await card('急停').getByText('已急停', { exact: true }).waitFor()
    await page.unroute(address)
    await comeBack()
    await card('急停')
      .getByText(/没有读到最新状态/)
      .waitFor({ state: 'detached' })
    await goOn()
  })

  it('a key that is on its way is shown to whoever tried to leave', async () => {
    await leadTo(page, '/qmt/account-management')
    const address = '**/v1/quant/qmt/apikey'
    let arrived = (): void => {}
    await page.route(address, async (route) => {
      if (route.request().method() === 'PUT') await new Promise<void>((resolve) => (arrived = resolve))
      await route.continue()
    })
    await card('API 密钥')
      .getByRole('button', { name: /生成密钥|重新生成/ })
      .click()
    const asked = dialog(/生成 API 密钥$/)
    await asked.getByRole('button', { name: /^(重新)?生成$/ }).waitFor()
    if (await asked.getByRole('textbox').isVisible()) await asked.getByRole('textbox').fill('重新生成')
    await button(asked, /^(重新)?生成$/).click()
    await button(asked, '正在生成…').waitFor()
    // The browser closes what one has asked it to close twice, whatever the page says.
    for (let press = 0; press < 2; press++) await page.keyboard.press('Escape')
    await button(asked, '正在生成…').waitFor()
    arrived()
    await page.unrouteAll({ behavior: 'wait' })
    const [made, proof] = [dialog('请保存新密钥'), dialog('验证身份')]
    await made.or(proof).first().waitFor()
    if (await proof.isVisible()) {
      await proof.getByRole('textbox', { name: '登录密码' }).fill(password)
      await button(proof, '验证').click()
    }
    expect(await made.locator('code').textContent()).toMatch(/^qmt_[\w-]{43}$/)
    await button(made, '我已保存').click()
    await button(made, '我已保存').click()
    await made.waitFor({ state: 'detached' })
  })
})

it('a phone reads configs and their dry runs, changes and exports none, and nothing is wider than it', async () => {
  const own = fresh('在手机上')
  await desk.add('cb', own, strategyId)
  await page.setViewportSize({ width: 390, height: 844 })
  const fits = async (what: string) => expect([what, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([what, 390])
  for (const path of ['/qmt/trade-config', '/qmt/account-management', '/qmt/config']) {
    await leadTo(page, path)
    await page.locator('#main .card').first().waitFor()
    await fits(path)
  }
  const list = page.getByRole('list', { name: '运行配置' })
  await page.getByText('请在安装 QMT 的 Windows 电脑上导出').waitFor()
  await list.getByRole('button', { name: own, exact: true }).click()
  await dialog(own).getByText('主账户 ****0001').waitFor()
  expect(await page.getByRole('button', { name: /新建配置|^导出|仅保存|保存并演练/ }).count()).toBe(0)
  await fits('a config')
  await picture('phone-config')
  await leadTo(page, '/qmt/config')
  await openDryRun(page)
  expect(await page.getByRole('button', { name: '确认并启用导出' }).count()).toBe(0)
  await fits('a dry run')
  await picture('phone-dry-run')
  expect(await seriousFaults(page)).toEqual([])
  expect(await darkFaults(page)).toEqual([])
  await leadTo(page, '/qmt/config?id=new')
  await dialog('新建运行配置').getByText('请在电脑上新建运行配置').waitFor()
})
