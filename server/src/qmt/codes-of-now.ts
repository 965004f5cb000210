/** Codes that changed, where somebody names securities by themselves: holdings, lists, what is ignored. */
import type { Holding } from '@convexa/contract'
import type { Security } from '@convexa/engine'

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

/** The code under which the data have a security that somebody names. */
export const codeNow = ({ quotes }: Day, code: string): string => quotes.get(code)?.code ?? code

/** Holdings of a former code and of the code of now are one. */
export function underCodesOfNow(day: Day, holdings: readonly Holding[]): Holding[] {
  const held = new Map<string, Holding>()
  for (const one of holdings) {
    const code = codeNow(day, one.code)
    const before = held.get(code)
    held.set(code, before ? { ...before, volume: before.volume + one.volume } : { ...one, code })
  }
  return [...held.values()]
}
