/** Codes that changed, where somebody names securities by themselves: holdings, lists, what is ignored. */
import type { Holding } from '@convexa/contract'
import type { Security } from '@convexa/engine'
import type { CodeChange } from '../market/code-changes.ts'
import { renamesUpTo } from '../market/import/renames.ts'

interface Coded {
  readonly code: string
}
/** By code, former codes among them. */
interface Day {
  readonly quotes: ReadonlyMap<string, Coded>
}

/** Quotes by the codes of now and by former ones; the quote of a former code says the code of now. */
export function withFormerCodes<Quote extends Coded>(
  quotes: readonly (readonly [string, Quote])[],
  securities: readonly Pick<Security, 'code' | 'formerCodes'>[],
): Map<string, Quote> {
  const byCode = new Map(quotes)
  for (const { code, formerCodes = [] } of securities) {
    const quote = byCode.get(code)
    for (const former of formerCodes) if (quote && !byCode.has(former)) byCode.set(former, quote)
  }
  return byCode
}

/** The code that a former one is on a day, and the first day on which the former one does not trade any more. */
export interface Renamed {
  readonly to: string
  readonly day: string
}

/** By former code, the changes that a day has reached. */
export function renamedBy(changes: readonly CodeChange[], date: string): ReadonlyMap<string, Renamed> {
  const firstDays = new Map(changes.map(([old, , from]) => [old, from]))
  return new Map([...renamesUpTo(changes, date)].map(([old, to]) => [old, { to, day: firstDays.get(old) ?? date }]))
}

/** Quotes of data that have not reached a change yet, under the code that the terminal trades. */
export function underNewCodes<Quote extends Coded>(
  quotes: ReadonlyMap<string, Quote>,
  renamed: ReadonlyMap<string, Renamed>,
): Map<string, Quote> {
  const made = new Map(quotes)
  for (const [old, { to }] of renamed) {
    const before = quotes.get(old)
    const quote = quotes.get(to) ?? (before && { ...before, code: to })
    if (quote) made.set(old, quote).set(to, quote)
  }
  return made
}

/** The code under which the data have a security that somebody names. */
export const codeNow = ({ quotes }: Day, code: string): string => quotes.get(code)?.code ?? code

/** Holdings of a former code and of the code of now are one. */
export function underCodesOfNow(day: Day, holdings: readonly Holding[]): Holding[] {
  const byCode = new Map<string, Holding>()
  for (const one of holdings) {
    const code = codeNow(day, one.code)
    const before = byCode.get(code)
    byCode.set(code, before ? { ...before, volume: before.volume + one.volume } : { ...one, code })
  }
  return [...byCode.values()]
}
