/** Columns of the same number of rows in one piece of memory: to ask for it once costs less than once for each of them. */
export interface Columns {
  /** The next column of the kind, beginning with what another holds; what is behind that is 0. */
  doubles(before?: Float64Array): Float64Array
  integers(before?: Int32Array): Int32Array
  bytes(before?: Uint8Array): Uint8Array
}

/** Room for so many columns of each kind. */
export function columnsOf(rows: number, most: { readonly doubles: number; readonly integers: number; readonly bytes: number }): Columns {
  const integersAt = 8 * most.doubles * rows
  const bytesAt = integersAt + 4 * most.integers * rows
  const buffer = new ArrayBuffer(bytesAt + most.bytes * rows)
  let [double, integer, byte] = [0, integersAt, bytesAt]
  return {
    doubles(before) {
      const made = new Float64Array(buffer, double, rows)
      double += 8 * rows
      if (before) made.set(before)
      return made
    },
    integers(before) {
      const made = new Int32Array(buffer, integer, rows)
      integer += 4 * rows
      if (before) made.set(before)
      return made
    },
    bytes(before) {
      const made = new Uint8Array(buffer, byte, rows)
      byte += rows
      if (before) made.set(before)
      return made
    },
  }
}
