/**
 * Adjustment factors where a source of bars gives none: the exchange's own reference price says what went out of a share.
 *
 *     factor = factor before × close before ÷ previous close as the exchange tells it today
 */
import { factorAfter } from '../../market/import/factors.ts'
import type { DayTable } from '../rows.ts'
import type { Past } from './past.ts'

/** A table of stocks with the column that it lacks, where there is a previous close to tell it by and the market has factors. */
export function withFactors(past: Past, table: DayTable): DayTable {
  const previous = table.columns.get('pre_close')
  const isGiven = table.columns.get('adj_factor')?.some((cell) => cell === cell) === true
  if (past.kind !== 'stk' || isGiven || previous === undefined || (past.dates.length > 0 && !past.fields.has('adj_factor'))) return table
  const before = lastCells(past)
  const factors = Float64Array.from(table.codes, (code, i) => factorAfter(before('adj_factor', code), before('close', code), previous[i]!))
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
