import type { BarsPicture } from './bars.ts'

export interface Bin {
  from: number
  to: number
  count: number
}

/** Equal ranges over all values; the highest value belongs to the last. Nothing of nothing. */
export function binsOf(values: readonly number[], bins: number): Bin[] {
  const known = values.filter(Number.isFinite)
  const low = Math.min(...known)
  const high = Math.max(...known)
  if (known.length === 0) return []
  if (low === high) return [{ from: low, to: high, count: known.length }]
  const width = (high - low) / bins
  const made = Array.from({ length: bins }, (_, i) => ({ from: low + i * width, to: low + (i + 1) * width, count: 0 }))
  for (const value of known) {
    const bin = made[Math.min(bins - 1, Math.floor((value - low) / width))]
    if (bin) bin.count++
  }
  return made
}

/** How often each range occurs, as bars that touch. `at` marks the range of one value. */
export function histogramPicture(
  bins: readonly Bin[],
  { format, unit, at, watermark }: { format: (value: number) => string; unit: string; at?: number; watermark: string | null },
): BarsPicture {
  const chosen = at === undefined ? -1 : bins.findIndex(({ from, to }, i) => at >= from && (at < to || i === bins.length - 1))
  return {
    names: bins.map(({ from }) => format(from)),
    values: bins.map(({ count }) => count),
    format: String,
    unit,
    histogram: true,
    watermark,
    ...(chosen >= 0 ? { chosen } : {}),
  }
}
