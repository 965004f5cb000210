/**
 * Where a file of adjusted prices joins adjusted prices that are stored: both must stand on one base, share by share, or a dividend would
 * look like a loss (data.md 3.4). Rows that both have must agree; without any, the first previous close must be the stored close.
 */
import { namedList } from '@convexa/engine'
import type { Stored } from './merge-into-market.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'

const prices = ['close', 'open', 'high', 'low', 'pre_close'] as const
const mostNamed = 5
const cent = 0.01 + 1e-9

/**
 * Codes of shares that have nothing to compare: suspended while both have rows.
 * @throws ImportFileError where a share stands on another base, or nothing can be compared at all
 */
export function codesWithoutBase(stored: Stored, rows: Rows): ReadonlySet<string> {
  const { manifest, dates, securities, columns } = stored
  const { stride } = manifest
  const dayOf = new Map(dates.map((date, t) => [date, t]))
  const placeOf = new Map(securities.map(({ code }, i) => [code, i]))
  const close = columns.get('close')
  const previous = rows.fields.get('pre_close')
  const order = byCodeAndDay(rows)
  const without = new Set<string>()
  const others: string[] = []
  let compared = 0
  for (let start = 0; start < order.length; ) {
    const code = rows.codes[rows.code[order[start]!]!]!
    let end = start + 1
    while (end < order.length && rows.code[order[end]!] === rows.code[order[start]!]) end++
    const place = placeOf.get(code)
    const own = order.subarray(start, end)
    start = end
    if (place === undefined || !isStored(place)) continue
    const verdict = agree(own, place)
    if (verdict === null) without.add(code)
    else compared++
    if (verdict === false) others.push(code)
  }
  if (others.length > 0) {
    throw new ImportFileError(
      'base',
      `文件与已有行情的复权价不在同一基准上（${namedList(others, mostNamed, '只')}）：同一天的价格不同，或前收盘价不是已有的收盘价；请导入整份文件`,
    )
  }
  if (compared === 0 && without.size > 0)
    throw new ImportFileError('base', '文件与已有行情没有相同的交易日，也没有前收盘价，无法确认复权价在同一基准上；请导入整份文件')
  return without

  /** Null: there is nothing to compare. */
  function agree(own: Int32Array, place: number): boolean | null {
    let isThere = false
    for (const row of own) {
      const t = dayOf.get(rows.dates[rows.date[row]!]!)
      if (t === undefined) continue
      for (const key of prices) {
        const [now, before] = [rows.fields.get(key)?.[row], columns.get(key)?.[t * stride + place]]
        if (now === undefined || before === undefined || now !== now || before !== before) continue
        isThere = true
        if (Math.abs(now - before) > 1e-6 * Math.abs(before)) return false
      }
    }
    if (isThere) return true
    const first = own.find((row) => !dayOf.has(rows.dates[rows.date[row]!]!))
    const statedClose = first === undefined ? Number.NaN : (previous?.[first] ?? Number.NaN)
    if (first === undefined || statedClose !== statedClose) return null
    return Math.abs(statedClose - lastBefore(rows.dates[rows.date[first]!]!, place)) <= cent
  }

  /** Whether it has prices so far: before its listing it may be known by name. */
  function isStored(place: number): boolean {
    return dates.some((_, t) => !Number.isNaN(close?.[t * stride + place] ?? Number.NaN))
  }

  function lastBefore(date: string, place: number): number {
    for (let t = dates.length - 1; t >= 0; t--) {
      const cell = close![t * stride + place]!
      if (dates[t]! < date && cell === cell) return cell
    }
    return Number.NaN
  }
}
