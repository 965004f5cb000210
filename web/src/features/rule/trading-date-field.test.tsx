import { calls } from '@convexa/contract/calls'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { scriptedApi } from '../../../test/components/scripted-api.ts'
import { TradingDateField } from './trading-date-field.tsx'

function Day() {
  const [date, setDate] = useState('2025-01-03')
  return <TradingDateField label="日期" value={date} min="2024-01-02" max="2026-11-20" onChange={setDate} />
}

it('asks for the closed days of a year when its calendar shows one, and once', async () => {
  const api = scriptedApi()
  const yearOf = (path: string) => path.split('/')[4]
  api.says(calls.reference.closedDates, ({ path }) => [`${yearOf(path)}-01-01`])
  await render(
    <App>
      <Day />
    </App>,
  )
  const years = () => api.asked(calls.reference.closedDates).map(({ path }) => yearOf(path))
  expect(years()).toEqual([])
  await page.getByRole('button', { name: '选择日期' }).click()
  await expect.element(page.getByRole('button', { name: '2025年1月1日星期三，休市' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('combobox', { name: '年' }).selectOptions('2024')
  await expect.element(page.getByRole('button', { name: '2024年1月1日星期一，不在可选范围内' })).toBeVisible()
  await page.getByRole('combobox', { name: '年' }).selectOptions('2025')
  await page.getByRole('button', { name: '2025年1月6日星期一', exact: true }).click()
  await expect.element(page.getByRole('textbox', { name: '日期' })).toHaveValue('2025-01-06')
  await page.getByRole('button', { name: '选择日期' }).click()
  await expect.element(page.getByRole('button', { name: '2025年1月1日星期三，休市' })).toBeVisible()
  expect(years()).toEqual(['2025', '2024'])
})
