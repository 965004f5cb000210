import type { BufferPool } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'

/**
 * Prices for marking positions to market (mark-to-market at the close), and which securities traded. The cell of security i and day t is at
 * `t · perDay + i · perSecurity − origin`: by day or by security.
 */
export interface MarkPrices {
  readonly close: Float64Array
  readonly traded: Uint8Array
  readonly perDay: number
  readonly perSecurity: number
  readonly origin: number
}

/** The panel's own layout: the securities of a day side by side. */
export function markPricesOf({ columns, traded, stride }: Panel): MarkPrices {
  return { close: columns.get('close') as Float64Array, traded, perDay: stride, perSecurity: 1, origin: 0 }
}

/** More than this many cells are not laid out anew: 64 MB of closes. */
const mostCells = 8_000_000
/** Days of a security written at once: two lines of the processor's cache. */
const tile = 16

/**
 * Mark prices of a range laid out by security. A position is valued on many days in a row, so runs repeated over the same days find its closes
 * in the processor's cache. Lies in pooled buffers, which threads may share.
 */
export function markPricesBySecurity(panel: Panel, first: number, last: number, buffers: BufferPool): MarkPrices {
  const days = last - first + 1
  const count = panel.securities.length
  const { close, traded, perDay } = markPricesOf(panel)
  if (days * count > mostCells) return markPricesOf(panel)
  const made = {
    close: buffers.doubles(days * count),
    traded: buffers.bytes(days * count),
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
