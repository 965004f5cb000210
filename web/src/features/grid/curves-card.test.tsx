import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CurveNumbers } from './curves-card.tsx'
import type { GridModel } from './grid-model.ts'

const metrics = { annual_return: 0.12, max_drawdown: -0.1, sharpe: 1.2, calmar: 1.2, total_return: 0.4, turnover: 0.1 }
const model = {
  axes: [{ label: '持有数量', values: [5, 10], shown: ['5', '10'] }],
  cells: new Map(['0', '1'].map((key) => [key, { metrics, oos_metrics: null }])),
  ...{ best: '0', current: '1', hasOutside: false, spread: new Map() },
} as unknown as GridModel

it('each curve has a head by its name; of several each can be taken away', async () => {
  const chosen = vi.fn()
  const shown = (keys: readonly string[]) => <CurveNumbers model={model} keys={keys} chosen={keys} onChoose={chosen} />
  const { rerender } = await render(shown(['1']))
  const heads = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map(({ textContent }) => textContent)
  expect(heads()).toEqual(['指标', '当前'])
  await rerender(shown(['1', '0']))
  expect(heads()).toEqual(['指标', '当前', '最高'])
  await page.getByRole('button', { name: '移除曲线 最高' }).click()
  expect(chosen).toHaveBeenCalledExactlyOnceWith('0')
})
