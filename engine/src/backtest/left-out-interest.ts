import { cashFlows } from '../bond/cash-flows.ts'
import { yearDays } from '../report/metrics.ts'
import { rounded } from '../report/round.ts'
import { scheduleFor } from './payouts.ts'
import type { Simulation } from './simulation.ts'

/** So much of what was held must be of bonds whose coupons are known, or the whole is not. */
const leastKnown = 0.9
/** Bonds pay once a year: a shorter stretch says little of a year. */
const leastDays = 121

/**
 * The interest that a run of bonds leaves out: ideal runs keep to closes alone, as the reference cases do. What its positions would have been
 * paid before tax, as a fraction of equity on each day. Days are counted from the run's first.
 */
export class LeftOutInterest {
  readonly #run: Simulation
  readonly #schedule: ReturnType<typeof scheduleFor>
  /** By security: 1 where all its coupons are known. */
  readonly #known: Uint8Array
  #paid = 0
  #held = 0
  #heldKnown = 0

  /** null: the run leaves no interest out. */
  static of(run: Simulation): LeftOutInterest | null {
    const { market, settings } = run
    return market.redeemed && (settings.execution === 'ideal' || settings.adjust !== 'raw') ? new LeftOutInterest(run) : null
  }

  private constructor(run: Simulation) {
    this.#run = run
    this.#schedule = scheduleFor(run)
    this.#known = Uint8Array.from(run.panel.securities, ({ terms }) => {
      const flows = cashFlows(terms, 'maturity')
      return Number(flows !== null && flows.from === Number.NEGATIVE_INFINITY)
    })
  }

  /** Positions after the trades of day `from`, which stay until those of day `to`: what falls due in between, on `to` itself too. */
  hold(from: number, to: number, held: ArrayLike<number>, count: number, units: Float64Array, equity: Float64Array): void {
    const { first, last } = this.#run
    let known = 0
    for (let k = 0; k < count; k++) known += this.#known[held[k]]
    this.#held += count * (to - from)
    this.#heldKnown += known * (to - from)
    const end = Math.min(to, last - first)
    for (let day = from + 1; day <= end; day++) {
      for (const { security, cash } of this.#schedule.get(first + day) ?? []) {
        if (units[security] > 0) this.#paid += (units[security] * cash) / equity[day - 1]
      }
    }
  }

  /** A year's worth as a fraction; null where coupons are not known well enough, or the run is too short to tell. */
  perYear(): number | null {
    const days = this.#run.last - this.#run.first + 1
    if (days < leastDays || this.#held === 0 || this.#heldKnown < leastKnown * this.#held) return null
    return rounded((this.#paid * yearDays) / days)
  }
}
