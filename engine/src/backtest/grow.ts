/** A copy of a column with room for more; what is behind the old end is 0. */
export function longer(column: Float64Array, capacity: number): Float64Array
export function longer(column: Int32Array, capacity: number): Int32Array
export function longer(column: Uint8Array, capacity: number): Uint8Array
export function longer(column: Float64Array | Int32Array | Uint8Array, capacity: number): Float64Array | Int32Array | Uint8Array {
  const made =
    column instanceof Float64Array
      ? new Float64Array(capacity)
      : column instanceof Int32Array
        ? new Int32Array(capacity)
        : new Uint8Array(capacity)
  made.set(column)
  return made
}
