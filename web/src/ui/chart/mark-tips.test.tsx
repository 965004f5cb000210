import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { Button } from '../button.tsx'
import { useMarkTips } from './mark-tips.tsx'

const opened = vi.fn()
function Months() {
  const tips = useMarkTips('看当天持仓')
  return (
    <div {...tips.handlers}>
      {tips.bubble}
      {['2024-01 +1.20%', '2024-02 −0.40%'].map((words) => (
        <Button key={words} title={`${words}，点击看持仓`} onClick={() => opened(words)}>
          {words.slice(0, 7)}
        </Button>
      ))}
    </div>
  )
}
const mark = (name: string) => page.getByRole('button', { name })
const tip = () => page.getByRole('status')

/** A finger's tap, as a browser sends it. */
const tap = (name: string) => {
  const at = mark(name).element()
  for (const type of ['pointerdown', 'pointerup'])
    at.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'touch', button: 0 }))
  at.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
  at.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
}

it('the first tap of a mark says its words, the second does what a press does; a tap of another mark says that one’s', async () => {
  opened.mockClear()
  await page.viewport(360, 480)
  await render(<Months />)
  tap('2024-01')
  await expect.element(tip()).toHaveTextContent('2024-01 +1.20%看当天持仓')
  await expectInsideWindow(tip())
  expect(await axeFaults()).toEqual([])
  tap('2024-02')
  await expect.element(tip()).toHaveTextContent('2024-02 −0.40%看当天持仓')
  expect(opened).not.toHaveBeenCalled()
  tap('2024-02')
  await expect.element(tip()).not.toBeInTheDocument()
  expect(opened.mock.calls).toEqual([['2024-02 −0.40%']])
})

it('its button does the same; Esc and a press elsewhere close it', async () => {
  opened.mockClear()
  await render(<Months />)
  for (const close of [() => userEvent.keyboard('{Escape}'), () => userEvent.click(document.body, { position: { x: 600, y: 300 } })]) {
    tap('2024-01')
    await expect.element(tip()).toBeVisible()
    await close()
    await expect.element(tip()).not.toBeInTheDocument()
  }
  expect(opened).not.toHaveBeenCalled()
  tap('2024-01')
  await page.getByRole('button', { name: '看当天持仓' }).click()
  expect(opened.mock.calls).toEqual([['2024-01 +1.20%']])
})
