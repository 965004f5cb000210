import type { Lent } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'

/** Closes and who traded, by whichever comes first: the cell of security i and day t is at `t · perDay + i · perSecurity − origin`. */
export interface Marks {
  readonly close: Float64Array
  readonly traded: Uint8Array
  readonly perDay: number
  readonly perSecurity: number
  readonly origin: number
}

/** As the panel has them: a day's beside each other. */
export function marksOf({ columns, traded, stride }: Panel): Marks {
  return { close: columns.get('close') as Float64Array, traded, perDay: stride, perSecurity: 1, origin: 0 }
}

/** More than this many cells are not laid out anew: 64 MB of closes. */
const mostCells = 8_000_000
/** Days of a security written at once: two lines of the processor's cache. */
const tile = 16

/**
 * The days of a range with those of a security beside each other. A position is valued on many days in a row: for who runs often over the
 * same days its closes are then in the processor's cache. In memory that is lent: threads may run on them together.
 */
export function marksBySecurity(panel: Panel, first: number, last: number, lent: Lent): Marks {
  const days = last - first + 1
  const count = panel.securities.length
  const { close, traded, perDay } = marksOf(panel)
  if (days * count > mostCells) return marksOf(panel)
  const made = {
    close: lent.doubles(days * count),
    traded: lent.bytes(days * count),
  }
  for (let from = 0; from < days; from += tile) {
    const to = Math.min(days, from + tile)
    for (let i = 0; i < count; i++) {
      for (let day = from; day < to; day++) {
        const cell = (first + day) * perDay + i
        made.close[i * days + day] = close[cell]
        made.traded[i * days + day] = traded[cell]
      }
    }
  }
  return { ...made, perDay: 1, perSecurity: days, origin: first }
}
