import { dayNumber } from '../base/calendar.ts'
import { putCount, type RedeemCounts, redeemCounts, resetCount } from '../bond/counters.ts'
import { callState, callStatus, resetState } from '../bond/status.ts'
import { datedColumn } from '../panel/dated.ts'
import { missingCells } from '../panel/missing-bars.ts'
import { absentColumn, type Panel } from '../panel/panel.ts'
import { standingRaw } from './price-limits.ts'
import { stock } from './stock.ts'

/** Columns that are computed, not stored: by field key, from the panel's securities and other columns. */
const derivations: Readonly<Record<string, (panel: Panel) => Float64Array | null>> = {
  // 上市天数: natural days, the listing day = 1.
  listed_days: (panel) => {
    const column = absentColumn(panel)
    const listedOn = panel.securities.map((security) => (security.listed === null ? Number.NaN : dayNumber(security.listed)))
    for (let t = 0; t < panel.dates.length; t++) {
      const today = dayNumber(panel.dates[t]) + 1
      const row = t * panel.stride
      for (let i = 0; i < listedOn.length; i++) if (panel.listed[row + i] === 1) column[row + i] = today - listedOn[i]
    }
    return column
  },
  suspension: (panel) => {
    const column = absentColumn(panel)
    for (let at = 0; at < column.length; at++) if (panel.listed[at] === 1) column[at] = 1 - panel.traded[at]
    // Nobody knows whether it traded.
    for (const at of missingCells(panel)) column[at] = Number.NaN
    return column
  },
  // 后复权价; the prices themselves where the data have no adjustment factor (adjusted files, bonds).
  adj_close: (panel) => adjusted(panel, 'close', 'adj_factor'),
  adj_close_stk: (panel) => adjusted(panel, 'close_stk', 'adj_factor_stk'),
  limit_stk: stockLimits,
  redeem_count: (panel) => redeemOf(panel)?.counts ?? null,
  reset_count: resetCount,
  put_count: putCount,
  is_call: (panel) => callState(panel, redeemOf(panel)),
  call_status: (panel) => callStatus(derive(panel, 'is_call')),
  reset_status: (panel) => resetState(panel, derive(panel, 'reset_count')),
}

// One pass over the panel counts the days and knows what is presumed.
const counts = new WeakMap<Panel['columns'], RedeemCounts | null>()
function redeemOf(panel: Panel): RedeemCounts | null {
  let known = counts.get(panel.columns)
  if (known === undefined) {
    known = redeemCounts(panel)
    counts.set(panel.columns, known)
  }
  return known
}

/** 1 where the stock closed at its upper limit of the day, −1 at the lower, 0 elsewhere. Issuers of bonds are listed for long. */
function stockLimits(panel: Panel): Float64Array | null {
  const { columns, securities, dates, stride, rules } = panel
  const close = columns.get('close_stk')
  const before = columns.get('pre_close_stk')
  if (!close || !before) return null
  const st = columns.get('is_st_stk')
  const column = absentColumn(panel)
  for (let t = 0; t < dates.length; t++) {
    for (let i = 0; i < securities.length; i++) {
      const at = t * stride + i
      // The share is there before its bond is.
      if (before[at] !== before[at] || close[at] !== close[at]) continue
      // No limit is nearer than 5 %, rounding aside.
      if (Math.abs(close[at] - before[at]) < 0.05 * before[at] - 0.006) {
        column[at] = 0
        continue
      }
      const rates = stock.limitRates(securities[i], dates[t], seasoned, st?.[at] === 1, rules)
      const bar = { open: Number.NaN, high: Number.NaN, low: Number.NaN, close: close[at] }
      column[at] = rates === null ? 0 : standingRaw(close[at], before[at], rates, bar, stock.tickDecimals)
    }
  }
  return column
}
const seasoned = 1_000

function adjusted(panel: Panel, price: string, adjustment: string): Float64Array | null {
  const { columns } = panel
  const close = columns.get(price)
  const factor = columns.get(adjustment)
  if (!close || !factor) return close ?? null
  const column = absentColumn(panel)
  for (let at = 0; at < column.length; at++) column[at] = close[at] * factor[at]
  return column
}

/** What a derived field is made of: columns and facts that it cannot do without, and columns that it takes where they are. */
export interface Derivation {
  readonly fields: readonly string[]
  readonly facts?: readonly string[]
  readonly also?: readonly string[]
  /** A day's value depends on all days before it. */
  readonly counts?: true
}

const counted = ['close_stk', 'conv_price']
/** Tells on which days the share did not trade. */
const halts = ['vol_stk']

export const derivedNeeds: Readonly<Record<string, Derivation>> = {
  listed_days: { fields: [] },
  suspension: { fields: [] },
  adj_close: { fields: ['close'], also: ['adj_factor'] },
  adj_close_stk: { fields: ['close_stk'], also: ['adj_factor_stk'] },
  limit_stk: { fields: ['close_stk', 'pre_close_stk'], also: ['is_st_stk'] },
  redeem_count: { fields: counted, facts: ['redeem_need'], also: halts, counts: true },
  reset_count: { fields: counted, facts: ['reset_need'], also: halts, counts: true },
  put_count: { fields: counted, facts: ['put_need'], also: halts, counts: true },
  is_call: { fields: counted, facts: ['redeem_need'], also: ['call_status', ...halts], counts: true },
  call_status: { fields: counted, facts: ['redeem_need'], also: halts, counts: true },
  reset_status: { fields: counted, facts: ['reset_need'], also: halts, counts: true },
}

/** The columns of the store that a field is made of: itself, when it is one of them. */
export function storedFor(key: string, available: ReadonlySet<string>): readonly string[] {
  if (available.has(key)) return [key]
  const made = derivedNeeds[key]
  return made ? [...made.fields, ...(made.also ?? [])].filter((each) => available.has(each)) : []
}

/** What the data lack that a derived field cannot do without. */
export function lacking(key: string, available: ReadonlySet<string>): readonly string[] {
  const { fields, facts = [] } = derivedNeeds[key]
  return [...fields, ...facts].filter((each) => !available.has(each))
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

/** A field's column, stored or derived; undefined where the data cannot give it. */
export function columnOf(panel: Panel, key: string): Float64Array | undefined {
  return panel.columns.get(key) ?? derive(panel, key) ?? undefined
}

function derive(panel: Panel, key: string): Float64Array | null {
  const known = made.get(panel.columns)
  const already = known?.get(key)
  if (already) return already
  const column = derivations[key]?.(panel) ?? datedColumn(panel, key)
  if (!column) return null
  if (known) known.set(key, column)
  else made.set(panel.columns, new Map([[key, column]]))
  return column
}
