import type { TradeRow } from '@convexa/contract/report'
import type { ReactNode } from 'react'
import { count, fixed, quantity, signedCount, signedPercent, tone } from '../../base/format.ts'
import { Stack } from '../../ui/layout.tsx'
import type { Column } from '../../ui/table/column.ts'
import { reasonWords } from './reasons.ts'
import styles from './trades.module.css'

/** Every column of a fill. */
export const columnsOf = (decimals: number, unit: string, slipped: boolean): Column<TradeRow>[] => [
  {
    key: 'date',
    label: '日期',
    width: 100,
    pinned: 'left',
    sortBy: (row) => row.date,
    firstSort: 'descending',
    cell: (row) => <span className="text-2">{row.date}</span>,
  },
  {
    key: 'code',
    label: '代码',
    width: 96,
    sortBy: (row) => row.code,
    cell: (row) => <span className="mono">{row.code}</span>,
  },
  { key: 'name', label: '名称', width: 96, cell: (row) => <span className="medium">{row.name}</span> },
  {
    key: 'side',
    label: '方向',
    width: 64,
    sortBy: (row) => row.side,
    cell: (row) => sideOf(row),
  },
  number(
    'volume',
    `数量(${unit})`,
    88,
    (row) => row.volume,
    (row) => quantity(row.volume),
  ),
  number(
    'price',
    slipped ? '成交价(元，含滑点)' : '成交价(元)',
    slipped ? 136 : 92,
    (row) => row.price,
    (row) => fixed(row.price, decimals),
  ),
  number(
    'price_adj',
    '复权价(元)',
    92,
    (row) => row.price_adj,
    (row) => fixed(row.price_adj, decimals),
  ),
  number(
    'amount',
    '金额(元)',
    88,
    (row) => row.amount,
    (row) => count(row.amount),
  ),
  number(
    'fee',
    '费用(元)',
    80,
    (row) => row.fee,
    (row) => fixed(row.fee),
  ),
  number(
    'pnl',
    '收益(元)',
    84,
    (row) => row.pnl,
    (row) => signedCount(row.pnl),
    true,
  ),
  number(
    'return',
    '收益率',
    80,
    (row) => row.return_,
    (row) => signedPercent(row.return_),
    true,
  ),
  number(
    'days',
    '持有(日)',
    76,
    (row) => row.days_held,
    (row) => fixed(row.days_held, 0),
  ),
  number(
    'rank',
    '名次',
    60,
    (row) => row.rank_to ?? row.rank_from,
    (row) => fixed(row.rank_to ?? row.rank_from, 0),
  ),
  {
    key: 'reason',
    label: '原因',
    width: 180,
    grow: true,
    cell: (row) => <span className="text-2">{row.reason_text || reasonWords[row.reason]}</span>,
  },
]

/** On a phone: two lines to a cell, the security with its day at the left; the reason is a push away. */
export const narrowColumns = (decimals: number, unit: string): Column<TradeRow>[] => [
  {
    key: 'date',
    label: '证券 · 日期',
    width: 124,
    pinned: 'left',
    sortBy: (row) => row.date,
    firstSort: 'descending',
    cell: (row) => two(<span className="medium">{row.name}</span>, row.date),
  },
  { key: 'side', label: '方向', width: 56, sortBy: (row) => row.side, cell: sideOf },
  {
    key: 'price',
    label: `价格 · ${unit}`,
    width: 92,
    numeric: true,
    sortBy: (row) => row.price,
    firstSort: 'descending',
    cell: (row) => two(fixed(row.price, decimals), quantity(row.volume)),
  },
  {
    key: 'return',
    label: '收益率 · 元',
    width: 84,
    numeric: true,
    sortBy: (row) => row.return_,
    firstSort: 'descending',
    cell: (row) =>
      row.return_ === null ? (
        <span className="text-3">—</span>
      ) : (
        two(<span className={tone(row.return_)}>{signedPercent(row.return_)}</span>, signedCount(row.pnl))
      ),
  },
  { key: 'reason', label: '原因', width: 188, cell: (row) => <span className="text-2">{row.reason_text || reasonWords[row.reason]}</span> },
]

const sideOf = (row: TradeRow) => <span className={`${styles.side} ${row.side}`}>{row.side === 'buy' ? '买入' : '卖出'}</span>
const two = (above: ReactNode, below: ReactNode) => (
  <Stack as="span" className={styles.twoLines}>
    {above}
    <small>{below}</small>
  </Stack>
)

const number = (
  key: string,
  head: string,
  width: number,
  value: (row: TradeRow) => number | null,
  text: (row: TradeRow) => string,
  toned = false,
): Column<TradeRow> => ({
  key,
  head,
  label: head,
  width,
  numeric: true,
  sortBy: value,
  firstSort: 'descending',
  cell: (row) => (toned ? <span className={value(row) === null ? 'text-3' : tone(value(row))}>{text(row)}</span> : text(row)),
})
