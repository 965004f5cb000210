import type { Settings } from '@convexa/contract'
import { exitReasons } from '@convexa/contract/enums/exit-reason'
import { labelOf } from '@convexa/contract/enums/table'
import type { Market } from '../market/market.ts'
import { never } from '../panel/calendar.ts'
import type { Panel, Security } from '../panel/panel.ts'
import type { Exits } from './exits.ts'
import { unranked } from './fills.ts'
import type { Portfolio } from './portfolio.ts'
import { sellAt } from './sell.ts'
import type { Simulation } from './simulation.ts'

/** A security whose last day is over while it is still held. */
export function settle(run: Simulation, quiet: Int32Array, portfolio: Portfolio, t: number, warnings: string[]): void {
  const { panel, exits, desk } = run
  const over = overAt(portfolio.held, quiet, exits.last, panel, t)
  if (over === null) return
  for (const i of over) {
    const { reason, price } = endOf(run, i, portfolio.price[i])
    const fee = reason === 'delisted' ? desk.sellFee(i, t, price * portfolio.units[i]) : 0
    portfolio.sell(t, i, price, portfolio.units[i], fee, 0, unranked(reason))
    if (reason === 'delisted') warnings.push(toldEnd(run, i, t))
  }
}

/**
 * How a position ends whose security trades no more: redeemed without a fee at its redemption price where bonds are redeemed and the
 * price is known; else out at its last price, or at nothing where `delisting` says so (shares).
 */
export function endOf(
  { panel, market, settings, exits }: Simulation,
  i: number,
  last: number,
): { readonly reason: 'matured' | 'called' | 'delisted'; readonly price: number } {
  if (market.redeemed) {
    const matured = atMaturity(panel, market, exits, i)
    const redemption = redemptionOf(panel.securities[i], matured)
    if (redemption !== null) return { reason: matured ? 'matured' : 'called', price: redemption }
  }
  return { reason: 'delisted', price: isLost(market, settings) ? 0 : last }
}

/** The warning of a position that ended for want of marks. */
export function toldEnd({ panel, market, settings }: Simulation, i: number, t: number): string {
  const { name, code, exitReason } = panel.securities[i]
  const why = exitReason === undefined ? '' : `（${labelOf(exitReasons, exitReason)}）`
  return `${panel.dates[t]} ${name}（${code}）已无行情${why}，按${isLost(market, settings) ? '零值' : '最后价格'}退出`
}

const isLost = (market: Market, { delisting }: Settings): boolean => !market.redeemed && delisting === 'zero'

/** What is paid for 100 of face: as the data state it, as it was announced, at maturity as it was agreed (with the last coupon). */
function redemptionOf({ redemptionPrice, announcements, terms }: Security, matured: boolean): number | null {
  const announced = announcements?.findLast(({ kind, price }) => kind === 'redeem_execution' && price !== undefined)?.price
  return redemptionPrice ?? (matured ? terms?.maturityPrice : announced) ?? null
}

/** By security: up to this day nothing is to be settled once it is held, so its cell of the listing mask need not be read. */
export function quietUntil({ panel, exits }: Simulation): Int32Array {
  const { listed } = panel
  let known = listings.get(listed)
  if (known === undefined) {
    known = listedUntil(panel)
    listings.set(listed, known)
  }
  return known.map((day, i) => Math.min(day, exits.last[i]))
}

/** By security: up to this day more of it may be bought, and it need not leave once it is held, neither as `settle` says nor as `forceExits` does. */
export function stayUntil({ exits }: Simulation, quiet: Int32Array): Int32Array {
  return quiet.map((day, i) => Math.min(day, exits.leave[i] - 1))
}

// The mask is megabytes, and a panel is read by many runs.
const listings = new WeakMap<Uint8Array, Int32Array>()

/** The last day before a listing ends for the first time. */
function listedUntil({ listed, stride, dates, securities }: Panel): Int32Array {
  const count = securities.length
  const until = new Int32Array(count).fill(never)
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
        if (listed[at] < listed[at - stride] && until[i] === never) until[i] = t - 1
      }
    }
  }
  return until
}

/** It trades no more: its last day is over, or it is not listed. */
export const isOver = (i: number, t: number, last: Int32Array, { listed, stride }: Panel): boolean =>
  t > last[i] || listed[t * stride + i] === 0

/** Those of the held that trade no more; null on nearly every day. */
function overAt(held: readonly number[], quiet: Int32Array, last: Int32Array, panel: Panel, t: number): number[] | null {
  let over: number[] | null = null
  for (let k = 0; k < held.length; k++) {
    if (t <= quiet[held[k]] || !isOver(held[k], t, last, panel)) continue
    over ??= []
    over.push(held[k])
  }
  return over
}

function atMaturity(panel: Panel, market: Market, exits: Exits, i: number): boolean {
  const status = panel.columns.get('call_status')
  const values = market.fields.find((field) => field.key === 'call_status')?.values
  const day = Math.min(exits.last[i], panel.dates.length - 1)
  return status !== undefined && values !== undefined && values[status[day * panel.stride + i]] === 'maturity'
}

/** Sells at the close what is about to leave, as far as that is known. */
export function forceExits({ exits, closeDesk, settings }: Simulation, portfolio: Portfolio, t: number): void {
  const leaving = leavingAt(portfolio.held, exits.leave, t)
  if (leaving === null) return
  for (const i of leaving) {
    sellAt(closeDesk, settings, portfolio, t, i, portfolio.units[i], true, unranked('last_day'))
  }
}

function leavingAt(held: readonly number[], leave: Int32Array, t: number): number[] | null {
  let leaving: number[] | null = null
  for (let k = 0; k < held.length; k++) {
    if (t < leave[held[k]]) continue
    leaving ??= []
    leaving.push(held[k])
  }
  return leaving
}
