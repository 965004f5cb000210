/** Columns of the same number of rows in one buffer: one allocation costs less than one for each column. */
export interface ColumnBuffer {
  /** The next column of the type. It begins with a copy of `before`; the rest is 0. */
  doubles(before?: Float64Array): Float64Array
  integers(before?: Int32Array): Int32Array
  bytes(before?: Uint8Array): Uint8Array
}

/** Allocates one buffer for at most so many columns of each type. */
export function allocateColumns(
  rows: number,
  most: { readonly doubles: number; readonly integers: number; readonly bytes: number },
): ColumnBuffer {
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
