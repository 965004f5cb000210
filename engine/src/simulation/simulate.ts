import { fills as fillModes } from '@convexa/contract/enums/fill'
import { noDay } from '../base/calendar.ts'
import { adjust, adjustmentOf } from './adjust.ts'
import { doubtWarning, type Payout, payOut, payoutsOf } from './dividends-and-interest.ts'
import {
  claimWarnings,
  exitWarnings,
  explainEmptyRun,
  silentWarnings,
  unadjustedWarnings,
  unpaidWarnings,
  unweighedWarnings,
} from './exit-warnings.ts'
import { canUseFastLoop, fastEquityCurve } from './fast-loop.ts'
import { Fills } from './fills.ts'
import { closeMatured, forcedExits, noCloseUntil, noExitUntil } from './forced-exits.ts'
import type { EquityCurve, Ledger, RunTotals } from './ledger.ts'
import { LeftOutInterest } from './left-out-interest.ts'
import type { MarkPrices } from './mark-prices.ts'
import { Portfolio } from './portfolio.ts'
import { Positions } from './positions.ts'
import { rebalancer } from './rebalance.ts'
import { claimChanges } from './redemption-payments.ts'
import type { Simulation } from './simulation.ts'
import { stopWatch } from './watch-stops.ts'

/** Progress after each simulated day: the same object every time, `nav` relative to the capital so far. */
export interface SimulatedDay {
  t: number
  readonly nav: Float64Array
  hold: number
  /** Of that day. */
  trades: number
}

/** Runs to the end and yields the progress after each day. */
export function* simulate(run: Simulation): Generator<SimulatedDay, Ledger> {
  // About one trade a place and rebalance.
  const capacity = Math.min(mostCapacity, run.rankings.days.length * run.rankings.depth)
  const fills = new Fills(capacity, true)
  const positionHistory = new Positions(run.last - run.first + 1, capacity)
  const days = begin(run, fills, positionHistory)
  for (let t = run.first; t <= run.last; t++) yield days.simulateDay(t)
  return { ...days.end(), fills, positions: positionHistory }
}

/** Equity curve with the interest that the run leaves out; slightly slower than `simulateEquity`. */
export function simulateEquityWithLeftOut(run: Simulation): EquityCurve {
  return canUseFastLoop(run) ? fastEquityCurve(run, LeftOutInterest.of(run)) : totalsOf(run)
}

/** Same loop, equity curve only: records no trades or positions. The arrays are valid until the next run, which may reuse their memory. */
export function simulateEquity(run: Simulation): EquityCurve {
  return canUseFastLoop(run) ? fastEquityCurve(run) : totalsOf(run)
}

/** Daily totals from the general loop, for any run. */
export function totalsOf(run: Simulation): RunTotals {
  const days = begin(run, new Fills(run.rankings.depth, false), null)
  for (let t = run.first; t <= run.last; t++) days.simulateDay(t)
  return days.end()
}

/**
 * The general day loop: simulates the days of a run in order (domain.md 5.3). On each day:
 *
 * 1. Pay interest and dividends; adjust units where raw prices are split; settle what trades no more, pay claims that are due.
 * 2. Fill the orders of yesterday's signal, when the fill is the next open or average price.
 * 3. Stops that are reached during the day, of positions held since before it.
 * 4. Fill the orders of yesterday's signal, when the fill is the next close. Forced exits and stops at the close.
 * 5. On a signal day filled at the close: sell, then buy. Sales that were not possible are tried again on other days.
 * 6. Value at the close, write the ledger.
 */
function begin(
  run: Simulation,
  fills: Fills,
  positionHistory: Positions | null,
): { simulateDay(t: number): SimulatedDay; end(): RunTotals } {
  const { panel, settings, rankings, execution, marks, first } = run
  const days = run.last - first + 1
  const { securities } = panel
  const capital = settings.capital * 10_000
  const portfolio = new Portfolio(capital, securities.length, fills)
  const adjustment = adjustmentOf(run)
  const fill = fillModes[settings.fill]
  const atClose = fill.delay === 0
  const beforeStops = fill.price !== 'close'
  const rebalance = rebalancer(run, portfolio)
  const stops = stopWatch(run, portfolio, rebalance)
  const openUntil = noCloseUntil(run)
  const keepUntil = noExitUntil(run, openUntil)
  /** No held position can be forced out up to this day, as of fill number `noneLeavesAtFill`. A position bought today cannot be forced out today. */
  let noneLeavesUntil = -1
  let noneLeavesAtFill = -1
  const schedule = payoutsOf(run)
  /** Securities whose dividends are paid out, so that their factor adds nothing on those days. */
  const paysOut: ReadonlySet<number> = schedule?.recorded ?? new Set()
  const payouts: Payout[] = []
  const leftOut = LeftOutInterest.of(run)
  const ends: string[] = []
  /** Sold on their last day by a run that holds bonds to their redemption. */
  const unpaid = new Set<number>()

  const ledger = {
    equity: new Float64Array(days),
    cash: new Float64Array(days),
    before: new Float64Array(days),
    bought: new Float64Array(days),
    sold: new Float64Array(days),
    fees: new Float64Array(days),
    slippage: new Float64Array(days),
    signal: new Int32Array(days).fill(-1),
  }
  for (let row = 0; row < rankings.days.length; row++) ledger.signal[rankings.days[row] - first] = row
  const progress: SimulatedDay = { t: first, nav: new Float64Array(days), hold: 0, trades: 0 }
  /** Held on days of trading without a factor. */
  const unadjusted = new Set<number>()
  let pending = -1
  /** The list of positions is another than the day before's. */
  let changed = false
  const simulateDay = (t: number): SimulatedDay => {
    const day = t - first
    portfolio.startDay()
    const waitingBefore = stops?.waiting ?? 0
    const received = schedule ? payOut(schedule, portfolio, panel, t, payouts) : null
    const gained = received?.units ?? null
    const grown = adjustment ? adjust(portfolio, adjustment, paysOut, panel, t, gained, unadjusted) : gained
    if (noneLeavesAtFill !== fills.total) {
      noneLeavesUntil = noDay
      for (const i of portfolio.positions) noneLeavesUntil = Math.min(noneLeavesUntil, keepUntil[i])
      for (const i of portfolio.claims) noneLeavesUntil = Math.min(noneLeavesUntil, claimChanges(panel, i, t) - 1)
      noneLeavesAtFill = fills.total
    }
    const claims = t > noneLeavesUntil && closeMatured(run, openUntil, portfolio, t, ends)
    if (stops && !beforeStops) stops.duringDay(t)
    if (pending >= 0) rebalance.trade(pending, t)
    else if (!atClose) rebalance.retry(t)
    pending = -1
    if (stops && beforeStops) stops.duringDay(t)
    if (t > noneLeavesUntil) forcedExits(run, portfolio, t, unpaid)
    stops?.atClose(t)
    const row = ledger.signal[day]
    if (row >= 0 && atClose) rebalance.trade(row, t)
    else if (row >= 0) pending = row
    else if (atClose) rebalance.retry(t)

    const value = mark(portfolio, marks, t)
    ledger.equity[day] = portfolio.cash + value
    ledger.cash[day] = portfolio.cash
    ledger.bought[day] = portfolio.boughtAmount
    ledger.sold[day] = portfolio.soldAmount
    ledger.fees[day] = portfolio.fees
    ledger.slippage[day] = portfolio.slippage
    const trades = fills.length - fills.today
    ledger.before[day] = ledger.equity[day] + (trades > 0 ? tradingCostOf(portfolio, marks, t) : 0)
    leftOut?.hold(day, day + 1, portfolio.positions, portfolio.positions.length, portfolio.units, ledger.equity, fills.total)
    const now =
      trades > 0 ||
      grown !== null ||
      received !== null ||
      (row >= 0 && atClose) ||
      pending >= 0 ||
      claims ||
      (stops?.waiting ?? 0) > waitingBefore
    if (now || changed) positionHistory?.write(day, portfolio, grown, received?.cash ?? null, rebalance.waits)
    else positionHistory?.repeat(day)
    changed = grown !== null || received !== null || pending >= 0
    progress.t = t
    progress.nav[day] = ledger.equity[day] / capital
    progress.hold = portfolio.positions.length
    progress.trades = trades
    return progress
  }

  const end = (): RunTotals => {
    const gain = portfolio.flow
    const { positions, claims, units, price } = portfolio
    for (const i of [...positions, ...claims]) gain[i] += units[i] * price[i]
    const warnings = [...exitWarnings(ends), ...silentWarnings(run, positions, (i) => units[i] * price[i], ledger.equity[days - 1])]
    warnings.push(...unpaidWarnings(run, unpaid), ...claimWarnings(run, claims, (i) => units[i] * price[i], ledger.equity[days - 1]))
    warnings.push(...unweighedWarnings(run, rebalance.unweighed))
    warnings.push(...unadjustedWarnings(run, unadjusted))
    const doubt = schedule && doubtWarning(schedule, panel)
    if (doubt) warnings.push(doubt)
    const partial = execution.notes.partial + (run.closeExecution === execution ? 0 : run.closeExecution.notes.partial)
    if (partial > 0) warnings.push(`有 ${partial} 笔委托超过当日成交额的 10%，只成交了一部分`)
    if (fills.total === 0) warnings.push(explainEmptyRun(run))
    if (stops && stops.both > 0) warnings.push(`有 ${stops.both} 次持仓在同一日触及止盈价与止损价，日线无法判断先后，按先止损处理`)
    const coarse = new Set([...execution.notes.coarse, ...run.closeExecution.notes.coarse]).size
    if (coarse > 0) warnings.push(`有 ${coarse} 次涨跌停按低于 2 元、只到分的复权价判断，误差为一两分，可能判断有误`)
    if (execution.notes.unknownAmount > 0) warnings.push('部分日期缺少成交额，未限制单笔成交占比')
    return {
      first,
      capital,
      ...ledger,
      payouts,
      gain,
      warnings,
      ...(leftOut && { leftOutInterest: leftOut.perYear() }),
    }
  }
  return { simulateDay, end }
}

/** Initial capacity for fills and positions; grows when there are more. */
const mostCapacity = 65_536

/** Values every position at the day's close (carried over suspensions) and returns their sum. */
function mark(portfolio: Portfolio, { close, perDay, perSecurity, origin }: MarkPrices, t: number): number {
  let value = 0
  const row = t * perDay - origin
  const { positions, units, price } = portfolio
  for (let k = 0; k < positions.length; k++) {
    const i = positions[k]
    const now = close[row + i * perSecurity]
    if (now === now) price[i] = now
    value += units[i] * price[i]
  }
  return value + portfolio.claimed
}

/** What the day's fills took from equity against its closes: costs, and fills at other prices. */
function tradingCostOf(portfolio: Portfolio, { close, perDay, perSecurity, origin }: MarkPrices, t: number): number {
  const row = t * perDay - origin
  const { length, today, security, sold, amount, fee, volume, reason } = portfolio.fills
  let cost = 0
  for (let f = today; f < length; f++) {
    // A redemption is no trade.
    if (reason[f] === 'called' || reason[f] === 'matured') continue
    const price = close[row + security[f] * perSecurity]
    const value = volume[f] * (price === price ? price : portfolio.price[security[f]])
    cost += sold[f] === 0 ? amount[f] + fee[f] - value : value - (amount[f] - fee[f])
  }
  return cost
}
