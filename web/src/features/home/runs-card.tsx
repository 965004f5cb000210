import type { BacktestListItem } from '@convexa/contract/backtest'
import type { UseQueryResult } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { reportPath, runColumns } from '../strategy/run-columns.tsx'

const columns = runColumns.filter(({ key }) => key !== 'range' && key !== 'spark')

/** The newest runs of both markets, each a way to its report. */
export function RunsCard({ runs: { data, error, refetch } }: { runs: UseQueryResult<{ total: number; list_items: BacktestListItem[] }> }) {
  const rows = data?.list_items ?? []
  return (
    <Card
      title="最近回测"
      note="历史统计，不说明以后"
      tools={
        <PageLink className="link size-12" to="/personal/backtest-history">
          全部 {data?.total ?? 0} 次
        </PageLink>
      }
      bare
    >
      {error && !data ? (
        <div className="body">
          <ErrorBlock error={error} still="已完成的报告没有丢失，可以照常运行新的回测。" onRetry={() => void refetch()} />
        </div>
      ) : (
        <DataTable
          label="最近回测"
          columns={columns}
          rows={rows}
          rowKey={({ backtest_id: id }) => id}
          hrefOf={reportPath}
          {...(!data && { loading: 5 })}
          instead={<Empty icon="chart" title="还没有运行过回测" />}
          density="standard"
          cards
        />
      )}
    </Card>
  )
}
