/**
 * Adjustment factors where a source of bars gives none: the exchange's own reference price says what went out of a share.
 *
 *     factor = factor before × close before ÷ previous close as the exchange tells it today
 */

import { aCent, factorAfter, factorNoise, hasStepped, isFactorMoved } from '../../market/import/factors.ts'
import { marketOf } from '../../market/market-rules.ts'
import type { DayTable } from '../rows.ts'
import type { Past } from './past.ts'

/**
 * A table of stocks with the factors that it lacks, where there is a previous close to derive them from and the market has factors. A
 * source whose factors stand on another base than the published ones is not used: more than half of the factors would move without a
 * reason.
 */
export function withFactors(past: Past, table: DayTable): DayTable {
  const previous = table.columns.get('pre_close')
  if (!marketOf(past.kind)?.hasAdjustmentFactor || previous === undefined || (past.dates.length > 0 && !past.fields.has('adj_factor')))
    return table
  const before = lastCells(past)
  const [factorOf, closeOf] = [(code: string) => before('adj_factor', code), (code: string) => before('close', code)]
  const given = table.columns.get('adj_factor')
  const scaleOf = (code: string) => scaleAt(past, code)
  const followed = Float64Array.from(
    table.codes,
    (code, i) =>
      factorAfter(factorOf(code), closeOf(code), isSamePrice(closeOf(code), previous[i]!) ? closeOf(code) : previous[i]!) / scaleOf(code),
  )
  let [known, untold] = [0, 0]
  for (const [i, code] of table.codes.entries()) {
    if (given === undefined || !(given[i]! > 0 && factorOf(code) > 0 && previous[i]! > 0)) continue
    known++
    if (!hasStepped(closeOf(code), previous[i]!) && isFactorMoved(factorOf(code), given[i]! * scaleOf(code))) untold++
  }
  const isReliable = given !== undefined && untold * 2 <= known
  const factors = followed.map((factor, i) => (isReliable && given[i] === given[i] ? given[i]! : factor))
  return { ...table, columns: new Map(table.columns).set('adj_factor', factors) }
}

/** Reference prices of dear shares may be a cent off without anything having gone out of them. */
const isSamePrice = (close: number, previous: number): boolean => Math.abs(previous / close - 1) <= factorNoise

/**
 * Factors of the day before that were made of reference prices and that the source's own of today take the place of: nothing went out of
 * the share since, so they are one number, to the cent that the made one is good for. By code, as the source gives them.
 */
export function settledFactors(past: Past, table: DayTable, isMade: (code: string) => boolean): Map<string, number> {
  const [before, given, previous] = [lastCells(past), table.columns.get('adj_factor'), table.columns.get('pre_close')]
  const settled = new Map<string, number>()
  if (!marketOf(past.kind)?.hasAdjustmentFactor || !given || !previous) return settled
  for (const [i, code] of table.codes.entries()) {
    if (!(given[i]! > 0) || !isMade(code) || hasStepped(before('close', code), previous[i]!)) continue
    const gap = Math.abs((given[i]! * scaleAt(past, code)) / before('adj_factor', code) - 1)
    if (gap > 0 && gap <= aCent / previous[i]!) settled.set(code, given[i]!)
  }
  return settled
}

/** The past with those factors on its last day. */
export function withSettled(past: Past, settled: ReadonlyMap<string, number>): Past {
  const factors = past.columns.get('adj_factor')
  if (settled.size === 0 || !factors) return past
  const cells = factors.slice()
  const last = (past.dates.length - 1) * past.stride
  past.securities.forEach(({ code }, place) => {
    const factor = settled.get(code)
    if (factor !== undefined) cells[last + place] = factor * scaleAt(past, code)
  })
  return { ...past, columns: new Map(past.columns).set('adj_factor', cells) }
}

/** What sources give is scaled as it is judged. */
const scaleAt = (past: Past, code: string): number => past.factorStates[code]?.scales?.at(-1)?.[1] ?? 1

/** Closes of the last day before, by code; prices are carried over days without a trade. */
export function lastCloses(past: Past, key: 'close' | 'close_stk' = 'close'): (code: string) => number {
  const before = lastCells(past)
  return (code) => before(key, code)
}

/** Cells of the last day before, by field and code. */
export function lastCells(past: Past): (key: string, code: string) => number {
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const row = (past.dates.length - 1) * past.stride
  return (key, code) => {
    const place = places.get(code)
    return place === undefined || row < 0 ? Number.NaN : (past.columns.get(key)?.[row + place] ?? Number.NaN)
  }
}
