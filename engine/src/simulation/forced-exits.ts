import type { Settings } from '@convexa/contract'
import { exitReasons } from '@convexa/contract/enums/exit-reason'
import { labelOf } from '@convexa/contract/enums/table'
import { noDay } from '../base/calendar.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { unranked } from './fills.ts'
import type { Portfolio } from './portfolio.ts'
import { type Payment, paymentOf } from './redemption-payments.ts'
import { sellAt } from './sell.ts'
import type { Simulation } from './simulation.ts'

/** Closes positions whose last day is over, and claims that are paid today; true where a claim is new or its payment has changed. */
export function closeMatured(run: Simulation, openUntil: Int32Array, portfolio: Portfolio, t: number, warnings: string[]): boolean {
  const { panel, exits, execution } = run
  const { units } = portfolio
  let claims = false
  for (const i of [...portfolio.claims]) {
    const payment = paymentOf(panel, i, t)
    if (payment === null) continue
    claims ||= portfolio.reprice(i, payment.price)
    if (isPaid(payment, t)) portfolio.sell(t, i, portfolio.price[i], units[i], 0, 0, unranked(payment.reason))
  }
  const over = overAt(portfolio.positions, openUntil, exits.last, panel, t)
  if (over === null) return claims
  for (const i of over) {
    const { end, price } = endOf(run, i, t, portfolio.price[i])
    if (end === 'claim') {
      portfolio.claim(i, price)
      claims = true
      continue
    }
    const fee = end === 'delisted' ? execution.sellFee(i, t, price * units[i]) : 0
    portfolio.sell(t, i, price, units[i], fee, 0, unranked(end))
    if (end === 'delisted') warnings.push(delistingWarning(run, i, t))
  }
  return claims
}

/**
 * What becomes of a position whose security trades no more: a bond whose payment is known is paid that, without a fee, or is a claim until then.
 * One whose payment nobody knows stays a claim at its last price, however the run handles calls; in a market without terms it is out at that price.
 * So are shares, or at nothing where `delisting` says so.
 */
export function endOf(
  { panel, market, settings, exits }: Simulation,
  i: number,
  t: number,
  last: number,
): { readonly end: 'matured' | 'called' | 'delisted' | 'claim'; readonly price: number } {
  const payment = market.redeemed ? paymentOf(panel, i, t) : null
  if (payment !== null) return { end: isPaid(payment, t) ? payment.reason : 'claim', price: payment.price }
  if (exits.keepsUnpaid) return { end: 'claim', price: last }
  return { end: 'delisted', price: isLost(market, settings) ? 0 : last }
}

/** Whether a payment has come on a day. */
export const isPaid = (payment: Payment | null, t: number): boolean => payment !== null && t >= payment.day

/** Warning of a position that was closed because its prices ended. */
export function delistingWarning({ panel, market, settings }: Simulation, i: number, t: number): string {
  const { name, code, exitReason } = panel.securities[i]
  const why = exitReason === undefined ? '' : `（${labelOf(exitReasons, exitReason)}）`
  return `${panel.dates[t]} ${name}（${code}）已无行情${why}，按${isLost(market, settings) ? '零值' : '最后价格'}退出`
}

const isLost = (market: Market, { delisting }: Settings): boolean => !market.redeemed && delisting === 'zero'

/** By security: up to this day a position in it is not closed, so its cell of the listing mask need not be read. */
export function noCloseUntil({ panel, exits }: Simulation): Int32Array {
  const { listed } = panel
  let until = listedUntilByMask.get(listed)
  if (until === undefined) {
    until = listedUntil(panel)
    listedUntilByMask.set(listed, until)
  }
  return until.map((day, i) => Math.min(day, exits.last[i]))
}

/** By security: up to this day more of it may be bought, and it need not leave once it is held, neither by `closeMatured` nor by `forcedExits`. */
export function noExitUntil({ exits }: Simulation, openUntil: Int32Array): Int32Array {
  return openUntil.map((day, i) => Math.min(day, exits.leave[i] - 1))
}

// The mask is megabytes, and a panel is read by many runs.
const listedUntilByMask = new WeakMap<Uint8Array, Int32Array>()

/** The last day before a listing ends for the first time. */
function listedUntil({ listed, stride, dates, securities }: Panel): Int32Array {
  const count = securities.length
  const until = new Int32Array(count).fill(noDay)
  // Four at a time, where rows begin on words: nearly all are as they were the day before.
  const isAligned = stride % 4 === 0 && listed.byteOffset % 4 === 0
  const step = isAligned ? 4 : 1
  const cells = isAligned ? new Int32Array(listed.buffer, listed.byteOffset, listed.length >> 2) : listed
  const [width, wide] = [stride / step, Math.ceil(count / step)]
  for (let t = 1; t < dates.length; t++) {
    const row = t * width
    for (let w = 0; w < wide; w++) {
      if (cells[row + w] === cells[row - width + w]) continue
      for (let i = step * w; i < Math.min(step * w + step, count); i++) {
        const at = t * stride + i
        if (listed[at] < listed[at - stride] && until[i] === noDay) until[i] = t - 1
      }
    }
  }
  return until
}

/** It trades no more: its last day is over, or it is not listed. */
export const isOver = (i: number, t: number, last: Int32Array, { listed, stride }: Panel): boolean =>
  t > last[i] || listed[t * stride + i] === 0

/** Those of the held that trade no more; null on nearly every day. */
function overAt(positions: readonly number[], openUntil: Int32Array, last: Int32Array, panel: Panel, t: number): number[] | null {
  let over: number[] | null = null
  for (let k = 0; k < positions.length; k++) {
    if (t <= openUntil[positions[k]] || !isOver(positions[k], t, last, panel)) continue
    over ??= []
    over.push(positions[k])
  }
  return over
}

/** Whether a security is not sold on its last day, because what it pays afterwards is known by then. */
export const waitsForPayment = ({ exits, panel }: Pick<Simulation, 'exits' | 'panel'>, i: number, t: number): boolean =>
  exits.waits && paymentOf(panel, i, t) !== null

/** Sells positions at the close before their security leaves, as far as that is known; adds to `unpaid` those whose redemption payment is unknown. */
export function forcedExits(run: Simulation, portfolio: Portfolio, t: number, unpaid: Set<number>): void {
  const { exits, closeExecution, settings } = run
  const leaving = leavingAt(portfolio.positions, exits.leave, t)
  if (leaving === null) return
  for (const i of leaving) {
    if (waitsForPayment(run, i, t)) continue
    const order = { security: i, units: portfolio.units[i], closing: true, cause: unranked('last_day') }
    const isSold = sellAt({ execution: closeExecution, settings, portfolio }, t, order)
    if (isSold && exits.waits) unpaid.add(i)
  }
}

function leavingAt(positions: readonly number[], leave: Int32Array, t: number): number[] | null {
  let leaving: number[] | null = null
  for (let k = 0; k < positions.length; k++) {
    if (t < leave[positions[k]]) continue
    leaving ??= []
    leaving.push(positions[k])
  }
  return leaving
}
