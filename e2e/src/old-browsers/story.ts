import type { Page } from 'playwright-core'

/** Takes a picture of the page as it stands, under a name of the scene. */
export type Shot = (scene: string) => Promise<unknown>

/** An evening from the login to the report, with what lies above the page on its way: a menu, a drawer, lists, dates, a dialog, a toast. */
export async function walkThrough(page: Page, shot: Shot): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first()
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

  await page.goto('/login?redirect=/rotation/convertible-bond/screen')
  await button('进入体验账号').waitFor()
  await shot('01 login')
  await button('进入体验账号').click()
  await button(/使用模板经典双低/).waitFor()
  await shot('02 templates')
  await button(/使用模板经典双低/).click()
  const result = page.getByRole('region', { name: '筛选结果' })
  await result
    .getByText(/^演示转债/)
    .first()
    .waitFor()
  await page.getByRole('region', { name: '净值速览' }).getByText(/%$/).first().waitFor()
  await shot('03 screen')

  await button('导出').click()
  await page.getByRole('menuitem', { name: /XLSX/ }).waitFor()
  await shot('04 menu')
  await page.keyboard.press('Escape')
  await result
    .getByRole('grid')
    .getByText(/^演示转债/)
    .first()
    .click()
  await dialog(/演示转债/)
    .getByRole('img', { name: /日线/ })
    .waitFor()
  await shot('05 drawer')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: '行业' }).click()
  await page.getByRole('listbox', { name: '行业' }).getByRole('option').first().waitFor()
  await shot('05b list')
  await page.keyboard.press('Escape')
  // An edit: the worker answers before the server does.
  await button('条件「剩余规模」的更多操作').click()
  await page.getByRole('menuitem', { name: '解释' }).click()
  await page.getByRole('img', { name: '剩余规模当日分布' }).waitFor()
  await shot('06 condition')
  await button('分享').click()
  await page.getByRole('menuitem', { name: '复制参数链接' }).waitFor()
  await shot('07 share')
  await page.keyboard.press('Escape')
  await button('保存').click()
  await page.locator('[role=dialog][data-modal]').waitFor()
  await shot('08 dialog')
  await page.locator('[role=dialog][data-modal]').getByRole('button', { name: '保存' }).click()
  await page
    .getByText(/已保存/)
    .first()
    .waitFor()
  await shot('09 toast')
  await page.keyboard.press('Control+k')
  await dialog(/.*/).waitFor()
  await page.keyboard.type('sy')
  await shot('10 palette')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: '高级回测' }).first().click()
  const run = page.getByRole('region', { name: '将要运行' })
  await run.getByRole('button', { name: '近1年' }).click()
  await shot('11 backtest')
  await button(/^运行回测/).click()
  await page.waitForURL(/\/backtest\/[0-9a-f-]{36}$/, { timeout: 90_000 })
  await page.getByRole('region', { name: '结论', exact: true }).getByText('最大回撤').first().waitFor()
  await page.getByRole('img').first().waitFor()
  await shot('12 report')
  await button('导出').click()
  await shot('13 report menu')
  await page.keyboard.press('Escape')
  for (const [scene, section] of Object.entries({
    '14 contributions': 'contributions',
    '15 risk': 'risk',
    '16 robustness': 'robustness',
  })) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await page.locator(`#${section}`).evaluate((part) => part.scrollIntoView())
    // Parts far below are drawn when they come near.
    await page.locator(`#${section} table, #${section} canvas, #${section} .bar-track`).first().waitFor()
    await shot(scene)
  }

  await page.goto('/rotation/convertible-bond/history')
  await page.getByRole('grid').or(page.getByRole('table')).first().waitFor()
  await shot('17 history')
  await button(/选择日期|日历/).click()
  await shot('18 calendar')
  await page.keyboard.press('Escape')
}
