import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { nothing, type Selection } from '../grid/selection.ts'
import { Empty } from '../states.tsx'
import { DataTable } from './data-table.tsx'
import { useSorted } from './sort.ts'
import type { DataTableProps, TableColumn } from './table-props.ts'
import { valueColumn } from './value-column.ts'

interface Strategy {
  id: string
  name: string
  year: number | null
  runs: number
}
const rows: readonly Strategy[] = [
  { id: 'a', name: '双低', year: 0.12, runs: 3 },
  { id: 'b', name: '高股息', year: null, runs: 12 },
  { id: 'c', name: '低溢价', year: -0.04, runs: 3 },
]
const columns: readonly TableColumn<Strategy>[] = [
  {
    key: 'name',
    label: '名称',
    card: 'title',
    sortBy: ({ name }) => name,
    firstSort: 'ascending',
    cell: ({ name }) => name,
    total: '合计',
  },
  { ...valueColumn<Strategy>('return', 'year', '年化', 72, ({ year }) => year), card: 'lead' },
  { ...valueColumn<Strategy>('count', 'runs', '次数', 72, ({ runs }) => runs), total: '18' },
]

const Table = (given: Partial<DataTableProps<Strategy>>) => {
  const sorted = useSorted(rows, columns)
  return (
    <App>
      <DataTable label="策略" columns={columns} rowKey={({ id }) => id} nameOf={({ name }) => name} {...sorted} {...given} />
    </App>
  )
}
const Picked = (given: Partial<DataTableProps<Strategy>>) => {
  const [selection, onSelect] = useState<Selection>(nothing)
  return <Table {...given} selection={selection} onSelect={onSelect} />
}
const head = (name: string) => page.getByRole('columnheader', { name })
/** Texts of a column, from the first row to the last. */
const texts = (column: number) =>
  expect.poll(() => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelectorAll('td')[column]?.textContent))
const button = (name: string) => page.getByRole('button', { name })

it.each([
  ['年化', ['双低', '低溢价', '高股息'], ['低溢价', '双低', '高股息'], '年化'],
  ['名称', ['低溢价', '高股息', '双低'].sort(new Intl.Collator('zh-CN').compare), null, '名称'],
] as const)(
  '%s: a press sorts, the next turns it around, the third gives the order back; it is said each time',
  async (name, once, twice, label) => {
    const first = name === '名称' ? (['升序', '降序'] as const) : (['降序', '升序'] as const)
    await render(<Table />)
    await button(name).click()
    await texts(0).toEqual(once)
    await expect.element(head(name)).toHaveAttribute('aria-sort', first[0] === '降序' ? 'descending' : 'ascending')
    await expect.element(page.getByText(`按${label}${first[0]}排列`)).toBeInTheDocument()
    await button(name).click()
    await texts(0).toEqual(twice ?? [...once].reverse())
    await button(name).click()
    await texts(0).toEqual(['双低', '高股息', '低溢价'])
    await expect.element(head(name)).toHaveAttribute('aria-sort', 'none')
    await expect.element(page.getByText('恢复默认顺序')).toBeInTheDocument()
  },
)

it('with Shift another column decides between equals', async () => {
  await render(<Table />)
  await button('次数').click()
  await userEvent.keyboard('{Shift>}')
  await button('年化').click()
  await userEvent.keyboard('{/Shift}')
  await texts(0).toEqual(['高股息', '双低', '低溢价'])
  await expect.element(page.getByText('按次数降序、年化降序排列')).toBeInTheDocument()
})

it('by keyboard: heads, then rows, each opened by Enter', async () => {
  const opened = vi.fn()
  await render(<Table onOpen={opened} current="b" />)
  for (const name of ['名称', '年化', '次数', '双低', '高股息']) {
    await userEvent.tab()
    await expect.element(button(name)).toHaveFocus()
  }
  await userEvent.keyboard('{Enter}')
  expect(opened).toHaveBeenCalledWith(rows[1])
  await expect.element(page.getByRole('row', { name: /高股息/ })).toHaveAttribute('aria-current', 'true')
})

it('a press anywhere in a row opens it, one on what can be pressed in it does not', async () => {
  const opened = vi.fn()
  await render(<Picked onOpen={opened} menu={({ name }) => <button type="button">{`删除 ${name}`}</button>} />)
  await button('删除 双低').click()
  await page.getByRole('checkbox', { name: '选中 双低' }).click()
  expect(opened).not.toHaveBeenCalled()
  await page.getByRole('cell', { name: '12', exact: true }).click()
  expect(opened).toHaveBeenCalledExactlyOnceWith(rows[1])
})

it('a row with a page of its own is a link to it', async () => {
  await render(<Table hrefOf={({ id }) => `/strategy/${id}`} />)
  await expect.element(page.getByRole('link', { name: '低溢价' })).toHaveAttribute('href', '/strategy/c')
})

it('rows are ticked one by one and all at once, by the keyboard too', async () => {
  await render(<Picked />)
  const all = page.getByRole('checkbox', { name: '全选' })
  const one = (name: string) => page.getByRole('checkbox', { name: `选中 ${name}` })
  await userEvent.tab()
  await expect.element(all).toHaveFocus()
  await userEvent.keyboard(' ')
  for (const { name } of rows) await expect.element(one(name)).toBeChecked()
  await one('双低').click()
  await expect.element(all).not.toBeChecked()
  await expect.element(one('高股息')).toBeChecked()
})

it('what is missing is a dash, a head and a total are read with their numbers, and axe finds nothing', async () => {
  await render(<Picked current="a" onOpen={() => {}} />)
  await texts(2).toEqual(['+12.00%', '—', '−4.00%'])
  await expect.element(page.getByRole('row', { name: /合计 18/ })).toBeVisible()
  expect(await axeFaults()).toEqual([])
})

it.each([
  ['waits', { rows: [], loading: 3 }, 4, 'true'],
  ['has nothing', { rows: [], instead: <Empty title="还没有策略" /> }, 2, null],
  ['is old', { stale: true }, 5, 'true'],
] as const)('a table that %s says so in its place', async (_, given, count, busy) => {
  await render(<Table {...given} />)
  const table = page.getByRole('table', { name: '策略' })
  expect(page.getByRole('row').elements()).toHaveLength(count)
  if (busy) await expect.element(table).toHaveAttribute('aria-busy', busy)
  else await expect.element(table).not.toHaveAttribute('aria-busy')
  if ('instead' in given) await expect.element(page.getByRole('cell', { name: '还没有策略' })).toBeVisible()
})

it('wider than its place it scrolls in itself, can be reached by the keyboard and says so', async () => {
  await page.viewport(320, 640)
  const wide = [
    ...columns,
    ...Array.from({ length: 6 }, (_, i) => ({ ...(columns[2] as TableColumn<Strategy>), key: `${i}`, label: `第 ${i} 次的次数` })),
  ]
  await render(<Table columns={wide} />)
  await expect.element(page.getByRole('group', { name: '策略，可滚动' })).toHaveAttribute('tabindex', '0')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
})

it('on a phone each row may be a card: its title opens it, numbers have their names, and axe finds nothing', async () => {
  await page.viewport(360, 640)
  const opened = vi.fn()
  await render(<Table cards onOpen={opened} />)
  const list = page.getByRole('list', { name: '策略' })
  expect(list.getByRole('listitem').elements()).toHaveLength(3)
  await expect.element(list.getByRole('listitem').nth(1)).toMatchTextContent('高股息—次数12')
  await button('高股息').click()
  expect(opened).toHaveBeenCalledWith(rows[1])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
