import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { GridMap } from './grid-map.tsx'

const [counts, cycles] = [
  ['5', '10', '20'],
  ['1', '5'],
]
const chosen = vi.fn()
const CyclesByCount = () => (
  <GridMap
    label="夏普"
    corner="持有数量"
    columns={counts}
    rows={cycles}
    cellAt={(row, column) => ({
      value: row === 1 && column === 2 ? null : `${row}.${column}`,
      ground: '',
      tags: [],
      chosen: false,
      member: false,
      said: [`周期 ${cycles[row]}，数量 ${counts[column]}，`, ''],
    })}
    tip={(row, column) => `数量 ${counts[column]} × 周期 ${cycles[row]}`}
    onChoose={chosen}
    onOpen={() => {}}
  />
)
const cell = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}，`) })
const tip = () => page.getByRole('tooltip')

it('what has the focus tells its numbers, which move with it; Esc puts them away; a cell without a value tells nothing', async () => {
  await render(<CyclesByCount />)
  cell('周期 1，数量 5').element().focus()
  await expect.element(tip()).toHaveTextContent('数量 5 × 周期 1')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tip()).toHaveTextContent('数量 10 × 周期 1')
  await expect.element(cell('周期 1，数量 10')).toHaveFocus()
  await expectInsideWindow(tip())
  expect(await axeFaults()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(tip()).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(tip()).toHaveTextContent('数量 10 × 周期 5')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(cell('周期 5，数量 20')).toHaveFocus()
  await expect.element(tip()).not.toBeInTheDocument()
})

it('what is under the mouse tells its own below itself; the numbers lie in no press’s way', async () => {
  await render(<CyclesByCount />)
  await cell('周期 1，数量 5').hover()
  await expect.element(tip()).toHaveTextContent('数量 5 × 周期 1')
  const { left, bottom } = cell('周期 1，数量 5').element().getBoundingClientRect()
  await expect.poll(() => tip().element().getBoundingClientRect().left).toBeCloseTo(left, 0)
  expect(tip().element().getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom)
  const below = tip().element().getBoundingClientRect()
  expect(
    tip()
      .element()
      .contains(document.elementFromPoint(below.left + 4, below.top + 4)),
  ).toBe(false)
  await cell('周期 1，数量 5').click()
  expect(chosen.mock.calls).toEqual([[0, 0]])
  await expect.element(tip()).toBeVisible()
})
