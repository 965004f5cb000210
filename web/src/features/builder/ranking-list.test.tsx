import { calls } from '@convexa/contract/calls'
import { markets } from '@convexa/contract/enums/market'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { choicesOf } from '@convexa/contract/enums/table'
import type { Parameters, RankFactor } from '@convexa/contract/strategy'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { madeFactors, rising } from '../../../test/components/made-factors.ts'
import { type ScriptedApi, scriptedApi } from '../../../test/components/scripted-api.ts'
import { blankParameters, newRank } from '../rule/draft.ts'
import { parameterMistakes } from '../rule/validate.ts'
import { RankingList } from './ranking-list.tsx'

// Its styles are the sections'.
import.meta.glob('./builder*.css', { eager: true })

const two = [newRank('dblow', 'small'), { ...newRank('remain_size', 'small'), weight: 3 }]

let parameters: Parameters
const rows = () => parameters.rank_factors
function Ranking({ first = two }: { first?: RankFactor[] }) {
  const [now, setNow] = useState<Parameters>(() => ({ ...blankParameters('cb'), rank_factors: first }))
  parameters = now
  return (
    <App>
      <div style={{ width: 'min(360px, 100%)' }}>
        <RankingList parameters={now} edit={setNow} factors={madeFactors} mistakes={parameterMistakes(now, markets.cb)} counts={null} />
      </div>
    </App>
  )
}

let api: ScriptedApi
/** Today's values: the size falls where the others rise. */
beforeEach(() => {
  api = scriptedApi()
  api.says(calls.cb.realtimeFactors, ({ query }) => ({
    factors: [],
    trade_date: '2026-10-12',
    data_time: '2026-10-12T15:00:00+08:00',
    columns: query.getAll('keys'),
    values: query.getAll('keys').map((key) => (key === 'remain_size' ? rising(20).map((one) => 1 - one ** 2) : rising(20))),
  }))
  api.says(calls.reference.strategyOptions, {
    neutralizations: [
      { value: 'industry', label: '行业', kind: 'cb' },
      { value: 'size', label: '市值', kind: 'stk' },
    ],
  } as never)
})

const weight = (name: string) => page.getByRole('textbox', { name: `${name}的权重` })
const more = (name: string) => page.getByRole('button', { name: `${name}的更多设置` })
const texts = (name: string) => [...(page.getByRole('combobox', { name }).element() as HTMLSelectElement).options].map(({ label }) => label)
const order = () => rows().map(({ factor_key }) => factor_key)
const alerts = () =>
  expect.poll(() =>
    page
      .getByRole('alert')
      .elements()
      .map((one) => one.textContent),
  )

it('says the share of each weight, of what is switched on alone', async () => {
  await render(<Ranking />)
  await expect.element(page.getByText('25.0%')).toBeVisible()
  await expect.element(page.getByText('75.0%')).toBeVisible()
  await weight('双低').fill('3')
  await expect.poll(() => page.getByText('50.0%').elements().length).toBe(2)
  await page.getByRole('checkbox', { name: '启用因子：剩余规模' }).click()
  await expect.element(page.getByText('停用')).toBeVisible()
  await expect.element(page.getByText('100%')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /打分因子.*1 个/ })).toBeVisible()
})

it.each([
  ['', '请填写权重'],
  ['0', '权重须大于 0'],
  ['101', '权重不能大于 100'],
])('a weight of %j is said to be wrong: %s', async (typed, message) => {
  await render(<Ranking />)
  await weight('双低').fill(typed)
  await alerts().toEqual([message])
  await expect.element(weight('双低')).toHaveAttribute('aria-invalid', 'true')
})

it('the same factor twice and none at all are said', async () => {
  await render(<Ranking first={[two[0] as RankFactor, { ...(two[0] as RankFactor) }]} />)
  await alerts().toEqual(['该因子已添加'])
  const switches = page.getByRole('checkbox', { name: '启用因子：双低' })
  await switches.first().click()
  await switches.last().click()
  await alerts().toEqual(['请至少启用一个打分因子'])
})

it('offers every way for missing values, the neutralizations of its market, every way to one score; notes say what is chosen', async () => {
  await render(<Ranking />)
  expect(texts('合成方式')).toEqual(choicesOf(rankMethods).map(({ label }) => label))
  await page.getByRole('combobox', { name: '合成方式' }).selectOptions('Z 分加权')
  expect(parameters.rank_method).toBe('zscore')
  await more('双低').click()
  await expect.element(page.getByRole('combobox', { name: '缺失值' })).toBeVisible()
  expect(texts('缺失值')).toEqual(choicesOf(missingValues).map(({ label }) => label))
  await expect.poll(() => texts('中性化')).toEqual(['无', '行业'])
  await page.getByRole('combobox', { name: '缺失值' }).selectOptions('池内中位数')
  await page.getByRole('combobox', { name: '中性化' }).selectOptions('行业')
  expect(rows()[0]).toMatchObject({ missing_process: 'market_median', neutralization: 'industry' })
  await expect.element(page.getByText('缺失按池内中位数 · 按行业中性化')).toBeVisible()
})

it('warns of two factors that say nearly the same today', async () => {
  await render(<Ranking />)
  await expect.element(page.getByText('与「双低」高度负相关 −1.00')).toBeVisible()
  expect(api.asked(calls.cb.realtimeFactors).map(({ query }) => query.getAll('keys'))).toEqual([['dblow', 'remain_size']])
})

it('by keyboard: a factor is added by its initials, rows change places, each keeps the focus', async () => {
  await render(<Ranking />)
  const add = page.getByRole('button', { name: '添加因子' })
  add.element().focus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('textbox', { name: '搜索因子' }).fill('20日涨跌幅')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(add).toHaveFocus()
  // It begins in the direction that its factor is usually meant.
  expect(rows().at(-1)).toMatchObject({ factor_key: 'pct_chg_20', prefer: 'large', weight: 1, enable: true })
  const handle = (place: number) => page.getByRole('button', { name: new RegExp(`^调整次序：20日涨跌幅，第 ${place} 条，共 3 条`) })
  handle(3).element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(handle(2)).toHaveFocus()
  expect(order()).toEqual(['dblow', 'pct_chg_20', 'remain_size'])
})

it('a copy begins switched off; a row that is removed gives the focus to the button that adds', async () => {
  await render(<Ranking />)
  await more('双低').click()
  await page.getByRole('button', { name: '复制一条' }).click()
  await expect.poll(rows).toMatchObject([{ enable: true }, { factor_key: 'dblow', enable: false }, { factor_key: 'remain_size' }])
  await alerts().toEqual([])
  for (let left = 2; left >= 0; left--) {
    await page
      .getByRole('button', { name: /的更多设置$/ })
      .first()
      .click()
    await page.getByRole('button', { name: '移除' }).click()
    await expect.poll(order).toHaveLength(left)
  }
  await expect.element(page.getByRole('button', { name: '添加因子' })).toHaveFocus()
})

it('takes twenty and no more', async () => {
  await render(<Ranking first={Array.from({ length: 20 }, (_, i) => newRank(`pct_chg_${i + 1}`, 'large'))} />)
  await expect.element(page.getByRole('button', { name: '添加因子' })).toBeDisabled()
})

it('fits a phone, and axe finds nothing with a mistake and a warning said', async () => {
  await page.viewport(360, 640)
  await render(<Ranking first={[{ ...(two[0] as RankFactor), weight: Number.NaN }, two[1] as RankFactor, newRank('conv_prem', 'small')]} />)
  await alerts().toEqual(['请填写权重'])
  await expect.element(page.getByText(/高度/).first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
