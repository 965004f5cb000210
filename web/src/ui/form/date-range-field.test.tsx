import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { DateRangeField } from './date-range-field.tsx'
import { Form, FormRow } from './form-row.tsx'
import { type DateRange, rules } from './rules.ts'

const data = { start: '2018-01-02', end: '2026-11-19' }
const presets = [
  { label: '近 1 年', range: { start: '2025-11-20', end: '2026-11-19' } },
  { label: '近 3 年', range: { start: '2023-11-20', end: '2026-11-19' } },
]
const rule = rules.dateRange(data, ({ start, end }) => ((Date.parse(end) - Date.parse(start)) / 86_400_000) * (5 / 7))

let range: DateRange
function Range({ first = { start: '2022-08-01', end: '2026-11-19' }, off }: { first?: DateRange; off?: string }) {
  const [now, setNow] = useState(first)
  range = now
  return (
    <Form aria-label="回测">
      <FormRow label="区间" message={rule(now, null)} off={off} group>
        {(control) => <DateRangeField {...control} value={now} onChange={setNow} data={data} presets={presets} />}
      </FormRow>
    </Form>
  )
}
const start = () => page.getByRole('textbox', { name: '开始日期' })
const end = () => page.getByRole('textbox', { name: '结束日期' })
const preset = (name: string) => page.getByRole('button', { name })

it.each(['2023-01-05', '2023/1/5', '2023.01.05', '20230105', '2023年1月5日', '２０２３－０１－０５'])(
  '%s is read as the day that it is',
  async (typed) => {
    await render(<Range />)
    await start().fill(typed)
    await userEvent.tab()
    await expect.element(start()).toHaveValue('2023-01-05')
    expect(range).toEqual({ start: '2023-01-05', end: '2026-11-19' })
  },
)

it.each(['2023-02-31', '昨天', '2023-1'])('%s is no day: it is marked, and the day of before is back once it is left', async (typed) => {
  await render(<Range />)
  await end().fill(typed)
  await expect.element(end()).toHaveAttribute('aria-invalid', 'true')
  await userEvent.tab()
  await expect.element(end()).toHaveValue('2026-11-19')
  await expect.element(end()).not.toHaveAttribute('aria-invalid')
  expect(range.end).toBe('2026-11-19')
})

it.each([
  [{ start: '2026-11-19', end: '2026-11-19' }, '开始日期须早于结束日期'],
  [{ start: '2017-12-29', end: '2026-11-19' }, '数据从 2018-01-02 开始'],
  [{ start: '2022-08-01', end: '2026-11-20' }, '数据到 2026-11-19 为止'],
  [{ start: '2026-09-01', end: '2026-11-19' }, '区间少于 60 个交易日，统计指标没有意义'],
])('of %o it says under itself: %s', async (first, message) => {
  await render(<Range first={first} />)
  for (const field of [start(), end()]) {
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    await expect.element(field).toHaveAccessibleDescription(message)
  }
  await expect.element(page.getByRole('alert')).toHaveTextContent(message)
  await expect.element(page.getByRole('group', { name: '区间' }).first()).toHaveAccessibleDescription(message)
})

it('by keyboard: start, end, each with its calendar’s button, then the presets, the chosen one marked', async () => {
  await render(<Range />)
  await userEvent.tab()
  await expect.element(start()).toHaveFocus()
  await userEvent.keyboard('2024/3/1')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '选择开始日期' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(end()).toHaveFocus()
  expect(range.start).toBe('2024-03-01')
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(preset('近 1 年')).toHaveFocus()
  await expect.element(preset('近 1 年')).toHaveAttribute('aria-pressed', 'false')
  await userEvent.keyboard('{Enter}')
  await expect.element(preset('近 1 年')).toHaveAttribute('aria-pressed', 'true')
  expect(range).toEqual(presets[0]?.range)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(start()).toHaveValue('2023-11-20')
})

it('each end is picked from a calendar of its own', async () => {
  await render(<Range />)
  await page.getByRole('button', { name: '选择结束日期' }).click()
  await page.getByRole('button', { name: '2026年11月5日星期四', exact: true }).click()
  await expect.element(end()).toHaveValue('2026-11-05')
  expect(range).toEqual({ start: '2022-08-01', end: '2026-11-05' })
})

it('cannot be changed while it is off, and says why', async () => {
  await render(<Range off="回测运行中" />)
  for (const field of [start(), end(), page.getByRole('button', { name: '选择开始日期' })]) await expect.element(field).toBeDisabled()
  await expect.element(start()).toHaveAccessibleDescription('回测运行中')
})

it('stands inside a window of 360 px, its fields as high as a finger needs, and axe finds nothing', async () => {
  await page.viewport(360, 640)
  await render(<Range first={{ start: '2026-09-01', end: '2026-11-19' }} />)
  for (const field of [start(), end()]) {
    const { height, right } = (field.element().parentElement as HTMLElement).getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(right).toBeLessThanOrEqual(360)
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
