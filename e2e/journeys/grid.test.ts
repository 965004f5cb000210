import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
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

/** Where the focus is: row and column, the head being row 0. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement as HTMLElement
    return `${cell.closest<HTMLElement>('[data-row]')?.dataset['row']}:${cell.dataset['column']}`
  })
const heads = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('[role="columnheader"]')].map((one) => one.getAttribute('aria-label')))

// What its keys do, and each setting of its columns, is shown by web/src/ui/grid/data-grid.test.tsx.
it('the big grid on the screen page: its rows are ticked, copied and opened, and its columns stay as they were arranged', async () => {
  const { context, page, faults } = await openScreen()
  const grid = page.getByRole('grid')
  const standard = await heads(page)

  // Ticked rows have a bar below with what can be done, and are copied with their heads.
  await grid.locator('[tabindex="0"]').focus()
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
  expect(lines.map((line) => line.length)).toEqual(Array(4).fill(standard.length))
  expect(lines[0]?.slice(0, 3)).toEqual(['名次', '代码', '名称'])
  expect(lines[1]?.[1]).toMatch(/^9\d{5}\.DM$/)
  expect(lines.flat().some((cell) => cell.includes('−'))).toBe(false)
  await page.getByRole('region', { name: '已选' }).getByRole('button', { name: '取消' }).click()

  // Enter opens the row; after Esc the focus is back in its cell.
  await grid.locator('[tabindex="0"]').focus()
  const before = await focused(page)
  await page.keyboard.press('Enter')
  await page.locator('[role=dialog][data-modal]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog][data-modal]').waitFor({ state: 'detached' })
  expect(await focused(page)).toBe(before)

  // `.` opens the columns; one that is added has its values from the server.
  await page.keyboard.press('.')
  const panel = page.getByRole('dialog', { name: '列设置' })
  await panel.getByRole('checkbox', { name: '年限', exact: true }).uncheck()
  await panel.getByRole('searchbox', { name: '搜索列' }).fill('转股价值')
  await panel.getByRole('checkbox', { name: /^转股价值/ }).check()
  await picture(page, 'columns')
  await panel.getByRole('button', { name: '完成' }).click()
  await panel.waitFor({ state: 'detached' })
  const arranged = await heads(page)
  expect(arranged).not.toContain('年限')
  expect(arranged.at(-1)).toBe('转股价值(元)')
  const added = () =>
    grid
      .getByRole('row')
      .nth(3)
      .getByRole('gridcell')
      .nth(arranged.length - 1)
      .textContent()
  await expect.poll(added).toMatch(/^\d+\.\d+$/)

  await page.reload()
  await grid.getByRole('row').nth(8).waitFor()
  expect(await heads(page)).toEqual(arranged)

  // A built-in set, and back to how it came.
  await page.getByLabel('列方案').first().selectOption({ label: '债性' })
  expect(await heads(page)).toContain('YTM(%)')
  await page.getByRole('button', { name: '列设置' }).click()
  await panel.getByRole('button', { name: '恢复默认' }).click()
  await panel.getByRole('button', { name: '完成' }).click()
  expect(await heads(page)).toEqual(standard)
  expect(faults).toEqual([])
  await context.close()
})
