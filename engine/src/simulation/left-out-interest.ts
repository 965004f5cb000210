import type { Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { executions } from '@convexa/contract/enums/execution'
import { yearDays } from '../base/calendar.ts'
import { rounded } from '../base/round.ts'
import { cashFlows } from '../bond/cash-flows.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { type Due, scheduleFor } from './dividends-and-interest.ts'
import type { Simulation } from './simulation.ts'

/** So much of what was held must be of bonds whose coupons are known, or the whole is not. */
const leastKnown = 0.9
/** Bonds pay once a year: a shorter stretch says little of a year. */
const leastDays = 121

/** Whether a run keeps to closes alone and so is paid no interest. */
export const leavesInterestOut = (market: Market, { execution, adjust }: Pick<Settings, 'execution' | 'adjust'>): boolean =>
  market.redeemed && (executions[execution].frictionless || adjustments[adjust].adjusted)

// To work out what hundreds of terms pay takes longer than a run.
const couponsByPanel = new WeakMap<Panel['securities'], Uint8Array>()

/** By security: 1 where all its coupons are known. */
function couponsKnown(securities: Panel['securities']): Uint8Array {
  let flags = couponsByPanel.get(securities)
  if (!flags) {
    flags = Uint8Array.from(securities, ({ terms }) => Number(cashFlows(terms, 'maturity')?.from === Number.NEGATIVE_INFINITY))
    couponsByPanel.set(securities, flags)
  }
  return flags
}

/**
 * The interest that a run of bonds leaves out: ideal runs keep to closes alone, as the reference cases do. What its positions would have been
 * paid before tax, as a fraction of equity on each day. Days are counted from the run's first.
 */
export class LeftOutInterest {
  readonly #run: Simulation
  /** By day; a hole where nothing is due. */
  readonly #due: (readonly Due[] | undefined)[]
  readonly #known: Uint8Array
  /** What was held last: after how many trades, how many, and of these with known coupons. */
  #trades = Number.NaN
  #count = 0
  #countKnown = 0
  #paid = 0
  #held = 0
  #heldKnown = 0

  /** null: the run leaves no interest out. */
  static of(run: Simulation): LeftOutInterest | null {
    return leavesInterestOut(run.market, run.settings) ? new LeftOutInterest(run) : null
  }

  private constructor(run: Simulation) {
    this.#run = run
    this.#due = Array(run.last - run.first + 1)
    for (const [day, due] of scheduleFor(run)) this.#due[day - run.first] = due
    this.#known = couponsKnown(run.panel.securities)
  }

  /**
   * Positions after the trades of day `from`, which stay until those of day `to`: what falls due in between, on `to` itself too. `trades`: how
   * many the run has made so far; without one more, the list is that of the call before.
   */
  hold(
    from: number,
    to: number,
    positions: ArrayLike<number>,
    count: number,
    units: Float64Array,
    equity: Float64Array,
    trades = Number.NaN,
  ): void {
    if (trades !== this.#trades || count !== this.#count) {
      this.#trades = trades
      this.#count = count
      this.#countKnown = 0
      for (let k = 0; k < count; k++) this.#countKnown += this.#known[positions[k]]
    }
    this.#held += count * (to - from)
    this.#heldKnown += this.#countKnown * (to - from)
    const end = Math.min(to, this.#due.length - 1)
    for (let day = from + 1; day <= end; day++) {
      const due = this.#due[day]
      if (due === undefined) continue
      for (const { security, cash } of due) if (units[security] > 0) this.#paid += (units[security] * cash) / equity[day - 1]
    }
  }

  /** A year's worth as a fraction; null where coupons are not known well enough, or the run is too short to tell. */
  perYear(): number | null {
    const days = this.#run.last - this.#run.first + 1
    if (days < leastDays || this.#held === 0 || this.#heldKnown < leastKnown * this.#held) return null
    return rounded((this.#paid * yearDays) / days)
  }
}
