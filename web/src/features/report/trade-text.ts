import { markets } from '@convexa/contract/enums/market'
import type { Report, TradeReason } from '@convexa/contract/report'
import { count } from '../../base/format.ts'

/** Whether prices of fills are beside those of the market. */
export const hasSlippage = ({ settings }: Pick<Report, 'settings'>): boolean => (settings.cost.slippage ?? 0) > 0

/** Decimals that a fill's price needs so that amount = price × volume can be read: slippage moves it off the tick. */
export const fillDecimals = (report: Pick<Report, 'settings' | 'kind'>): number =>
  hasSlippage(report) ? 4 : markets[report.kind].priceDecimals

/** A sale that closes a position, or a part of it because it was chosen again: only the first is a finished trade. */
export const closes = (trade: { return_: number | null; reason: TradeReason }): boolean =>
  trade.return_ !== null && trade.reason !== 'rebalance'

/** Of a run that traded more often than a report lists: which ones stand here. */
export const shownTrades = ({ trades, trades_total: all }: Pick<Report, 'trades' | 'trades_total'>): string =>
  `共 ${count(all)} 笔，仅列最近 ${count(trades.length)} 笔`
