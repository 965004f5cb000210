import { markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import { dateTime, shortTime } from '../../base/dates.ts'
import { missing } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { valueColumn } from '../../ui/table/value-column.ts'
import { Badge } from '../../ui/tag.tsx'
import { strategyPath } from '../rule/addresses.ts'
import { CallRiskCell, DifferenceCell, SparkCell } from '../strategy/glance-cells.tsx'
import { stateIn } from '../strategy/glance-queue.ts'
import { useFirstGlances, useGlances } from '../strategy/glance-refresh.ts'
import type { useOwnStrategies } from './home-data.ts'
import type { OwnStrategy } from './todos.ts'

const shown = 6

/** The strategies changed last, what they did lately and how their lists differ. Never in the order of what they earned. */
export function StrategiesCard({
  own: { strategies, loading, error, retry },
  current,
  onDifference,
}: {
  own: ReturnType<typeof useOwnStrategies>
  current: string | null
  onDifference: (strategy: OwnStrategy) => void
}) {
  const columns = useColumns(onDifference)
  const rows = strategies.slice(0, shown)
  useFirstGlances(rows)
  const both = new Set(rows.map(({ kind }) => kind)).size > 1
  return (
    <Card
      title="我的策略"
      note="按更新时间 · 收益为名单按规则走的净值，已扣成本"
      tools={
        <PageLink className="link size-12" to="/personal/strategies">
          全部 {strategies.length} 个
        </PageLink>
      }
      bare
    >
      {error && (
        <div className="body">
          <ErrorBlock error={error} still="已存的策略没有丢失，回测与筛选仍可使用。" onRetry={retry} />
        </div>
      )}
      {(!error || rows.length > 0) && (
        <DataTable
          label="我的策略"
          columns={both ? columns : columns.filter(({ key }) => key !== 'kind')}
          rows={rows}
          rowKey={({ id }) => id}
          current={current}
          hrefOf={({ kind, id }) => strategyPath(kind, id)}
          {...(loading && rows.length === 0 && { loading: 5 })}
          density="standard"
          cards
        />
      )}
    </Card>
  )
}

function useColumns(onDifference: (strategy: OwnStrategy) => void): TableColumn<OwnStrategy>[] {
  const queue = useGlances()
  return [
    {
      key: 'name',
      label: '名称',
      width: 160,
      card: 'title',
      cell: ({ strategy_name: name }) => <span className="medium given-name">{name}</span>,
    },
    { key: 'kind', label: '市场', width: 40, card: 'none', cell: ({ kind }) => <Badge>{markets[kind].short}</Badge> },
    { ...valueColumn<OwnStrategy>('return', 'day', '当日', 64, ({ glance }) => glance?.ret_1d), card: 'lead' },
    valueColumn('return', 'month', '近 20 日', 64, ({ glance }) => glance?.ret_20d),
    valueColumn('return', 'year', metricLabel('recent_1y'), 64, ({ glance }) => glance?.ret_1y),
    {
      key: 'spark',
      label: '走势',
      title: '概览区间（默认近三年）内的净值',
      width: 96,
      card: 'none',
      cell: ({ id, glance }) => <SparkCell glance={glance} state={stateIn(queue, id)} />,
    },
    {
      key: 'difference',
      label: '名单差异',
      title: '新进 换 移出；与已确认的名单相比，没有确认过就与前一交易日相比',
      width: 64,
      cell: (row) => <DifferenceCell id={row.id} name={row.strategy_name} glance={row.glance} onOpen={() => onDifference(row)} />,
    },
    { key: 'call', label: '强赎计数', width: 112, cell: ({ glance }) => <CallRiskCell glance={glance} /> },
    {
      key: 'at',
      label: '概览截至',
      numeric: true,
      width: 72,
      className: ({ glance }) => (glance?.stale ? 'warn' : 'text-3'),
      exact: ({ glance }) =>
        glance ? `${glance.stale ? '数据或规则已更新，概览待刷新；' : ''}计算于 ${dateTime(glance.computed_at)}` : undefined,
      cell: ({ glance }) => (glance ? shortTime(glance.as_of) : missing),
    },
  ]
}
