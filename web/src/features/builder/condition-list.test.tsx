import { calls } from '@convexa/contract/calls'
import { markets } from '@convexa/contract/enums/market'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { madeFactors, rising } from '../../../test/components/made-factors.ts'
import { scriptedApi } from '../../../test/components/scripted-api.ts'
import { blankParameters, newFilter } from '../rule/draft.ts'
import { parameterMistakes } from '../rule/validate.ts'
import { ConditionList } from './condition-list.tsx'

// Its styles are the sections'.
import.meta.glob('./builder*.css', { eager: true })

const small: FilterFactor = { ...newFilter('remain_size'), operation: 'lt', value: 3, enable: true }
const dear: FilterFactor = { ...newFilter('close'), operation: 'gt', value: 150, enable: true }

let parameters: Parameters
const rows = () => parameters.filter_factors
function Conditions({ first = [small], removed }: { first?: FilterFactor[]; removed?: number }) {
  const [now, setNow] = useState<Parameters>(() => ({ ...blankParameters('cb'), filter_factors: first }))
  parameters = now
  const counts = { listed: 500, afterRisk: 480, afterConditions: 470, removed: new Map([['filter.0', removed ?? 10]]) }
  return (
    <App>
      <div style={{ width: 'min(360px, 100%)' }}>
        <ConditionList
          parameters={now}
          edit={setNow}
          factors={madeFactors}
          mistakes={parameterMistakes(now, markets.cb)}
          counts={removed === undefined ? null : (counts as never)}
        />
      </div>
    </App>
  )
}
const value = (name = '剩余规模') => page.getByRole('textbox', { name: `${name}取值` })
const compares = () => page.getByRole('combobox', { name: '比较' })
const more = (name = '剩余规模') => page.getByRole('button', { name: `条件「${name}」的更多操作` })
const order = () => rows().map(({ factor_key }) => factor_key)

it.each([
  ['大于', 'gt', 3],
  ['不小于', 'ge', 3],
  ['不大于', 'le', 3],
  ['等于', 'eq', 3],
  ['不等于', 'ne', 3],
  ['分位高于', 'gt_rank', 0.1],
  ['介于', 'between', [3, Number.NaN]],
  ['为空', 'is_null', 3],
] as const)('%s keeps the number that was typed where it can be meant', async (label, operation, kept) => {
  await render(<Conditions />)
  await compares().selectOptions(label)
  expect(rows()[0]?.operation).toBe(operation)
  if (operation !== 'is_null') expect(rows()[0]?.value).toEqual(kept)
})

it.each([
  ['small size in its unit', small, '3', '亿'],
  ['a fraction as per cent', { ...small, factor_key: 'conv_prem', value: 0.2 }, '20', '%'],
  ['a percentile as per cent', { ...small, operation: 'gt_rank' as const, value: 0.3 }, '30', '%'],
] as const)('shows %s', async (_, row, shown, unit) => {
  await render(<Conditions first={[row]} />)
  const field = value(madeFactors.nameOf(row.factor_key))
  await expect.element(field).toHaveValue(shown)
  await expect.element(page.getByText(unit, { exact: true })).toBeVisible()
})

it('of words it offers those of the dictionary, and begins to count with the first', async () => {
  const api = scriptedApi()
  api.says(calls.reference.dictionaryItems, [
    {
      dictionary_key: 'cb_rating',
      options: [
        { value: 'AAA', label: 'AAA' },
        { value: 'AA+', label: 'AA+' },
      ],
    },
  ] as never)
  await render(<Conditions first={[{ ...newFilter('rating'), operation: 'in', value: [], enable: false }]} />)
  const labels = [...(compares().element() as HTMLSelectElement).options].map(({ label }) => label)
  expect(labels).toEqual(['属于', '为空'])
  await page.getByRole('combobox', { name: '评级取值' }).click()
  await page.getByRole('option', { name: 'AA+' }).click()
  await expect.poll(() => rows()[0]).toMatchObject({ value: ['AA+'], enable: true })
})

it.each([
  ['', '小于', '请填写取值'],
  ['9999999999999', '小于', '取值过大，请核对数字与单位'],
  ['150', '分位高于', '分位须在 0%–100% 之间'],
])('%j after %s is said to be wrong: %s', async (typed, operation, message) => {
  await render(<Conditions />)
  await compares().selectOptions(operation)
  await value().fill(typed)
  await expect.element(page.getByRole('alert')).toHaveTextContent(message)
  await expect.element(value()).toHaveAttribute('aria-invalid', 'true')
})

it('two bounds are asked for, in their order', async () => {
  await render(<Conditions />)
  await compares().selectOptions('介于')
  const bound = (name: string) => page.getByRole('textbox', { name: `剩余规模${name}` })
  await expect.element(page.getByRole('alert')).toHaveTextContent('请填写下限与上限')
  await bound('上限').fill('2')
  await expect.element(page.getByRole('alert')).toHaveTextContent('下限不能大于上限')
  await bound('上限').fill('20')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(rows()[0]?.value).toEqual([3, 20])
})

it.each([
  ['剩余规模', 'remain_size', '小于', '1234567', null],
  ['转股溢价率', 'conv_prem', '大于', '20000', '20,000% 相当于 200 倍，请核对是否多输了数字'],
])(
  'a number is seen whole however long it is, and questioned where hardly anybody means it: %s',
  async (name, key, operation, typed, doubt) => {
    await render(<Conditions first={[{ ...small, factor_key: key }]} />)
    await compares().selectOptions(operation)
    await value(name).fill(typed)
    const { scrollWidth, clientWidth } = value(name).element()
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    if (doubt) await expect.element(page.getByText(doubt)).toBeVisible()
  },
)

it('by keyboard: rows change places by the arrows on their handle, which keeps the focus', async () => {
  await render(<Conditions first={[small, dear]} />)
  const handle = (name: string, place: number) =>
    page.getByRole('button', { name: new RegExp(`^调整次序：${name}，第 ${place} 条，共 2 条`) })
  handle('收盘价', 2).element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(handle('收盘价', 1)).toHaveFocus()
  expect(order()).toEqual(['close', 'remain_size'])
  await userEvent.keyboard('{ArrowUp}')
  expect(order()).toEqual(['close', 'remain_size'])
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(handle('收盘价', 2)).toHaveFocus()
})

it('a row is switched off, turned around, copied and removed; the focus stays in the list', async () => {
  await render(<Conditions first={[small, dear]} removed={10} />)
  await expect.element(page.getByText('剩余 470 只')).toBeVisible()
  await page.getByRole('checkbox', { name: '启用条件：收盘价' }).click()
  await page.getByRole('combobox', { name: '满足即剔除，或只保留满足的' }).first().selectOptions('仅保留')
  expect(rows()).toMatchObject([{ action: 'keep' }, { enable: false }])
  await more().click()
  await page.getByRole('menuitem', { name: '复制一条' }).click()
  await expect.poll(order).toEqual(['remain_size', 'remain_size', 'close'])
  await more('收盘价').click()
  await page.getByRole('menuitem', { name: '移除' }).click()
  await expect.poll(order).toEqual(['remain_size', 'remain_size'])
})

it('another factor of another unit begins without a value; a new one is found by its initials', async () => {
  scriptedApi().says(calls.cb.realtimeFactors, { factors: [], trade_date: '2026-10-12', data_time: '', columns: [], values: [] })
  await render(<Conditions />)
  const found = async (typed: string) => {
    await page.getByRole('textbox', { name: '搜索因子' }).fill(typed)
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  }
  await page.getByRole('button', { name: '剩余规模', exact: true }).click()
  await found('zgyjl')
  expect(rows()).toMatchObject([{ factor_key: 'conv_prem', value: Number.NaN, enable: false, operation: 'gt' }])
  await page.getByRole('button', { name: '添加条件' }).click()
  await found('收盘价')
  expect(order()).toEqual(['conv_prem', 'close'])
  await value('收盘价').fill('150')
  expect(rows()[1]).toMatchObject({ value: 150, enable: true })
})

it('explains how the factor is spread today and where the condition cuts', async () => {
  const api = scriptedApi()
  api.says(calls.cb.realtimeFactors, ({ query }) => ({
    factors: [],
    trade_date: '2026-10-12',
    data_time: '2026-10-12T15:00:00+08:00',
    columns: query.getAll('keys'),
    values: query.getAll('keys').map(() => [...rising(100).map((one) => one * 10), null]),
  }))
  await render(<Conditions />)
  await more().click()
  await page.getByRole('menuitem', { name: '解释' }).click()
  await expect.element(page.getByRole('img', { name: '剩余规模当日分布' })).toBeVisible()
  await expect
    .element(page.getByRole('figure'))
    .toMatchTextContent('当日 101 只转债中，「剩余规模 小于 3亿元」的有 30 只（29.7%），剔除它们；另有 1 只没有值，不受影响；')
  expect(api.asked(calls.cb.realtimeFactors).map(({ query }) => query.getAll('keys'))).toEqual([['remain_size']])
})

it('fits a phone, and axe finds nothing with a mistake said', async () => {
  await page.viewport(360, 640)
  await render(<Conditions first={[small, dear, { ...small, value: Number.NaN }]} />)
  await expect.element(page.getByRole('alert')).toHaveTextContent('请填写取值')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
