/** How the files and feeds of a market are read. What pages and reports know of it stands in the contract's record, how it trades in the engine's. */
import type { Board, MarketId } from '@convexa/contract'
import { type MarketRow, markets } from '@convexa/contract/enums/market'
import { boardOfBond, boardOfStock } from './import/code.ts'
import type { SnapshotKind } from './manifest.ts'
import { exchangeOfOther } from './other-bonds.ts'

/** What is assumed where a file has none of some columns. */
interface Assumption {
  readonly keys: readonly string[]
  readonly text: string
}

/** Columns of which an adjustment factor is made. */
export interface FactorColumns {
  readonly factor: string
  readonly close: string
  readonly previous: string
}

interface MarketRules {
  /** @param issuer code of the issuer's share; undefined where the market has none or the data do not say */
  boardOf(code: string, issuer: string | undefined): Board
  /** Exchange of a code's six digits, as the exchanges allot them; null: of a security of another kind. */
  exchangeOf(number: string): string | null
  /** By exchange the numbers that it gives to securities of other kinds, whose rows are not read; what is given to nobody yet is let in. */
  readonly foreign: { readonly text: string; readonly numbers: Readonly<Record<string, RegExp>> }
  /** A bond has the factor of its share. */
  readonly factorColumns: FactorColumns
  /** In the order in which they are said; a column that one of them names is not named again. */
  readonly assumptions: readonly Assumption[]
  /** Market of the issuers' shares, whose quotes its days need; they are made again where those change. */
  readonly issuerMarket: MarketId | null
  /** Price limits differ by board. */
  readonly hasBoardLimits: boolean
  /** A security without rows for long (`ends_after`) has left; else files say when one ends. */
  readonly endsWithoutRows: boolean
  /**
   * A first row is a listing only on evidence of how it traded: a security that was suspended has a first row too. Else it is one unless
   * much of its term is over.
   */
  readonly listingNeedsEvidence: boolean
  /** Days of ST follow the names where the data have no column of them. */
  readonly stFromNames: boolean
  /** Statements are asked for by its own codes; else those asked for the issuers' market serve it. */
  readonly hasStatements: boolean
  /** Files may have a table of dividends. */
  readonly hasDividends: boolean
}

const barAssumptions: readonly Assumption[] = [
  { keys: ['vol', 'amount'], text: '有收盘价的行都视为有成交，不限制单笔成交占比' },
  { keys: ['amount'], text: '不限制单笔成交占比' },
  { keys: ['vol'], text: '停牌按成交额判断，成交量因子没有数据' },
  { keys: ['open'], text: '不能按开盘价成交' },
  { keys: ['high', 'low'], text: '涨跌停和止盈止损只按收盘价判断' },
  { keys: ['high'], text: '最高价因子没有数据' },
  { keys: ['low'], text: '最低价因子没有数据' },
]

export const marketRules: Readonly<Record<MarketId, MarketRules>> = {
  cb: {
    boardOf: boardOfBond,
    exchangeOf: (number) => exchangeOfOther(number) ?? (/^(10|11)/.test(number) ? 'SH' : /^12/.test(number) ? 'SZ' : null),
    foreign: {
      text: '不是可转债的代码（股票、指数、基金等），未读入',
      numbers: { SH: /^[0569]/, SZ: /^(0|15|16|18|2|3)/, BJ: /^(4|8|92)/ },
    },
    factorColumns: { factor: 'adj_factor_stk', close: 'close_stk', previous: 'pre_close_stk' },
    assumptions: [
      ...barAssumptions,
      { keys: ['pre_close'], text: '前收盘价按上一行收盘价推算' },
      { keys: ['conv_price', 'close_stk'], text: '不能计数强赎天数，强赎状态只按公告' },
      { keys: ['conv_price'], text: '不能计数强赎天数，强赎状态只按公告' },
      { keys: ['close_stk'], text: '不能计数强赎天数，强赎状态只按公告' },
      { keys: ['remain_size'], text: '不能按剩余规模剔除和加权' },
      { keys: ['rating'], text: '未按评级剔除' },
      { keys: ['is_st_stk'], text: '不能剔除正股 ST' },
    ],
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
    foreign: {
      text: '不是 A 股的代码（指数、基金、债券、B 股等），未读入',
      // SH: indexes 0, bonds 1, repos 2, funds 5, subscriptions 7, B shares 9; SZ: bonds and funds 1, B shares 20, indexes 39; BJ: indexes 899,
      // preferred shares 82, what was delisted 40 and 42. 880 to 885 are a terminal's own indexes of sectors.
      numbers: { SH: /^[0125789]/, SZ: /^(1|20|39)/, BJ: /^(40|42|82|88[0-5]|899)/ },
    },
    factorColumns: { factor: 'adj_factor', close: 'close', previous: 'pre_close' },
    assumptions: [
      ...barAssumptions,
      { keys: ['pre_close'], text: '前收盘价按上一行收盘价推算，有复权因子的按因子折算' },
      { keys: ['is_st'], text: '涨跌停按板块的普通幅度，不能剔除 ST' },
    ],
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
