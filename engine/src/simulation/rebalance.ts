import { fills as fillModes } from '@convexa/contract/enums/fill'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { lacksBar } from '../panel/missing-bars.ts'
import { placesOf } from '../screen/hold-range.ts'
import { type SelectionRules, select } from '../screen/select.ts'
import { unweighed, weigh } from '../screen/weigh.ts'
import { adjustmentOf } from './adjust.ts'
import type { ExecutionModel } from './execution-model.ts'
import type { Cause } from './fills.ts'
import type { Portfolio } from './portfolio.ts'
import { DayRanking } from './rankings.ts'
import { sellAt } from './sell.ts'
import type { Simulation } from './simulation.ts'
import type { Stop } from './stops.ts'

// A trade smaller than this share of equity is a rounding of the target, not a trade.
export const dust = 1e-12
const lastPlace = Number.MAX_SAFE_INTEGER
const nobody: ReadonlyMap<number, Cause> = new Map()
const noValues = new Float64Array(0)

export interface Rebalancer {
  trade(row: number, t: number): void
  retry(t: number): void
  waits(security: number): boolean
  /** Securities weighed so far without a size or volatility of their own. */
  readonly unweighed: ReadonlySet<number>
  /** Sells a position that reached its stop, now or as soon as it can be; one judged at the close, when the run's fills are. False while it waits. */
  stop(security: number, t: number, cause: Cause & { readonly stop: Stop }, execution: ExecutionModel): boolean
}

/** Turns a ranking into trades: selection, weights, sells, then buys in the order of the selection. */
export function rebalancer(run: Simulation, portfolio: Portfolio): Rebalancer {
  const { parameters, settings, rankings, exposure, compiled, execution, exits, panel } = run
  const { hold_method: hold, hold_days: leastDays } = parameters
  const ranked = new DayRanking(rankings)
  const trading = { execution, settings, portfolio }
  const wholePosition = (security: number, cause: Cause) => ({ security, units: portfolio.units[security], closing: true, cause })
  const slip = settings.cost.slippage ?? 0
  const adjustment = adjustmentOf(run)
  /** What is to be sold as soon as it can be, and why. */
  const out = new Map<number, Cause>()
  /** By security: the last row whose selection it was in, counted from 1. */
  const chosen = new Int32Array(rankings.count)
  /** By security: when it was last stopped, twice the day and one more at its close; null until something is. */
  let stopped: Int32Array | null = null
  /** A ranking does not buy back what was stopped after it, nor what its own close has stopped; nothing is bought on the day of its stop. */
  const isBarred = (i: number, row: number) => stopped !== null && (stopped[i] > 2 * rankings.days[row] || stopped[i] >= 2 * today)

  /** The day that is traded on, and the row that it is traded by. */
  let today = -1
  let newest = -1
  const mustStay = (i: number) => leastDays > 0 && today - portfolio.opened[i] < leastDays && execution.trades(i, today)
  const canBuy = (i: number) => {
    if (today >= exits.leave[i] || isBarred(i, newest)) return false
    if (execution.canBuy(i, today)) return true
    const why = !execution.trades(i, today)
      ? lacksBar(panel, i, today)
        ? 'missing_bar'
        : 'suspended'
      : execution.price(i, today) > 0
        ? execution.whyNot(i, today)
        : 'no_price'
    portfolio.fills.miss({ day: today, security: i, place: ranked.place(i), why })
    return false
  }
  let weights: Float64Array = noValues
  const lacking = new Set<number>()
  /** By security, of those held and those to be: what it is valued at today. */
  const prices = new Float64Array(rankings.count)

  const trade = (row: number, t: number): void => {
    today = t
    newest = row
    ranked.open(row)
    const waiting = out.size > 0 ? new Map(out) : nobody
    // To clear a map makes another one, even if it is empty.
    if (out.size > 0) out.clear()
    const places = placesOf(compiled.holdRange, ranked.size)
    const rules: SelectionRules = {
      ...places,
      buffer: hold.hold_threshold,
      perIssuer: parameters.universe.max_per_issuer ?? 0,
      issuer: run.issuer,
      emptySlot: hold.empty_slot,
    }
    const keepable = stopped === null ? portfolio.positions : portfolio.positions.filter((i) => !isBarred(i, row))
    const share = exposure === null ? 1 : exposure[row]
    const selection = share === 0 ? [] : select(ranked, rules, keepable, mustStay, canBuy)
    weights = weightsOf(selection, row, places.last - places.first + 1)
    if (share < 1) for (let n = 0; n < weights.length; n++) weights[n] *= share
    const equity = equityAt(t)
    for (const i of selection) if (portfolio.units[i] === 0) prices[i] = priceAt(i, t)

    for (const i of selection) chosen[i] = row + 1
    for (const i of [...portfolio.positions]) {
      if (chosen[i] === row + 1) continue
      const cause = unjudged(row, i) || isBarred(i, row) ? waiting.get(i) : because(share === 0 ? 'timing' : reasonOf(row, i), row)
      if (cause === undefined) continue
      if (!sellAt(trading, t, wholePosition(i, cause)) && (execution.retries || cause.stop)) out.set(i, { ...cause })
    }
    for (let n = 0; n < selection.length; n++) {
      const i = selection[n]
      const weight = weights[n]
      if (portfolio.units[i] === 0) continue
      const price = prices[i]
      const excess = portfolio.units[i] * price - equity * weight
      if (excess <= dust * equity) continue
      const cause = because('rebalance', row, (portfolio.units[i] * price) / equity, weight)
      sellAt(trading, t, { security: i, units: excess / price, closing: weight === 0, cause })
    }
    for (let n = 0; n < selection.length; n++) {
      const i = selection[n]
      const weight = weights[n]
      const currentValue = portfolio.units[i] * prices[i]
      const wanted = equity * weight - currentValue
      if (wanted <= dust * equity || t >= exits.leave[i] || !execution.canBuy(i, t)) continue
      const raw = execution.price(i, t)
      const price = raw * (1 + slip)
      const before = execution.notes.partial
      const units = execution.buyUnits(i, t, price, wanted, portfolio.cash, portfolio.tradedOn(t, i))
      if (!(units * price > dust * equity)) {
        // Less than a lot was allowed: nothing was filled, so nothing in part.
        execution.notes.partial = before
        if (currentValue === 0) portfolio.fills.miss({ day: t, security: i, place: ranked.place(i), why: 'no_lot' })
        continue
      }
      const cause = currentValue > 0 ? because('rebalance', row, currentValue / equity, weight) : because('enter', row, Number.NaN, weight)
      cause.partial = execution.notes.partial > before
      portfolio.buy(t, i, price, units, execution.buyFee(i, t, price * units), raw * slip * units, cause)
      portfolio.price[i] = raw
      if (adjustment) portfolio.adjustment[i] = adjustment[t * panel.stride + i]
    }
  }

  const priceAt = (i: number, t: number): number => {
    const price = execution.trades(i, t) ? execution.price(i, t) : Number.NaN
    return price > 0 ? price : portfolio.price[i]
  }

  const equityAt = (t: number): number => {
    let equity = portfolio.cash
    const { positions, units } = portfolio
    for (let k = 0; k < positions.length; k++) {
      const i = positions[k]
      prices[i] = priceAt(i, t)
      equity += units[i] * prices[i]
    }
    return equity + portfolio.claimed
  }

  const weightsOf = (selection: readonly number[], row: number, places: number): Float64Array => {
    const { weight, count } = rankings
    const type = hold.hold_weight_type
    const byRank = holdWeights[type].by === 'rank'
    const values = weight ? Float64Array.from(selection, (i) => weight[row * count + i]) : noValues
    for (const n of unweighed(type, values, selection.length)) lacking.add(selection[n])
    const order = byRank ? [...selection].sort((a, b) => (ranked.place(a) || lastPlace) - (ranked.place(b) || lastPlace) || a - b) : []
    return weigh(
      type,
      selection.length,
      Math.max(places, selection.length),
      hold.hold_max_weight,
      byRank ? selection.map((i) => order.indexOf(i)) : [],
      values,
      // Most selections are as many as the one before.
      weights.length === selection.length ? weights : undefined,
    )
  }

  const unjudgedRule = unjudgedRules(run)
  const unjudged = (row: number, i: number): boolean => unjudgedRule[rankings.fail[row * rankings.count + i]] === 1

  /** The same object for every trade that is not put off: thousands of them would be made to be read once. */
  const now: Cause = { reason: 'enter', ranking: -1, weightFrom: Number.NaN, weightTo: Number.NaN, partial: false }
  const because = (reason: Cause['reason'], row: number, weightFrom = Number.NaN, weightTo = Number.NaN): Cause => {
    now.reason = reason
    now.ranking = row
    now.weightFrom = weightFrom
    now.weightTo = weightTo
    now.partial = false
    return now
  }

  const reasonOf = (row: number, i: number): Cause['reason'] => {
    const failed = rankings.fail[row * rankings.count + i]
    if (failed === 0) return 'rank_out'
    const { key } = rankings.rules[failed - 1]
    if (key.startsWith('missing.')) return 'missing'
    return key === 'exclude.last_day' ? 'last_day' : 'excluded'
  }

  return {
    trade,
    retry(t) {
      for (const [i, cause] of out) {
        // What has become a claim is sold no more.
        if (!portfolio.positions.includes(i) || sellAt(trading, t, wholePosition(i, cause))) out.delete(i)
      }
    },
    waits: (i) => out.size > 0 && out.has(i),
    unweighed: lacking,
    stop(i, t, cause, at) {
      const { moment, price } = cause.stop
      stopped ??= new Int32Array(rankings.count).fill(-1)
      stopped[i] = 2 * t + (moment === 'close' ? 1 : 0)
      const later = moment === 'close' && fillModes[settings.fill].delay > 0
      if (!later && sellAt({ ...trading, execution: at }, t, { ...wholePosition(i, cause), price })) return true
      out.set(i, cause)
      return false
    },
  }
}

/**
 * By what a ranking says of a security's failing: 1 where it is not judged anew. Suspended on that day, it stays as it is, beside the places
 * of the holding (reference rule 8). So does what waits for its redemption.
 */
export function unjudgedRules({ rankings, exits }: Simulation): Uint8Array {
  const standing = rankings.rules.map(({ key }) => Number(key === 'exclude.suspended' || (key === 'exclude.last_day' && exits.waits)))
  return Uint8Array.of(0, ...standing)
}
