/** What of a day has come, counted by its securities: bars, factors, valuations (`day-parts.ts`). */

import { markets } from '@convexa/contract/enums/market'
import type { NewDay } from '../../market/append-day.ts'
import { rulesOf } from '../../market/market-rules.ts'
import type { DayTable } from '../rows.ts'
import { lacksBondValue } from './bond-columns.ts'
import { countedPart, type PartState } from './day-parts.ts'
import type { Past } from './past.ts'
import { lacksValuation } from './valuations.ts'

/**
 * Listed codes for which neither a bar nor a suspension has come, ascending, with those whose row was put aside. Of bonds those count whose
 * share traded.
 */
export function missingIn(
  past: Past,
  { table, stocks }: { readonly table: DayTable; readonly stocks: DayTable | null },
  { securities, listed, traded }: Pick<NewDay, 'securities' | 'listed' | 'traded'>,
): string[] {
  if (past.kind === 'index') return []
  const [quiet, unread] = [new Set(table.suspended), new Set(table.unread)]
  const rows = new Set(table.codes)
  const tradedStocks = new Set(stocks?.codes)
  // A source of shares that does not name the suspended ones cannot show that a bar is missing.
  const suspensionsKnown = rulesOf(past.kind)?.issuerMarket != null || table.suspended !== undefined
  const isStill = (code: string, stockCode: string | undefined) =>
    !rows.has(code) &&
    !unread.has(code) &&
    (quiet.has(code) || !suspensionsKnown || (stocks !== null && !tradedStocks.has(stockCode ?? '')))
  const missing = securities.filter(({ code, stockCode }, i) => listed[i] === 1 && traded[i] === 0 && !isStill(code, stockCode))
  return missing.map(({ code }) => code).sort()
}

/** What of a day's bars, factors and valuations has come. */
export function partsIn(past: Past, table: DayTable, { securities, listed, traded, missingBars = [] }: NewDay): PartState[] {
  if (past.kind === 'index') return []
  const rowOf = new Map(table.codes.map((code, row) => [code, row]))
  const bars = countedPart(
    'bars',
    listed.reduce((sum, flag) => sum + flag, 0),
    missingBars,
  )
  const own = securities.filter((_, i) => traded[i] === 1).map(({ code }) => code)
  const without = (lacks: (row: number) => boolean) => own.filter((code) => lacks(rowOf.get(code) ?? -1))
  if (!markets[past.kind].hasAdjustmentFactor) return [bars, countedPart('valuations', own.length, without(lacksBondValue(past, table)))]
  const factors = table.columns.get('adj_factor')
  return [
    bars,
    countedPart(
      'factors',
      own.length,
      without((row) => !((factors?.[row] ?? Number.NaN) > 0)),
    ),
    countedPart(
      'valuations',
      own.length,
      without((row) => lacksValuation(table, row)),
    ),
  ]
}
