import type { Account } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { dateTime } from '../../../base/dates.ts'
import { plain } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { Badge } from '../../../ui/tag.tsx'
import { accountKind } from './account.ts'

export const accountColumns: readonly TableColumn<Account>[] = [
  {
    key: 'alias',
    label: '别名',
    width: 96,
    card: 'title',
    cell: ({ alias, is_enabled: enabled }) => (
      <Row as="span" inline gap={8} className="medium">
        {alias}
        {!enabled && <Badge>已停用</Badge>}
      </Row>
    ),
  },
  { key: 'broker', label: '券商', width: 80, cell: ({ broker }) => broker },
  { key: 'number', label: qmtLabels.account_no, width: 80, cell: ({ account_masked }) => <span className="mono">{account_masked}</span> },
  {
    key: 'type',
    label: '类型',
    width: 120,
    cell: accountKind,
  },
  { key: 'capital', label: '初始资金(万元)', width: 64, numeric: true, cell: ({ initial_capital: capital }) => plain(capital) },
  { key: 'report', label: qmtLabels.report_status, width: 112, card: 'lead', cell: (account) => <Report account={account} /> },
  {
    key: 'heartbeat',
    label: '最近心跳',
    width: 120,
    cell: ({ last_heartbeat: at }) => (at ? dateTime(at).slice(0, 16) : <span className="text-3">没有心跳</span>),
  },
]

const Report = ({ account: { report_status: status, reported_at: day } }: { account: Account }) =>
  status === 1 ? <Badge look="ok">已报告 {day}</Badge> : <Badge look="warn">未报告</Badge>
