/**
 * The conversion price that is in force on a day, and what it is made of where no dated source says it (providers.md 10.3):
 *
 * 1. A dated source: a change that was published with the day from which it holds.
 * 2. The list's latest price, where the source's conversion value of the day agrees with it within the value's rounding.
 * 3. The value alone, where it gives one whole cent and a second sign agrees: the share goes ex on that day and moves the price the same
 *    way, or the value said the same on the trading day before.
 *
 * Otherwise the known price stays and the source's value is left out. A price of 2 or 3 is kept as derived: a dated source that comes to
 * know of a change takes its place.
 */

import type { KnownPrice } from '../../db/tables/fact-value.ts'
import { hasStepped } from '../../market/import/factors.ts'
import type { BondRow, DayTable } from '../rows.ts'
import { lastCloses } from './factors.ts'
import type { Facts } from './facts.ts'
import type { Past } from './past.ts'

/** Sources round conversion values to cents. */
const valueRounding = 0.0051

/** Whether a conversion value is that of a price, within its rounding. False where one of them is absent. */
export const isValueOf = (value: number, price: number, share: number): boolean => Math.abs((100 / price) * share - value) <= valueRounding

/** The price in force on a day; null: none is known. */
export function priceInForce(known: readonly KnownPrice[] | undefined, day: string): KnownPrice | null {
  let [dated, derived] = [null, null] as [KnownPrice | null, KnownPrice | null]
  for (const each of known ?? []) {
    if (each.effective > day) continue
    if (each.derived) derived = derived && derived.effective > each.effective ? derived : each
    else dated = dated && dated.effective > each.effective ? dated : each
  }
  if (!derived) return dated
  // A dated source has come to know of a change since the price was derived.
  return dated && dated.effective > (derived.derived!.over ?? '') ? dated : derived
}

/** The answers of a day of bonds, as far as prices follow from them. */
export interface PriceView {
  readonly day: string
  readonly past: Past
  readonly facts: Facts
  /** What the day's list says of the bonds; null: none was to be had. */
  readonly bonds: readonly BondRow[] | null
  /** Bars of the bonds, and of their shares, on the day. */
  readonly table: DayTable
  readonly stocks: DayTable | null
}

/** Numbers of one bond on a day; NaN where absent. */
interface Sight {
  readonly code: string
  readonly known: readonly KnownPrice[]
  readonly value: number
  /** Close of the share; of one that stands still the last one. */
  readonly share: number
  /** Close of the share on the day before, and the exchange's reference price for it today. */
  readonly shareBefore: number
  readonly reference: number
  readonly listed: number
}

function sightsOf({ past, facts, bonds, table, stocks }: PriceView, codes: readonly string[]): Sight[] {
  const listed = new Map(bonds?.map((row) => [row.code, row]))
  const rows = new Map(table.codes.map((code, i) => [code, i]))
  const stockRows = new Map(stocks?.codes.map((code, i) => [code, i]))
  const known = new Map(past.securities.map((security) => [security.code, security]))
  const before = lastCloses(past, 'close_stk')
  const cell = (of: DayTable | null, key: string, row: number | undefined) =>
    row === undefined ? Number.NaN : (of?.columns.get(key)?.[row] ?? Number.NaN)
  return codes.map((code) => {
    const stockRow = stockRows.get(known.get(code)?.stockCode || listed.get(code)?.stockCode || '')
    const own = cell(table, 'close_stk', rows.get(code))
    const shareBefore = before(code)
    const share = [own, cell(stocks, 'close', stockRow), shareBefore].find((price) => price === price) ?? Number.NaN
    return {
      ...{ code, known: facts.conversionPrices.get(code) ?? [], share, shareBefore },
      value: cell(table, 'conv_value', rows.get(code)),
      reference: cell(stocks, 'pre_close', stockRow),
      listed: listed.get(code)?.conversionPrice ?? Number.NaN,
    }
  })
}

/** Lists write conversion prices with two digits, some with three. */
const samePrice = 0.006

/**
 * Bonds whose conversion price has to be asked for before the day's rows are judged: none is known, or the list, the value, the share's
 * ex-day or a price that was announced for the day says that it may have moved. Ascending codes, of those that were listed the day before.
 */
export function dueForPrice(view: PriceView): string[] {
  const { day, past } = view
  const last = (past.dates.length - 1) * past.stride
  const dayBefore = past.dates.at(-1) ?? ''
  const codes = past.securities.filter((_, place) => last >= 0 && past.listed[last + place] === 1).map(({ code }) => code)
  const isDue = ({ known, listed, value, share, shareBefore, reference }: Sight) => {
    const inForce = priceInForce(known, day)
    // What was derived that day may have been announced since.
    if (inForce === null || (inForce.derived && inForce.effective === day)) return true
    if (known.some(({ effective }) => effective > dayBefore && effective <= day)) return true
    const isToldOf = known.some(
      ({ price, effective }) => Math.abs(price - listed) < samePrice && (effective > day || price === inForce.price),
    )
    if (listed === listed && !isToldOf) return true
    if (value === value && !isValueOf(value, inForce.price, share)) return true
    return hasStepped(shareBefore, reference)
  }
  return sightsOf(view, codes)
    .filter(isDue)
    .map(({ code }) => code)
}

/** Prices that no dated source has, of bonds with a row on the day. `before`: the answers of the trading day before, where there are any. */
export function derivedPrices(view: PriceView, before: Pick<PriceView, 'table' | 'stocks'> | null): KnownPrice[] {
  const { day, table } = view
  const sights = sightsOf(view, table.codes)
  const earlier = new Map(before && sightsOf({ ...view, ...before }, before.table.codes).map((sight) => [sight.code, sight]))
  return sights.flatMap((sight) => {
    const { code, known, value, share, listed } = sight
    const inForce = priceInForce(known, day)
    if (inForce && (value !== value || isValueOf(value, inForce.price, share))) return []
    const isListed = listed > 0 && (value === value ? isValueOf(value, listed, share) : inForce === null)
    const price = isListed ? listed : priceOfValue(sight, inForce, earlier.get(code))
    if (price === null) return []
    const over = known.filter(({ derived, effective }) => !derived && effective <= day).map(({ effective }) => effective)
    const derived = { from: isListed ? ('list' as const) : ('value' as const), over: over.sort().at(-1) ?? null }
    return [{ code, announced: day, effective: day, price, derived }]
  })
}

function priceOfValue(sight: Sight, inForce: KnownPrice | null, earlier: Sight | undefined): number | null {
  const price = wholeCent(sight)
  if (price === null) return null
  const { shareBefore, reference } = sight
  const isMovedByShare =
    inForce !== null && hasStepped(shareBefore, reference) && (reference < shareBefore ? price < inForce.price : price > inForce.price)
  return isMovedByShare || (earlier && wholeCent(earlier) === price) ? price : null
}

/** The one price in whole cents that gives the value; null: there is none, or more than one. */
function wholeCent({ value, share }: Sight): number | null {
  const [least, most] = [(100 * share) / (value + valueRounding), (100 * share) / (value - valueRounding)]
  const cents = Math.ceil(least * 100)
  return cents > 0 && cents === Math.floor(most * 100) ? cents / 100 : null
}
