/**
 * Columns that a source gives on days of change only (`holds` of a mapping). Files keep the cells that were given; what counts on the days
 * behind them is filled as a column is loaded, so that an update or a correction changes it on all days that it concerns.
 */
import { tradingDays } from './calendar.ts'

/** The last given cell of each security: its number, and the place of its day; −1: none yet. */
export interface LastGiven {
  readonly number: Float64Array
  readonly since: Int32Array
}

export const noneGiven = (stride: number): LastGiven => ({ number: new Float64Array(stride), since: new Int32Array(stride).fill(-1) })

/** Places of days on the trading calendar, from the first of them on. */
export function placesOf(dates: readonly string[]): Int32Array {
  const days = dates.length === 0 ? [] : tradingDays(dates[0]!, dates.at(-1)!)
  const place = new Map(days.map((date, k) => [date, k]))
  let last = -1
  return Int32Array.from(dates, (date) => {
    last = place.get(date) ?? last + 1
    return last
  })
}

/** How many cells were filled with a value, and for how many trading days the oldest of them counted. */
export interface FilledCells {
  readonly filled: number
  readonly oldest: number
}

/** `isValue`: of which cells it is counted that they were filled. */
interface HoldDeps {
  readonly listed: Uint8Array
  readonly stride: number
  readonly places: Int32Array
  readonly isValue?: (cell: number) => boolean
}
const isNumber = (cell: number) => cell === cell

/** Fills the listed cells of days from … to − 1 that a given one still counts for, in place. `lastGiven` is carried from day to day. */
export function holdForward(
  column: Float64Array | Float32Array,
  { listed, stride, places, isValue = isNumber }: HoldDeps,
  holds: number,
  lastGiven: LastGiven,
  from: number,
  to: number,
): FilledCells {
  const { number, since } = lastGiven
  let [filled, oldest] = [0, 0]
  for (let t = from; t < to; t++) {
    const place = places[t]!
    for (let i = 0, at = t * stride; i < stride; i++, at++) {
      if (column[at] === column[at]) {
        number[i] = column[at]!
        since[i] = place
        continue
      }
      const age = place - since[i]!
      if (listed[at] === 0 || since[i]! < 0 || age > holds) continue
      column[at] = number[i]!
      if (!isValue(number[i]!)) continue
      filled++
      if (age > oldest) oldest = age
    }
  }
  return { filled, oldest }
}
