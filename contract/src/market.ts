import { z } from 'zod'

/** The two kinds of market in files, rows and reports: 可转债 `cb`, A 股 `stk`. */
export const Kind = z.enum(['cb', 'stk'])
export type Kind = z.output<typeof Kind>

/** Where a market's numbers come from; every block that shows them says which. */
export const DataMode = z.enum(['demo', 'imported', 'platform'])
export type DataMode = z.output<typeof DataMode>

/** What differs between the twins of the specification on the wire; everything else is one text. */
export interface WireMarket {
  kind: Kind
  label: string
  /** Path segment: `/v1/quant/{segment}/…`. */
  segment: 'convertible-bond' | 'stock'
  backtestPath: 'advanced-backtest' | 'backtest'
  /** Name of the second parameter of the day detail, as the specification spells it. */
  detailParam: 'id2' | 'date'
  optionsNeedLogin: boolean
  grid: boolean
}

export const wireMarkets: Record<Kind, WireMarket> = {
  cb: {
    kind: 'cb',
    label: '可转债',
    segment: 'convertible-bond',
    backtestPath: 'advanced-backtest',
    detailParam: 'id2',
    optionsNeedLogin: false,
    grid: true,
  },
  stk: {
    kind: 'stk',
    label: '股票',
    segment: 'stock',
    backtestPath: 'backtest',
    detailParam: 'date',
    optionsNeedLogin: true,
    grid: false,
  },
}

export const kinds = ['cb', 'stk'] as const

/** A security as a select option: `GET …/options`. Dates are null where unknown. */
export const SecurityOption = z.object({
  code: z.string(),
  name: z.string(),
  /** Initials of the name, lower case: `yszz01`. */
  pinyin: z.string(),
  market: z.string(),
  board: z.string(),
  stock_code: z.string().optional(),
  stock_name: z.string().optional(),
  list_date: z.string().nullable(),
  delist_date: z.string().nullable(),
  last_trade_date: z.string().nullable(),
  status: z.enum(['listed', 'suspended', 'delisted']),
})
export type SecurityOption = z.output<typeof SecurityOption>
