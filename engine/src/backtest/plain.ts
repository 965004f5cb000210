import { adjustmentOf } from './adjust.ts'
import { affordable, feeOf, idealRates, saleFee } from './desk.ts'
import { never } from './exits.ts'
import { endOf, isOver, quietUntil, toldEnd } from './leave.ts'
import { PlainSelection } from './plain-selection.ts'
import { dust, unjudgedRules } from './rebalance.ts'
import type { Money, Simulation } from './simulate.ts'
import { endsTold, whyNothing } from './told.ts'

/**
 * The second day loop, for runs by the thousand. `simulate.ts` says what a run means; this is the same for plain runs — textbook execution
 * at closes, without stops, timing, least holding days and adjustments — as bare loops over arrays: they read the table of the best,
 * closes, and who traded, and know neither desk nor ledger. Both give the same bytes (`test/plain.test.ts`): a rule is changed there first.
 */
export function isPlain({ parameters, settings, exposure, market, panel }: Simulation): boolean {
  return (
    settings.execution === 'ideal' &&
    (settings.fill === 'close' || settings.fill === 'next_close') &&
    exposure === null &&
    parameters.stop_method.stop_type === 0 &&
    parameters.hold_days === 0 &&
    (parameters.universe.max_per_issuer ?? 0) === 0 &&
    adjustmentOf({ market, panel, settings }) === null
  )
}

/** What became of the money of a plain run: days on which nothing can happen are only valued, a stretch of them at a time. */
export function plainMoney(run: Simulation): Money {
  const { first, last, settings, rankings } = run
  const days = last - first + 1
  const rows = rankings.days.length
  const later = settings.fill === 'close' ? 0 : 1
  const tradeDay = (row: number) => (row < rows ? rankings.days[row] + later - first : never)
  const plain = new Plain(run, days)
  let row = 0
  let next = 0
  for (let day = 0; day < days; day = next) {
    const trades = tradeDay(row) === day
    plain.settle(day)
    if (trades && later === 1) plain.trade(row, day)
    plain.leave(day)
    if (trades && later === 0) plain.trade(row, day)
    if (trades) row++
    next = Math.min(days, tradeDay(row), plain.nextLeave(day))
    plain.value(day, next)
  }
  return plain.money()
}

/** Positions and cash of a plain run. Days are counted from its first. */
class Plain {
  readonly #run: Simulation
  readonly #selection: PlainSelection
  readonly #quiet: Int32Array
  readonly #unjudged: Uint8Array
  /** By security: units held, the price last valued at, and the price of the rebalance. */
  readonly #units: Float64Array
  readonly #price: Float64Array
  readonly #now: Float64Array
  /** Who is held, in the order of buying. */
  readonly #held: Int32Array
  #count = 0
  #cash: number
  /** Of the day: bought, sold, and what its fills took from equity against its closes. */
  #buys = 0
  #sales = 0
  #paid = 0
  /** Of the whole run, and up to the last day with any. */
  #fills = 0
  #told = 0
  readonly #equity: Float64Array
  readonly #before: Float64Array
  readonly #bought: Float64Array
  readonly #sold: Float64Array
  readonly #ends: string[] = []

  constructor(run: Simulation, days: number) {
    const securities = run.rankings.count
    this.#run = run
    this.#units = new Float64Array(securities)
    this.#price = new Float64Array(securities)
    this.#now = new Float64Array(securities)
    this.#held = new Int32Array(securities)
    this.#selection = new PlainSelection(run, this.#units)
    this.#quiet = quietUntil(run)
    this.#unjudged = unjudgedRules(run)
    this.#cash = run.settings.capital * 10_000
    this.#equity = new Float64Array(days)
    this.#before = new Float64Array(days)
    this.#bought = new Float64Array(days)
    this.#sold = new Float64Array(days)
  }

  /** The next day on which somebody may have to leave. */
  nextLeave(day: number): number {
    const { exits, first } = this.#run
    let quiet = never
    for (let k = 0; k < this.#count; k++) {
      const i = this.#held[k]
      quiet = Math.min(quiet, this.#quiet[i])
      if (!exits.waits) quiet = Math.min(quiet, exits.leave[i] - 1)
    }
    return Math.max(day, quiet - first) + 1
  }

  /** Ends what trades no more. */
  settle(day: number): void {
    const { first, panel, exits, settings } = this.#run
    const { selling } = idealRates(settings.cost)
    const t = first + day
    let ended = false
    for (let k = 0; k < this.#count; k++) {
      const i = this.#held[k]
      if (t <= this.#quiet[i] || !isOver(i, t, exits.last, panel)) continue
      const { reason, price } = endOf(this.#run, i, this.#price[i])
      this.#sellAll(i, t, price, reason === 'delisted' ? saleFee(price * this.#units[i], selling) : 0)
      if (reason === 'delisted') this.#ends.push(toldEnd(this.#run, i, t))
      ended = true
    }
    if (ended) this.#forgetSold()
  }

  /** Sells what is about to leave, as far as that is known. */
  leave(day: number): void {
    const { first, exits, settings, quotes } = this.#run
    if (exits.waits) return
    const { close, traded, perDay, perSecurity, origin } = quotes
    const { selling } = idealRates(settings.cost)
    const t = first + day
    let left = false
    for (let k = 0; k < this.#count; k++) {
      const i = this.#held[k]
      const at = t * perDay + i * perSecurity - origin
      if (t < exits.leave[i] || traded[at] === 0 || !(close[at] > 0)) continue
      const price = close[at] * (1 - (settings.cost.slippage ?? 0))
      this.#sellAll(i, t, price, saleFee(price * this.#units[i], selling))
      left = true
    }
    if (left) this.#forgetSold()
  }

  #sellAll(i: number, t: number, price: number, fee: number): void {
    const { close, perDay, perSecurity, origin } = this.#run.quotes
    const now = close[t * perDay + i * perSecurity - origin]
    const units = this.#units[i]
    const amount = price * units
    this.#units[i] = 0
    this.#cash += amount - fee
    this.#sales += amount
    this.#paid += units * (now === now ? now : this.#price[i]) - (amount - fee)
    this.#fills++
  }

  #forgetSold(): void {
    let left = 0
    for (let k = 0; k < this.#count; k++) if (this.#units[this.#held[k]] !== 0) this.#held[left++] = this.#held[k]
    this.#count = left
  }

  /** Rebalances to a row of the rankings at the day's closes: sales first, then buys in the order of the selection. */
  trade(row: number, day: number): void {
    const run = this.#run
    const { close, traded, perDay, perSecurity, origin } = run.quotes
    const { buying, selling } = idealRates(run.settings.cost)
    const slip = run.settings.cost.slippage ?? 0
    const selection = this.#selection
    const size = selection.choose(row, run.first + day)
    const { list, chosen, weights } = selection
    const [units, price, now, held, unjudged] = [this.#units, this.#price, this.#now, this.#held, this.#unjudged]
    const { fail } = run.rankings
    const fails = row * run.rankings.count
    const today = (run.first + day) * perDay - origin
    const count = this.#count
    let [cash, buys, sales, paid, fills] = [this.#cash, this.#buys, this.#sales, this.#paid, this.#fills]

    let equity = cash
    for (let k = 0; k < count; k++) {
      const i = held[k]
      const at = today + i * perSecurity
      now[i] = traded[at] === 1 && close[at] > 0 ? close[at] : price[i]
      equity += units[i] * now[i]
    }
    for (let n = 0; n < size; n++) if (units[list[n]] === 0) now[list[n]] = close[today + list[n] * perSecurity]
    const least = dust * equity

    for (let k = 0; k < count; k++) {
      const i = held[k]
      const at = today + i * perSecurity
      if (chosen[i] === row + 1 || unjudged[fail[fails + i]] === 1 || traded[at] === 0 || !(close[at] > 0)) continue
      const amount = close[at] * (1 - slip) * units[i]
      const received = amount - saleFee(amount, selling)
      paid += units[i] * close[at] - received
      cash += received
      sales += amount
      units[i] = 0
      fills++
    }
    for (let n = 0; n < size; n++) {
      const i = list[n]
      const at = today + i * perSecurity
      const excess = units[i] * now[i] - equity * weights[n]
      if (units[i] === 0 || excess <= least || traded[at] === 0 || !(close[at] > 0)) continue
      const sold = weights[n] === 0 ? units[i] : Math.min(excess / now[i], units[i])
      if (!(sold > 0)) continue
      const amount = close[at] * (1 - slip) * sold
      const received = amount - saleFee(amount, selling)
      paid += sold * close[at] - received
      cash += received
      sales += amount
      units[i] -= sold
      fills++
    }
    this.#forgetSold()
    for (let n = 0; n < size; n++) {
      const i = list[n]
      const at = today + i * perSecurity
      const wanted = equity * weights[n] - units[i] * now[i]
      if (wanted <= least || traded[at] === 0 || !(close[at] > 0)) continue
      const asked = close[at] * (1 + slip)
      const bought = Math.min(wanted, affordable(cash, buying)) / asked
      const amount = asked * bought
      if (!(amount > least)) continue
      const spent = amount + feeOf(amount, buying)
      if (units[i] === 0) held[this.#count++] = i
      units[i] += bought
      price[i] = close[at]
      paid += spent - bought * close[at]
      cash -= spent
      buys += amount
      fills++
    }
    this.#cash = cash
    this.#buys = buys
    this.#sales = sales
    this.#paid = paid
    this.#fills = fills
  }

  /** Values what is held at the closes of a stretch of days, on the first of which there may have been trades. */
  value(from: number, to: number): void {
    const { quotes, first } = this.#run
    const { close, perDay, perSecurity, origin } = quotes
    const [units, price, held, equity] = [this.#units, this.#price, this.#held, this.#equity]
    // Position by position: in each day's sum they stand in the order of buying all the same.
    for (let k = 0; k < this.#count; k++) {
      const i = held[k]
      const own = units[i]
      let last = price[i]
      let at = (first + from) * perDay + i * perSecurity - origin
      for (let day = from; day < to; day++) {
        const now = close[at]
        if (now === now) last = now
        equity[day] += own * last
        at += perDay
      }
      price[i] = last
    }
    const cash = this.#cash
    for (let day = from; day < to; day++) this.#before[day] = equity[day] = cash + equity[day]
    if (this.#fills === this.#told) return
    this.#told = this.#fills
    this.#before[from] += this.#paid
    this.#bought[from] = this.#buys
    this.#sold[from] = this.#sales
    this.#buys = this.#sales = this.#paid = 0
  }

  money(): Money {
    const run = this.#run
    return {
      first: run.first,
      capital: run.settings.capital * 10_000,
      equity: this.#equity,
      before: this.#before,
      bought: this.#bought,
      sold: this.#sold,
      warnings: [...endsTold(this.#ends), ...(this.#fills === 0 ? [whyNothing(run)] : [])],
    }
  }
}
