import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ChartBox } from './chart-box.tsx'

const option = { xAxis: { type: 'category', data: ['周一', '周二'] }, yAxis: {}, series: [{ type: 'line', data: [1, 2] }] }

it('fills its place by its own styles, whatever stands around it, and is walked by the keyboard', async () => {
  const describePoint = (index: number) => `第 ${index + 1} 日`
  await render(<ChartBox option={option} shape="one line" label="净值" height={168} points={2} describe={describePoint} />)
  const chart = page.getByRole('slider', { name: '净值' })
  await expect.element(chart).toBeVisible()
  const { width, height } = chart.element().getBoundingClientRect()
  expect([width, height]).toEqual([chart.element().parentElement?.clientWidth, 168])
  await expect.poll(() => chart.element().querySelectorAll('canvas').length).toBeGreaterThan(0)
  await userEvent.tab()
  await expect.element(chart).toHaveFocus()
  await expect.element(chart).toHaveAttribute('aria-valuetext', '第 2 日')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(chart).toHaveAttribute('aria-valuetext', '第 1 日')
})
