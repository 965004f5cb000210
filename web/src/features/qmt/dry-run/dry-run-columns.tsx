import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { DryRunRow } from '@convexa/contract/qmt-basket'
import { count, fixed, percent, signedCount } from '../../../base/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import styles from './dry-run.module.css'
import { actionWords, type Totals, yuan } from './dry-run.ts'

export function dryRunColumns(kind: MarketId, totals: Totals): readonly TableColumn<DryRunRow>[] {
  const { unit, priceDecimals } = markets[kind]
  return [
    {
      key: 'action',
      label: '操作',
      width: 40,
      card: 'lead',
      cell: ({ action }) => (
        <Row as="span" inline className={`${styles.dryAction} ${action}`}>
          {actionWords[action]}
        </Row>
      ),
      total: `合计 ${totals.securities} 只`,
    },
    { key: 'code', label: '代码', width: 72, cell: ({ code }) => <span className="mono text-2">{code}</span>, total: '' },
    { key: 'name', label: '证券', width: 72, card: 'title', cell: ({ name }) => name, className: () => styles.nowrap, total: '' },
    { key: 'held', label: `现有(${unit})`, numeric: true, cell: ({ held }) => count(held), total: count(totals.held) },
    { key: 'target', label: `目标(${unit})`, numeric: true, cell: ({ target }) => count(target), total: count(totals.target) },
    {
      key: 'difference',
      label: '差额',
      numeric: true,
      card: 'lead',
      className: ({ difference }) => (difference === 0 ? 'text-3' : 'strong'),
      cell: ({ difference }) => signedCount(difference),
      total: signedCount(totals.difference),
    },
    { key: 'price', label: '参考价(元)', numeric: true, cell: ({ price }) => fixed(price, priceDecimals), total: '' },
    { key: 'amount', label: '成交金额', numeric: true, cell: (row) => ofTrade(row, yuan(row.amount)), total: yuan(totals.amount) },
    { key: 'fee', label: '费用(元)', numeric: true, cell: (row) => ofTrade(row, fixed(row.fee)), total: fixed(totals.fees) },
    {
      key: 'share',
      label: '占成交额',
      title: '与该证券信号日全天成交额之比',
      numeric: true,
      cell: (row) => ofTrade(row, percent(row.turnover_share, 3)),
      total: '',
    },
    {
      key: 'reason',
      label: '原因',
      width: 160,
      card: 'line',
      className: () => styles.wraps,
      cell: (row) => <Reason row={row} />,
      total: `成交后持仓 ${yuan(totals.after)}`,
    },
  ]
}

/** Of what stays nothing changes hands. */
const ofTrade = ({ difference }: DryRunRow, text: string) => (difference === 0 ? <span className="text-3">—</span> : text)

const Reason = ({ row: { reason_text: reason, warnings } }: { row: DryRunRow }) => (
  <Row as="span" inline align="stretch" wrap className={styles.dryReason}>
    {reason}
    {warnings.map((one) => (
      <span key={one} className="warn">
        <Icon name="warn" size="middle" />
        {one}
      </span>
    ))}
  </Row>
)
