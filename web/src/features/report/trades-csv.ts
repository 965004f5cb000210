import { markets } from '@convexa/contract/enums/market'
import type { Report, ReportCore, TradeRow } from '@convexa/contract/report'
import { asPercent, csvOf } from './files.ts'
import { reasonWords } from './reasons.ts'
import { shownTrades } from './trade-text.ts'

/** Trades for a spreadsheet, in the order given; where the report has not all of them, the file says so. */
export const tradesCsv = (report: ReportCore & Pick<Report, 'trades'>, trades: readonly TradeRow[]): string =>
  csvOf(
    report,
    csvHeads(markets[report.kind].unit),
    trades.map(csvRow),
    ...(report.trades.length < report.trades_total ? [shownTrades(report)] : []),
  )

const csvHeads = (unit: string) => [
  '日期',
  '代码',
  '名称',
  '方向',
  `数量(${unit})`,
  '成交价(元)',
  '复权价(元)',
  '金额(元)',
  '费用(元)',
  '收益(元)',
  '收益率(%)',
  '持有天数(日)',
  '原因',
  '说明',
  '原名次',
  '现名次',
]
const csvRow = (row: TradeRow) => [
  row.date,
  row.code,
  row.name,
  row.side === 'buy' ? '买入' : '卖出',
  row.volume,
  row.price,
  row.price_adj,
  row.amount,
  row.fee,
  row.pnl,
  asPercent(row.return_),
  row.days_held,
  reasonWords[row.reason],
  row.reason_text,
  row.rank_from,
  row.rank_to,
]
