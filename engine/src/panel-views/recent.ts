import type { Expression } from '../expression/index.ts'
import { derivedNeeds } from '../market/derived-columns.ts'
import type { Panel } from '../panel/panel.ts'

/**
 * The newest day of a market, seen from two panels that both end with it: `recent` has every field but begins `recentDays` before
 * the end, `whole` has the fields of what looks further back. They may be one and the same.
 */
export interface Newest {
  readonly recent: Panel
  readonly whole: Panel
}

/** Trading days of a recent panel: a year and what a listing's first days without limits reach into it. */
export const recentDays = 280
const margin = 20

/** Whether values of the newest day are the same on a recent panel: what looks further back, or counts from the first day on, needs the whole. */
export const isRecent = (lookback: number | null): boolean => lookback !== null && lookback <= recentDays - margin

/** Trading days before the asked one that expressions, and fields read by their names, look at; null = all days of the data. */
export function reachBack(expressions: readonly Expression[], available: ReadonlySet<string>, named: Iterable<string> = []): number | null {
  let most = 0
  for (const { needs } of expressions) {
    if (needs.sinceListing || !seesItsDay(needs.fields, available)) return null
    most = Math.max(most, needs.lookback)
  }
  return seesItsDay(named, available) ? most : null
}

/** Of the panel that has enough for the expression. */
export function panelOf({ recent, whole }: Newest, expression: Expression): Panel {
  return isRecent(reachBack([expression], new Set(recent.columns.keys()))) ? recent : whole
}

/** The same panel as if its data began with that day. Views: nothing is copied. */
export function panelFrom(panel: Panel, from: number): Panel {
  const { dates, stride, columns, listed, traded, benchmarks } = panel
  if (from === 0) return panel
  const cells = from * stride
  return {
    ...panel,
    dates: dates.slice(from),
    columns: new Map([...columns].map(([key, column]) => [key, column.subarray(cells)])),
    listed: listed.subarray(cells),
    traded: traded.subarray(cells),
    benchmarks: new Map([...benchmarks].map(([code, series]) => [code, series.subarray(from)])),
  }
}

/** None of the fields is worked out from days before. */
function seesItsDay(fields: Iterable<string>, available: ReadonlySet<string>): boolean {
  for (const key of fields) if (!available.has(key) && derivedNeeds[key]?.counts) return false
  return true
}
