import { type Row, valuesOf } from './table.ts'

interface MarketFacts extends Row {
  /** Its own key: in files, rows and reports. On the wire the field is `kind`. */
  readonly id: string
  /** 可转债 or 股票; `short` in chips. */
  readonly short: string
  /** Of its pages. */
  readonly title: string
  readonly backtestTitle: string
  /** One security of it. */
  readonly securityNoun: string
  /** What a quantity counts. */
  readonly unit: string
  /** Segment of the API's paths, `/v1/quant/{segment}/…`, and of the pages'. */
  readonly segment: string
  /** Where its pages are. */
  readonly path: string
  readonly backtestPath: 'advanced-backtest' | 'backtest'
  /** Name of the second parameter of the day detail, as the specification spells it. */
  readonly detailParam: 'id2' | 'date'
  readonly optionsNeedLogin: boolean
  /** Has grid search. */
  readonly hasGrid: boolean
  /** Securities are redeemed: calls, last trading days, clauses and `call_handling` apply. */
  readonly redeemed: boolean
  /** Securities are of an issuer whose stock is traded by itself. */
  readonly hasIssuerStock: boolean
  /** Sales are charged with stamp duty. */
  readonly dutied: boolean
  /** Data have the adjustment factor of the security's own prices. */
  readonly hasAdjustmentFactor: boolean
  /** Decimals of a price. */
  readonly priceDecimals: number
  /** Name of weights by size (`hold_weight_type` 3). */
  readonly sizeLabel: string
  /** How quantities of a basket are rounded. */
  readonly lotText: string
  /** Series of its own securities, equally weighted: a code of `benchmark.ts`. */
  readonly equalWeightBenchmark: string
}

const rows = {
  cb: {
    id: 'cb',
    label: '可转债',
    short: '转债',
    title: '可转债轮动',
    backtestTitle: '高级回测',
    securityNoun: '转债',
    unit: '张',
    segment: 'convertible-bond',
    path: '/rotation/convertible-bond',
    backtestPath: 'advanced-backtest',
    detailParam: 'id2',
    optionsNeedLogin: false,
    hasGrid: true,
    redeemed: true,
    hasIssuerStock: true,
    dutied: false,
    hasAdjustmentFactor: false,
    priceDecimals: 3,
    sizeLabel: '按规模',
    lotText: '10 张一手',
    equalWeightBenchmark: 'cb_ew',
  },
  stk: {
    id: 'stk',
    label: '股票',
    short: '股票',
    title: '股票轮动',
    backtestTitle: '回测',
    securityNoun: '股票',
    unit: '股',
    segment: 'stock',
    path: '/rotation/stock',
    backtestPath: 'backtest',
    detailParam: 'date',
    optionsNeedLogin: true,
    hasGrid: false,
    redeemed: false,
    hasIssuerStock: false,
    dutied: true,
    hasAdjustmentFactor: true,
    priceDecimals: 2,
    sizeLabel: '按市值',
    lotText: '按各板块的最小单位',
    equalWeightBenchmark: 'stk_ew',
  },
} as const satisfies Record<string, MarketFacts>

export type MarketId = keyof typeof rows
export type MarketSegment = (typeof rows)[MarketId]['segment']

/**
 * A market as clients, pages and reports know it; a browser has it on its first load. What the forms of a rule need besides stands in
 * `rule-forms.ts`, how it trades in the engine's record, how its files are read in the server's.
 */
export interface MarketRow extends MarketFacts {
  readonly id: MarketId
  readonly segment: MarketSegment
}

export const markets: { readonly [M in MarketId]: MarketRow & { readonly id: M } } = rows
export const marketIds: readonly [MarketId, ...MarketId[]] = valuesOf(rows)
export const defaultMarketId: MarketId = marketIds[0]

/** The market that a text names; the default for any other text. */
export const parseMarketId = (text: string | null | undefined): MarketId => marketIds.find((id) => id === text) ?? defaultMarketId

/** The same thing made for each market. */
export const byMarket = <T>(make: (id: MarketId) => T): Record<MarketId, T> =>
  Object.fromEntries(marketIds.map((id) => [id, make(id)])) as Record<MarketId, T>
