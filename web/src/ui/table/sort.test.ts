import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column } from './column.ts'
import { nextSorts, orderRows, type Sorts, sortRows, sortWords } from './sort.ts'

interface Row {
  name: string
  value: number | null
  code?: string
}
const rows: Row[] = [
  { name: '乙', value: 2 },
  { name: '甲', value: null },
  { name: '丙', value: -1 },
]
const column = (key: string, label: string, by?: (row: Row) => number | string | null): Column<Row> => ({
  ...{ key, label, width: 80, cell: () => null },
  ...(by ? { sortBy: by } : {}),
})
const value = column('value', '双低', (row) => row.value)
const name: Column<Row> = { ...column('name', '名称', (row) => row.name), firstSort: 'ascending' }

describe('rows in order', () => {
  it('have what is missing last, whichever way', () => {
    const shown = (direction: 'ascending' | 'descending') => sortRows(rows, [{ by: (row) => row.value, direction }]).map((row) => row.value)
    expect(shown('ascending')).toEqual([-1, 2, null])
    expect(shown('descending')).toEqual([2, -1, null])
  })

  it('stand as a comparator would put them, whichever way, with many equals', () => {
    const few = fc.array(fc.option(fc.constantFrom(-2.5, -0, 0, 1, 1e300, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(few, fc.constantFrom('ascending', 'descending'), (values, direction) => {
        const given = values.map((value, id) => ({ id, value }))
        const sign = direction === 'ascending' ? 1 : -1
        const expected = given.toSorted((a, b) => {
          if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
          return a.value === b.value ? 0 : sign * (a.value < b.value ? -1 : 1)
        })
        expect(sortRows(given, [{ by: (row) => row.value, direction }])).toEqual(expected)
      }),
    )
  })

  it('keep the order of equals', () => {
    const same = [1, 2, 3].map((id) => ({ id }))
    expect(sortRows(same, [{ by: () => 0, direction: 'descending' }])).toEqual(same)
  })

  it('go by the Chinese order of words, and by the second column where the first is equal', () => {
    expect(orderRows(rows, [name], [{ key: 'name', direction: 'ascending' }]).map((row) => row.name)).toEqual(['丙', '甲', '乙'])
    const pairs = [
      { name: 'b', value: 1 },
      { name: 'a', value: 1 },
      { name: 'c', value: 2 },
    ]
    const sorts: Sorts = [
      { key: 'value', direction: 'descending' },
      { key: 'name', direction: 'ascending' },
    ]
    expect(orderRows(pairs, [name, value], sorts).map((row) => row.name)).toEqual(['c', 'a', 'b'])
  })

  it('are left alone by the sort of a column that is gone', () => {
    expect(orderRows(rows, [name], [{ key: 'gone', direction: 'ascending' }])).toBe(rows)
  })

  it('are the same rows, whatever they hold', () => {
    const some = fc.array(fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true }))))
    fc.assert(
      fc.property(some, (values) => {
        const given = values.map((one) => ({ name: '', value: one }))
        const sorted = orderRows(given, [value], [{ key: 'value', direction: 'ascending' }])
        expect(new Set(sorted)).toEqual(new Set(given))
        const known = sorted.flatMap((row) => (row.value === null ? [] : [row.value]))
        for (let i = 1; i < known.length; i++) expect(known[i]).toBeGreaterThanOrEqual(known[i - 1] ?? 0)
      }),
    )
  })
})

describe('a click on a head', () => {
  it('goes descending, ascending, back to the default; codes begin ascending', () => {
    const one = nextSorts(value, [], false)
    const two = nextSorts(value, one, false)
    expect([one, two, nextSorts(value, two, false)]).toEqual([
      [{ key: 'value', direction: 'descending' }],
      [{ key: 'value', direction: 'ascending' }],
      [],
    ])
    expect(nextSorts(name, [], false)).toEqual([{ key: 'name', direction: 'ascending' }])
  })

  it('with Shift adds, turns and takes away one column of several', () => {
    const first: Sorts = [{ key: 'value', direction: 'descending' }]
    const both = nextSorts(name, first, true)
    expect(both).toEqual([...first, { key: 'name', direction: 'ascending' }])
    const turned = nextSorts(value, both, true)
    expect(turned[0]).toEqual({ key: 'value', direction: 'ascending' })
    expect(nextSorts(value, turned, true)).toEqual([{ key: 'name', direction: 'ascending' }])
    expect(nextSorts(name, both, false)).toEqual([{ key: 'name', direction: 'descending' }])
  })

  it('is told in words', () => {
    expect(sortWords([value, name], [{ key: 'value', direction: 'ascending' }])).toBe('按双低升序排列')
    expect(sortWords([value, name], nextSorts(name, nextSorts(value, [], false), true))).toBe('按双低降序、名称升序排列')
    expect(sortWords([value], [])).toBe('恢复默认顺序')
  })
})
