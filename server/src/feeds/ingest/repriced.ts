/**
 * Bonds whose conversion price may be another than the one that is known. Sources are asked about each bond, so of an evening only these are
 * asked about; once a week all of them are.
 */
import { hasStepped } from '../../market/import/factors.ts'
import type { BondRow, DayTable } from '../rows.ts'
import { lastCloses } from './factors.ts'
import type { Facts } from './facts.ts'
import type { Past } from './past.ts'

export interface RepricedView {
  readonly day: string
  readonly past: Past
  readonly facts: Facts
  /** What the day's list says of the bonds; null: none was to be had. */
  readonly bonds: readonly BondRow[] | null
  /** Bars of the bonds, and of their stocks, on the day. */
  readonly table: DayTable
  readonly stocks: DayTable | null
}

/** Sources write conversion prices with two digits, some with three. */
const same = 0.006
/** Values are rounded by their source. */
const sameValue = 0.005

/** Ascending codes, of those that were listed on the day before. */
export function mayBeRepriced({ day, past, facts, bonds, table, stocks }: RepricedView): string[] {
  const listed = new Map(bonds?.map((row) => [row.code, row]))
  const rows = new Map(table.codes.map((code, i) => [code, i]))
  const stockRows = new Map(stocks?.codes.map((code, i) => [code, i]))
  const closeBefore = new Map(past.securities.map(({ code, stockCode }) => [stockCode ?? '', code]))
  const before = lastCloses(past, 'close_stk')
  const cell = (of: DayTable | null, key: string, row: number | undefined) =>
    row === undefined ? Number.NaN : (of?.columns.get(key)?.[row] ?? Number.NaN)
  const last = (past.dates.length - 1) * past.stride
  const isDue = (code: string, stockCode: string) => {
    const known = facts.conversionPrices.get(code) ?? []
    if (known.length === 0) return true
    const told = listed.get(code)?.conversionPrice ?? Number.NaN
    // A list may say the next price already.
    if (
      told === told &&
      !known.some(({ price, effective }) => Math.abs(price - told) < same && (effective > day || price === inForce(known, day)))
    )
      return true
    const stockRow = stockRows.get(stockCode)
    const [value, stock] = [cell(table, 'conv_value', rows.get(code)), cell(stocks, 'close', stockRow)]
    if (Math.abs(value - (100 / inForce(known, day)) * stock) > sameValue * value) return true
    // Out of whose stock something went: dividends lower conversion prices on the same day.
    return hasStepped(before(closeBefore.get(stockCode) ?? ''), cell(stocks, 'pre_close', stockRow))
  }
  return past.securities
    .filter(({ code, stockCode }, place) => last >= 0 && past.listed[last + place] === 1 && isDue(code, stockCode ?? ''))
    .map(({ code }) => code)
}

const inForce = (known: readonly { effective: string; price: number }[], day: string): number =>
  known
    .filter(({ effective }) => effective <= day)
    .reduce((a, b) => (b.effective >= a.effective ? b : a), { effective: '', price: Number.NaN }).price
