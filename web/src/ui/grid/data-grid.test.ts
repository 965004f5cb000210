import { describe, expect, it } from 'vitest'
import { sortRows } from './data-grid.tsx'

const rows = [
  { name: '乙', value: 2 },
  { name: '甲', value: null },
  { name: '丙', value: -1 },
]

describe('sorting a table', () => {
  it('puts what is missing last, whichever way', () => {
    const by = (row: (typeof rows)[number]) => row.value
    expect(sortRows(rows, by, 'ascending').map((row) => row.value)).toEqual([-1, 2, null])
    expect(sortRows(rows, by, 'descending').map((row) => row.value)).toEqual([2, -1, null])
  })

  it('keeps the order of equals', () => {
    const same = [1, 2, 3].map((id) => ({ id }))
    expect(sortRows(same, () => 0, 'descending')).toEqual(same)
  })

  it('sorts words by their Chinese order', () => {
    expect(sortRows(rows, (row) => row.name, 'ascending').map((row) => row.name)).toEqual(['丙', '甲', '乙'])
  })
})
