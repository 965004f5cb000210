import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { pictureOf } from '../src/picture.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const picture = (page: Page, name: string) => pictureOf(page, `grid-${name}`)

/** A screen of 可转债 with a list in it. */
async function openScreen() {
  const opened = await openContext(browser, inject('url'))
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page } = opened
  await page.goto('/rotation/convertible-bond')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  await page.getByRole('grid').getByRole('row').nth(8).waitFor()
  await page.getByRole('tab', { name: /^全部/ }).click()
  await page.getByRole('grid', { name: '全部排名' }).waitFor()
  return opened
}

/** Where the focus is: `3:double-low` is not said, its row's number and its text are. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement as HTMLElement
    return `${cell.closest<HTMLElement>('[data-row]')?.dataset['row']}:${cell.dataset['column']}`
  })
const column = (page: Page, name: string) =>
  page.evaluate((head) => {
    const heads = [...document.querySelectorAll('[role="columnheader"]')]
    const at = heads.findIndex((one) => one.getAttribute('aria-label') === head)
    const cells = [...document.querySelectorAll('[role="row"].body')]
      .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map((row) => row.querySelectorAll('[role="gridcell"]')[at]?.textContent ?? '')
    return cells.map((text) => (text === '—' ? Number.NaN : Number(text.replace('−', '-').replace('%', ''))))
  }, name)
const heads = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('[role="columnheader"]')].map((one) => one.getAttribute('aria-label')))
const isDescending = (values: readonly number[]) => values.every((value, i) => i === 0 || (values[i - 1] as number) >= value)

describe('the big grid on the screen page', () => {
  it('is walked, sorted, ticked and copied by keyboard', async () => {
    const { context, page, faults } = await openScreen()
    const grid = page.getByRole('grid')

    // One tab stop; the arrows walk inside.
    await grid.locator('[tabindex="0"]').focus()
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
    expect(await focused(page)).toBe('1:0')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('2:1')
    await page.keyboard.press('PageDown')
    const paged = Number((await focused(page)).split(':')[0])
    expect(paged).toBeGreaterThan(10)
    await page.keyboard.press('Control+End')
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
    expect((await focused(page)).startsWith(`${rows}:`)).toBe(true)
    await page.keyboard.press('Control+Home')
    expect(await focused(page)).toBe('1:0')

    // The head: Enter sorts and says so, Shift adds a second column.
    await page.keyboard.press('ArrowUp')
    for (let i = 0; (await heads(page))[i] !== '涨跌幅'; i++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByText('按涨跌幅降序排列').waitFor({ state: 'attached' })
    expect(isDescending(await column(page, '涨跌幅'))).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByText('按涨跌幅升序排列').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    const second = (await heads(page))[Number((await focused(page)).split(':')[1])]
    await page.keyboard.press('Shift+Enter')
    await page.getByText(`按涨跌幅升序、${second}降序排列`).waitFor({ state: 'attached' })
    expect(await page.getByRole('columnheader', { name: '涨跌幅' }).getAttribute('aria-sort')).toBe('ascending')
    await picture(page, 'sorted')
    expect(await seriousFaults(page, '.screen')).toEqual([])

    // The order lock of 名次 takes the sort back and holds against clicks.
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByText('已恢复默认顺序并锁定').waitFor({ state: 'attached' })
    await page.getByRole('columnheader', { name: '涨跌幅' }).click()
    await page.getByText('顺序已锁定，先在名次列解锁').waitFor({ state: 'attached' })
    expect(isDescending(await column(page, '得分'))).toBe(true)
    await page.getByRole('columnheader', { name: /^名次/ }).click()

    // Space ticks, Shift+Space all between; the bar below counts; Ctrl+C takes the rows with their heads.
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await page.getByText('已选 3 只').waitFor()
    await picture(page, 'ticked')
    expect(await seriousFaults(page, '.screen')).toEqual([])
    await page.keyboard.press('Control+c')
    await page.getByText('已复制 3 行').waitFor()
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.split('\t'))
    expect(lines.map((line) => line.length)).toEqual(Array(4).fill((await heads(page)).length))
    expect(lines[0]?.slice(0, 3)).toEqual(['名次', '代码', '名称'])
    expect(lines[1]?.[1]).toMatch(/^9\d{5}\.DM$/)
    expect(lines.flat().some((cell) => cell.includes('−'))).toBe(false)

    // A drawn range is copied alone.
    await page.getByRole('region', { name: '已选' }).getByRole('button', { name: '取消' }).click()
    await grid.locator('[tabindex="0"]').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+c')
    await page.getByText('已复制 2 行 2 列').waitFor()
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.split('\t').length)).toEqual([2, 2])

    // Enter opens the row; after Esc the focus is back in its cell.
    const before = await focused(page)
    await page.keyboard.press('Enter')
    await page.locator('[role=dialog][data-modal]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog][data-modal]').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe(before)
    expect(faults).toEqual([])
    await context.close()
  })

  it('keeps its columns as they were arranged', async () => {
    const { context, page, faults } = await openScreen()
    const grid = page.getByRole('grid')
    const standard = await heads(page)

    // `.` opens the panel; a column is hidden, another found and added, one moved by its handle, one frozen and widened.
    await grid.locator('[tabindex="0"]').focus()
    await page.keyboard.press('.')
    const panel = page.getByRole('dialog', { name: '列设置' })
    await panel.waitFor()
    await panel.getByRole('checkbox', { name: '年限', exact: true }).uncheck()
    await panel.getByRole('searchbox', { name: '搜索列' }).fill('转股价值')
    await panel.getByRole('checkbox', { name: /^转股价值/ }).check()
    await panel.getByRole('searchbox', { name: '搜索列' }).fill('')
    const handle = panel.getByRole('button', { name: '移动 成交(亿)' })
    await handle.focus()
    await page.keyboard.press('ArrowUp')
    await panel.getByText(/成交\(亿\) 移到第 \d 列/).waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: '冻结 涨跌幅' }).click()
    await panel.getByRole('textbox', { name: '涨跌幅 列宽' }).fill('120')
    await picture(page, 'columns')
    expect(await seriousFaults(page, '[data-modal]')).toEqual([])
    await panel.getByRole('button', { name: '完成' }).click()
    await panel.waitFor({ state: 'detached' })

    const arranged = await heads(page)
    expect(arranged).not.toContain('年限')
    expect(arranged.at(-1)).toBe('转股价值(元)')
    expect(arranged[3]).toBe('涨跌幅')
    expect((await column(page, '转股价值(元)')).some((value) => value > 0)).toBe(true)
    const width = () => page.getByRole('columnheader', { name: '涨跌幅' }).evaluate((one) => one.getBoundingClientRect().width)
    expect(await width()).toBe(120)

    await page.reload()
    await grid.getByRole('row').nth(8).waitFor()
    expect(await heads(page)).toEqual(arranged)
    expect(await width()).toBe(120)

    // A width by keyboard, in the head.
    await page.getByRole('columnheader', { name: '涨跌幅' }).focus()
    await page.keyboard.press('Alt+ArrowRight')
    expect(await width()).toBe(128)

    // A built-in set, and back to how it came.
    await page.getByLabel('列方案').first().selectOption({ label: '债性' })
    expect(await heads(page)).toContain('YTM(%)')
    expect(await heads(page)).not.toContain('成交(亿)')
    await page.getByRole('button', { name: '列设置' }).click()
    await panel.getByRole('button', { name: '恢复默认' }).click()
    await panel.getByRole('button', { name: '完成' }).click()
    expect(await heads(page)).toEqual(standard)
    expect(faults).toEqual([])
    await context.close()
  })
})
