import { dayNumber } from './calendar.ts'
import type { Panel } from './panel.ts'

/** Columns that are computed, not stored: by field key, from the panel's securities and other columns. */
const derivations: Readonly<Record<string, (panel: Panel) => Float64Array | null>> = {
  // 上市天数: natural days, the listing day = 1.
  listed_days: (panel) => {
    const column = new Float64Array(panel.dates.length * panel.stride).fill(Number.NaN)
    const listedOn = panel.securities.map((security) => (security.listed === null ? Number.NaN : dayNumber(security.listed)))
    for (let t = 0; t < panel.dates.length; t++) {
      const today = dayNumber(panel.dates[t]) + 1
      const row = t * panel.stride
      for (let i = 0; i < listedOn.length; i++) if (panel.listed[row + i] === 1) column[row + i] = today - listedOn[i]
    }
    return column
  },
  suspension: (panel) => {
    const column = new Float64Array(panel.dates.length * panel.stride).fill(Number.NaN)
    for (let at = 0; at < column.length; at++) if (panel.listed[at] === 1) column[at] = 1 - panel.traded[at]
    return column
  },
  // 后复权收盘价; the closes themselves where the data have no adjustment factor (adjusted files, bonds).
  adj_close: (panel) => {
    const close = panel.columns.get('close')
    const factor = panel.columns.get('adj_factor')
    if (!close || !factor) return close ?? null
    const column = new Float64Array(close.length)
    for (let at = 0; at < column.length; at++) column[at] = close[at] * factor[at]
    return column
  },
}

/** What a derived field reads of the store, so that a load brings it. */
export const derivedNeeds: Readonly<Record<string, readonly string[]>> = {
  listed_days: [],
  suspension: [],
  adj_close: ['close', 'adj_factor'],
}

/** The columns of the store that a field is made of: itself, when it is one of them. */
export function storedFor(key: string): readonly string[] {
  return derivedNeeds[key] ?? [key]
}

// Columns are megabytes and a panel is read by many runs: a derived column is made once per panel.
const made = new WeakMap<Panel['columns'], Map<string, Float64Array>>()

/** The panel with those of the keys that it lacks and that can be derived. */
export function withDerived(panel: Panel, keys: Iterable<string>): Panel {
  let columns: Map<string, Float64Array> | null = null
  for (const key of keys) {
    if (panel.columns.has(key)) continue
    const column = derive(panel, key)
    if (!column) continue
    columns ??= new Map(panel.columns)
    columns.set(key, column)
  }
  return columns ? { ...panel, columns } : panel
}

function derive(panel: Panel, key: string): Float64Array | null {
  const known = made.get(panel.columns)
  const already = known?.get(key)
  if (already) return already
  const column = derivations[key]?.(panel) ?? null
  if (!column) return null
  if (known) known.set(key, column)
  else made.set(panel.columns, new Map([[key, column]]))
  return column
}
