import type { SnapshotKind } from '../../market/manifest.ts'
import { order } from '../chain.ts'
import { ingestRules } from './ingest-rules.ts'

/** A list, and the bars that it is held against. */
interface Listing {
  readonly kind: SnapshotKind
  /** Codes on the list. */
  readonly codes: Iterable<string>
  /** Sources of the list and of the bars. */
  readonly listSource: string
  readonly barSource: string
}

/**
 * Whether a code that a list does not have is no security of the market. A list says nothing of an exchange of which it has nobody (BaoStock
 * has no Beijing), and one of a source that is asked later than that of the bars nothing of these: it may have a new listing later.
 */
export function listCoverage({ kind, codes, listSource, barSource }: Listing): (code: string) => boolean {
  const sources = order[ingestRules[kind].bars]
  // A source without bars is behind all that have some.
  const rankOf = (source: string) => (sources.includes(source) ? sources.indexOf(source) : sources.length)
  if (rankOf(listSource) > rankOf(barSource)) return () => false
  const exchanges = new Set(Array.from(codes, exchangeOf))
  return (code) => exchanges.has(exchangeOf(code))
}

const exchangeOf = (code: string): string => code.slice(code.indexOf('.') + 1)
