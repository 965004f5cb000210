/** Six decimals: rows are read, not added up. The curves and metrics are never rounded. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** What is not a number is absent on the wire. */
export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
