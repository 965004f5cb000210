import type { Rows } from './rows.ts'

/** By the codes of the rows, which are made anew with the rows: several checks ask for the same order. */
const orders = new WeakMap<Int32Array, { readonly date: Int32Array; readonly order: Int32Array }>()

/** The rows with a code and a day, ascending by both; of one code and day in the order in which they come. Not to be written to. */
export function byCodeAndDay(rows: Rows): Int32Array {
  const known = orders.get(rows.code)
  if (known?.date === rows.date) return known.order
  const order = sorted(rows)
  orders.set(rows.code, { date: rows.date, order })
  return order
}

/** Two counting sorts, each of which keeps the order of equals. */
function sorted({ count, code, date, codes, dates }: Rows): Int32Array {
  const places = [...dates.keys()].sort((a, b) => (dates[a]! < dates[b]! ? -1 : 1))
  const rank = new Int32Array(dates.length)
  for (const [k, place] of places.entries()) rank[place] = k
  const byDay = new Int32Array(dates.length + 1)
  const byCode = new Int32Array(codes.length + 1)
  let placed = 0
  for (let row = 0; row < count; row++) {
    if (code[row]! < 0 || date[row]! < 0) continue
    byDay[rank[date[row]!]! + 1]!++
    byCode[code[row]! + 1]!++
    placed++
  }
  for (let k = 0; k < dates.length; k++) byDay[k + 1]! += byDay[k]!
  for (let k = 0; k < codes.length; k++) byCode[k + 1]! += byCode[k]!
  const days = new Int32Array(placed)
  for (let row = 0; row < count; row++) if (code[row]! >= 0 && date[row]! >= 0) days[byDay[rank[date[row]!]!]!++] = row
  const order = new Int32Array(placed)
  for (let k = 0; k < placed; k++) order[byCode[code[days[k]!]!]!++] = days[k]!
  return order
}
