/**
 * Seeded randomness of the demo market: sfc32 (C. Doty-Humphrey, PractRand), one stream per thing and purpose, so that adding a
 * security or a draw in one place moves nothing elsewhere.
 */
export class Random {
  private readonly state: Uint32Array
  private spare = Number.NaN

  constructor(seed: number, purpose: string, index = 0) {
    let hash = 0x811c9dc5 ^ seed
    for (const letter of purpose) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
    this.state = Uint32Array.of(hash, seed, index, 1)
    for (let i = 0; i < 15; i++) this.uniform()
  }

  /** In [0, 1). */
  uniform(): number {
    const s = this.state
    const t = (s[0]! + s[1]! + s[3]!) >>> 0
    s[3] = s[3]! + 1
    s[0] = s[1]! ^ (s[1]! >>> 9)
    s[1] = s[2]! + (s[2]! << 3)
    s[2] = ((s[2]! << 21) | (s[2]! >>> 11)) + t
    return t / 4294967296
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    if (this.spare === this.spare) {
      const value = this.spare
      this.spare = Number.NaN
      return value
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()))
    const angle = 2 * Math.PI * this.uniform()
    this.spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  /** Mean 0, variance 1, with the heavy tails of daily returns: one day in 25 comes from a normal three times as wide. */
  shock(): number {
    const wide = this.uniform() < 0.04
    return this.normal() * (wide ? 2.6 : 0.872)
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform()
  }

  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.uniform() < probability
  }

  /** A key by its weight. */
  pick<T>(weights: readonly (readonly [T, number])[]): T {
    let left = this.uniform() * weights.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of weights) if ((left -= weight) < 0) return value
    return weights.at(-1)![0]
  }
}

/** A table of quantiles: probabilities ascending, values positive; read on a logarithmic scale, tails drawn out at the outer slope. */
export function fromQuantiles(uniform: number, probabilities: readonly number[], values: readonly number[]): number {
  // On the scale of normal deviates a log-normal is a straight line, so the tails go on as they should.
  const z = deviate(Math.min(0.9995, Math.max(0.0005, uniform)))
  let k = 1
  while (k < probabilities.length - 1 && deviate(probabilities[k]!) < z) k++
  const [z0, z1] = [deviate(probabilities[k - 1]!), deviate(probabilities[k]!)]
  const [v0, v1] = [Math.log(values[k - 1]!), Math.log(values[k]!)]
  return Math.exp(v0 + ((z - z0) / (z1 - z0)) * (v1 - v0))
}

/** Inverse of the normal distribution (P. Acklam's rational approximation, relative error 1.2e-9). */
export function deviate(p: number): number {
  if (p > 0.97575) return -deviate(1 - p)
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p))
    return polynomial(q, tail) / (polynomial(q, tailBelow) * q + 1)
  }
  const q = p - 0.5
  const r = q * q
  return (polynomial(r, middle) * q) / (polynomial(r, middleBelow) * r + 1)
}

const polynomial = (x: number, coefficients: readonly number[]): number => coefficients.reduce((sum, c) => sum * x + c, 0)
const middle = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239]
const middleBelow = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572]
const tail = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783]
const tailBelow = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416]
