import { executions } from '@convexa/contract/enums/execution'
import { fills as fillModes } from '@convexa/contract/enums/fill'
import { hasStop } from '@convexa/contract/enums/stop-type'
import { noDay } from '../base/calendar.ts'
import { adjustmentOf } from './adjust.ts'
import { affordable, feeOf, idealRates, saleFee } from './execution-model.ts'
import { claimWarnings, exitWarnings, explainEmptyRun, silentWarnings, unpaidWarnings, unweighedWarnings } from './exit-warnings.ts'
import { FastLoopKernel } from './fast-loop-kernel.ts'
import { FastLoopSelection } from './fast-loop-selection.ts'
import { type FastLoopTables, fastLoopTables } from './fast-loop-tables.ts'
import { delistingWarning, endOf, isOver, isPaid, waitsForPayment } from './forced-exits.ts'
import type { EquityCurve } from './ledger.ts'
import type { LeftOutInterest } from './left-out-interest.ts'
import { dust } from './rebalance.ts'
import { claimChanges, paymentOf } from './redemption-payments.ts'
import * as of from './scalar-places.ts'
import type { Simulation } from './simulation.ts'

/**
 * Whether the fast day loop can run it. `simulate.ts` defines what a run means; the fast loop gives the same bytes (`test/cases/fast-loop.test.ts`) for
 * textbook execution at closes without stops, timing, least holding days and adjustments. It is made for thousands of runs: bare loops over
 * arrays, which read the table of the best, closes and trading days, and neither the execution model nor the ledger. A rule is changed in
 * `simulate.ts` first.
 */
export function canUseFastLoop({ parameters, settings, exposure, market, panel }: Simulation): boolean {
  return (
    executions[settings.execution].frictionless &&
    fillModes[settings.fill].price === 'close' &&
    exposure === null &&
    !hasStop(parameters.stop_method.stop_type) &&
    parameters.hold_days === 0 &&
    (parameters.universe.max_per_issuer ?? 0) === 0 &&
    adjustmentOf({ market, panel, settings }) === null
  )
}

/**
 * Equity curve of a run by the fast loop: days on which nothing can happen are only valued, a stretch of them at a time. `leftOut` is called for
 * every stretch, which the kernel cannot do.
 */
export function fastEquityCurve(run: Simulation, leftOut: LeftOutInterest | null = null): EquityCurve {
  const { first, last, rankings } = run
  const tables = fastLoopTables(run)
  const days = last - first + 1
  const rows = rankings.days.length
  const tradeDay = (row: number) => (row < rows ? rankings.days[row] + tables.later - first : noDay)
  const loop = new FastLoop(run, tables)
  const { scalars } = tables.state
  const kernel = leftOut === null && FastLoopKernel.canRun(run) ? tables.kernel : null
  kernel?.open(tables, run)
  for (;;) {
    kernel?.step()
    const [day, row] = [scalars[of.day], scalars[of.row]]
    if (day >= days) return { ...loop.equityCurve(), ...(leftOut && { leftOutInterest: leftOut.perYear() }) }
    const trades = tradeDay(row) === day
    const isDue = scalars[of.due] <= day
    if (isDue) loop.closeMatured(day)
    if (trades && tables.later === 1) loop.trade(row, day)
    if (isDue) loop.leave(day)
    if (trades && tables.later === 0) loop.trade(row, day)
    if (isDue) loop.findNextExit(day)
    if (trades) scalars[of.row]++
    scalars[of.day] = Math.min(days, tradeDay(scalars[of.row]), Math.max(day + 1, scalars[of.due]))
    if (kernel) kernel.value(day, scalars[of.day])
    else loop.value(day, scalars[of.day])
    leftOut?.hold(day, scalars[of.day], tables.state.positions, scalars[of.count], tables.state.units, tables.state.equity)
  }
}

/** Positions and cash of a run, kept in `FastLoopState`. Days are counted from the first of the run. */
class FastLoop {
  readonly #run: Simulation
  readonly #tables: FastLoopTables
  readonly #selection: FastLoopSelection
  readonly #rates: ReturnType<typeof idealRates>
  readonly #slip: number
  readonly #scalars: Float64Array
  readonly #ends: string[] = []
  readonly #unpaid = new Set<number>()
  readonly #claims: number[] = []

  constructor(run: Simulation, tables: FastLoopTables) {
    this.#run = run
    this.#tables = tables
    this.#selection = new FastLoopSelection(run, tables)
    this.#rates = idealRates(run.settings.cost)
    this.#slip = run.settings.cost.slippage ?? 0
    const { scalars, bought, sold } = tables.state
    this.#scalars = scalars
    scalars.fill(0, 0, of.slippage)
    scalars[of.cash] = run.settings.capital * 10_000
    scalars[of.due] = noDay
    bought.fill(0)
    sold.fill(0)
  }

  /** Finds the next day after this one on which a position may have to be closed. */
  findNextExit(day: number): void {
    const { due, state } = this.#tables
    let next: number = noDay
    for (let k = 0; k < this.#scalars[of.count]; k++) next = Math.min(next, due[state.positions[k]])
    const { first, panel } = this.#run
    for (const i of this.#claims) next = Math.min(next, claimChanges(panel, i, first + day + 1) - first)
    this.#scalars[of.due] = next
  }

  /** Closes positions that trade no more, and pays claims that are due. */
  closeMatured(day: number): void {
    const { first, panel, exits } = this.#run
    const { openUntil, state } = this.#tables
    const t = first + day
    for (const i of [...this.#claims]) {
      const payment = paymentOf(panel, i, t)
      if (payment === null) continue
      state.price[i] = payment.price
      if (!isPaid(payment, t)) continue
      this.#claims.splice(this.#claims.indexOf(i), 1)
      this.#redeem(i, payment.price)
    }
    for (let k = 0; k < this.#scalars[of.count]; k++) {
      const i = state.positions[k]
      if (t <= openUntil[i] || !isOver(i, t, exits.last, panel)) continue
      const { end, price } = endOf(this.#run, i, t, state.price[i])
      if (end === 'claim') {
        this.#claims.push(i)
        state.price[i] = price
      } else if (end === 'delisted') {
        this.#sellAll(i, t, price, saleFee(price * state.units[i], this.#rates.selling))
        this.#ends.push(delistingWarning(this.#run, i, t))
      } else this.#redeem(i, price)
    }
    this.#forgetSold()
    let claimed = 0
    for (const i of this.#claims) claimed += state.units[i] * state.price[i]
    this.#scalars[of.claimed] = claimed
  }

  /** Sells positions whose exit day has come, as far as it is known. */
  leave(day: number): void {
    const { first, exits, marks } = this.#run
    const { close, traded, perDay, perSecurity, origin } = marks
    const { positions, units } = this.#tables.state
    const t = first + day
    for (let k = 0; k < this.#scalars[of.count]; k++) {
      const i = positions[k]
      const at = t * perDay + i * perSecurity - origin
      if (t < exits.leave[i] || traded[at] === 0 || !(close[at] > 0) || waitsForPayment(this.#run, i, t)) continue
      if (exits.waits) this.#unpaid.add(i)
      const price = close[at] * (1 - this.#slip)
      this.#sellAll(i, t, price, saleFee(price * units[i], this.#rates.selling))
    }
    this.#forgetSold()
  }

  #sellAll(i: number, t: number, price: number, fee: number): void {
    const { close, perDay, perSecurity, origin } = this.#run.marks
    const { units, price: before } = this.#tables.state
    const now = close[t * perDay + i * perSecurity - origin]
    const amount = price * units[i]
    this.#scalars[of.cash] += amount - fee
    this.#scalars[of.sales] += amount
    this.#scalars[of.tradingCost] += units[i] * (now === now ? now : before[i]) - (amount - fee)
    this.#scalars[of.fillCount]++
    units[i] = 0
  }

  /** Pays a bond that has ended: no trade, and no fee. */
  #redeem(i: number, price: number): void {
    const { units } = this.#tables.state
    const amount = price * units[i]
    this.#scalars[of.cash] += amount
    this.#scalars[of.sales] += amount
    this.#scalars[of.fillCount]++
    units[i] = 0
  }

  #forgetSold(): void {
    const { positions, units } = this.#tables.state
    let left = 0
    for (let k = 0; k < this.#scalars[of.count]; k++) {
      if (units[positions[k]] !== 0 && !this.#claims.includes(positions[k])) positions[left++] = positions[k]
    }
    this.#scalars[of.count] = left
  }

  /** Rebalances to a row of the rankings at the day's closes: sales first, then buys in the order of the selection. */
  trade(row: number, day: number): void {
    const { units, now, list, close, sellers, parts, buyers } = this.#tables.state
    const size = this.#selection.choose(row)
    const { weights } = this.#selection
    const { first, exits } = this.#run
    const t = first + day
    const [equity, leaving] = this.#valueNow(row, day)
    const least = dust * equity
    // Sellers and buyers are listed before the first trade: lists need no branches to mispredict, and a sale cannot turn a security into a buyer.
    let [selling, buying] = [leaving, 0]
    for (let n = 0; n < size; n++) {
      const excess = units[list[n]] * now[list[n]] - equity * weights[n]
      const trades = Number(close[n] > 0)
      sellers[selling] = n
      selling += trades & Number(excess > least)
      buyers[buying] = n
      buying += trades & Number(-excess > least) & Number(t < exits.leave[list[n]])
    }
    for (let k = leaving; k < selling; k++) {
      const n = sellers[k]
      const i = list[n]
      sellers[k] = i
      parts[k] = weights[n] === 0 ? units[i] : Math.min((units[i] * now[i] - equity * weights[n]) / now[i], units[i])
    }
    if (this.#sell(selling) > leaving) this.#forgetSold()
    this.#buy(buying, equity, least)
  }

  /** Equity at the day's prices. Those of the held that are not to be held any more are listed as sellers and leave; returns how many, too. */
  #valueNow(row: number, day: number): [equity: number, leaving: number] {
    const { rankings, marks, first } = this.#run
    const { close, traded, perDay, perSecurity, origin } = marks
    const { unjudged, state } = this.#tables
    const { units, positions, seen, price, now, sellers, parts } = state
    const today = (first + day) * perDay - origin
    let equity = this.#scalars[of.cash]
    let [stay, leaving] = [0, 0]
    for (let k = 0; k < this.#scalars[of.count]; k++) {
      const i = positions[k]
      positions[stay] = i
      if (seen[i] === row + 1) stay++
      else {
        const at = today + i * perSecurity
        const trades = traded[at] === 1 && close[at] > 0
        now[i] = trades ? close[at] : price[i]
        if (trades && unjudged[rankings.fail[row * rankings.count + i]] === 0) {
          sellers[leaving] = i
          parts[leaving++] = units[i]
        } else stay++
      }
      equity += units[i] * now[i]
    }
    equity += this.#scalars[of.claimed]
    this.#scalars[of.count] = stay
    return [equity, leaving]
  }

  /** Sells the parts of the listed sellers. Returns how many have nothing left. */
  #sell(count: number): number {
    const { units, now, sellers, parts } = this.#tables.state
    const { selling } = this.#rates
    const kept = 1 - this.#slip
    let [cash, sales, tradingCost, emptied] = [this.#scalars[of.cash], this.#scalars[of.sales], this.#scalars[of.tradingCost], 0]
    for (let k = 0; k < count; k++) {
      const i = sellers[k]
      const sold = parts[k]
      const amount = now[i] * kept * sold
      const received = amount - saleFee(amount, selling)
      cash += received
      sales += amount
      tradingCost += sold * now[i] - received
      units[i] -= sold
      emptied += Number(units[i] === 0)
    }
    this.#scalars[of.cash] = cash
    this.#scalars[of.sales] = sales
    this.#scalars[of.tradingCost] = tradingCost
    this.#scalars[of.fillCount] += count
    return emptied
  }

  /** Buys for the listed buyers of the selection what they lack to their share of equity, as far as the cash goes. */
  #buy(count: number, equity: number, least: number): void {
    const { units, price, now, list, buyers } = this.#tables.state
    const { weights } = this.#selection
    const { buying } = this.#rates
    let [cash, buys, tradingCost] = [this.#scalars[of.cash], this.#scalars[of.buys], this.#scalars[of.tradingCost]]
    for (let k = 0; k < count; k++) {
      const i = list[buyers[k]]
      const wanted = equity * weights[buyers[k]] - units[i] * now[i]
      const buyPrice = now[i] * (1 + this.#slip)
      const bought = Math.min(wanted, affordable(cash, buying)) / buyPrice
      const amount = buyPrice * bought
      if (!(amount > least)) continue
      const spent = amount + feeOf(amount, buying)
      cash -= spent
      buys += amount
      tradingCost += spent - bought * now[i]
      if (units[i] === 0) this.#hold(i)
      units[i] += bought
      price[i] = now[i]
      this.#scalars[of.fillCount]++
    }
    this.#scalars[of.cash] = cash
    this.#scalars[of.buys] = buys
    this.#scalars[of.tradingCost] = tradingCost
  }

  #hold(i: number): void {
    const { due, state } = this.#tables
    state.positions[this.#scalars[of.count]++] = i
    this.#scalars[of.due] = Math.min(this.#scalars[of.due], due[i])
  }

  /** Values what is held at the closes of a stretch of days, on the first of which there may have been trades. */
  value(from: number, to: number): void {
    const { equity, before, bought, sold } = this.#tables.state
    equity.fill(0, from, to)
    if (!this.#addClosed(from, to)) this.#addCarried(from, to)
    const cash = this.#scalars[of.cash]
    const claimed = this.#scalars[of.claimed]
    for (let day = from; day < to; day++) before[day] = equity[day] = cash + (equity[day] + claimed)
    if (this.#scalars[of.fillCount] === this.#scalars[of.valuedFillCount]) return
    this.#scalars[of.valuedFillCount] = this.#scalars[of.fillCount]
    before[from] += this.#scalars[of.tradingCost]
    bought[from] = this.#scalars[of.buys]
    sold[from] = this.#scalars[of.sales]
    this.#scalars[of.buys] = this.#scalars[of.sales] = this.#scalars[of.tradingCost] = 0
  }

  /** Adds the values of positions to a stretch of days, four at a time; false (and nothing is added) where a close is absent. */
  #addClosed(from: number, to: number): boolean {
    const { close, perDay, perSecurity, origin } = this.#run.marks
    const { units, price, positions } = this.#tables.state
    const { equity } = this.#tables.state
    const count = this.#scalars[of.count]
    const row = (this.#run.first + from) * perDay - origin
    const end = row + (to - from) * perDay
    let k = 0
    // In each day's sum the positions stand in the order of buying all the same.
    for (; k + 3 < count; k += 4) {
      const [u, v, w, x] = [units[positions[k]], units[positions[k + 1]], units[positions[k + 2]], units[positions[k + 3]]]
      const b = (positions[k + 1] - positions[k]) * perSecurity
      const c = (positions[k + 2] - positions[k]) * perSecurity
      const d = (positions[k + 3] - positions[k]) * perSecurity
      let day = from
      const own = positions[k] * perSecurity
      for (let at = row + own; at < end + own; at += perDay, day++)
        equity[day] = equity[day] + u * close[at] + v * close[at + b] + w * close[at + c] + x * close[at + d]
    }
    for (; k < count; k++) {
      const own = positions[k] * perSecurity
      const u = units[positions[k]]
      let day = from
      for (let at = row + own; at < end + own; at += perDay, day++) equity[day] += u * close[at]
    }
    let isClosed = true
    for (let day = from; day < to; day++) if (equity[day] !== equity[day]) isClosed = false
    if (isClosed) for (let p = 0; p < count; p++) price[positions[p]] = close[end - perDay + positions[p] * perSecurity]
    else equity.fill(0, from, to)
    return isClosed
  }

  /** Like `#addClosed`, with the last known price where a close is absent. */
  #addCarried(from: number, to: number): void {
    const { close, perDay, perSecurity, origin } = this.#run.marks
    const { units, price, positions } = this.#tables.state
    const { equity } = this.#tables.state
    for (let k = 0; k < this.#scalars[of.count]; k++) {
      const i = positions[k]
      let at = (this.#run.first + from) * perDay + i * perSecurity - origin
      for (let day = from; day < to; day++, at += perDay) {
        if (close[at] === close[at]) price[i] = close[at]
        equity[day] += units[i] * price[i]
      }
    }
  }

  equityCurve(): EquityCurve {
    const run = this.#run
    const { units, positions, seen, price, equity, before, bought, sold } = this.#tables.state
    const days = run.last - run.first + 1
    const remaining = Array.from({ length: this.#scalars[of.count] }, (_, k) => positions[k])
    const silent = silentWarnings(run, remaining, (i) => units[i] * price[i], equity[days - 1])
    const claims = claimWarnings(run, this.#claims, (i) => units[i] * price[i], equity[days - 1])
    for (let k = 0; k < this.#scalars[of.count]; k++) units[positions[k]] = 0
    for (const i of this.#claims) units[i] = 0
    seen.fill(0)
    return {
      first: run.first,
      capital: run.settings.capital * 10_000,
      equity: equity.subarray(0, days),
      before: before.subarray(0, days),
      bought: bought.subarray(0, days),
      sold: sold.subarray(0, days),
      warnings: [
        ...exitWarnings(this.#ends),
        ...silent,
        ...unpaidWarnings(run, this.#unpaid),
        ...claims,
        ...unweighedWarnings(run, this.#selection.unweighed),
        ...(this.#scalars[of.fillCount] === 0 ? [explainEmptyRun(run)] : []),
      ],
    }
  }
}
