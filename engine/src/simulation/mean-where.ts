/** Mean of a row's values where the mask is 1; NaN when there is none. */
export function meanWhere(column: Float64Array, offset: number, mask: Uint8Array, from: number, count: number): number {
  let sum = 0
  let n = 0
  for (let i = 0; i < count; i++) {
    const value = column[offset + i]
    if (mask[from + i] === 0 || value !== value) continue
    sum += value
    n++
  }
  return sum / n
}
