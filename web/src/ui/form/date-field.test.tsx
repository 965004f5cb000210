import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { Dialog, Drawer } from '../dialog.tsx'
import { DateField } from './date-field.tsx'

/** The National Day of 2026 with its weekends. */
const closed = (date: string) =>
  (date >= '2026-10-01' && date <= '2026-10-08') || [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

function Day({ start = '2026-10-12', trading = true }: { start?: string; trading?: boolean }) {
  const [date, setDate] = useState(start)
  return <DateField label="日期" value={date} onChange={setDate} min="2024-01-02" max="2026-11-20" {...(trading ? { closed } : {})} />
}
const field = () => page.getByRole('textbox', { name: '日期' })
const opener = () => page.getByRole('button', { name: '选择日期' })
const calendar = () => page.getByRole('dialog', { name: '选择日期' })
const day = (name: string) => page.getByRole('button', { name, exact: true })

it('is opened by Enter at the chosen day and walked by arrows; Enter takes a day, and the focus is on the button again', async () => {
  await render(<Day />)
  await userEvent.tab()
  await expect.element(field()).toHaveFocus()
  await userEvent.tab()
  await expect.element(opener()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(day('2026年10月12日星期一，已选')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}')
  await expect.element(day('2026年10月4日星期日，休市')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(calendar()).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{ArrowLeft}{ArrowLeft}{Enter}')
  await expect.element(calendar()).not.toBeInTheDocument()
  await expect.element(field()).toHaveValue('2026-10-09')
  await expect.element(opener()).toHaveFocus()
})

it('a closed day can be typed; where days need not be of trade none is closed', async () => {
  await render(<Day trading={false} />)
  await field().fill('2026-10-05')
  await opener().click()
  await day('2026年10月4日星期日').click()
  await expect.element(field()).toHaveValue('2026-10-04')
  await opener().click()
  await expect.element(day('2026年10月4日星期日，已选')).toHaveFocus()
})

it('without a day it opens at this month, within its bounds', async () => {
  await render(<Day start="" />)
  await opener().click()
  await expect.element(page.getByRole('combobox', { name: '年' })).toHaveDisplayValue('2026 年')
  await expect.element(page.getByRole('combobox', { name: '月' })).toHaveDisplayValue('10 月')
})

it.each([
  ['dialog', Dialog],
  ['drawer', Drawer],
] as const)('in a %s it lies above it, Esc closes the calendar alone and gives the focus to its button', async (_, Frame) => {
  const onClose = vi.fn()
  await render(
    <Frame title="账户" onClose={onClose}>
      <Day />
    </Frame>,
  )
  await opener().click()
  await expect.element(day('2026年10月12日星期一，已选')).toHaveFocus()
  const { left, top } = day('2026年10月13日星期二').element().getBoundingClientRect()
  expect(
    calendar()
      .element()
      .contains(document.elementFromPoint(left + 4, top + 4)),
  ).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(calendar()).not.toBeInTheDocument()
  await expect.element(opener()).toHaveFocus()
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
})

it.each([320, 360, 412])(
  'stands inside a window of %i px, everything in it large enough for a finger, and axe finds nothing',
  async (width) => {
    await page.viewport(width, 640)
    await render(
      <div style={{ position: 'absolute', right: 8, top: 160 }}>
        <Day />
      </div>,
    )
    await opener().click()
    await expect.element(day('2026年10月12日星期一，已选')).toHaveFocus()
    await expectInsideWindow(calendar())
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    const small = [...calendar().element().querySelectorAll('button, select')].filter((one) => {
      const { width, height } = one.getBoundingClientRect()
      return width < 44 || height < 44
    })
    expect(small.map((one) => one.ariaLabel)).toEqual([])
    if (width === 320) expect(await axeFaults()).toEqual([])
  },
)
