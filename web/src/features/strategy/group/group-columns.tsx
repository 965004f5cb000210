import type { MarketId } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { GroupListItem } from '@convexa/contract/strategy-group'
import { dateTime, shortTime } from '../../../base/dates.ts'
import { count, percent } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { valueColumn } from '../../../ui/table/value-column.ts'
import { groupPath } from '../../rule/addresses.ts'
import strategiesStyles from '../strategies.module.css'
import styles from './group.module.css'
import { duplicateChoices, rebalanceChoices, wordOf } from './group-labels.ts'

type GroupRow = GroupListItem

/** Initials of the members, one over the other; their names and shares in the tooltip. */
const Faces = ({ members }: { members: GroupRow['members'] }) => (
  <Row
    as="span"
    inline
    align="stretch"
    className={styles.groupFaces}
    title={members.map(({ strategy_name: name, weight }) => `${name} ${percent(weight, 0)}`).join('，')}
  >
    {members.slice(0, 5).map(({ strategy_id: id, strategy_name: name }) => (
      <i key={id}>{[...name][0]}</i>
    ))}
    {members.length > 5 && <i>+{members.length - 5}</i>}
    <span className="hidden-text">{members.map(({ strategy_name: name }) => name).join('、')}</span>
  </Row>
)

/** `40 / 30 / 30 %` */
const sharesText = (members: GroupRow['members']) => `${members.map(({ weight }) => Number((weight * 100).toFixed(2))).join(' / ')} %`

export const groupColumns = (kind: MarketId): TableColumn<GroupRow>[] => [
  {
    key: 'name',
    label: '名称',
    width: 160,
    card: 'title',
    cell: ({ id, group_name: name, remark }) => (
      <span className={styles.groupName}>
        <PageLink className={`${strategiesStyles.strategyLink} given-name`} to={groupPath(kind, id)}>
          {name}
        </PageLink>
        {remark && <small title={remark}>{remark}</small>}
      </span>
    ),
  },
  { key: 'members', label: '成员', width: 96, cell: ({ members }) => <Faces members={members} /> },
  { key: 'shares', label: '占比', width: 120, className: () => 'text-2', cell: ({ members }) => sharesText(members) },
  { ...valueColumn<GroupRow>('return', 'year', metricLabel('recent_1y'), 64, ({ glance }) => glance?.ret_1y), card: 'lead' },
  valueColumn('percent', 'drawdown', '一年内最大回撤', 88, ({ glance }) => glance?.max_drawdown_1y),
  {
    key: 'securities',
    label: '合并证券数',
    width: 64,
    numeric: true,
    cell: ({ glance }) => count(glance?.securities),
  },
  valueColumn('number', 'correlation', '平均相关', 56, ({ glance }) => glance?.correlation, {
    title: '成员之间日收益相关系数的平均；越接近 1，分散得越少',
  }),
  {
    key: 'how',
    label: '再平衡 · 重复持仓',
    width: 120,
    className: () => 'text-2',
    cell: ({ rebalance, duplicate }) => `${wordOf(rebalanceChoices, rebalance)} · ${wordOf(duplicateChoices, duplicate)}`,
  },
  {
    key: 'updated',
    label: '更新',
    width: 84,
    numeric: true,
    className: () => 'text-2',
    exact: ({ updated_at }) => dateTime(updated_at),
    cell: ({ updated_at }) => shortTime(updated_at),
  },
]
