/** Where the three grounds begin: of values with a sign by their size, else by where they lie between low and high. */
export type HeatScale = { kind: 'signed'; most: number } | { kind: 'sequence'; low: number; high: number }

/** The class of a cell's ground; none for what is as good as zero or below the lowest third. */
export function heatOf(value: number, scale: HeatScale): string {
  if (scale.kind === 'signed') {
    const share = Math.abs(value) / (scale.most || 1)
    if (share < 0.02) return ''
    const step = share > 0.66 ? 3 : share > 0.33 ? 2 : 1
    return `heat-${value > 0 ? 'up' : 'down'}-${step}`
  }
  const share = (value - scale.low) / (scale.high - scale.low || 1)
  return share < 0.1 ? '' : `seq-${share > 0.66 ? 3 : share > 0.33 ? 2 : 1}`
}

/** The largest size among values with a sign. */
export const mostOf = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => Math.abs(value ?? 0)))
