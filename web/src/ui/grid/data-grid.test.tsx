import { useMemo, useState } from 'react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { Drawer } from '../dialog.tsx'
import { Empty } from '../states.tsx'
import type { Column } from '../table/column.ts'
import { useSorted } from '../table/sort.ts'
import { valueColumn } from '../table/value-column.ts'
import { ColumnPanel } from './column-panel.tsx'
import { arrange, widened } from './column-settings.ts'
import { useColumnSettings } from './column-store.ts'
import { DataGrid, type DataGridProps } from './data-grid.tsx'
import { nothing, type Selection } from './selection.ts'

interface Bond {
  code: string
  name: string
  place: number
  price: number
  change: number | null
}
/** 400 made ones; every tenth has no change. */
const bonds: readonly Bond[] = Array.from({ length: 400 }, (_, i) => ({
  code: `${900_001 + i}.DM`,
  name: `演示转债${i + 1}`,
  place: i + 1,
  price: 100 + ((i * 37) % 50),
  change: i % 10 === 0 ? null : (((i * 53) % 101) - 50) / 1_000,
}))
type GridColumn = Column<Bond> & { always?: boolean; extra?: boolean; group?: string; tinted?: boolean }
const columns: readonly GridColumn[] = [
  { key: 'place', label: '名次', width: 64, pinned: 'left', always: true, numeric: true, cell: ({ place }) => place },
  { key: 'code', label: '代码', width: 96, pinned: 'left', always: true, cell: ({ code }) => code },
  { key: 'name', label: '名称', width: 120, cell: ({ name }) => name },
  { ...valueColumn<Bond>('price', 'price', '现价(元)', 96, ({ price }) => price), group: '行情' } as GridColumn,
  { ...valueColumn<Bond>('return', 'change', '涨跌幅', 96, ({ change }) => change), group: '行情', tinted: true } as GridColumn,
  { ...valueColumn<Bond>('price', 'value', '转股价值(元)', 120, ({ price }) => price / 2), group: '条款', extra: true } as GridColumn,
]
const sets = [{ key: 'few', label: '行情', columns: ['price', 'change'] }]

/** A grid as the screen page has it: columns that can be arranged, rows that are ticked and opened beside it. */
function Ranking(given: Partial<DataGridProps<Bond>> & { screen?: string; count?: number }) {
  const { screen = 'ranking', count = 400, ...rest } = given
  const [settings, change] = useColumnSettings(screen)
  const shown = useMemo(() => arrange(columns, sets, settings), [settings])
  const rows = useMemo(() => bonds.slice(0, count), [count])
  const sorted = useSorted(rows, shown)
  const [selection, onSelect] = useState<Selection>(nothing)
  const [open, setOpen] = useState<Bond | null>(null)
  const [arranging, setArranging] = useState(false)
  return (
    <App>
      <div style={{ display: 'flex', flexDirection: 'column', height: 320, overflow: 'hidden' }}>
        <DataGrid
          label="全部排名"
          columns={shown}
          {...sorted}
          rowKey={({ code }) => code}
          selection={selection}
          onSelect={onSelect}
          onOpen={setOpen}
          current={open?.code ?? null}
          lock={{ on: settings.locked, change: (locked) => change({ ...settings, locked }) }}
          onWidth={(key, width) => change(widened(settings, key, width))}
          onColumns={() => setArranging(true)}
          {...rest}
        />
      </div>
      {open && (
        <Drawer title={open.name} onClose={() => setOpen(null)}>
          {open.code}
        </Drawer>
      )}
      {arranging && <ColumnPanel columns={columns} sets={sets} settings={settings} onChange={change} onClose={() => setArranging(false)} />}
    </App>
  )
}

let screens = 0
/** A screen whose columns nobody has arranged yet. */
const fresh = () => `ranking-${++screens}`

const grid = () => page.getByRole('grid', { name: '全部排名' })
const head = (name: string | RegExp) => page.getByRole('columnheader', { name })
/** Read from the document: an open drawer hides the grid from queries by role. */
const heads = () =>
  [...document.querySelectorAll('[role="columnheader"]')].map((one) => one.getAttribute('aria-label')?.replace(/，.*/, ''))
const said = (words: string | RegExp) => expect.element(page.getByText(words)).toBeInTheDocument()
/** Where the focus is: row (1 is the head) and column (from 1), as a screen reader says them. */
const place = () => {
  const cell = document.activeElement
  return [cell?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex'), cell?.getAttribute('aria-colindex')].map(Number)
}
const at = (row: number, column: number) => expect.poll(place).toEqual([row, column])
/** Texts of a column among the rows that are drawn, in their order. */
const texts = (name: string | RegExp) => {
  const index = head(name).element().getAttribute('aria-colindex')
  return [...document.querySelectorAll('[role="row"]')]
    .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
    .flatMap((row) => row.querySelector(`[role="gridcell"][aria-colindex="${index}"]`)?.textContent ?? [])
}
const numbers = (name: string | RegExp) => texts(name).map((text) => Number(text.replace('−', '-').replace('%', '')))
const enter = async () => {
  ;(document.querySelector('[role="grid"] [tabindex="0"]') as HTMLElement).focus()
  await at(2, 1)
}
/** What the next copy puts on the clipboard, as lines of cells. */
function copies(): string[][][] {
  const taken: string[][][] = []
  const read = ({ clipboardData }: ClipboardEvent) => {
    const text = clipboardData?.getData('text/plain') ?? ''
    taken.push(text.split('\n').map((line) => line.split('\t')))
  }
  document.addEventListener('copy', read)
  onTestFinished(() => document.removeEventListener('copy', read))
  return taken
}

beforeEach(() => {
  document.documentElement.dataset['density'] = 'compact'
})

it('is one tab stop that arrows, Home, End and pages walk, however long it is, with only the rows in sight drawn', async () => {
  await render(<Ranking screen={fresh()} />)
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '401')
  expect(document.querySelectorAll('[role="grid"] [tabindex="0"]')).toHaveLength(1)
  expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(60)
  await enter()
  for (const [keys, row, column] of [
    ['{ArrowDown}{ArrowRight}', 3, 2],
    ['{End}', 3, 5],
    ['{Home}', 3, 1],
    ['{Control>}{End}{/Control}', 401, 5],
    ['{PageUp}{PageDown}', 401, 5],
    ['{Control>}{Home}{/Control}', 2, 1],
    ['{ArrowUp}{ArrowUp}', 1, 1],
  ] as const) {
    await userEvent.keyboard(keys)
    await at(row, column)
  }
  await userEvent.keyboard('{ArrowDown}{PageDown}')
  await expect.poll(() => place()[0]).toBeGreaterThan(8)
})

it('a head sorts by Enter and says so, Shift adds a second; what has no value comes last whichever way', async () => {
  await render(<Ranking screen={fresh()} count={30} />)
  await enter()
  await userEvent.keyboard('{ArrowUp}{End}{Enter}')
  await said('按涨跌幅降序排列')
  await expect.element(head('涨跌幅')).toHaveAttribute('aria-sort', 'descending')
  const change = numbers('涨跌幅').filter((one) => !Number.isNaN(one))
  expect(change).toEqual([...change].sort((a, b) => b - a))
  await userEvent.keyboard('{Enter}')
  await said('按涨跌幅升序排列')
  await userEvent.keyboard('{ArrowLeft}{Shift>}{Enter}{/Shift}')
  await said('按涨跌幅升序、现价(元)降序排列')
  await userEvent.keyboard('{Control>}{End}{/Control}')
  await expect.poll(() => texts('涨跌幅').at(-1)).toBe('—')
})

it('the order can be locked: the lock takes the sort back and holds against presses until it is opened', async () => {
  await render(<Ranking screen={fresh()} count={30} />)
  await head('涨跌幅').click()
  await said('按涨跌幅降序排列')
  await head(/^名次/).click()
  await said('已恢复默认顺序并锁定')
  await head('涨跌幅').click()
  await said('顺序已锁定，先在名次列解锁')
  expect(numbers(/^名次/).slice(0, 3)).toEqual([1, 2, 3])
  await head('名次，顺序已锁定').click()
  await said('顺序已解锁')
  await head('涨跌幅').click()
  await said('按涨跌幅降序排列')
})

it('Space ticks, Shift+Space all between, Ctrl+A all; Ctrl+C takes the ticked rows with their heads', async () => {
  const taken = copies()
  await render(<Ranking screen={fresh()} />)
  await enter()
  await userEvent.keyboard(' {ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  await expect.poll(() => document.querySelectorAll('[role="row"][aria-selected="true"]').length).toBe(3)
  await userEvent.keyboard('{Control>}c{/Control}')
  await expect.element(page.getByText('已复制 3 行')).toBeVisible()
  expect(taken[0]?.map((line) => line.length)).toEqual([5, 5, 5, 5])
  expect(taken[0]?.[0]).toEqual(['名次', '代码', '名称', '现价(元)', '涨跌幅'])
  expect(taken[0]?.[2]?.slice(0, 3)).toEqual(['2', '900002.DM', '演示转债2'])
  expect(taken.flat(2).some((cell) => cell.includes('−') || cell.includes('—'))).toBe(false)
  await userEvent.keyboard('{Control>}a{/Control}{Control>}c{/Control}')
  await expect.element(page.getByText('已复制 400 行')).toBeVisible()
})

it('a range drawn with Shift is copied alone, without heads', async () => {
  const taken = copies()
  await render(<Ranking screen={fresh()} />)
  await enter()
  await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowRight}{ArrowDown}{/Shift}{Control>}c{/Control}')
  await expect.element(page.getByText('已复制 2 行 2 列')).toBeVisible()
  expect(taken).toEqual([
    [
      ['900001.DM', '演示转债1'],
      ['900002.DM', '演示转债2'],
    ],
  ])
})

it('Enter opens the row; when what it opened is closed the focus is back in its cell', async () => {
  await render(<Ranking screen={fresh()} />)
  await enter()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{Enter}')
  await expect.element(page.getByRole('dialog', { name: '演示转债2' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await at(3, 2)
})

it('a press opens, with Ctrl it ticks, with Shift it ticks all between', async () => {
  await render(<Ranking screen={fresh()} />)
  const name = (number: number) => page.getByText(`演示转债${number}`, { exact: true })
  await name(1).click({ modifiers: ['ControlOrMeta'] })
  await name(4).click({ modifiers: ['Shift'] })
  await expect.poll(() => document.querySelectorAll('[role="row"][aria-selected="true"]').length).toBe(4)
  await name(6).click()
  await expect.element(page.getByRole('dialog', { name: '演示转债6' })).toBeVisible()
})

it('a width is set by Alt with the arrows in the head, and said', async () => {
  await render(<Ranking screen={fresh()} />)
  const width = () => head('现价(元)').element().getBoundingClientRect().width
  await enter()
  await userEvent.keyboard('{ArrowUp}{End}{ArrowLeft}{Alt>}{ArrowRight}{/Alt}')
  await said('现价(元)列宽 104')
  await expect.poll(width).toBe(104)
  await userEvent.keyboard('{Alt>}{ArrowLeft}{ArrowLeft}{/Alt}')
  await expect.poll(width).toBe(88)
})

it('. opens the columns: hidden, found and added, moved by their handle, frozen, widened; it stays so, until all is put back', async () => {
  const screen = fresh()
  const { unmount } = await render(<Ranking screen={screen} />)
  await enter()
  await userEvent.keyboard('.')
  const panel = page.getByRole('dialog', { name: '列设置' })
  await expect.element(panel).toBeVisible()
  await panel.getByRole('checkbox', { name: '名称' }).click()
  await panel.getByRole('searchbox', { name: '搜索列' }).fill('转股')
  await panel.getByRole('checkbox', { name: /^转股价值/ }).click()
  await panel.getByRole('searchbox', { name: '搜索列' }).fill('没有')
  await expect.element(panel.getByText('没有名称含「没有」的列')).toBeVisible()
  await panel.getByRole('searchbox', { name: '搜索列' }).fill('')
  panel.getByRole('button', { name: '移动 转股价值(元)' }).element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await said('转股价值(元) 移到第 2 列')
  await panel.getByRole('button', { name: '冻结 涨跌幅' }).click()
  await panel.getByRole('textbox', { name: '涨跌幅 列宽' }).fill('130')
  expect(await axeFaults()).toEqual([])
  await panel.getByRole('button', { name: '完成' }).click()
  await expect.poll(heads).toEqual(['名次', '代码', '涨跌幅', '现价(元)', '转股价值(元)'])
  const width = () => head('涨跌幅').element().getBoundingClientRect().width
  expect(width()).toBe(130)
  await unmount()
  await render(<Ranking screen={screen} />)
  expect(heads()).toEqual(['名次', '代码', '涨跌幅', '现价(元)', '转股价值(元)'])
  expect(width()).toBe(130)
  expect(localStorage.getItem(`preference:columns:${screen}`)).toContain('"frozen":["change"]')

  await enter()
  await userEvent.keyboard('.')
  await panel.getByRole('button', { name: '行情' }).click()
  await expect.poll(heads).toEqual(['名次', '代码', '涨跌幅', '现价(元)'])
  await panel.getByRole('button', { name: '恢复默认' }).click()
  await expect.poll(heads).toEqual(['名次', '代码', '名称', '现价(元)', '涨跌幅'])
  expect(localStorage.getItem(`preference:columns:${screen}`)).toBe(null)
})

it.each([
  ['waits', { rows: [], loading: true }, null],
  ['has nothing', { rows: [], instead: <Empty title="没有符合条件的证券" /> }, '没有符合条件的证券'],
  ['is old', { stale: true }, null],
] as const)('a grid that %s says so in its place', async (_, given, words) => {
  await render(<Ranking screen={fresh()} count={3} {...given} />)
  await expect.element(grid()).toHaveAttribute('aria-busy', String(words === null))
  if (words) await expect.element(page.getByText(words)).toBeVisible()
})

it('has a line between groups that nothing is done with', async () => {
  const [first, second] = bonds as readonly [Bond, Bond]
  await render(<Ranking screen={fresh()} rows={[first, { id: 'reserve', separator: '候补' }, second]} />)
  await enter()
  await userEvent.keyboard('{ArrowDown} {Enter}')
  await at(3, 1)
  await expect.element(page.getByRole('gridcell', { name: '候补' })).toHaveFocus()
  expect(document.querySelectorAll('[role="row"][aria-selected="true"]')).toHaveLength(0)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('axe finds nothing, at a desk with rows ticked and on a phone, where it scrolls in itself', async () => {
  await render(<Ranking screen={fresh()} />)
  await enter()
  await userEvent.keyboard(' ')
  expect(await axeFaults()).toEqual([])
  await page.viewport(360, 640)
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(grid().element().scrollWidth).toBeGreaterThan(360)
  expect(page.getByRole('row').nth(1).element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  expect(await axeFaults()).toEqual([])
})
