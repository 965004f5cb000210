import type { BinningResult } from '@convexa/contract'
import { ratios, returnsOf } from '../report/metrics.ts'
import { orNull } from '../report/round.ts'

/** Days after the first formation on which the same bins are formed too, at most. */
const mostPhases = 8

/** Forming every tenth day may begin on any of ten: so many of them, evenly spread, the first always. */
function phasesOf(every: number): number[] {
  const many = Math.min(every, mostPhases)
  return Array.from({ length: many }, (_, k) => Math.floor((k * every) / many))
}

/**
 * The bins' curves for other days of formation: what of a result is the day that one happened to begin on. Like `BinCurves` without what
 * is told of one formation only; each curve stands at 1 until it is formed.
 */
export class PhaseCurves {
  readonly #phases: readonly Phase[]
  readonly #bins: number
  readonly #every: number

  constructor(bins: number, days: number, securities: number, every: number) {
    this.#bins = bins
    this.#every = every
    this.#phases = phasesOf(every).map((start) => ({
      start,
      nav: Array.from({ length: bins }, () => new Float64Array(days).fill(1)),
      base: new Float64Array(bins).fill(1),
      total: new Float64Array(bins),
      held: 0,
      security: new Int32Array(securities),
      bin: new Int8Array(securities),
      shares: new Float64Array(securities),
    }))
  }

  /** Values the day, and forms those whose day it is. */
  day(day: number, bins: Int8Array, prices: Float64Array, row: number, weightOf: (security: number) => number): void {
    const value = new Float64Array(this.#bins)
    for (const phase of this.#phases) {
      const { start, nav, base, total, held, security, bin, shares } = phase
      if (day < start) continue
      value.fill(0)
      for (let k = 0; k < held; k++) value[bin[k]] += shares[k] * prices[row + security[k]]
      for (let b = 0; b < this.#bins; b++) nav[b][day] = total[b] > 0 ? (base[b] * value[b]) / total[b] : base[b]
      if ((day - start) % this.#every !== 0) continue
      for (let b = 0; b < this.#bins; b++) base[b] = nav[b][day]
      total.fill(0)
      phase.held = 0
      for (let i = 0; i < bins.length; i++) {
        const weight = bins[i] < 0 ? 0 : weightOf(i)
        const price = prices[row + i]
        if (!(weight > 0 && price > 0)) continue
        security[phase.held] = i
        bin[phase.held] = bins[i]
        shares[phase.held++] = weight / price
        total[bins[i]] += weight
      }
    }
  }

  /** What the phases say together: the lowest and the highest net value of each day and annual return of each bin. */
  band(): NonNullable<BinningResult['band']> {
    const bins = Array.from({ length: this.#bins }, (_, bin) => bin)
    const of = (bin: number, pick: (...values: number[]) => number) =>
      Array.from(this.#phases[0].nav[bin], (_, day) => rounded(pick(...this.#phases.map(({ nav }) => nav[bin][day]))))
    return {
      offsets: this.#phases.map(({ start }) => start),
      low: bins.map((bin) => of(bin, Math.min)),
      high: bins.map((bin) => of(bin, Math.max)),
      annual_return: bins.map((bin) => {
        const annual = this.#phases.map(({ nav, start }) => ratios(returnsOf(nav[bin].subarray(start)).subarray(1)).annual)
        return [orNull(Math.min(...annual)), orNull(Math.max(...annual))]
      }),
    }
  }
}

interface Phase {
  readonly start: number
  readonly nav: Float64Array[]
  /** By bin: net value at its formation, and the weights of its members together. */
  readonly base: Float64Array
  readonly total: Float64Array
  /** Members since the last formation, the first `held`. */
  held: number
  readonly security: Int32Array
  readonly bin: Int8Array
  readonly shares: Float64Array
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
