import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useMemo, useState } from 'react'
import { useMarket } from '../market/market-context.tsx'
import { usePreferences } from '../state/preferences.ts'
import { fixed, missing, signedPercent, tone } from '../ui/format.ts'
import { type Column, DataGrid, type GridRow, type Sort, sortRows } from '../ui/grid/data-grid.tsx'
import type { Factors } from './factors.ts'
import { averages, columnsOf, heatClass, meanOf, type ScreenColumn, thresholdsOf } from './screen-columns.ts'
import { useCells } from './screen-run.ts'

export type ListTab = 'selected' | 'reserve' | 'all'

/** The ranking of a day as a table, with what the strategy looks at and the market's usual columns. */
export function ScreenTable({
  result,
  parameters,
  factors,
  tab,
  stale,
  current,
  onOpen,
}: {
  result: ScreenResult
  /** What the result was made of. */
  parameters: Parameters
  factors: Factors
  tab: ListTab
  stale: boolean
  current: string | null
  onOpen: (row: ScreenRow) => void
}) {
  const { kind } = useMarket()
  const heat = usePreferences((state) => state.heat)
  const [sort, setSort] = useState<Sort | null>(null)
  const shown = useMemo(() => columnsOf(kind, parameters, factors), [kind, parameters, factors])
  const refs = useMemo(() => shown.map(({ ref }) => ref), [shown])
  const cell = useCells(kind, result, refs, factors)

  const columns = useMemo<Column<ScreenRow>[]>(() => {
    const named: Column<ScreenRow>[] = [
      {
        key: 'rank',
        head: '名次',
        label: '名次',
        width: 48,
        numeric: true,
        pinned: 'left',
        cell: (row) => <span className="text-3">{row.rank ?? missing}</span>,
      },
      {
        key: 'code',
        head: '代码',
        label: '代码',
        width: 84,
        pinned: 'left',
        cell: (row) => <span className="mono">{row.code}</span>,
        sortBy: (row) => row.code,
        firstSort: 'ascending',
      },
      {
        key: 'name',
        head: '名称',
        label: '名称',
        width: 96,
        grow: true,
        pinned: 'left',
        cell: (row) => <span className="medium">{row.name}</span>,
      },
      {
        key: 'score',
        head: '得分',
        label: '得分',
        title: '0–100，100 为最好',
        width: 58,
        numeric: true,
        cell: (row) => <b className="strong">{fixed(row.score, 1)}</b>,
        sortBy: (row) => row.score,
      },
    ]
    const factorColumns = shown.map((column): Column<ScreenRow> => {
      const levels = thresholdsOf(
        column.heat,
        result.list_items.map((row) => cell(row, column.ref)),
      )
      return {
        key: column.ref,
        head: (
          <>
            {column.head}
            {column.ranked && <span className="brand-mark">◆</span>}
          </>
        ),
        label: column.head,
        title: column.title,
        width: column.width,
        grow: true,
        numeric: true,
        sortBy: (row) => cell(row, column.ref),
        cell: (row) => <Cell column={column} value={cell(row, column.ref)} />,
        className: (row) => {
          const value = cell(row, column.ref)
          if (heat) return heatClass(column, value, levels)
          return column.heat === 'signed' ? tone(value) : undefined
        },
      }
    })
    return [...named, ...factorColumns]
  }, [shown, result, cell, heat])

  const rows = useMemo(() => rowsOf(result, tab, sort, columns), [result, tab, sort, columns])
  return (
    <DataGrid
      label={{ selected: '名单', reserve: '候补', all: '全部排名' }[tab]}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.code}
      rowClass={(row) => (row.selected ? undefined : 'dim')}
      sort={sort ?? byScore}
      onSort={setSort}
      onOpen={onOpen}
      current={current}
      stale={stale}
    />
  )
}

/** The table's own order, said as what it is. */
const byScore: Sort = { key: 'score', direction: 'descending' }

/** Days of the usual redemption clause: 15 of the last 30 at or above the trigger price. */
const counterDays = 15

function Cell({ column, value }: { column: ScreenColumn; value: number | null }) {
  if (column.heat === 'signed') return signedPercent(value)
  if (column.heat !== 'counter') return fixed(value === null ? null : value * column.scale, column.decimals)
  if (!value) return <span className="text-3">{missing}</span>
  return (
    <span className={value >= 10 ? 'counter warn' : 'counter'}>
      <i aria-hidden="true">
        <i style={{ width: `${Math.min(1, value / counterDays) * 100}%` }} />
      </i>
      {value}/{counterDays}
    </span>
  )
}

/** The list's rows with the reserves below it, or one of the others alone, in the asked order. */
function rowsOf(result: ScreenResult, tab: ListTab, sort: Sort | null, columns: readonly Column<ScreenRow>[]): GridRow<ScreenRow>[] {
  const by = sort && columns.find((column) => column.key === sort.key)?.sortBy
  const ordered = (rows: readonly ScreenRow[]) => (by ? sortRows(rows, by, sort.direction) : [...rows])
  const reserve = reserveOf(result)
  if (tab === 'all') return ordered(result.list_items)
  if (tab === 'reserve') return ordered(reserve)
  const selected = ordered(result.list_items.filter((row) => row.selected))
  if (reserve.length === 0 || selected.length === 0) return selected
  return [
    ...selected,
    {
      id: 'reserve',
      separator: (
        <>
          <b className="medium">候补</b>　按名次排列，名单有空位时依次补入
        </>
      ),
    },
    ...ordered(reserve),
  ]
}

export const reserveOf = (result: ScreenResult): ScreenRow[] => result.reserve_items ?? result.list_items.filter((row) => row.reserve)

/** The bar below: averages of the list, and what the colours mean. */
export function ScreenSummary({ result, factors }: { result: ScreenResult; factors: Factors }) {
  const { kind } = useMarket()
  const heat = usePreferences((state) => state.heat)
  const lines = averages[kind]
  const refs = useMemo(() => ['pct_chg', ...lines.map(([ref]) => ref)], [lines])
  const cell = useCells(kind, result, refs, factors)
  const selected = result.list_items.filter((row) => row.selected)
  const mean = (ref: string) => meanOf(selected.map((row) => cell(row, ref)))
  const today = mean('pct_chg')
  return (
    <div className="screen-summary">
      <span>
        入选 <b>{result.selected}</b> 只
      </span>
      {lines
        .filter(([ref]) => factors.of(ref)?.available)
        .map(([ref, label, scale, decimals, unit]) => {
          const value = mean(ref)
          return (
            <span key={ref}>
              {label} <b>{value === null ? missing : `${fixed(value * scale, decimals)}${unit}`}</b>
            </span>
          )
        })}
      <span>
        今日等权 <b className={tone(today)}>{signedPercent(today)}</b>
      </span>
      <span className="grow" />
      <span className="text-3">◆ 参与打分</span>
      {heat && (
        <>
          <Legend label="涨跌" classes={['heat-down-2', 'heat-down-1', 'heat-up-1', 'heat-up-2']} />
          <Legend label="更优" classes={['seq-1', 'seq-2', 'seq-3']} />
        </>
      )}
    </div>
  )
}

const Legend = ({ label, classes }: { label: string; classes: readonly string[] }) => (
  <span className="heat-legend">
    {label}
    {classes.map((name) => (
      <i key={name} className={name} />
    ))}
  </span>
)
