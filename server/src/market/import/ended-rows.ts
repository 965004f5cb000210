/**
 * Rows of bonds that are over. Files repeat them: behind a maturity or a delisting that a table states, and without a trade from the day on which
 * trading was stopped for good. Such rows are none (domain.md 5.7), so they stand in no listing window, no index and no book.
 */

import type { Finding } from '../../db/tables/quality.ts'
import type { SnapshotKind } from '../manifest.ts'
import { marketOf } from '../market-rules.ts'
import { type Companion, overFrom } from './companions.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'
import { tradedIn } from './traded-rows.ts'

/** Of a bond that does not trade any more, days on which its share did: more of them are no suspension. */
const mostBesideShare = 10
const mostNamed = 20

/** Takes such rows out of their listing windows. Rows that are known from before are judged with those of the file. */
export function withoutEndedRows(
  kind: SnapshotKind,
  { rows, inside }: { readonly rows: Rows; readonly inside: Uint8Array | null },
  about: ReadonlyMap<string, Companion>,
): { readonly inside: Uint8Array | null; readonly findings: Finding[] } {
  if (!marketOf(kind)?.redeemed) return { inside, findings: [] }
  const left = inside ? inside.slice() : new Uint8Array(rows.count).fill(1)
  const order = byCodeAndDay(rows)
  const shareTrades = shareTradesIn(rows, order)
  const isTraded = tradedIn(rows)
  const [over, halted] = [new Map<string, number>(), new Map<string, number>()]
  const take = (place: number, into: Map<string, number>, code: string) => {
    const row = order[place]!
    if (left[row] === 0) return
    left[row] = 0
    into.set(code, (into.get(code) ?? 0) + 1)
  }
  for (let start = 0; start < order.length; ) {
    const place = rows.code[order[start]!]!
    const code = rows.codes[place]!
    let end = start + 1
    while (end < order.length && rows.code[order[end]!] === place) end++
    const companion = about.get(code)
    const last = companion && overFrom(companion)
    for (let k = end - 1; last !== undefined && k >= start && rows.dates[rows.date[order[k]!]!]! >= last; k--) take(k, over, code)
    let trade = end - 1
    while (trade >= start && !(left[order[trade]!] === 1 && isTraded(order[trade]!))) trade--
    let beside = 0
    for (let k = trade + 1; k < end; k++) beside += Number(shareTrades(k))
    if (trade >= start && beside > mostBesideShare) for (let k = trade + 1; k < end; k++) take(k, halted, code)
    start = end
  }
  return {
    inside: over.size + halted.size > 0 ? left : inside,
    findings: [
      ...droppedFinding('over', '参考资料载明已到期或退市之后的行，不作为行情', over),
      ...droppedFinding(
        'halted',
        `转债不再成交而正股照常交易（超过 ${mostBesideShare} 个交易日）的末尾行，不作为行情，按已停止交易处理`,
        halted,
      ),
    ],
  }
}

function droppedFinding(check: string, text: string, rowsOf: ReadonlyMap<string, number>): Finding[] {
  if (rowsOf.size === 0) return []
  const count = [...rowsOf.values()].reduce((sum, rows) => sum + rows, 0)
  const examples = [...rowsOf].slice(0, mostNamed).map(([code, rows]) => `${code} ${rows} 行`)
  return [{ check, level: 'warning', count, text, examples }]
}

/** By place in the order of codes and days: whether the bond's share traded, by its volume, else by a close that is another than the row's before. */
function shareTradesIn({ fields, code }: Rows, order: Int32Array): (place: number) => boolean {
  const [volume, close] = ['vol_stk', 'close_stk'].map((key) => fields.get(key))
  if (volume) return (place) => volume[order[place]!]! > 0
  if (!close) return () => false
  return (place) => {
    const [row, before] = [order[place]!, order[place - 1]]
    return before !== undefined && code[before] === code[row] && close[row]! !== close[before]! && close[row]! > 0 && close[before]! > 0
  }
}
