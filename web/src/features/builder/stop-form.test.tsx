import { markets } from '@convexa/contract/enums/market'
import { type StopType, stopTypes } from '@convexa/contract/enums/stop-type'
import { choicesOf } from '@convexa/contract/enums/table'
import type { Parameters } from '@convexa/contract/strategy'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { blankParameters } from '../rule/draft.ts'
import { parameterMistakes } from '../rule/validate.ts'
import { StopForm, TimingForm } from './stop-form.tsx'

// Its styles are the sections'.
import.meta.glob('./builder*.css', { eager: true })

type Stop = Parameters['stop_method']
type Timing = NonNullable<Parameters['timing']>[number] | null

let stop: Stop
function Stops({ first = { stop_type: 0 } }: { first?: Stop }) {
  const [now, setNow] = useState<Stop>(first)
  stop = now
  const mistakes = parameterMistakes({ ...blankParameters('cb'), stop_method: now }, markets.cb)
  return (
    <div style={{ width: 'min(360px, 100%)' }}>
      <StopForm stop={now} mistakes={mistakes} onChange={setNow} />
    </div>
  )
}
let timing: Timing
let picked = 0
function Timings({ first = null }: { first?: Timing }) {
  const [now, setNow] = useState<Timing>(first)
  timing = now
  const mistakes = parameterMistakes({ ...blankParameters('cb'), timing: now ? [now] : [] }, markets.cb)
  return <TimingForm row={now} name="双低" mistakes={mistakes} onChange={setNow} onPick={() => picked++} />
}
const type = () => page.getByRole('combobox', { name: '止盈止损', exact: true })
const base = () => page.getByRole('combobox', { name: '止盈止损的基准价' })
const number = (name: string) => page.getByRole('textbox', { name })
const fields = () =>
  page
    .getByRole('textbox')
    .elements()
    .map((one) => one.getAttribute('aria-label'))
const options = (element: Element) => [...(element as HTMLSelectElement).options].map(({ label }) => label)

it('offers every way to stop', async () => {
  await render(<Stops />)
  expect(options(type().element())).toEqual(choicesOf(stopTypes).map(({ label }) => label))
  await expect.element(base()).not.toBeInTheDocument()
})

it.each<[StopType, string[], Partial<Stop>, string | null]>([
  [0, [], {}, null],
  [1, ['止盈比例'], { take_profit: 0.1, base: 'cost' }, '盘中止盈依赖日内最高价，回测会假设以止盈价成交'],
  [2, ['止损比例'], { stop_loss: 0.08, base: 'cost' }, '盘中止损依赖日内最低价，回测会假设以止损价成交'],
  [
    3,
    ['止盈比例', '止损比例'],
    { take_profit: 0.1, stop_loss: 0.08, base: 'cost' },
    '盘中止盈止损依赖日内最高价与最低价，回测会假设以触发价成交',
  ],
  [4, ['止盈比例', '止损比例'], { take_profit: 0.1, stop_loss: 0.08, base: 'cost' }, null],
  [5, ['激活涨幅', '回撤比例'], { activate: 0.08, drawdown: 0.03, base: 'cost' }, null],
])('type %i asks for %j and begins with usual numbers', async (stopType, names, values, caveat) => {
  await render(<Stops first={{ stop_type: stopType === 0 ? 1 : 0, ...(stopType === 0 ? { take_profit: 0.1 } : {}) }} />)
  await type().selectOptions(stopTypes[stopType].label)
  expect(stop).toEqual({ stop_type: stopType, ...values })
  expect(fields()).toEqual(names)
  if (caveat) await expect.element(page.getByText(caveat)).toBeVisible()
  else await expect.element(page.getByText(/回测会假设/)).not.toBeInTheDocument()
})

it.each<[Stop, string, string, string]>([
  [{ stop_type: 1, take_profit: 0.1 }, '止盈比例', '', '请填写止盈比例'],
  [{ stop_type: 1, take_profit: 0.1 }, '止盈比例', '0', '止盈比例须大于 0、不超过 1000%'],
  [{ stop_type: 2, stop_loss: 0.1 }, '止损比例', '101', '止损比例须大于 0、不超过 100%'],
  [{ stop_type: 5, activate: 0.1, drawdown: 0.03 }, '激活涨幅', '1001', '激活涨幅须大于 0、不超过 1000%'],
  [{ stop_type: 5, activate: 0.1, drawdown: 0.03 }, '回撤比例', '-1', '回撤比例须大于 0、不超过 100%'],
])('of %j, %s %j is said to be wrong', async (first, name, typed, message) => {
  await render(<Stops first={first} />)
  await number(name).fill(typed)
  await expect.element(page.getByRole('alert')).toHaveTextContent(message)
  await expect.element(number(name)).toHaveAttribute('aria-invalid', 'true')
  await number(name).fill('5')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

it('by keyboard: the way, its base, its numbers in per cent', async () => {
  await render(<Stops first={{ stop_type: 3, take_profit: 0.1, stop_loss: 0.05 }} />)
  // A rule that does not say its base is read as the engine reads it.
  expect(options(base().element())).toEqual(['成本价', '昨收价'])
  await expect.element(base()).toHaveDisplayValue('昨收价')
  for (const field of [type(), base(), number('止盈比例')]) {
    await userEvent.tab()
    await expect.element(field).toHaveFocus()
  }
  await userEvent.keyboard('12.5')
  expect(stop.take_profit).toBe(0.125)
  await userEvent.tab()
  await expect.element(number('止损比例')).toHaveFocus()
  await base().selectOptions('成本价')
  expect(stop.base).toBe('cost')
})

it.each<[string, Timing, string[]]>([
  ['均线', { rule: 'ma_cross', value: 20, exposure: 0 }, ['均线天数', '择时仓位']],
  ['因子阈值', { rule: 'threshold', value: Number.NaN, exposure: 0.5 }, ['择时阈值', '择时仓位']],
])('timing by %s asks for what it needs', async (label, row, names) => {
  await render(<Timings />)
  await page.getByRole('combobox', { name: '择时方式' }).selectOptions(label)
  expect(timing).toEqual(row)
  expect(fields()).toEqual(names)
})

it.each<[Timing, string]>([
  [{ rule: 'ma_cross', value: Number.NaN, exposure: 0 }, '请填写均线天数'],
  [{ rule: 'ma_cross', value: 1, exposure: 0 }, '均线天数须为 2–250 的整数'],
  [{ rule: 'ma_cross', value: 20, exposure: 1.2 }, '择时仓位须在 0%–100% 之间'],
  [{ rule: 'threshold', value: 3, exposure: 0 }, '请选择择时因子'],
  [{ rule: 'threshold', factor_key: 'dblow', value: Number.NaN, exposure: 0 }, '请填写择时阈值'],
])('of a timing %j it says: %s', async (row, message) => {
  await render(<Timings first={row} />)
  await expect.element(page.getByRole('alert')).toHaveTextContent(message)
})

it('timing by a factor leads to the factors, and is ended by its first choice', async () => {
  await render(<Timings first={{ rule: 'threshold', value: 3, exposure: 0 }} />)
  await page.getByRole('button', { name: '选择因子' }).click()
  expect(picked).toBe(1)
  await page.getByRole('combobox', { name: '择时方式' }).selectOptions('不启用')
  expect(timing).toBe(null)
})

it('fits a phone, and axe finds nothing with a mistake and a caveat said', async () => {
  await page.viewport(360, 640)
  await render(<Stops first={{ stop_type: 3, take_profit: 0, stop_loss: 0.05 }} />)
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
