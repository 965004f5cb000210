import type { MarketId } from './kind.ts'

/** What differs between the twins of the specification on the wire; everything else is one text. */
export interface WireMarket {
  kind: MarketId
  label: string
  /** Path segment: `/v1/quant/{segment}/…`. */
  segment: 'convertible-bond' | 'stock'
  backtestPath: 'advanced-backtest' | 'backtest'
  /** Name of the second parameter of the day detail, as the specification spells it. */
  detailParam: 'id2' | 'date'
  optionsNeedLogin: boolean
  grid: boolean
}

export const wireMarkets: Record<MarketId, WireMarket> = {
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
