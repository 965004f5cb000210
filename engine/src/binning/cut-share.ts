import { mostCut } from '../screen/order.ts'

/**
 * Share of a day's members whose value occurs in more than one bin, because ties were split by code. Bins are in the order of their values;
 * −1 = in none. NaN where all bins are empty.
 */
export function cutShareOf(x: Float64Array, binOf: Int8Array, bins: number): number {
  const low = new Float64Array(bins).fill(Number.POSITIVE_INFINITY)
  const high = new Float64Array(bins).fill(Number.NEGATIVE_INFINITY)
  let members = 0
  for (let i = 0; i < x.length; i++) {
    const bin = binOf[i]
    if (bin < 0) continue
    members++
    if (x[i] < low[bin]) low[bin] = x[i]
    if (x[i] > high[bin]) high[bin] = x[i]
  }
  if (members === 0) return Number.NaN
  const cut = new Set<number>()
  let highest = Number.NaN
  for (let bin = 0; bin < bins; bin++) {
    if (low[bin] > high[bin]) continue
    if (low[bin] === highest) cut.add(highest)
    highest = high[bin]
  }
  if (cut.size === 0) return 0
  let within = 0
  for (let i = 0; i < x.length; i++) if (binOf[i] >= 0 && cut.has(x[i])) within++
  return within / members
}

/** The warning; null where few are cut. `label`: the factor. */
export function cutText(label: string, share: number): string | null {
  if (!(share > mostCut)) return null
  return `「${label}」平均有 ${(100 * share).toFixed(1)}% 的证券取值相同却按代码先后分进了不同的箱，箱间差别不说明因子；可改用「同值同箱」或按类别分箱`
}
