import { isBeyondLimit, isOne } from '../../market/import/first-rows.ts'
import type { SnapshotKind } from '../../market/manifest.ts'
import { rulesOf } from '../../market/market-rules.ts'
import type { DayTable } from '../rows.ts'

/**
 * Whether the first row of a share is its listing, by the evidence that imports ask for too (`market/import/first-rows.ts`): the source
 * names suspended shares, so that a share listed before would have been named; the close lies beyond the ordinary limit; or the adjustment
 * factor is 1 where more than half of the day's shares have another one. Without evidence the day of the listing is unknown. Of bonds every
 * first row is one.
 */
export function listingEvidence(kind: SnapshotKind, { codes, columns, suspended, date }: DayTable): (code: string) => boolean {
  if (!rulesOf(kind)?.listingNeedsEvidence || suspended !== undefined) return () => true
  const [close, previous, factor] = ['close', 'pre_close', 'adj_factor'].map((key) => columns.get(key))
  const knownFactors = factor?.filter((value) => value > 0) ?? new Float64Array(0)
  const factorsTell = 2 * knownFactors.filter((value) => !isOne(value)).length > knownFactors.length
  return (code) => {
    const row = codes.indexOf(code)
    if (row < 0) return false
    if (factorsTell && isOne(factor![row]!)) return true
    return close !== undefined && previous !== undefined && isBeyondLimit(code, date, close[row]!, previous[row]!)
  }
}
