import { calls } from '@convexa/contract/calls'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { madeFactors, rising } from '../../../test/components/made-factors.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { type Asked, type ScriptedApi, scriptedApi } from '../../../test/components/scripted-api.ts'
import { factorsOf } from '../rule/factors.ts'
import { useFavourites } from './factor-favourites.ts'
import { FactorPickerDialog } from './factor-picker-dialog.tsx'

const spread = ({ query }: Asked) => ({
  factors: [],
  trade_date: '2026-10-12',
  data_time: '2026-10-12T15:00:00+08:00',
  columns: query.getAll('keys'),
  values: query.getAll('keys').map(() => rising()),
})
let api: ScriptedApi
beforeEach(() => {
  api = scriptedApi()
  api.says(calls.cb.realtimeFactors, spread)
  useFavourites.setState({ keys: [] })
})

const picked = vi.fn()
const closed = vi.fn()
beforeEach(() => {
  picked.mockClear()
  closed.mockClear()
})
const Picker = ({ taken = [], factors = madeFactors }: { taken?: string[]; factors?: typeof madeFactors }) => (
  <App>
    <FactorPickerDialog title="选择打分因子" factors={factors} taken={taken} onPick={picked} onClose={closed} />
  </App>
)
const dialog = () => page.getByRole('dialog', { name: '选择打分因子' })
const search = () => page.getByRole('textbox', { name: '搜索因子' })
const formula = () => page.getByRole('textbox', { name: '公式' })
const names = () =>
  expect.poll(() =>
    dialog()
      .getByRole('listitem')
      .elements()
      .map((row) => row.querySelector('b')?.textContent),
  )
const factor = (name: string | RegExp) => dialog().getByRole('listitem').filter({ hasText: name })

it.each([
  ['zgyjl', ['转股溢价率'], 'conv_prem'],
  ['dblow', ['双低'], 'dblow'],
  ['规模(亿)', ['剩余规模'], 'remain_size'],
  ['20日涨跌幅', ['20日涨跌幅'], 'pct_chg_20'],
])('%s finds %j, and Enter takes the first', async (typed, found, ref) => {
  await render(<Picker />)
  await search().fill(typed)
  await names().toEqual(found)
  await expect.element(page.getByText('1 个')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(picked).toHaveBeenCalledExactlyOnceWith(ref)
})

it('says so when nothing is found, and Enter takes nothing', async () => {
  await render(<Picker />)
  await search().fill('没有这个')
  await expect.element(page.getByText('没有找到「没有这个」。换个说法，或在左边按分类找')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(picked).not.toHaveBeenCalled()
})

it.each([
  ['全部', ['收盘价', '转股溢价率', '双低', '剩余规模', '评级', '5日涨跌幅', '隐含波动率']],
  ['条款', ['剩余规模', '评级']],
  ['估值', ['转股溢价率', '双低', '隐含波动率']],
])('the category %s has its factors', async (category, found) => {
  await render(<Picker />)
  await dialog().getByRole('button', { name: category, exact: true }).click()
  await names().toEqual(found)
  await expect.element(dialog().getByRole('button', { name: category, exact: true })).toHaveAttribute('aria-current', 'true')
})

it('shows the unit, the definition, how today is spread and how many have a value; what is in the list already is marked', async () => {
  await render(<Picker taken={['dblow']} />)
  const size = factor('剩余规模')
  await expect.element(size).toMatchTextContent(/剩余规模remain_size亿元剩余规模的定义.*98%/)
  await expect.element(size.getByTitle('当日 最小 0.00亿元 · 中位 0.49亿元 · 最大 0.99亿元')).toBeVisible()
  await expect.element(factor('双低')).toMatchTextContent('已添加')
  // One question for all that is in view, none for what has no column of its own.
  const [asked, ...others] = api.asked(calls.cb.realtimeFactors)
  expect([asked?.query.getAll('keys'), others]).toEqual([['close', 'conv_prem', 'dblow', 'remain_size', 'rating'], []])
})

it('what the data lack says why and cannot be taken', async () => {
  await render(<Picker />)
  const row = factor('隐含波动率')
  await expect.element(row).toMatchTextContent('数据中没有正股波动率')
  await expect.element(row.getByRole('button', { name: /^隐含波动率/ })).toBeDisabled()
})

it('a family asks for its window and takes only one within its bounds', async () => {
  await render(<Picker />)
  const window = page.getByRole('textbox', { name: 'N日涨跌幅的周期' })
  await expect.element(window).toHaveValue('5')
  await window.fill('501')
  await expect.element(factor('日涨跌幅')).toMatchTextContent('5日涨跌幅pct_chg_5')
  await window.fill('60')
  await factor('60日涨跌幅')
    .getByRole('button', { name: /^60日涨跌幅/ })
    .click()
  expect(picked).toHaveBeenCalledExactlyOnceWith('pct_chg_60')
})

it('a starred factor is among the favourites, and is kept in the browser', async () => {
  await render(<Picker />)
  const own = dialog().getByRole('button', { name: '★ 收藏' })
  await own.click()
  await expect.element(page.getByText('点因子前的 ☆ 收藏，常用的会列在这里')).toBeVisible()
  await dialog().getByRole('button', { name: '全部', exact: true }).click()
  await page.getByRole('button', { name: '收藏双低' }).click()
  await expect.element(page.getByRole('button', { name: '收藏双低' })).toHaveAttribute('aria-pressed', 'true')
  await own.click()
  await names().toEqual(['双低'])
  expect(localStorage.getItem('factorFavourites')).toBe('["dblow"]')
})

it('by keyboard: it begins in its search, a factor is reached and taken, Esc closes it', async () => {
  await render(<Picker factors={factorsOf(madeFactors.list.slice(0, 2))} />)
  search().element().focus()
  await userEvent.keyboard('收盘')
  // Past the categories and the star.
  const wanted = page.getByRole('button', { name: /^收盘价 close/ })
  for (let i = 0; i < 12 && document.activeElement !== wanted.element(); i++) await userEvent.tab()
  await expect.element(wanted).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(picked).toHaveBeenCalledExactlyOnceWith('close')
  await userEvent.keyboard('{Escape}')
  expect(closed).toHaveBeenCalledTimes(1)
})

it('a formula is checked before it is taken; what is wrong is said until it is written on', async () => {
  api.refuses(calls.cb.realtimeFactors, 22001, '第 1 行第 9 列：没有名为 clos 的因子')
  await render(<Picker />)
  const use = page.getByRole('button', { name: '使用公式' })
  await expect.element(use).toBeDisabled()
  await formula().fill('close / clos')
  await userEvent.keyboard('{Enter}')
  await expect.element(formula()).toHaveAccessibleDescription('第 1 行第 9 列：没有名为 clos 的因子')
  await expect.element(formula()).toHaveAttribute('aria-invalid', 'true')
  expect(picked).not.toHaveBeenCalled()
  api.says(calls.cb.realtimeFactors, spread)
  await formula().fill('close / 2')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await use.click()
  await vi.waitFor(() => expect(picked).toHaveBeenCalledExactlyOnceWith('formula: close / 2'))
})

it('a formula whose answer comes after it was written on, or after the dialog was closed, is not taken', async () => {
  const answers: (() => void)[] = []
  await render(<Picker factors={factorsOf([])} />)
  api.says(calls.cb.realtimeFactors, (asked) => new Promise((resolve) => answers.push(() => resolve(spread(asked)))))
  await formula().fill('close / 2')
  await page.getByRole('button', { name: '使用公式' }).click()
  await expect.element(page.getByRole('button', { name: '正在检查…' })).toBeDisabled()
  await formula().fill('close / 3')
  await page.getByRole('button', { name: '使用公式' }).click()
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  for (const answer of answers) answer()
  await vi.waitFor(() => expect(picked).toHaveBeenCalledExactlyOnceWith('formula: close / 3'))
  const { unmount } = await render(<Picker factors={factorsOf([])} />)
  await formula().last().fill('close / 4')
  await page.getByRole('button', { name: '使用公式' }).last().click()
  await vi.waitFor(() => expect(answers).toHaveLength(3))
  await unmount()
  answers[2]?.()
  await Promise.resolve()
  expect(picked).toHaveBeenCalledTimes(1)
})

it('fits a phone, and axe finds nothing, with a mistake said too', async () => {
  api.refuses(calls.cb.realtimeFactors, 22001, '第 1 行第 1 列：没有名为 x 的因子')
  await page.viewport(360, 640)
  await render(<Picker taken={['dblow']} />)
  await formula().fill('x')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expectInsideWindow(dialog())
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})

it('on a phone its formula is as high as a finger needs', async () => {
  await page.viewport(390, 844)
  await render(<Picker />)
  await expect.poll(() => formula().element().parentElement?.getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
})
