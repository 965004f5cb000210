import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { Button } from './button.tsx'
import { Card, CardGrid } from './card.tsx'
import { Toolbar } from './controls.tsx'
import { Row, Stack } from './layout.tsx'
import { Table } from './table/table.tsx'

const boxOf = (name: string) => page.getByText(name, { exact: true }).element().getBoundingClientRect()
/** Where the second stands as seen from the first: the space between them. */
const between = (first: string, second: string) => {
  const [a, b] = [boxOf(first), boxOf(second)]
  return { right: b.left - a.right, down: b.top - a.bottom }
}
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const to = ({ width, height }: typeof desk) => page.viewport(width, height)

describe('lines and columns', () => {
  it.each([
    ['a row', <Row key="row" gap={8} />, { right: 8, down: -20 }],
    ['a stack', <Stack key="stack" gap={12} align="start" />, { down: 12 }],
    ['a row that wraps', <Row key="wrap" gap={4} wrap style={{ width: 50 }} />, { down: 4 }],
  ])('%s keeps the space of its scale between things', async (_, part, space) => {
    const things = ['甲', '乙'].map((name) => (
      <span key={name} style={{ width: 40, height: 20 }}>
        {name}
      </span>
    ))
    await render({ ...part, props: { ...part.props, children: things } })
    expect(between('甲', '乙')).toMatchObject(space)
  })

  it('are the element that is asked for, with its own attributes', async () => {
    await render(
      <Row as="ul" aria-label="名单">
        <li>演示转债437</li>
      </Row>,
    )
    await expect.element(page.getByRole('list', { name: '名单' })).toHaveClass('row')
  })
})

describe('a toolbar', () => {
  it('is a group by its label, and as high as a finger on a phone', async () => {
    await render(
      <Toolbar label="日期">
        <Button look={['small']}>今天</Button>
      </Toolbar>,
    )
    const height = () => page.getByRole('group', { name: '日期' }).getByRole('button').element().getBoundingClientRect().height
    await to(desk)
    expect(height()).toBe(28)
    await to(phone)
    expect(height()).toBe(44)
    expect(await axeFaults()).toEqual([])
  })
})

describe('a grid of cards', () => {
  it.each([
    ['halves', [50, 50]],
    ['narrow-wide', [30, 70]],
    ['wide-narrow', [70, 30]],
  ] as const)('shares the width as %s, and stands in one column on a phone', async (shares, percents) => {
    await render(
      <CardGrid shares={shares}>
        <Card title="左" foot="脚注">
          短
        </Card>
        <Card title="右">
          <div style={{ height: 200 }} />
        </Card>
      </CardGrid>,
    )
    const cards = () => ['左', '右'].map((name) => page.getByRole('region', { name }).element().getBoundingClientRect())
    await to(desk)
    const [left, right] = cards()
    const whole = (left?.width ?? 0) + (right?.width ?? 0)
    expect([left, right].map((box) => Math.round(((box?.width ?? 0) / whole) * 100))).toEqual(percents)
    expect(left?.height).toBe(right?.height)
    expect(boxOf('脚注').bottom).toBeCloseTo((left?.bottom ?? 0) - 1, 0)
    await to(phone)
    const [above, below] = cards()
    expect(below?.top).toBe((above?.bottom ?? 0) + 8)
  })
})

describe('a small table', () => {
  const columns = [
    { label: '名称', cell: ({ name }: { name: string; change: string }) => name },
    { label: '涨跌幅', numeric: true, cell: ({ change }: { name: string; change: string }) => change },
  ]
  const rows = [
    { name: '演示转债437', change: '+0.50%' },
    { name: '演示转债12', change: '—' },
  ]

  it('has a head to each column, digits at the right and its caption as its name', async () => {
    await render(<Table caption="涨跌" columns={columns} rows={rows} rowKey={({ name }) => name} />)
    const table = page.getByRole('table', { name: '涨跌' })
    expect(
      table
        .getByRole('columnheader')
        .elements()
        .map((head) => head.textContent),
    ).toEqual(['名称', '涨跌幅'])
    expect(
      table
        .getByRole('row')
        .elements()
        .map((row) => row.textContent),
    ).toEqual(['名称涨跌幅', '演示转债437+0.50%', '演示转债12—'])
    expect(getComputedStyle(table.getByText('+0.50%').element()).textAlign).toBe('right')
    expect(await axeFaults()).toEqual([])
  })

  it('is lower where it is dense, and ends with rows that are no data', async () => {
    const height = () => page.getByText('演示转债437').element().getBoundingClientRect().height
    const table = (dense: boolean) => (
      <Table caption="涨跌" dense={dense} columns={columns} rows={rows}>
        <tr>
          <td colSpan={2}>共 2 只</td>
        </tr>
      </Table>
    )
    const { rerender } = await render(table(false))
    const usual = height()
    await rerender(table(true))
    expect(height()).toBeLessThan(usual)
    expect(page.getByRole('row').elements().at(-1)?.textContent).toBe('共 2 只')
  })
})
