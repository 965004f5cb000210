/** Days of ST by the names that stocks had: the name of the day counts, not the current one. */

import type { DatedFact, Security } from '@convexa/engine'
import type { Named } from '../../db/tables/fact-value.ts'
import { readName } from '../../market/import/cells/text.ts'

/** ST, *ST and S*ST, as the exchange puts them before a name; in data of before also full width. */
export const isSpecial = (name: string): boolean => /^S?\*?ST/i.test(readName(name) ?? '')

/** The name on a day; null: nobody says what it was called then. */
export function nameOn(names: readonly Named[] | undefined, day: string): string | null {
  let last: Named | null = null
  for (const each of names ?? []) if (each.from <= day && (last === null || each.from >= last.from)) last = each
  return last?.name ?? null
}

/** The days on which a stock was ST. */
export function specialDays(names: readonly Named[]): DatedFact[] {
  const sorted = [...names].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const facts: { from: string; to: string | null; text: string }[] = []
  for (const { name, from } of sorted) {
    const open = facts.at(-1)?.to === null ? facts.at(-1) : undefined
    if (open && isSpecial(name)) continue
    if (open) open.to = from
    else if (isSpecial(name)) facts.push({ from, to: null, text: '1' })
  }
  return facts.filter(({ from, to }) => to === null || from < to)
}

/** Securities with the days on which they were ST: for a market that has no column of it. */
export function withSpecialDays(securities: readonly Security[], names: ReadonlyMap<string, readonly Named[]>): Security[] {
  return securities.map((security) => {
    const known = names.get(security.code)
    if (!known) return security
    const { is_st: _, ...dated } = security.dated ?? {}
    const facts = specialDays(known)
    if (facts.length > 0) return { ...security, dated: { ...dated, is_st: facts } }
    const { dated: __, ...others } = security
    return Object.keys(dated).length > 0 ? { ...others, dated } : others
  })
}
