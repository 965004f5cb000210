import { useMemo, useState } from 'react'
import type { Column } from './column.ts'

export interface Sort {
  key: string
  direction: 'ascending' | 'descending'
}

/** The first counts most; none is the table's own order. */
export type Sorts = readonly Sort[]

/** What sorting asks of a column. */
export type SortableColumn<Row> = Pick<Column<Row>, 'key' | 'label' | 'sortBy' | 'firstSort'>
type By<Row> = (row: Row) => number | string | null

/** Collation by rules is slow: it is left out where all is plain ASCII, such as codes. */
export const chinese = new Intl.Collator('zh-CN')
const ascii = /^[ -~]*$/

/** Rows in the asked order, equals in the order given; what is missing comes last whichever way. */
export function sortRows<Row>(rows: readonly Row[], sorts: readonly { by: By<Row>; direction: Sort['direction'] }[]): Row[] {
  const [only] = sorts
  if (only && sorts.length === 1) {
    const values = numbersOf(rows, only.by)
    if (values) return inOrder(rows, values, only.direction)
  }
  const orders = sorts.map(({ by, direction }) => {
    const keys = rows.map(by)
    const words = keys.some((key) => typeof key === 'string')
    const compare = words && !keys.every((key) => typeof key !== 'string' || ascii.test(key)) ? chinese.compare : undefined
    return { keys, compare, sign: direction === 'ascending' ? 1 : -1 }
  })
  // Bare loops: a re-sort of 5,500 rows has one frame's time.
  const places = rows.map((_, index) => index)
  places.sort((a, b) => {
    for (const { keys, compare, sign } of orders) {
      const x = keys[a] ?? null
      const y = keys[b] ?? null
      if (x === y) continue
      if (x === null) return 1
      if (y === null) return -1
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : compare ? compare(String(x), String(y)) : x < y ? -1 : 1
      if (order !== 0) return sign * order
    }
    return a - b
  })
  return places.map((place) => rows[place] as Row)
}

/** What a column of numbers sorts by, NaN for what is missing; null where anything else is among them. */
function numbersOf<Row>(rows: readonly Row[], by: By<Row>): Float64Array | null {
  const values = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const key = by(rows[i] as Row) ?? Number.NaN
    if (typeof key !== 'number') return null
    values[i] = key
  }
  return values
}

/** As a comparator would put them, in a fifth of its time: the values are sorted bare, then every row looks up its place among them. */
function inOrder<Row>(rows: readonly Row[], values: Float64Array, direction: Sort['direction']): Row[] {
  // NaN comes last; −0 and 0 are equal to the search below.
  const sorted = values.toSorted()
  let there = sorted.length
  while (there > 0 && Number.isNaN(sorted[there - 1])) there--
  const ascending = direction === 'ascending'
  const ordered = new Array<Row>(rows.length)
  // How many stand already at the place where a run of equals begins.
  const taken = new Uint32Array(rows.length)
  let missing = there
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as Row
    const value = values[i] as number
    if (Number.isNaN(value)) {
      ordered[missing++] = row
      continue
    }
    const first = ascending ? placeBefore(sorted, there, value) : there - placeAfter(sorted, there, value)
    const before = taken[first] as number
    taken[first] = before + 1
    ordered[first + before] = row
  }
  return ordered
}

/** How many of the first `size` sorted values are smaller. */
function placeBefore(sorted: Float64Array, size: number, value: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of them are not greater. */
function placeAfter(sorted: Float64Array, size: number, value: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Rows as the sorts of these columns put them; a sort of a column that is not there counts for nothing. */
export function orderRows<Row>(rows: readonly Row[], columns: readonly SortableColumn<Row>[], sorts: Sorts): readonly Row[] {
  const sortColumns = sorts.flatMap(({ key, direction }) => {
    const by = columns.find((column) => column.key === key)?.sortBy
    return by ? [{ by, direction }] : []
  })
  return sortColumns.length > 0 ? sortRows(rows, sortColumns) : rows
}

/** A click goes first way → other way → the table's own order. Adding (with Shift) leaves the other columns' sorts as they are. */
export function nextSorts<Row>(column: SortableColumn<Row>, sorts: Sorts, adding: boolean): Sorts {
  const first = column.firstSort ?? 'descending'
  const second = first === 'descending' ? 'ascending' : 'descending'
  const now = sorts.find(({ key }) => key === column.key)?.direction
  const next = now === undefined ? first : now === first ? second : null
  const sort = next && { key: column.key, direction: next }
  if (!adding) return sort ? [sort] : []
  if (!sort) return sorts.filter(({ key }) => key !== column.key)
  return now ? sorts.map((one) => (one.key === column.key ? sort : one)) : [...sorts, sort]
}

const ways = { ascending: '升序', descending: '降序' } as const

/** Announcement of the order for screen readers: `按双低升序、得分降序排列`. */
export function sortWords<Row>(columns: readonly SortableColumn<Row>[], sorts: Sorts): string {
  const parts = sorts.flatMap(({ key, direction }) => {
    const label = columns.find((column) => column.key === key)?.label
    return label ? [`${label}${ways[direction]}`] : []
  })
  return parts.length > 0 ? `按${parts.join('、')}排列` : '恢复默认顺序'
}

/** The sorts of a table and its rows in their order. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly SortableColumn<Row>[], first: Sorts = []) {
  const [sorts, onSort] = useState<Sorts>(first)
  return { rows: useMemo(() => orderRows(rows, columns, sorts), [rows, columns, sorts]), sorts, onSort }
}
