import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { Calendar } from './calendar-month.tsx'

/** The National Day of 2026 with its weekends. */
const closed = (date: string) =>
  (date >= '2026-10-01' && date <= '2026-10-08') || [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

function Days({ start }: { start: readonly string[] }) {
  const [chosen, setChosen] = useState(start)
  return (
    <>
      <Calendar chosen={chosen} min="2024-01-02" max="2026-11-20" closed={closed} onPick={(date) => setChosen([date])} />
      <output>{chosen.join()}</output>
    </>
  )
}
const chosen = () => expect.poll(() => document.querySelector('output')?.textContent)
const day = (name: string) => page.getByRole('button', { name })

it('arrows walk over closed days, which say so and are not chosen by Enter; an open day is', async () => {
  await render(<Days start={['2026-09-30']} />)
  await expect.element(day('2026年9月30日星期三，已选')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(day('2026年10月1日星期四，休市')).toHaveFocus()
  await expect.element(day('2026年10月1日星期四，休市')).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  await chosen().toBe('2026-09-30')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(day('2026年10月8日星期四，休市')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(day('2026年10月9日星期五')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await chosen().toBe('2026-10-09')
})

it('a press on a closed day does nothing; axe finds nothing, light and dark', async () => {
  const { container } = await render(<Days start={['2026-10-12']} />)
  // A day is called by voice as it is drawn (WCAG 2.5.3).
  for (const one of container.querySelectorAll('[role=grid] button'))
    expect(one.getAttribute('aria-label')).toContain(`月${one.textContent}日`)
  await day('2026年10月5日星期一，休市').click({ force: true })
  await chosen().toBe('2026-10-12')
  await day('2026年10月13日星期二').click()
  await chosen().toBe('2026-10-13')
  expect(await axeFaults()).toEqual([])
})

it('a day outside the range, and one that nothing is known of, cannot be chosen and is not said to be closed', async () => {
  const unknown = (date: string) => (date === '2026-11-18' ? null : closed(date))
  const picked: string[] = []
  await render(<Calendar chosen={['2026-11-19']} min="2024-01-02" max="2026-11-20" closed={unknown} onPick={(date) => picked.push(date)} />)
  for (const name of ['2026年11月23日星期一，不在可选范围内', '2026年11月18日星期三，交易日历尚未读到']) {
    await expect.element(day(name)).toHaveAttribute('aria-disabled', 'true')
    await day(name).click({ force: true })
  }
  expect(picked).toEqual([])
})

it('year and month are chosen from lists, and the month turns by PageDown', async () => {
  await render(<Days start={['2026-10-12']} />)
  await expect.element(day('2026年10月12日星期一，已选')).toHaveFocus()
  await userEvent.keyboard('{PageDown}')
  await expect.element(day('2026年11月12日星期四')).toHaveFocus()
  await page.getByRole('combobox', { name: '年' }).selectOptions('2024')
  await expect.element(day('2024年11月8日星期五')).toBeVisible()
})

it('the focus stays in the calendar where the last month is reached by the button that leads there', async () => {
  await render(<Days start={['2026-10-12']} />)
  const next = page.getByRole('button', { name: '下个月' })
  next.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(day('2026年11月20日星期五')).toBeVisible()
  await expect.element(next).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(day('2026年11月20日星期五')).toBeVisible()
  await expect.element(next).toHaveFocus()
})

it('several days are chosen where that is asked for, and each says that it is', async () => {
  const { container } = await render(
    <Calendar several chosen={['2026-10-12', '2026-10-14']} min="2024-01-02" max="2026-11-20" closed={closed} onPick={() => {}} />,
  )
  await expect.element(day('2026年10月12日星期一，已选')).toBeVisible()
  await expect.element(day('2026年10月14日星期三，已选')).toBeVisible()
  expect(container.querySelector('[role=grid]')?.getAttribute('aria-multiselectable')).toBe('true')
})
