import { never } from '../panel/calendar.ts'
import { adjustmentOf } from './adjust.ts'
import { affordable, feeOf, idealRates, saleFee } from './desk.ts'
import { endOf, isOver, isPaid, toldEnd, waitsForPayment } from './leave.ts'
import type { Money } from './ledger.ts'
import type { LeftOutInterest } from './left-out-interest.ts'
import { claimChanges, paymentOf } from './payments.ts'
import { type PlainBoard, plainBoard } from './plain-board.ts'
import { PlainKernel } from './plain-kernel.ts'
import * as of from './plain-room.ts'
import { PlainSelection } from './plain-selection.ts'
import { dust } from './rebalance.ts'
import type { Simulation } from './simulation.ts'
import { claimsTold, endsTold, silentTold, unpaidTold, unweighedTold, whyNothing } from './told.ts'

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

/**
 * What became of the money of a plain run: days on which nothing can happen are only valued, a stretch of them at a time. With `leftOut` every
 * stretch is told to it, which the kernel cannot.
 */
export function plainMoney(run: Simulation, leftOut: LeftOutInterest | null = null): Money {
  const { first, last, rankings } = run
  const board = plainBoard(run)
  const days = last - first + 1
  const rows = rankings.days.length
  const tradeDay = (row: number) => (row < rows ? rankings.days[row] + board.later - first : never)
  const plain = new Plain(run, board)
  const { state } = board.room
  const kernel = leftOut === null && PlainKernel.canLive(run) ? board.kernel : null
  kernel?.open(board, run)
  for (;;) {
    kernel?.live()
    const [day, row] = [state[of.day], state[of.row]]
    if (day >= days) return { ...plain.money(), ...(leftOut && { leftOutInterest: leftOut.perYear() }) }
    const trades = tradeDay(row) === day
    const isDue = state[of.due] <= day
    if (isDue) plain.settle(day)
    if (trades && board.later === 1) plain.trade(row, day)
    if (isDue) plain.leave(day)
    if (trades && board.later === 0) plain.trade(row, day)
    if (isDue) plain.lookAhead(day)
    if (trades) state[of.row]++
    state[of.day] = Math.min(days, tradeDay(state[of.row]), Math.max(day + 1, state[of.due]))
    if (kernel) kernel.value(day, state[of.day])
    else plain.value(day, state[of.day])
    leftOut?.hold(day, state[of.day], board.room.held, state[of.count], board.room.units, board.room.equity)
  }
}

/** Positions and cash of a plain run, in its room. Days are counted from its first. */
class Plain {
  readonly #run: Simulation
  readonly #board: PlainBoard
  readonly #selection: PlainSelection
  readonly #rates: ReturnType<typeof idealRates>
  readonly #slip: number
  readonly #state: Float64Array
  readonly #ends: string[] = []
  readonly #unpaid = new Set<number>()
  readonly #claims: number[] = []

  constructor(run: Simulation, board: PlainBoard) {
    this.#run = run
    this.#board = board
    this.#selection = new PlainSelection(run, board)
    this.#rates = idealRates(run.settings.cost)
    this.#slip = run.settings.cost.slippage ?? 0
    const { state, bought, sold } = board.room
    this.#state = state
    state.fill(0, 0, of.terms)
    state[of.cash] = run.settings.capital * 10_000
    state[of.due] = never
    bought.fill(0)
    sold.fill(0)
  }

  /** Looks anew for the next day behind this one on which somebody may have to leave. */
  lookAhead(day: number): void {
    const { due, room } = this.#board
    let next: number = never
    for (let k = 0; k < this.#state[of.count]; k++) next = Math.min(next, due[room.held[k]])
    const { first, panel } = this.#run
    for (const i of this.#claims) next = Math.min(next, claimChanges(panel, i, first + day + 1) - first)
    this.#state[of.due] = next
  }

  /** Ends what trades no more, and claims that are paid. */
  settle(day: number): void {
    const { first, panel, exits } = this.#run
    const { quiet, room } = this.#board
    const t = first + day
    for (const i of [...this.#claims]) {
      const payment = paymentOf(panel, i, t)
      if (payment === null) continue
      room.price[i] = payment.price
      if (!isPaid(payment, t)) continue
      this.#claims.splice(this.#claims.indexOf(i), 1)
      this.#redeem(i, payment.price)
    }
    for (let k = 0; k < this.#state[of.count]; k++) {
      const i = room.held[k]
      if (t <= quiet[i] || !isOver(i, t, exits.last, panel)) continue
      const { end, price } = endOf(this.#run, i, t, room.price[i])
      if (end === 'claim') {
        this.#claims.push(i)
        room.price[i] = price
      } else if (end === 'delisted') {
        this.#sellAll(i, t, price, saleFee(price * room.units[i], this.#rates.selling))
        this.#ends.push(toldEnd(this.#run, i, t))
      } else this.#redeem(i, price)
    }
    this.#forgetSold()
    let claimed = 0
    for (const i of this.#claims) claimed += room.units[i] * room.price[i]
    this.#state[of.claimed] = claimed
  }

  /** Sells what is about to leave, as far as that is known. */
  leave(day: number): void {
    const { first, exits, marks } = this.#run
    const { close, traded, perDay, perSecurity, origin } = marks
    const { held, units } = this.#board.room
    const t = first + day
    for (let k = 0; k < this.#state[of.count]; k++) {
      const i = held[k]
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
    const { units, price: before } = this.#board.room
    const now = close[t * perDay + i * perSecurity - origin]
    const amount = price * units[i]
    this.#state[of.cash] += amount - fee
    this.#state[of.sales] += amount
    this.#state[of.paid] += units[i] * (now === now ? now : before[i]) - (amount - fee)
    this.#state[of.fills]++
    units[i] = 0
  }

  /** Pays a bond that has ended: no trade, and no fee. */
  #redeem(i: number, price: number): void {
    const { units } = this.#board.room
    const amount = price * units[i]
    this.#state[of.cash] += amount
    this.#state[of.sales] += amount
    this.#state[of.fills]++
    units[i] = 0
  }

  #forgetSold(): void {
    const { held, units } = this.#board.room
    let left = 0
    for (let k = 0; k < this.#state[of.count]; k++) {
      if (units[held[k]] !== 0 && !this.#claims.includes(held[k])) held[left++] = held[k]
    }
    this.#state[of.count] = left
  }

  /** Rebalances to a row of the rankings at the day's closes: sales first, then buys in the order of the selection. */
  trade(row: number, day: number): void {
    const { units, now, list, close, sellers, parts, buyers } = this.#board.room
    const size = this.#selection.choose(row)
    const { weights } = this.#selection
    const { first, exits } = this.#run
    const t = first + day
    const [equity, leaving] = this.#valueNow(row, day)
    const least = dust * equity
    // Who sells and who buys is listed before anybody does: a list needs no guess, and what one has sold one does not buy.
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
    const { unjudged, room } = this.#board
    const { units, held, seen, price, now, sellers, parts } = room
    const today = (first + day) * perDay - origin
    let equity = this.#state[of.cash]
    let [stay, leaving] = [0, 0]
    for (let k = 0; k < this.#state[of.count]; k++) {
      const i = held[k]
      held[stay] = i
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
    equity += this.#state[of.claimed]
    this.#state[of.count] = stay
    return [equity, leaving]
  }

  /** Sells the parts of the listed sellers. Returns how many have nothing left. */
  #sell(count: number): number {
    const { units, now, sellers, parts } = this.#board.room
    const { selling } = this.#rates
    const kept = 1 - this.#slip
    let [cash, sales, paid, emptied] = [this.#state[of.cash], this.#state[of.sales], this.#state[of.paid], 0]
    for (let k = 0; k < count; k++) {
      const i = sellers[k]
      const sold = parts[k]
      const amount = now[i] * kept * sold
      const received = amount - saleFee(amount, selling)
      cash += received
      sales += amount
      paid += sold * now[i] - received
      units[i] -= sold
      emptied += Number(units[i] === 0)
    }
    this.#state[of.cash] = cash
    this.#state[of.sales] = sales
    this.#state[of.paid] = paid
    this.#state[of.fills] += count
    return emptied
  }

  /** Buys for the listed buyers of the selection what they lack to their share of equity, as far as the cash goes. */
  #buy(count: number, equity: number, least: number): void {
    const { units, price, now, list, buyers } = this.#board.room
    const { weights } = this.#selection
    const { buying } = this.#rates
    let [cash, buys, paid] = [this.#state[of.cash], this.#state[of.buys], this.#state[of.paid]]
    for (let k = 0; k < count; k++) {
      const i = list[buyers[k]]
      const wanted = equity * weights[buyers[k]] - units[i] * now[i]
      const asked = now[i] * (1 + this.#slip)
      const bought = Math.min(wanted, affordable(cash, buying)) / asked
      const amount = asked * bought
      if (!(amount > least)) continue
      const spent = amount + feeOf(amount, buying)
      cash -= spent
      buys += amount
      paid += spent - bought * now[i]
      if (units[i] === 0) this.#hold(i)
      units[i] += bought
      price[i] = now[i]
      this.#state[of.fills]++
    }
    this.#state[of.cash] = cash
    this.#state[of.buys] = buys
    this.#state[of.paid] = paid
  }

  #hold(i: number): void {
    const { due, room } = this.#board
    room.held[this.#state[of.count]++] = i
    this.#state[of.due] = Math.min(this.#state[of.due], due[i])
  }

  /** Values what is held at the closes of a stretch of days, on the first of which there may have been trades. */
  value(from: number, to: number): void {
    const { equity, before, bought, sold } = this.#board.room
    equity.fill(0, from, to)
    if (!this.#addClosed(from, to)) this.#addCarried(from, to)
    const cash = this.#state[of.cash]
    const claimed = this.#state[of.claimed]
    for (let day = from; day < to; day++) before[day] = equity[day] = cash + (equity[day] + claimed)
    if (this.#state[of.fills] === this.#state[of.told]) return
    this.#state[of.told] = this.#state[of.fills]
    before[from] += this.#state[of.paid]
    bought[from] = this.#state[of.buys]
    sold[from] = this.#state[of.sales]
    this.#state[of.buys] = this.#state[of.sales] = this.#state[of.paid] = 0
  }

  /** Adds the values of positions to a stretch of days, four at a time; false (and nothing is added) where a close is absent. */
  #addClosed(from: number, to: number): boolean {
    const { close, perDay, perSecurity, origin } = this.#run.marks
    const { units, price, held } = this.#board.room
    const { equity } = this.#board.room
    const count = this.#state[of.count]
    const row = (this.#run.first + from) * perDay - origin
    const end = row + (to - from) * perDay
    let k = 0
    // In each day's sum the positions stand in the order of buying all the same.
    for (; k + 3 < count; k += 4) {
      const [u, v, w, x] = [units[held[k]], units[held[k + 1]], units[held[k + 2]], units[held[k + 3]]]
      const b = (held[k + 1] - held[k]) * perSecurity
      const c = (held[k + 2] - held[k]) * perSecurity
      const d = (held[k + 3] - held[k]) * perSecurity
      let day = from
      const own = held[k] * perSecurity
      for (let at = row + own; at < end + own; at += perDay, day++)
        equity[day] = equity[day] + u * close[at] + v * close[at + b] + w * close[at + c] + x * close[at + d]
    }
    for (; k < count; k++) {
      const own = held[k] * perSecurity
      const u = units[held[k]]
      let day = from
      for (let at = row + own; at < end + own; at += perDay, day++) equity[day] += u * close[at]
    }
    let isClosed = true
    for (let day = from; day < to; day++) if (equity[day] !== equity[day]) isClosed = false
    if (isClosed) for (let p = 0; p < count; p++) price[held[p]] = close[end - perDay + held[p] * perSecurity]
    else equity.fill(0, from, to)
    return isClosed
  }

  /** The same with the price before where a close is absent. */
  #addCarried(from: number, to: number): void {
    const { close, perDay, perSecurity, origin } = this.#run.marks
    const { units, price, held } = this.#board.room
    const { equity } = this.#board.room
    for (let k = 0; k < this.#state[of.count]; k++) {
      const i = held[k]
      let at = (this.#run.first + from) * perDay + i * perSecurity - origin
      for (let day = from; day < to; day++, at += perDay) {
        if (close[at] === close[at]) price[i] = close[at]
        equity[day] += units[i] * price[i]
      }
    }
  }

  money(): Money {
    const run = this.#run
    const { units, held, seen, price, equity, before, bought, sold } = this.#board.room
    const days = run.last - run.first + 1
    const positions = Array.from({ length: this.#state[of.count] }, (_, k) => held[k])
    const silent = silentTold(run, positions, (i) => units[i] * price[i], equity[days - 1])
    const claims = claimsTold(run, this.#claims, (i) => units[i] * price[i], equity[days - 1])
    for (let k = 0; k < this.#state[of.count]; k++) units[held[k]] = 0
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
        ...endsTold(this.#ends),
        ...silent,
        ...unpaidTold(run, this.#unpaid),
        ...claims,
        ...unweighedTold(run, this.#selection.unweighed),
        ...(this.#state[of.fills] === 0 ? [whyNothing(run)] : []),
      ],
    }
  }
}
