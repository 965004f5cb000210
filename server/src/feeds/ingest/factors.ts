/**
 * Adjustment factors where a source of bars gives none: the exchange's own reference price says what went out of a share.
 *
 *     factor = factor before × close before ÷ previous close as the exchange tells it today
 */
import { factorAfter, hasStepped, isFactorMoved } from '../../market/import/factors.ts'
import type { DayTable } from '../rows.ts'
import type { Past } from './past.ts'

/**
 * A table of stocks with the factors that it lacks, where there is a previous close to tell them by and the market has factors. A source
 * whose factors stand on another base than those that are published is not heard: more than half of them would move untold.
 */
export function withFactors(past: Past, table: DayTable): DayTable {
  const previous = table.columns.get('pre_close')
  if (past.kind !== 'stk' || previous === undefined || (past.dates.length > 0 && !past.fields.has('adj_factor'))) return table
  const before = lastCells(past)
  const [factorOf, closeOf] = [(code: string) => before('adj_factor', code), (code: string) => before('close', code)]
  const given = table.columns.get('adj_factor')
  // What sources give is scaled as it is judged.
  const scaleOf = (code: string) => past.factorStates[code]?.scales?.at(-1)?.[1] ?? 1
  const followed = Float64Array.from(table.codes, (code, i) => factorAfter(factorOf(code), closeOf(code), previous[i]!) / scaleOf(code))
  let [known, untold] = [0, 0]
  for (const [i, code] of table.codes.entries()) {
    if (given === undefined || !(given[i]! > 0 && factorOf(code) > 0 && previous[i]! > 0)) continue
    known++
    if (!hasStepped(closeOf(code), previous[i]!) && isFactorMoved(factorOf(code), given[i]! * scaleOf(code))) untold++
  }
  const isHeard = given !== undefined && untold * 2 <= known
  const factors = followed.map((factor, i) => (isHeard && given[i] === given[i] ? given[i]! : factor))
  return { ...table, columns: new Map(table.columns).set('adj_factor', factors) }
}

/** Closes of the last day before, by code; prices are carried over days without a trade. */
export function lastCloses(past: Past, key: 'close' | 'close_stk' = 'close'): (code: string) => number {
  const before = lastCells(past)
  return (code) => before(key, code)
}

function lastCells(past: Past): (key: string, code: string) => number {
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const row = (past.dates.length - 1) * past.stride
  return (key, code) => {
    const place = places.get(code)
    return place === undefined || row < 0 ? Number.NaN : (past.columns.get(key)?.[row + place] ?? Number.NaN)
  }
}
