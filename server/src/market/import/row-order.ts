import type { Rows } from './rows.ts'

/** The rows with a code and a day, ascending by both; of one code and day in the order in which they come. */
export function byCodeAndDay(rows: Rows): Int32Array {
  const places = [...rows.dates.keys()].sort((a, b) => (rows.dates[a]! < rows.dates[b]! ? -1 : 1))
  const rank = new Int32Array(rows.dates.length)
  places.forEach((place, k) => {
    rank[place] = k
  })
  const all = Int32Array.from({ length: rows.count }, (_, row) => row).filter((row) => rows.code[row]! >= 0 && rows.date[row]! >= 0)
  const byDay = counted(all, rows.dates.length, (row) => rank[rows.date[row]!]!)
  return counted(byDay, rows.codes.length, (row) => rows.code[row]!)
}

/** A counting sort, which keeps the order of equals. */
function counted(all: Int32Array, count: number, keyOf: (row: number) => number): Int32Array {
  const next = new Int32Array(count + 1)
  for (const row of all) next[keyOf(row) + 1]!++
  for (let k = 0; k < count; k++) next[k + 1]! += next[k]!
  const sorted = new Int32Array(all.length)
  for (const row of all) sorted[next[keyOf(row)]!++] = row
  return sorted
}
