import * as scalarPlaces from './scalar-places.ts'

const stateLength = Object.values(scalarPlaces).filter((place) => typeof place === 'number').length

/** State of a run of the fast loop. A finished run leaves no units in it. */
export interface FastLoopState {
  readonly scalars: Float64Array
  /** By security: units held, the price last valued at, the price of the rebalance, and the last row that looked at it, counted from 1. */
  readonly units: Float64Array
  readonly price: Float64Array
  readonly now: Float64Array
  readonly seen: Int32Array
  /** Held securities in the order of buying. */
  readonly positions: Int32Array
  /** A selection in the order of trading: securities, their places, and the closes at which they may be traded (NaN: not that day). */
  readonly list: Int32Array
  readonly places: Int32Array
  readonly close: Float64Array
  /** Lists of a rebalance: open places, sellers with their units, and the buyers as indices of the selection. */
  readonly open: Int32Array
  readonly sellers: Int32Array
  readonly parts: Float64Array
  readonly buyers: Int32Array
  /** By day of the run, as in `EquityCurve`. */
  readonly equity: Float64Array
  readonly before: Float64Array
  readonly bought: Float64Array
  readonly sold: Float64Array
}

/** Lays out arrays in one buffer, one after the other, each aligned to 16 bytes. */
export class StateLayout {
  #next = 0
  readonly #buffer: ArrayBufferLike

  constructor(buffer: ArrayBufferLike) {
    this.#buffer = buffer
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.#buffer, this.#take(8 * length), length)
  }

  integers(length: number): Int32Array {
    return new Int32Array(this.#buffer, this.#take(4 * length), length)
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(length), length)
  }

  #take(bytes: number): number {
    const at = this.#next
    this.#next += sizeOf(bytes)
    return at
  }
}

/** What an array of so many bytes takes. */
const sizeOf = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** The kernel sums six days at once, so behind the days of a run are some more. */
export const behind = 6

export const sizeOfState = (securities: number, days: number): number =>
  sizeOf(8 * stateLength) + 5 * sizeOf(8 * (securities + 1)) + 7 * sizeOf(4 * (securities + 1)) + 4 * sizeOf(8 * (days + behind))

export function stateFor(
  securities: number,
  days: number,
  layout: StateLayout = new StateLayout(new ArrayBuffer(sizeOfState(securities, days))),
): FastLoopState {
  const scalars = layout.doubles(stateLength)
  const [units, price, now, close, parts] = Array.from({ length: 5 }, () => layout.doubles(securities + 1))
  const [seen, positions, list, places, open, sellers, buyers] = Array.from({ length: 7 }, () => layout.integers(securities + 1))
  const [equity, before, bought, sold] = Array.from({ length: 4 }, () => layout.doubles(days + behind))
  return { scalars, units, price, now, seen, positions, list, places, close, open, sellers, parts, buyers, equity, before, bought, sold }
}
