import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { SplitPanel } from './split-panel.tsx'

const Panels = () => <SplitPanel name="test.split" label="条件" size={320} min={160} max={640} first={<p>左</p>} second={<p>右</p>} />
const splitter = () => page.getByRole('separator', { name: '条件宽度' })
const width = (now: number) => expect.element(splitter()).toHaveAttribute('aria-valuenow', String(now))

it('moves by keys within its bounds, folds by Enter, and is as it was left when it comes again', async () => {
  const { unmount } = await render(<Panels />)
  await userEvent.tab()
  await expect.element(splitter()).toHaveFocus()
  for (const [keys, now] of [
    ['{ArrowRight}', 336],
    ['{Shift>}{ArrowLeft}{/Shift}', 272],
    ['{Home}', 160],
    ['{ArrowLeft}', 160],
    ['{ArrowRight}', 176],
  ] as const) {
    await userEvent.keyboard(keys)
    await width(now)
  }
  await unmount()
  await render(<Panels />)
  await width(176)
  splitter().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(splitter()).toHaveAttribute('aria-valuetext', '已收起')
  await expect.element(page.getByText('左')).not.toBeVisible()
  await userEvent.keyboard('{Enter}')
  await width(176)
  expect(await axeFaults()).toEqual([])
})

it('is dragged by the mouse and folded by a double click', async () => {
  await render(<Panels />)
  const element = splitter().element()
  const { left, width: wide } = element.getBoundingClientRect()
  const pointer = (type: string, clientX: number) =>
    element.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX, clientY: 8, pointerId: 1 }))
  element.setPointerCapture = () => {}
  pointer('pointerdown', left + wide / 2)
  pointer('pointermove', left + wide / 2 + 60)
  pointer('pointermove', left + wide / 2 + 100)
  pointer('pointerup', left + wide / 2 + 100)
  await width(420)
  await splitter().dblClick()
  await expect.element(splitter()).toHaveAttribute('aria-valuetext', '已收起')
})
