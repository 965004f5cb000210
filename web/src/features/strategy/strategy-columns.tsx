import { type MarketId, markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { dateTime, shortTime } from '../../base/dates.ts'
import { count } from '../../base/format.ts'
import { Row } from '../../ui/layout.tsx'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { valueColumn } from '../../ui/table/value-column.ts'
import { CallRiskCell, DifferenceCell, SparkCell } from './glance-cells.tsx'
import { type GlanceQueue, stateIn } from './glance-queue.ts'
import { type Editing, StrategyName } from './strategy-name.tsx'

export interface ColumnsGiven {
  kind: MarketId
  queue: Pick<GlanceQueue, 'waiting' | 'running' | 'failed'>
  editing: Editing
  onEditing: (editing: Editing) => void
  onDifference: (strategy: StrategyListItem) => void
}

type StrategyRow = StrategyListItem

/** What may be sorted by, for the address. */
export const sortKeys = ['updated', 'created', 'name', 'month', 'year', 'runs'] as const

export function strategyColumns({ kind, queue, editing, onEditing, onDifference }: ColumnsGiven): TableColumn<StrategyRow>[] {
  const all: TableColumn<StrategyRow>[] = [
    {
      key: 'name',
      label: '名称与备注',
      width: 180,
      sortBy: ({ strategy_name: name }) => name,
      firstSort: 'ascending',
      cell: (row) => <StrategyName kind={kind} strategy={row} editing={editing} onEditing={onEditing} />,
    },
    {
      key: 'tags',
      label: '标签',
      width: 96,
      cell: ({ tags }) => (
        <Row as="span" inline gap={4} align="stretch" wrap>
          {tags.map((tag) => (
            <span className="tag" key={tag}>
              {tag}
            </span>
          ))}
        </Row>
      ),
    },
    valueColumn('return', 'month', '近 20 日', 64, ({ glance }) => glance?.ret_20d),
    valueColumn('return', 'year', metricLabel('recent_1y'), 64, ({ glance }) => glance?.ret_1y),
    {
      key: 'spark',
      label: '走势',
      title: '概览区间（默认近三年）内的净值',
      width: 96,
      cell: ({ id, glance }) => <GlanceCell id={id} glance={glance} queue={queue} />,
    },
    {
      key: 'difference',
      label: '名单差异',
      title: '新进 换 移出；与已确认的名单相比，没有确认过就与前一交易日相比',
      width: 64,
      cell: (row) => <DifferenceCell id={row.id} name={row.strategy_name} glance={row.glance} onOpen={() => onDifference(row)} />,
    },
    { key: 'call', label: '强赎计数', width: 104, cell: ({ glance }) => <CallRiskCell glance={glance} /> },
    {
      key: 'runs',
      label: '回测',
      title: '做过的回测次数',
      width: 32,
      numeric: true,
      sortBy: ({ backtest_count: runs }) => runs,
      cell: ({ backtest_count: runs }) => count(runs),
    },
    {
      key: 'updated',
      label: '更新',
      width: 84,
      numeric: true,
      sortBy: ({ updated_at }) => updated_at,
      className: () => 'text-2',
      exact: ({ updated_at, created_at }) => `更新 ${dateTime(updated_at)}，创建 ${dateTime(created_at)}`,
      cell: ({ updated_at }) => shortTime(updated_at),
    },
  ]
  return markets[kind].redeemed ? all : all.filter(({ key }) => key !== 'call')
}

/** The curve, or what is being done about it, or why it could not be. */
export function GlanceCell({ id, glance, queue }: { id: string; glance: StrategyRow['glance']; queue: ColumnsGiven['queue'] }) {
  const failed = queue.failed[id]
  const state = stateIn(queue, id)
  if (failed && !state)
    return (
      <span className="size-12 danger" title={`概览计算失败：${failed}`}>
        计算失败
      </span>
    )
  return <SparkCell glance={glance} state={state} />
}
