/** What a report must warn of, and of what it must not, by data.md 3.1 and 3.5–3.6 alone. */
import { oddShare } from './beside-tables.ts'
import type { Shape } from './shape.ts'
import type { Truth, TruthSecurity } from './truth.ts'

/** Trading days without a trade at the end of a file from which on a security is named. */
const silentDays = 20
/** 暂停上市 was abolished then: a file that ends before gets a warning that shares may have come back later. */
const lastOfLongSuspensions = '2021-12-31'

/** @param truth the securities as far as their rows tell of them */
export function expectedWarnings(truth: Truth, shape: Shape, isListing: (security: TruthSecurity) => boolean): Map<string, number> {
  const { days, securities } = truth
  const { kind, hasListed, telling } = shape
  const end = days.length - 1
  const count = (is: (security: TruthSecurity) => boolean) => (hasListed ? 0 : securities.filter(is).length)
  const isShare = kind === 'stk'
  const lastTrade = ({ rows }: TruthSecurity) => rows.findLastIndex((row) => row?.isTraded === true)
  const isUnasked = isShare && !hasListed && !telling.hasEnds && days[end]! <= lastOfLongSuspensions
  return new Map([
    ['listing_unknown', shape.beside?.hasList ? 0 : count((security) => security.first > 0 && !isListing(security))],
    ['ended', isShare ? count(({ last }) => last < end) : 0],
    ['silent', count((security) => security.last === end && end - lastTrade(security) >= silentDays)],
    // Its own count is 0: it names a day.
    ['ends_after', isUnasked ? 1 : 0],
    ['listing_day', 0],
    ['list_contradicts', oddShare(shape.beside, 'contradicted') >= 0 ? 1 : 0],
    // A share that is there throughout has a row on each day before.
    ['before_listing', oddShare(shape.beside, 'late') >= 0 ? shape.beside!.odd.t : 0],
    ['behind_delisting', 0],
    ['codes_joined', 0],
    ['factor_unmoved', 0],
  ])
}
