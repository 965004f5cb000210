/** What sources are asked for; `Needs` (`feeds/feed.ts`) has the question and the answer of each. */
export type Need =
  | 'calendar'
  | 'stock-day'
  | 'bond-day'
  | 'index-day'
  | 'ex-days'
  | 'stock-limits'
  | 'stock-list'
  | 'bond-list'
  | 'names'
  | 'calls'
  | 'conversion-prices'
  | 'remaining-sizes'
  | 'statements'
  | 'quotes'

/** An answer that is kept. `file`: below `DATA_DIR/raw`. */
export interface Kept<N extends Need = Need> {
  readonly need: N
  readonly source: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  /** It was asked for in the place of rows that did not pass the checks. */
  readonly instead?: boolean
}

/**
 * Why a source gave nothing.
 *
 * - `wait`: asked too often; may be asked again after `waitMs`
 * - `tomorrow`: the day's share is used up
 * - `permission`, `credentials`: the user must act; asking again is useless
 * - `refused`: it says no for a reason that is not known
 * - `blocked`: it turns this machine's address away, for `waitMs` or until midnight; `banned`: the account, until an operator has asked
 * - `network`: no answer, or not in time
 * - `shape`: an answer that is not what the source is known to give (HTML, truncated, other columns)
 */
export type FeedErrorKind = 'wait' | 'tomorrow' | 'permission' | 'credentials' | 'refused' | 'blocked' | 'banned' | 'network' | 'shape'
