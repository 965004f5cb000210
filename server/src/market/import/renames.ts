/** Codes that changed, in the data of an import: everything of an old code and of its new one is one security under the new code. */
import type { Security } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import type { CodeChange } from '../code-changes.ts'
import { type Arranged, initials } from './arrange.ts'
import { twinsFinding, withoutFormerTwins } from './both-codes.ts'
import { type Companions, joinedCompanion } from './companions.ts'
import type { Stored } from './merge-into-market.ts'
import type { Dated, Rows } from './rows.ts'

/** By old code the one that it became, over several changes the last. */
export type Renames = ReadonlyMap<string, string>

/** The changes that data up to a day have reached; before its first day a new code is unknown to everybody. */
export function renamesUpTo(changes: readonly CodeChange[], lastDate: string): Renames {
  const next = new Map(changes.filter(([, , from]) => from <= lastDate).map(([old, now]) => [old, now]))
  return new Map([...next.keys()].map((old) => [old, last(next, old)]))
}

function last(next: ReadonlyMap<string, string>, old: string): string {
  let code = old
  for (let following = next.get(code); following !== undefined; following = next.get(code)) code = following
  return code
}

/** Rows of old codes as rows of the new ones; of texts the newest stands. A file with rows of both codes is reported. */
export function renameRows(rows: Rows, renames: Renames): Rows {
  if (!rows.codes.some((code) => renames.has(code))) return rows
  const codes: string[] = []
  const placeOf = new Map<string, number>()
  const moved = rows.codes.map((code) => {
    const now = renames.get(code) ?? code
    const place = placeOf.get(now) ?? codes.push(now) - 1
    placeOf.set(now, place)
    return place
  })
  const texts = new Map(
    [...rows.texts].map(([key, values]) => {
      const renamed: (Dated | undefined)[] = []
      for (const [place, text] of values.entries()) {
        const known = renamed[moved[place]!]
        // Of one day the new code's own holds.
        const isOlder = known && text && (known.date > text.date || (known.date === text.date && renames.has(rows.codes[place]!)))
        if (text && !isOlder) renamed[moved[place]!] = text
      }
      return [key, renamed]
    }),
  )
  const code = rows.code.map((place) => (place < 0 ? -1 : moved[place]!))
  const both = rows.codes.flatMap((old) => {
    const now = renames.get(old)
    return now !== undefined && rows.codes.includes(now) ? [`${old} → ${now}`] : []
  })
  return { ...rows, codes, code, texts, findings: both.length > 0 ? [...rows.findings, twinsFinding(both)] : rows.findings }
}

/** A stored market with its securities under their new codes; a security that was there under both codes is merged, which is reported. */
export function renameStored(loaded: Stored, renames: Renames): { readonly stored: Stored; readonly findings: readonly Finding[] } {
  const single = withoutFormerTwins(loaded, renames)
  const stored = single?.stored ?? loaded
  const now = (code: string) => renames.get(code) ?? code
  const securities = stored.securities.map((security) => underNewCode(security, renames))
  // The new code's own, where both have one.
  const byCode = <T>(of: Readonly<Record<string, T>>): Record<string, T> => ({
    ...Object.fromEntries(Object.entries(of).map(([code, value]) => [now(code), value])),
    ...Object.fromEntries(Object.entries(of).filter(([code]) => now(code) === code)),
  })
  const { factors, aside } = stored.manifest
  const manifest = { ...stored.manifest, ...(factors && { factors: byCode(factors) }), ...(aside && { aside: byCode(aside) }) }
  return { stored: { ...stored, securities, manifest }, findings: single ? [single.finding] : [] }
}

/** A security under the code that its own became. */
export function underNewCode(security: Security, renames: Renames): Security {
  const code = renames.get(security.code)
  if (code === undefined) return security
  // Without a name a security bears its code.
  const name = security.name === security.code ? code : security.name
  const issuer = security.issuer === security.code ? code : security.issuer
  return { ...security, code, name, pinyin: initials(name), issuer }
}

/** What tables say of old codes is said of the new ones; where they say it of both, what they say of the new ones holds. */
export function renameCompanions(companions: Companions, renames: Renames): Companions {
  const byCode = new Map(companions.byCode)
  for (const [code, companion] of companions.byCode) {
    const now = renames.get(code)
    if (now === undefined) continue
    byCode.delete(code)
    const known = byCode.get(now)
    byCode.set(now, known ? joinedCompanion(known, companion) : companion)
  }
  return { ...companions, byCode }
}

/** By new code, the codes that became it. */
export function formerBy(renames: Renames): Map<string, string[]> {
  const former = new Map<string, string[]>()
  for (const [old, now] of renames) former.set(now, [...(former.get(now) ?? []), old])
  return former
}

/** Tells the securities of a table which codes they bore. */
export function keepFormerCodes(table: Arranged, renames: Renames): void {
  const former = formerBy(renames)
  table.securities.forEach((security, i) => {
    const formerCodes = former.get(security.code)
    if (formerCodes) table.securities[i] = { ...security, formerCodes }
  })
}
