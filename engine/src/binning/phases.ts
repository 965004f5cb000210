import type { BinningResult } from '@convexa/contract'
import { orNull } from '../base/round.ts'
import { growthOf, leastDays, returnsOf } from '../report/metrics.ts'
import { Members } from './members.ts'

/** Days after the first formation on which the same bins are formed too, at most. */
const mostPhases = 8

/** Forming every tenth day may begin on any of ten: so many of them, evenly spread, the first always. */
function phasesOf(every: number): number[] {
  const many = Math.min(every, mostPhases)
  return Array.from({ length: many }, (_, k) => Math.floor((k * every) / many))
}

/**
 * Curves of the same bins formed on other days: they show how much of a result depends on the day of the first formation. Like `BinCurves`
 * without its figures beyond the curves; each curve stands at 1 until it is formed.
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
      absent: Array.from({ length: bins }, () => new Uint8Array(days)),
      base: new Float64Array(bins).fill(1),
      members: new Members(bins, securities),
      shares: new Float64Array(securities),
    }))
  }

  /** Values the day, and forms those whose day it is. */
  day(day: number, bins: Int8Array, prices: Float64Array, row: number, weightOf: (security: number) => number): void {
    for (const { start, nav, absent, base, members, shares } of this.#phases) {
      if (day < start) continue
      const { security, from, total } = members
      for (let b = 0; b < this.#bins; b++) {
        let value = 0
        for (let k = from[b]; k < from[b + 1]; k++) value += shares[k] * prices[row + security[k]]
        absent[b][day] = Number(!(total[b] > 0))
        nav[b][day] = total[b] > 0 ? (base[b] * value) / total[b] : base[b]
      }
      if ((day - start) % this.#every !== 0) continue
      for (let b = 0; b < this.#bins; b++) base[b] = nav[b][day]
      members.form(bins, prices, row, weightOf)
      for (let k = 0; k < from[this.#bins]; k++) shares[k] = members.weight[k] / members.price[k]
    }
  }

  /** What the phases say together: the lowest and the highest net value of each day and annual return of each bin, of those long enough to have one; nothing of a bin without members. */
  band(hasMembers: (bin: number) => boolean): NonNullable<BinningResult['band']> {
    const bins = Array.from({ length: this.#bins }, (_, bin) => bin)
    const of = (bin: number, pick: (...values: number[]) => number) =>
      Array.from(hasMembers(bin) ? this.#phases[0].nav[bin] : [], (_, day) =>
        rounded(pick(...this.#phases.map(({ nav }) => nav[bin][day]))),
      )
    return {
      offsets: this.#phases.map(({ start }) => start),
      low: bins.map((bin) => of(bin, Math.min)),
      high: bins.map((bin) => of(bin, Math.max)),
      annual_return: bins.map((bin) => {
        const earned = this.#phases.map(({ nav, absent, start }) =>
          returnsOf(nav[bin].subarray(start))
            .subarray(1)
            .filter((_, day) => absent[bin][start + 1 + day] === 0),
        )
        const annual = earned.filter(({ length }) => length >= leastDays).map((returns) => growthOf(returns).annual)
        return [orNull(Math.min(...annual)), orNull(Math.max(...annual))]
      }),
    }
  }
}

interface Phase {
  readonly start: number
  readonly nav: Float64Array[]
  readonly absent: Uint8Array[]
  /** By bin: net value at its formation. */
  readonly base: Float64Array
  /** Since the last formation, and how much each of them has. */
  readonly members: Members
  readonly shares: Float64Array
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
