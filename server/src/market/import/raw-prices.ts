/**
 * Adjusted prices back to what was traded, where a file gives their factor (domain.md 5.6): raw = price ÷ factor (hfq), or price × the
 * factor of the share's last row ÷ factor (qfq). Used for the whole file or not at all: half a step of its decimals is never more than half
 * a cent of the raw price, and every raw price lies on a cent to that. So hfq in cents come out, qfq in cents do not.
 */
import { adjustments } from '@convexa/contract/enums/adjust'
import { roundHalfUp } from '@convexa/engine'
import type { Adjust } from '../manifest.ts'
import { isFactorMoved } from './factors.ts'
import type { Placed } from './merge-into-market.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'

const bars = ['open', 'high', 'low', 'close'] as const
/** What numbers of single precision, and factors that are multiplied in it, are off by. */
const precision = 3e-7
const halfCent = 0.005 * (1 + 1e-9)
/** Rows whose amount does not agree with raw prices: of more of them the volume is adjusted too. */
const mostOff = 0.005

/** The rows with raw prices; null where they do not come out to the cent. */
export function rawPrices({ rows, inside }: Placed, adjust: Exclude<Adjust, 'raw'>): Rows | null {
  const factors = rows.fields.get('adj_factor')
  const columns = bars.flatMap((key) => rows.fields.get(key) ?? [])
  if (!factors || columns.length === 0) return null
  const scale = scaleOfRows(rows, factors, adjust)
  const step = 10 ** -decimalsOf(columns)
  const isExact = (price: number, by: number) => {
    const raw = price * by
    const error = (step / 2) * by
    return error <= halfCent && Math.abs(raw - Math.round(raw * 100) / 100) <= error + precision * Math.abs(raw)
  }
  const raw = columns.map((column) => {
    const out = new Float64Array(rows.count).fill(Number.NaN)
    for (let row = 0; row < rows.count; row++) {
      const price = column[row]!
      // Rows that are put aside or not used need not come out.
      if (price !== price || inside?.[row] === 0 || rows.code[row]! < 0 || rows.date[row]! < 0 || rows.unreadable.has(row)) continue
      const by = scale[row]!
      // Zero is no price: rows without a trade have it.
      if (price !== 0 && !isExact(price, by)) return null
      out[row] = Math.round(price * by * 100) / 100
    }
    return out
  })
  if (raw.includes(null)) return null
  const fields = new Map(rows.fields)
  for (const [k, key] of bars.filter((each) => rows.fields.has(each)).entries()) fields.set(key, raw[k]!)
  const previous = rows.fields.get('pre_close')
  // Stated on the day's own level: the exchange's own, which is in cents.
  if (previous)
    fields.set(
      'pre_close',
      previous.map((price, row) => roundHalfUp(price * scale[row]!, 2)),
    )
  const made = { ...rows, fields }
  return isVolumeRaw(made) ? made : null
}

/** By row: what a price is multiplied by. NaN where the factor is unknown. */
function scaleOfRows(rows: Rows, factors: Float64Array, adjust: Exclude<Adjust, 'raw'>): Float64Array {
  const order = byCodeAndDay(rows)
  const scale = new Float64Array(rows.count).fill(Number.NaN)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && rows.code[order[end]!] === rows.code[order[start]!]) end++
    const known = knownFactors(order.subarray(start, end), factors)
    const newest = known.at(-1)!
    for (let k = start; k < end; k++) scale[order[k]!] = (adjustments[adjust].anchor === 'first' ? 1 : newest) / known[k - start]!
    start = end
  }
  return scale
}

/** A share's factors in the order of its rows: those between two that are the same are that, those behind the last one as it is. */
function knownFactors(order: Int32Array, factors: Float64Array): Float64Array {
  const known = Float64Array.from(order, (row) => factors[row]!)
  let last = -1
  for (let k = 0; k <= known.length; k++) {
    if (k < known.length && known[k] !== known[k]) continue
    const isSame = last >= 0 && (k === known.length || !isFactorMoved(known[last]!, known[k]!))
    if (isSame) known.fill(known[last]!, last + 1, k)
    last = k
  }
  return known
}

/** The decimals in which all numbers are written; 15 for all digits. */
function decimalsOf(columns: readonly Float64Array[]): number {
  for (let decimals = 0; decimals <= 6; decimals++) {
    const scale = 10 ** decimals
    const isWritten = (value: number) => {
      const short = Math.round(value * scale) / scale
      return value !== value || short === value || Math.fround(short) === value
    }
    if (columns.every((column) => column.every(isWritten))) return decimals
  }
  return 15
}

/** Whether turnover agrees with volume at the raw prices. */
function isVolumeRaw({ fields, count }: Rows): boolean {
  const [vol, amount, high, low] = ['vol', 'amount', 'high', 'low'].map((key) => fields.get(key))
  if (!vol || !amount || !high || !low) return true
  let [off, all] = [0, 0]
  for (let row = 0; row < count; row++) {
    const mean = (amount[row]! * 10_000) / vol[row]!
    if (!(vol[row]! > 0 && amount[row]! > 0 && high[row]! > 0)) continue
    all++
    if (mean > high[row]! * 1.05 || mean < low[row]! * 0.95) off++
  }
  return off <= mostOff * all
}
