import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext, type StorageState } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'
import { untilThere } from '../src/until-there.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const picture = (page: Page, name: string) => pictureOf(page, `workbench-${name}`)
const live = (page: Page) => page.getByRole('region', { name: '净值速览' })
const result = (page: Page) => page.getByRole('region', { name: '筛选结果' })
const years = (page: Page) => live(page).locator('dd').first()

/** Of a part as it stands, light and dark; light again at the end. */
async function faultsInBoth(page: Page, part: string): Promise<string[]> {
  const found = [...(await seriousFaults(page, part)), ...(await darkFaults(page, part))]
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

const drawnTwice = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))

/** The storage of somebody who has logged in and chosen a template, once the first has. */
let known: StorageState | undefined

async function openScreen(viewport = { width: 1440, height: 900 }) {
  const opened = await openContext(browser, inject('url'), viewport, known && { storageState: known })
  const { context, page } = opened
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/rotation/convertible-bond')
  if (!known) {
    await page.getByRole('button', { name: '进入体验账号' }).click()
    await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  }
  await years(page).getByText(/%$/).waitFor()
  known ??= await context.storageState()
  return opened
}

describe('a rule is made, felt, kept and passed on', () => {
  it('every edit is followed by counts, list and curve; the rule is saved, compared and shared', async () => {
    const { context, page, faults } = await openScreen()
    // The curve is a glance and says so.
    expect(await live(page).textContent()).toMatch(/速览.*理想成交/)
    const before = await years(page).textContent()

    await page.getByRole('button', { name: '设为当前名单' }).click()
    await page.getByLabel('剩余规模取值').fill('8')
    await result(page).locator('.agreement.ok').waitFor()
    await expect.poll(() => years(page).textContent()).not.toBe(before)
    expect(await page.locator('[data-funnel]').textContent()).toMatch(/条件后/)
    await live(page).getByText('改动前').waitFor()

    // A set of columns has words too.
    await page.getByLabel('列方案').selectOption('债性')
    await page.getByRole('columnheader', { name: '评级' }).waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('grid')
          .getByText(/^A{1,3}[+-]?$/)
          .count(),
      )
      .toBeGreaterThan(5)
    // And another who stands behind each bond.
    await page.getByLabel('列方案').selectOption('股性')
    await page.getByRole('columnheader', { name: '正股', exact: true }).waitFor()
    await page
      .getByRole('grid')
      .getByText(/^演示股份/)
      .first()
      .waitFor()
    await page.getByLabel('列方案').selectOption('默认')
    // What the ticked ones are in common.
    const rows = page.getByRole('grid').getByText(/^演示转债/)
    await rows.nth(0).click({ modifiers: ['ControlOrMeta'] })
    await rows.nth(1).click({ modifiers: ['ControlOrMeta'] })
    const bar = page.getByRole('region', { name: '已选' })
    await bar.getByText(/^行业 \S+ [12]/).waitFor()
    expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await bar.getByRole('button', { name: '取消' }).click()

    // Why one is not on the list, in the factor's own unit.
    await page.getByRole('tab', { name: /^被剔除/ }).click()
    await result(page).getByText('剔除：剩余规模 小于 8亿元').first().waitFor()
    await page.getByRole('tab', { name: /^名单/ }).click()

    // The distribution that the condition cuts.
    await page.getByRole('button', { name: '条件「剩余规模」的更多操作' }).click()
    await page.getByRole('menuitem', { name: '解释' }).click()
    await page.getByRole('img', { name: '剩余规模当日分布' }).waitFor()
    await picture(page, 'edited')
    expect(await seriousFaults(page, '.workbench')).toEqual([])

    // Saved, changed, compared with what was saved.
    const name = `双低 ${Date.now() % 100_000}`
    await page.getByRole('button', { name: '保存', exact: true }).click()
    await page.getByLabel('策略名称').fill(name)
    await page.locator('[role=dialog][data-modal]').getByRole('button', { name: '保存' }).click()
    await page.getByText(`已保存「${name}」`).waitFor()
    // As an input method for Chinese may leave it behind.
    await page.getByLabel('持有区间止').fill('１５')
    await page.getByRole('button', { name: '还原' }).click()
    await page.locator('[role=dialog][data-modal]').getByText('1–15').waitFor()
    await page.getByRole('button', { name: '继续编辑' }).click()

    // Somebody else saved in between: nothing is lost, one chooses.
    await page.evaluate(async () => {
      const token = JSON.parse(localStorage.getItem('tokenData') ?? 'null')?.access_token
      const { saved } = JSON.parse(localStorage.getItem('cbStrategy') ?? 'null')
      const headers = { 'Access-Token': token, 'Content-Type': 'application/json' }
      const at = '/v1/quant/convertible-bond/strategy'
      const { data } = await (await fetch(`${at}/detail/${saved.id}`, { headers })).json()
      const body = JSON.stringify({ detail: { ...data.detail, hold_days: 3 }, base_version: data.version })
      await fetch(`${at}/${saved.id}`, { method: 'PUT', headers, body })
    })
    await page.keyboard.press('Control+s')
    await page.getByRole('alertdialog', { name: '策略已在别处修改' }).waitFor()
    await picture(page, 'conflict')
    await page.getByRole('button', { name: '查看差异' }).click()
    await page.locator('[role=dialog][data-modal]').getByText('最短持有').waitFor()
    await page.getByRole('button', { name: '覆盖' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(faults.splice(0).filter((fault) => !/409/.test(fault))).toEqual([])

    // A link brings the same rule to somebody who had another.
    await page.getByRole('button', { name: '分享' }).click()
    await page.getByRole('menuitem', { name: '复制参数链接' }).click()
    await page.getByText('已复制参数链接').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await page.keyboard.press('Control+z')
    await page.goto(link)
    await page.getByText(`已载入分享的参数「${name}」`).waitFor()
    expect(await page.getByLabel('持有区间止').inputValue()).toBe('15')
    expect(new URL(page.url()).searchParams.has('s')).toBe(false)

    // Errors of pasted JSON name their paths.
    await page.getByRole('button', { name: '分享' }).click()
    await page.getByRole('menuitem', { name: '粘贴 JSON 导入' }).click()
    await page.getByLabel('策略参数 JSON').fill('{"version": 1, "hold_days": "3"}')
    await page.getByRole('button', { name: '导入', exact: true }).click()
    await page.getByText('universe 缺少').waitFor()
    await page.keyboard.press('Escape')

    // A row tells how far it is from the list, prices and clauses.
    await page.getByRole('tab', { name: /^候补/ }).click()
    await page
      .getByRole('grid')
      .getByText(/演示转债/)
      .nth(7)
      .click()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: /演示转债/ })
    await drawer.getByText(/名才入选/).waitFor()
    await untilThere(drawer, drawer.getByRole('img', { name: /日线/ }))
    await picture(page, 'drawer')
    await page.keyboard.press('Escape')
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出' }).click()
    await page.getByRole('menuitem', { name: /XLSX/ }).click()
    expect((await file).suggestedFilename()).toMatch(/演示\.xlsx$/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('on a phone the sheet holds the rule and a strip of its curve', async () => {
    const { context, page, faults } = await openScreen({ width: 390, height: 844 })
    await picture(page, 'phone')
    // What the curve tells of a day stands inside the window, on every day and at every width.
    const curve = live(page).getByRole('img', { name: /净值曲线/ })
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const plot = (await curve.boundingBox())!
      for (const share of [0, 0.3, 0.45, 0.55, 0.7, 1]) {
        // Between its numbers at the left and its words at the right.
        await page.mouse.move(plot.x + 44 + share * (plot.width - 116), plot.y + 40)
        const tip = (await page.locator('[data-tip]').boundingBox())!
        expect([width, share, tip.x >= 0 && tip.x + tip.width <= width]).toEqual([width, share, true])
      }
    }
    await page.mouse.move(1, 1)
    await expect.poll(() => page.locator('[data-tip]').count()).toBe(0)
    // The tooltip stays after the finger is lifted; the next tap elsewhere closes it.
    const plot = (await curve.boundingBox())!
    const finger = await context.newCDPSession(page)
    const tap = async (x: number, y: number) => {
      await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await tap(plot.x + plot.width / 3, plot.y + 40)
    await drawnTwice(page)
    expect(await page.locator('[data-tip]').count()).toBe(1)
    await tap(plot.x + 8, plot.y - 12)
    await expect.poll(() => page.locator('[data-tip]').count()).toBe(0)
    await page.getByRole('button', { name: /^条件/ }).click()
    const sheet = page.getByRole('dialog', { name: '策略条件' })
    await sheet.getByRole('region', { name: '净值速览' }).getByText(/%$/).first().waitFor()
    await picture(page, 'phone-sheet')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await sheet.getByRole('button', { name: '关闭' }).click()
    await page.getByRole('button', { name: /更换、保存或分享/ }).click()
    await page.getByRole('button', { name: '保存为策略' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('dialog', { name: '策略' }).getByRole('button', { name: '关闭' }).click()

    // What is not saved is saved beside the rule, however long its name; then there is nothing to save.
    const save = page.getByRole('button', { name: '保存', exact: true })
    await save.click()
    const naming = page.getByRole('dialog', { name: '保存策略' })
    await naming.getByLabel('策略名称').fill(`手机上起的一个很长很长的名字 ${Date.now()}`)
    await naming.getByRole('button', { name: '保存' }).click()
    await expect.poll(() => save.count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(faults).toEqual([])
    await context.close()
  })
})

describe('a rule in hand', () => {
  // What a row of the builder says and does by itself is shown by component tests beside it.
  let opened: Awaited<ReturnType<typeof openScreen>>
  let page: Page
  beforeAll(async () => {
    opened = await openScreen()
    page = opened.page
  })
  afterAll(() => opened?.context.close())

  it('by the keyboard alone: a factor is added, edits are taken back, the panel folds', async () => {
    await page.getByRole('button', { name: '添加因子' }).press('Enter')
    await page.getByLabel('搜索因子').fill('zgyjl')
    await page.getByLabel('搜索因子').press('Enter')
    await page.locator('[role=dialog][data-modal]').waitFor({ state: 'detached' })
    const names = () => page.getByTitle(/（点击更换）$/).allInnerTexts()
    expect(await names()).toEqual(['双低', '转股溢价率'])
    // What is done within half a second is one thought, and one step of undo.
    await page.waitForTimeout(700)
    await page.getByRole('button', { name: /调整次序：转股溢价率/ }).press('ArrowUp')
    expect(await names()).toEqual(['转股溢价率', '双低'])
    await page.getByRole('button', { name: /调整次序：转股溢价率，第 1 条/ }).press('Control+z')
    await expect.poll(names).toEqual(['双低', '转股溢价率'])
    await page.keyboard.press('Control+y')
    await expect.poll(names).toEqual(['转股溢价率', '双低'])
    await page.locator('body').press('b')
    await page.getByRole('button', { name: '展开策略条件' }).click()
    expect(opened.faults).toEqual([])
  })

  it('where nobody is left the list names what took most; a cap says what it leaves in cash', async () => {
    const builder = page.locator('.builder')
    const value = page.getByLabel('剩余规模取值')
    await value.fill('900000')
    await result(page).getByText('没有符合条件的证券').waitFor()
    expect(await result(page).textContent()).toMatch(/剔除最多的条件是「剔除：剩余规模.*」（−\d+）/)
    await result(page).getByRole('button', { name: '临时停用它' }).click()
    await expect.poll(() => result(page).getByText('没有符合条件的证券').count()).toBe(0)
    await value.fill('0.5')
    await page.getByLabel('单只最多占').fill('1')
    await builder.getByText('单只最多占 1%，最多用到 10% 的资金，其余 90% 留作现金').waitFor()
    await builder.getByText('单只不超过 1%，至少 90% 留作现金').waitFor()
    await page.getByLabel('单只最多占').fill('20')
    await expect.poll(() => builder.getByText(/留作现金/).count()).toBe(0)
    await page.getByRole('checkbox', { name: '启用条件：剩余规模' }).check()
    await result(page).locator('.agreement.ok').waitFor()
    expect(opened.faults).toEqual([])
  })

  it('what fails stays in its place: the curve is quiet, the list keeps what the browser worked out', async () => {
    await years(page).getByText(/%$/).waitFor()
    const refuse = (code: number, msg: string) => ({ status: 503, json: { code, msg, data: null, request_id: 'x' } })
    await page.route('**/quick-backtest', (route) => route.fulfill(refuse(50301, '服务繁忙，请稍后重试')))
    await page.route('**/realtime-screen', (route) => route.fulfill(refuse(23021, '计算超时')))
    await page.getByLabel('剩余规模取值').fill('6')
    await result(page).getByText('计算超时（60 秒），已保留本地预览').waitFor()
    await live(page)
      .getByText(/曲线是修改前的/)
      .waitFor()
    await picture(page, 'failed')
    await page.unroute('**/realtime-screen')
    await result(page).getByRole('button', { name: '重试' }).click()
    await result(page).locator('.agreement.ok').waitFor()
  })
})

describe('drafts', () => {
  const heldTo = (page: Page) => page.getByLabel('持有区间止')
  const strategy = (page: Page) => page.getByRole('button', { name: /^策略：/ })

  it('of two tabs stay apart, are offered back, and outlive what cannot be read', async () => {
    const { context, page, faults } = await openScreen()
    await heldTo(page).fill('12')
    const other = await context.newPage()
    await other.goto('/rotation/convertible-bond/screen')
    // A tab that is opened shows what was written last, and shares it.
    await expect.poll(() => heldTo(other).inputValue()).toBe('12')
    await heldTo(page).pressSequentially('3')
    await expect.poll(() => heldTo(other).inputValue()).toBe('123')
    await heldTo(page).fill('12')

    // The other tab opens another strategy: a notice says where the changes are, and this tab keeps them.
    await strategy(other).click()
    await other.getByRole('button', { name: '低溢价' }).click()
    const offer = other.getByText('「经典双低」的修改留在草稿里')
    await offer.waitFor()
    await pictureOf(other, 'workbench-draft-offer')
    expect([await strategy(page).textContent(), await heldTo(page).inputValue()]).toEqual(['经典双低*', '12'])
    await heldTo(page).fill('17')
    expect(await strategy(other).textContent()).toBe('低溢价')
    await page.reload()
    await expect.poll(() => heldTo(page).inputValue()).toBe('17')

    // The list of drafts is one press away.
    await strategy(other).click()
    const kept = other.getByRole('button', { name: /双低.*未保存|双低.*有修改/ }).first()
    await kept.waitFor()
    await pictureOf(other, 'workbench-drafts')
    expect(await seriousFaults(other, '[data-choices]')).toEqual([])
    // A menu is as long as its choices where the window has the room.
    const low = (part: Element) => part.getBoundingClientRect().bottom
    const last = await other.getByRole('button', { name: '浏览全部模板' }).evaluate(low)
    expect(last).toBeLessThan(await other.locator('.menu').evaluate(low))
    await kept.click()
    await expect.poll(() => heldTo(other).inputValue()).toBe('17')
    await other.keyboard.press('Control+z')
    await expect.poll(() => strategy(other).textContent()).toBe('低溢价')

    // What an earlier or a later release wrote, or what was damaged: the page comes up, and says so.
    await other.evaluate(() => {
      const draft = JSON.parse(localStorage.getItem('cbStrategy') ?? '{}')
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith('draft:'))) localStorage.removeItem(key)
      localStorage.setItem('cbStrategy', JSON.stringify({ ...draft, parameters: { ...draft.parameters, filter_factors: [null] } }))
      localStorage.setItem('palette:recent', '{"a":1}')
      localStorage.setItem('factorFavourites', '7')
      sessionStorage.removeItem('draft:cb')
    })
    // The pointer is on it as soon as it comes, so that it stays while it is judged.
    await other.addInitScript(() => {
      const waiting = setInterval(() => {
        const box = document.querySelector('.toasts')
        if (box?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }))) clearInterval(waiting)
      }, 50)
    })
    await other.reload()
    await other.locator('.toast').filter({ hasText: '上次的策略草稿读不出来，已在本机另存，其余不受影响' }).hover()
    expect(await faultsInBoth(other, '.toasts')).toEqual([])
    await other.getByRole('button', { name: /使用模板经典双低/ }).click()
    await strategy(other).click()
    await other.getByText(/项旧内容读不出来/).waitFor()
    await pictureOf(other, 'workbench-drafts-unread')
    expect(await faultsInBoth(other, '[data-choices]')).toEqual([])
    await other.keyboard.press('Escape')
    await other.keyboard.press('Control+k')
    await other.locator('[role=dialog][data-modal]').getByRole('combobox').waitFor()
    await other.keyboard.press('Escape')
    // An account has one quick run at a time: that of the other tab ends the one of this tab (23024), which asks again.
    expect(faults.filter((fault) => !/^409 .*\/quick-backtest$|status of 409/.test(fault))).toEqual([])
    await context.close()
  })

  it('that break a page can be cleared from it, and the login stays', async () => {
    const { context, page, faults } = await openScreen()
    // Stands for whatever is stored and breaks a page in spite of its shape.
    await context.addInitScript(() => {
      if (localStorage.getItem('gridForm') === '"breaks"')
        Number.prototype.toFixed = () => {
          throw new Error('broken by what is stored')
        }
    })
    await page.evaluate(() => localStorage.setItem('gridForm', '"breaks"'))
    await page.reload()
    await page.getByText('页面出错了').waitFor()
    await pictureOf(page, 'workbench-crash')
    expect(await seriousFaults(page, 'main')).toEqual([])
    await page.getByRole('button', { name: '清除本机草稿后重开' }).click()
    await page.getByRole('button', { name: /使用模板经典双低/ }).click()
    await strategy(page).click()
    await page.getByText(/项旧内容读不出来/).waitFor()
    expect(faults.filter((fault) => !/broken by what is stored/.test(fault))).toEqual([])
    await context.close()
  })
})
