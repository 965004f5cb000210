import type { BacktestListItem } from '@convexa/contract/backtest'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { nothing, type Selection } from '../../../ui/grid/selection.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { SelectionBar } from '../../../ui/table/selection-bar.tsx'
import { FavouriteStar } from '../../report/favourite-run.tsx'
import { comparePath, fewestCompared, mostCompared } from '../../rule/addresses.ts'
import { type RunFilter, runsQuery } from '../../rule/strategy-queries.ts'
import { NoteCell } from '../note-cell.tsx'
import { columnsFor, reportPath } from '../run-columns.tsx'

const limit = 10
const done = 2

/** The runs of one strategy or group, to reopen, note and compare; `none` is said where there are none, null: the card is not shown then. */
export function RunsOf({ of, more, none }: { of: Pick<RunFilter, 'strategy_id' | 'group_id'>; more: string; none: ReactNode }) {
  const { data, error, refetch } = useQuery(runsQuery({ ...of, offset: 0, limit }))
  const [selection, setSelection] = useState<Selection>(nothing)
  const [noted, setNoted] = useState<string | null>(null)
  const navigate = useNavigate()
  const rows = data?.list_items ?? []
  const chosen = rows.filter(({ backtest_id: id }) => selection.has(id))
  const compares =
    chosen.length >= fewestCompared && chosen.length <= mostCompared && chosen.every(({ status, complete }) => status === done && complete)
  const columns = columnsFor(rows)
    .filter(({ key }) => key !== 'name')
    .map((column) =>
      column.key === 'note'
        ? {
            ...column,
            className: () => undefined,
            cell: (run: BacktestListItem) => (
              <NoteCell run={run} editing={noted === run.backtest_id} onEditing={(on) => setNoted(on ? run.backtest_id : null)} />
            ),
          }
        : column.key === 'time'
          ? { ...column, card: 'title' as const }
          : column,
    )
  if (none === null && data?.total === 0) return null
  return (
    <Card
      title="回测记录"
      note={data ? `共 ${data.total} 次` : undefined}
      tools={
        data &&
        data.total > limit && (
          <PageLink className="link size-12" to={more}>
            全部 {data.total} 次
          </PageLink>
        )
      }
      bare
    >
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => setSelection(nothing)}>
          <Button
            look={['small']}
            disabled={!compares}
            title={compares ? undefined : '对比 2 至 6 次已完成的回测'}
            onClick={() => void navigate(comparePath(chosen.map(({ kind, backtest_id: id }) => ({ type: 'run', kind, id }))))}
          >
            对比 ({chosen.length})
          </Button>
        </SelectionBar>
      )}
      <DataTable
        label="回测记录"
        columns={columns}
        rows={rows}
        rowKey={({ backtest_id: id }) => id}
        nameOf={({ params_hash: hash }) => `#${hash.slice(0, 4)}`}
        selection={selection}
        onSelect={setSelection}
        hrefOf={reportPath}
        menu={(run) => <FavouriteStar run={run} name={`#${run.params_hash.slice(0, 4)}`} />}
        {...(!data && !error && { loading: 4 })}
        instead={
          error ? (
            <ErrorBlock error={error} still="已完成的报告没有丢失。" onRetry={() => void refetch()} />
          ) : (
            <Empty icon="chart" title="还没有回测记录">
              {none}
            </Empty>
          )
        }
        cards
      />
    </Card>
  )
}
