import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { usePreferences } from '../src/state/preferences.ts'
import { App } from '../test/components/app.tsx'
import { axeFaults } from '../test/components/axe.ts'
import { LongLine } from './charts-over-time.tsx'
import { sections as forms } from './forms.section.tsx'
import { sections as overlays } from './overlays.section.tsx'
import { StyleguidePage } from './styleguide-page.tsx'

const { documentElement: root } = document
const { set } = usePreferences.getState()
const usual = { rise: 'red', density: 'compact', patterns: false } as const
type Looks = Partial<Pick<ReturnType<typeof usePreferences.getState>, keyof typeof usual>>
function look(looks: Looks) {
  const { rise, density, patterns } = { ...usual, ...looks }
  set('rise', rise)
  set('density', density)
  set('patterns', patterns)
  Object.assign(root.dataset, { rise, density })
}
afterEach(() => look({}))
const wide = { width: 1440, height: 900 }

it.each([
  ['at a desk', wide, {}],
  ['on a phone', { width: 390, height: 844 }, {}],
  ['with green for a rise, wide rows and patterns', wide, { rise: 'green', density: 'standard', patterns: true }],
] as const satisfies [string, object, Looks][])(
  'every part stands within its width and has no fault that axe finds, light and dark, %s',
  async (_, { width, height }, looks) => {
    look(looks)
    await page.viewport(width, height)
    await render(
      <App at="/styleguide">
        <StyleguidePage />
      </App>,
    )
    await expect.element(page.getByRole('heading', { name: '图', exact: true })).toBeVisible()
    // The last chart is drawn when none waits any more.
    await expect.poll(() => document.querySelector('.chart-box > .waiting')).toBe(null)
    expect(page.getByRole('heading', { level: 2 }).elements().length).toBeGreaterThan(8)
    expect(root.scrollWidth).toBeLessThanOrEqual(width)
    // What is old is faded to half on purpose, under a stamp in full contrast that says so (product.md 2.1).
    expect(await axeFaults({ exclude: ['.stale'] })).toEqual([])
  },
)

const button = (name: string) => page.getByRole('button', { name, exact: true })
const combobox = (name: string) => page.getByRole('combobox', { name, exact: true }).first()
const toasted = (text: string) => page.getByRole('region', { name: '通知' }).getByText(text, { exact: false }).first()
it.each([
  ['轻提示', overlays, () => button('完成'), () => button('撤销')],
  ['轻提示：失败', overlays, () => button('失败'), () => toasted('改名失败')],
  ['菜单', overlays, () => button('导出'), () => page.getByRole('menuitem', { name: '复制表格' })],
  ['浮框', overlays, () => button('口径'), () => page.getByRole('dialog', { name: '口径' })],
  ['确认', overlays, () => button('删除策略'), () => page.getByRole('alertdialog')],
  ['对话框', overlays, () => button('打开对话框'), () => page.getByRole('dialog', { name: '保存为模板' })],
  ['抽屉', overlays, () => button('打开抽屉'), () => page.getByRole('dialog', { name: '演示转债3' })],
  ['单选列表', forms, () => combobox('证券'), () => page.getByRole('option', { name: /演示转债356/ })],
  ['多选列表', forms, () => combobox('行业'), () => page.getByRole('option', { name: /医药生物/ })],
] as const)('%s has no fault that axe finds while it is open, light and dark', async (_, [section], opener, opened) => {
  const Section = section?.Component ?? (() => null)
  await render(
    <App>
      <Section />
    </App>,
  )
  await opener().click()
  await expect.element(opened()).toBeVisible()
  expect(await axeFaults()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('[data-modal]')).toBe(null)
})

it('a sampled line tells the true day', async () => {
  await page.viewport(wide.width, wide.height)
  await render(
    <App>
      <LongLine />
    </App>,
  )
  const chart = page.getByRole('slider', { name: /^点数：/ })
  chart.element().focus()
  await userEvent.keyboard(`{Home}{Shift>}${'{ArrowRight}'.repeat(7)}{/Shift}${'{ArrowRight}'.repeat(3)}`)
  const [day, points] = (chart.element().getAttribute('aria-valuetext') ?? '').replace(' 点', '').split('，')
  const tooltip = page.getByText('第 143 天').last()
  await expect.element(tooltip).toBeVisible()
  const box = tooltip.element().closest('.chart-tip')
  expect(box?.textContent).toContain(day)
  expect(box?.textContent).toContain(points)
  // Its own look: ECharts writes another one on the element, in which long names run out of a narrow window.
  const { whiteSpace, boxShadow } = getComputedStyle(box as Element)
  expect([whiteSpace, boxShadow === 'none']).toEqual(['normal', false])
})
