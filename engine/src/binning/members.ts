/** Members of the bins, bin after bin and by code within each, so that a bin is summed over one contiguous stretch in a fixed order. */
export class Members {
  /** By member: security, price at the formation, and weight. */
  readonly security: Int32Array
  readonly price: Float64Array
  readonly weight: Float64Array
  /** Where each bin begins, and the end of the last. */
  readonly from: Int32Array
  /** Sum of weights by bin. */
  readonly total: Float64Array

  constructor(bins: number, securities: number) {
    this.security = new Int32Array(securities)
    this.price = new Float64Array(securities)
    this.weight = new Float64Array(securities)
    this.from = new Int32Array(bins + 1)
    this.total = new Float64Array(bins)
  }

  /** Forms the bins at the day's prices. Securities without a positive weight are left out. */
  form(binOf: Int8Array, prices: Float64Array, row: number, weightOf: (security: number) => number): void {
    const { security, price, weight, from, total } = this
    const isTaken = (i: number) => binOf[i] >= 0 && prices[row + i] > 0 && weightOf(i) > 0
    const next = new Int32Array(total.length)
    for (let i = 0; i < binOf.length; i++) if (isTaken(i)) next[binOf[i]]++
    for (let bin = 0; bin < next.length; bin++) {
      from[bin + 1] = from[bin] + next[bin]
      next[bin] = from[bin]
    }
    total.fill(0)
    for (let i = 0; i < binOf.length; i++) {
      if (!isTaken(i)) continue
      const place = next[binOf[i]]++
      security[place] = i
      price[place] = prices[row + i]
      weight[place] = weightOf(i)
      total[binOf[i]] += weight[place]
    }
  }
}
