/**
 * A stored market that has a security twice, under a code that changed and under the one that it became: it was imported before the change
 * was known, or the operator added the change later. Both become one under the new code, as an import of both would make it:
 *
 * - A day that only one of them has is that one's; of equal rows one counts, and of different ones of a day none does (data.md 3.1).
 * - The new code's factors go on from those of the old one: by the ratio on common days, else by its first previous close, else unmoved.
 * - What is known of the security besides its rows is what both know; where both say it, the new code's word holds.
 */
import type { Announcement, BondTerms, ExDay, Security, StatementHistory } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import { isOfStock } from '../store.ts'
import { usualConversionStart } from './bond-calls.ts'
import { factorAfter, factorColumns } from './factors.ts'
import type { Stored } from './merge-into-market.ts'

/** Places of a security's two codes among the stored ones. */
interface Pair {
  readonly old: number
  readonly now: number
}

/**
 * @param renames by old code the new one
 * @returns the market with each security once, and the finding about it; null where none is there twice
 */
export function withoutFormerTwins(stored: Stored, renames: ReadonlyMap<string, string>): { stored: Stored; finding: Finding } | null {
  const placeOf = new Map(stored.securities.map(({ code }, i) => [code, i]))
  const pairs = stored.securities.flatMap(({ code }, old): Pair[] => {
    const now = placeOf.get(renames.get(code) ?? '')
    return now === undefined ? [] : [{ old, now }]
  })
  if (pairs.length === 0) return null
  const columns = new Map([...stored.columns].map(([key, column]) => [key, column.slice()]))
  const merged: Stored = { ...stored, columns, listed: stored.listed.slice(), traded: stored.traded.slice() }
  const securities = [...stored.securities]
  const examples: string[] = []
  for (const pair of pairs) {
    const old = securities[pair.old]!
    const now = securities[pair.now]!
    const differing = joinRowsOf(merged, pair)
    securities[pair.now] = joinedSecurity(old, now, merged, pair)
    const said = differing.length > 0 ? `（同一天两行不同、都未使用的有 ${differing.length} 天，例如 ${differing[0]}）` : ''
    examples.push(`${old.code} → ${now.code}${said}`)
  }
  const gone = new Set(pairs.map(({ old }) => old))
  const kept = securities.flatMap((_, i) => (gone.has(i) ? [] : [i]))
  return {
    stored: compacted({ ...merged, securities }, kept, new Map(pairs.map(({ old, now }) => [old, now]))),
    finding: twinsFinding(examples),
  }
}

export const twinsFinding = (examples: readonly string[]): Finding => ({
  check: 'codes_joined',
  level: 'warning',
  count: examples.length,
  text: '同一只证券的旧代码和新代码都有行，已并为新代码的一只，同一天相同的行只留一行',
  examples: examples.slice(0, 20),
})

/** Puts the old code's rows into the new one's place. Returns the days on which both have a row and the rows differ. */
function joinRowsOf({ manifest, dates, columns, listed, traded }: Stored, { old, now }: Pair): string[] {
  const { stride, kind } = manifest
  const own = [...columns].flatMap(([key, column]) => (isOfStock(kind, key) ? [] : [column]))
  const hasRow = (cell: number) => own.some((column) => column[cell] === column[cell])
  const factors = columns.get(factorColumns(kind)?.factor ?? '')
  if (factors) scaleFactors({ manifest, dates, columns }, factors, { old, now })
  const different: string[] = []
  for (let t = 0; t < dates.length; t++) {
    const [from, to] = [t * stride + old, t * stride + now]
    if (hasRow(from) && hasRow(to)) {
      const isSame = traded[from] === traded[to] && [...columns.values()].every((column) => isEqual(column[from]!, column[to]!))
      if (!isSame) {
        different.push(dates[t]!)
        for (const column of columns.values()) column[to] = Number.NaN
        traded[to] = 0
      }
    } else if (!hasRow(to)) {
      for (const column of columns.values()) if (column[to] !== column[to]) column[to] = column[from]!
      traded[to] = traded[from]!
    }
    listed[to] = listed[from]! | listed[to]!
  }
  return different
}

const isEqual = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.abs(b)

/** Puts the factors of the new code on the base of the old one. */
function scaleFactors(
  { manifest, dates, columns }: Pick<Stored, 'manifest' | 'dates' | 'columns'>,
  factors: Float64Array,
  { old, now }: Pair,
) {
  const names = factorColumns(manifest.kind)!
  const at = (column: Float64Array | undefined, t: number, i: number) => column?.[t * manifest.stride + i] ?? Number.NaN
  const has = (t: number, i: number) => at(factors, t, i) > 0
  const common = dates.findIndex((_, t) => has(t, old) && has(t, now))
  let scale = 1
  if (common >= 0) scale = at(factors, common, old) / at(factors, common, now)
  else {
    const first = dates.findIndex((_, t) => has(t, now))
    const last = dates.findLastIndex((_, t) => t < first && has(t, old))
    if (last < 0) return
    const [close, previous] = [at(columns.get(names.close), last, old), at(columns.get(names.previous), first, now)]
    const before = at(factors, last, old)
    const right = previous === previous && close === close ? factorAfter(before, close, previous) : before
    scale = right / at(factors, first, now)
  }
  if (scale === 1) return
  for (let t = 0; t < dates.length; t++) if (has(t, now)) factors[t * manifest.stride + now]! *= scale
}

function joinedSecurity(old: Security, now: Security, { dates, listed, manifest: { stride } }: Stored, pair: Pair): Security {
  const listedFrom = (i: number) => dates.findIndex((_, t) => listed[t * stride + i] === 1)
  const isOlder = listedFrom(pair.old) <= listedFrom(pair.now)
  const announcements = joined(old.announcements, now.announcements, ({ date, kind }: Announcement) => `${date} ${kind}`)
  const terms = joinedTerms(old, now, isOlder)
  const exDays = joined(old.exDays, now.exDays, ({ date }: ExDay) => date)
  return {
    ...old,
    ...now,
    listed: isOlder ? old.listed : now.listed,
    attributes: { ...old.attributes, ...now.attributes },
    ...(terms && { terms }),
    ...(announcements && { announcements }),
    ...(exDays && { exDays }),
    ...((old.dated || now.dated) && { dated: { ...old.dated, ...now.dated } }),
  }
}

/** What was estimated from the first day of the new code is none of the bond's terms where the old one was there before. */
function joinedTerms(old: Security, now: Security, isOlder: boolean): BondTerms | undefined {
  if (!old.terms || !now.terms) return now.terms ?? old.terms
  const isEstimate = isOlder && now.listed !== null && now.terms.conversionStart === usualConversionStart(now.listed)
  return { ...now.terms, conversionStart: isEstimate ? old.terms.conversionStart : now.terms.conversionStart }
}

/** What one of them says, once, ascending by its key. */
function joined<T>(old: readonly T[] | undefined, now: readonly T[] | undefined, keyOf: (one: T) => string): T[] | null {
  const byKey = new Map([...(old ?? []), ...(now ?? [])].map((one) => [keyOf(one), one]))
  return byKey.size === 0 ? null : [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** The market with those securities alone; `into`: by place of one that is left out, whose its statements are. */
function compacted(stored: Stored, kept: readonly number[], into: ReadonlyMap<number, number>): Stored {
  const { manifest, dates, reports } = stored
  const { stride } = manifest
  const moved = <A extends Float64Array | Uint8Array>(cells: A, empty: number): A => {
    const made = cells.slice().fill(empty) as A
    for (let t = 0; t < dates.length; t++) for (const [k, i] of kept.entries()) made[t * stride + k] = cells[t * stride + i]!
    return made
  }
  return {
    ...stored,
    securities: kept.map((i) => stored.securities[i]!),
    columns: new Map([...stored.columns].map(([key, column]) => [key, moved(column, Number.NaN)])),
    listed: moved(stored.listed, 0),
    traded: moved(stored.traded, 0),
    reports: reports && reportsOf(reports, kept, into),
  }
}

function reportsOf(reports: StatementHistory, kept: readonly number[], into: ReadonlyMap<number, number>): StatementHistory {
  const olds = new Map([...into].map(([old, now]) => [now, old]))
  const versionsOf = (i: number | undefined) =>
    i === undefined ? [] : Array.from({ length: reports.starts[i + 1]! - reports.starts[i]! }, (_, k) => reports.starts[i]! + k)
  const order: number[] = []
  const starts = Int32Array.from([0, ...kept], (i, k) => {
    if (k === 0) return 0
    const own = versionsOf(i)
    const has = new Set(own.map((v) => `${reports.quarters[v]} ${reports.published[v]}`))
    const more = versionsOf(olds.get(i)).filter((v) => !has.has(`${reports.quarters[v]} ${reports.published[v]}`))
    order.push(...[...own, ...more].sort((a, b) => reports.published[a]! - reports.published[b]!))
    return order.length
  })
  return {
    starts,
    quarters: Int32Array.from(order, (v) => reports.quarters[v]!),
    published: Int32Array.from(order, (v) => reports.published[v]!),
    items: new Map([...reports.items].map(([key, values]) => [key, Float64Array.from(order, (v) => values[v]!)])),
  }
}
