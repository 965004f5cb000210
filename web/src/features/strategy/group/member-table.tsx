import type { MarketId } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { GroupDetail } from '@convexa/contract/strategy-group'
import { percent } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { valueColumn } from '../../../ui/table/value-column.ts'
import { strategyPath } from '../../rule/addresses.ts'
import strategiesStyles from '../strategies.module.css'
import styles from './group.module.css'

type Member = GroupDetail['members'][number]

const columnsOf = (kind: MarketId): TableColumn<Member>[] => [
  {
    key: 'name',
    label: '成员',
    width: 160,
    card: 'title',
    cell: ({ strategy_id: id, strategy_name: name }) => (
      <PageLink className={`${strategiesStyles.strategyLink} given-name`} to={strategyPath(kind, id)}>
        {name}
      </PageLink>
    ),
  },
  {
    key: 'share',
    label: '资金占比',
    width: 140,
    card: 'lead',
    cell: ({ weight }) => (
      <Row as="span" gap={8} className={styles.shareCell}>
        <b>{percent(weight, weight * 100 === Math.round(weight * 100) ? 0 : 2)}</b>
        <span className={`meter ${styles.shareBar}`} aria-hidden="true">
          <i style={{ width: `${weight * 100}%` }} />
        </span>
      </Row>
    ),
  },
  valueColumn('return', 'year', metricLabel('recent_1y'), 64, ({ ret_1y }) => ret_1y),
  valueColumn('percent', 'drawdown', '一年内最大回撤', 88, ({ max_drawdown_1y }) => max_drawdown_1y),
  valueColumn('number', 'correlation', '与组合相关', 72, ({ correlation }) => correlation, { title: '近一年日收益与整个组合的相关系数' }),
  {
    key: 'at',
    label: '概览截至',
    width: 72,
    numeric: true,
    className: ({ as_of }) => (as_of ? 'text-2' : 'warn'),
    cell: ({ as_of }) => as_of ?? '还没有概览',
  },
]

/** The members with their shares of the capital and what each did lately. */
export const MemberTable = ({ kind, group }: { kind: MarketId; group: GroupDetail }) => (
  <DataTable label="成员" columns={columnsOf(kind)} rows={group.members} rowKey={({ strategy_id: id }) => id} density="standard" cards />
)
