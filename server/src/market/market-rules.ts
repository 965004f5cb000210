/** How the files and feeds of a market are read. What pages and reports know of it stands in the contract's record, how it trades in the engine's. */
import type { Board, MarketId } from '@convexa/contract'
import { type MarketRow, markets } from '@convexa/contract/enums/market'
import { boardOfBond, boardOfStock } from './import/code.ts'
import type { SnapshotKind } from './manifest.ts'
import { exchangeOfOther } from './other-bonds.ts'

interface MarketRules {
  /** @param issuer code of the issuer's share; undefined where the market has none or the data do not say */
  boardOf(code: string, issuer: string | undefined): Board
  /** Exchange of a code's six digits, as the exchanges allot them; null: of a security of another kind. */
  exchangeOf(number: string): string | null
  /** Market of the issuers' shares, whose quotes its days need; they are made again where those change. */
  readonly issuerMarket: MarketId | null
  /** Price limits differ by board. */
  readonly hasBoardLimits: boolean
  /** A security without rows for long (`ends_after`) has left; else files say when one ends. */
  readonly endsWithoutRows: boolean
  /** A first row is a listing only on evidence: a security that was suspended has a first row too. */
  readonly listingNeedsEvidence: boolean
  /** Days of ST follow the names where the data have no column of them. */
  readonly stFromNames: boolean
  /** Statements are asked for by its own codes; else those asked for the issuers' market serve it. */
  readonly hasStatements: boolean
  /** Files may have a table of dividends. */
  readonly hasDividends: boolean
}

export const marketRules: Readonly<Record<MarketId, MarketRules>> = {
  cb: {
    boardOf: boardOfBond,
    exchangeOf: (number) => exchangeOfOther(number) ?? (/^(10|11)/.test(number) ? 'SH' : /^12/.test(number) ? 'SZ' : null),
    issuerMarket: 'stk',
    hasBoardLimits: false,
    endsWithoutRows: false,
    listingNeedsEvidence: false,
    stFromNames: false,
    hasStatements: false,
    hasDividends: false,
  },
  stk: {
    boardOf: boardOfStock,
    exchangeOf: (number) => (/^(60|68)/.test(number) ? 'SH' : /^(00|30)/.test(number) ? 'SZ' : /^(4|8|92)/.test(number) ? 'BJ' : null),
    issuerMarket: null,
    hasBoardLimits: true,
    endsWithoutRows: true,
    listingNeedsEvidence: true,
    stFromNames: true,
    hasStatements: true,
    hasDividends: true,
  },
}

/** The rules of a snapshot's market; null of index series, which are no market. */
export const rulesOf = (kind: SnapshotKind): MarketRules | null => (kind === 'index' ? null : marketRules[kind])
/** The contract's record; null of index series. */
export const marketOf = (kind: SnapshotKind): MarketRow | null => (kind === 'index' ? null : markets[kind])

/** Whether other markets need the quotes of this one's shares. */
export const hasDependents = (kind: SnapshotKind): boolean => Object.values(marketRules).some(({ issuerMarket }) => issuerMarket === kind)
