/** Rows without a trade outside of a listing: sources go on with rows of bonds that ended years ago, and have rows of bonds to come. */
import { lastDayOn } from '@convexa/engine'
import type { DayTable } from '../rows.ts'
import { only } from '../source/columns.ts'
import type { Entry } from './entries.ts'
import type { Past } from './past.ts'

/** A row is a trade unless its volume, or without one its amount or turnover, says that there was none. */
export function didTrade({ columns }: DayTable, i: number): boolean {
  for (const key of ['vol', 'amount', 'turnover']) {
    const value = columns.get(key)?.[i]
    if (value !== undefined && value === value) return value !== 0
  }
  return true
}

/** The table without rows, and without suspensions, of securities that have ended or are not listed yet and did not trade: they are no rows. */
export function withoutOutsiders(
  past: Past,
  { day, table, entries }: { readonly day: string; readonly table: DayTable; readonly entries: ReadonlyMap<string, Entry> | null },
): DayTable {
  const known = new Map(past.securities.map((security) => [security.code, security]))
  const isOutside = (code: string): boolean => {
    const [entry, security] = [entries?.get(code), known.get(code)]
    const delisted = entry ? entry.delisted : (security?.delisted ?? null)
    const matures = (security?.terms ?? entry?.terms)?.maturityDate ?? null
    const listed = entry?.listed ?? null
    const last = security ? (security.lastDay ?? lastDayOn(security, day)) : null
    if (last !== null && last < day) return true
    return (delisted !== null && delisted <= day) || (matures !== null && matures < day) || (listed !== null && listed > day)
  }
  // Volumes of the dead may be absent: what is outside has to say that it traded.
  const says = ['vol', 'amount', 'turnover'].flatMap((key) => table.columns.get(key) ?? [])
  const isKept = (code: string, i: number) => !isOutside(code) || says.some((cells) => cells[i]! > 0)
  const { suspended } = table
  if (table.codes.every(isKept) && !suspended?.some(isOutside)) return table
  return { ...only(table, isKept), ...(suspended && { suspended: suspended.filter((code) => !isOutside(code)) }) }
}
