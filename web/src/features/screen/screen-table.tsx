import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useMemo, useState } from 'react'
import { exact, fixed, missing, tone } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useMarket } from '../../market/market-context.tsx'
import { marketViews } from '../../market/market-views.ts'
import { usePreferences } from '../../state/preferences.ts'
import { arrange, widened } from '../../ui/grid/column-settings.ts'
import { useColumnSettings } from '../../ui/grid/column-store.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { GridRow } from '../../ui/grid/grid-rows.ts'
import type { Selection } from '../../ui/grid/selection.ts'
import { Row } from '../../ui/layout.tsx'
import type { Column } from '../../ui/table/column.ts'
import { orderRows, type Sort, type Sorts } from '../../ui/table/sort.ts'
import { changeWords, type HeldChange } from '../current-list/held-change.ts'
import type { Factors } from '../rule/factors.ts'
import { useSecurityTexts } from '../security/security-texts.ts'
import { cellText, columnsOf, heatClass, thresholdsOf } from './screen-columns.ts'
import { useCells } from './screen-run.ts'
import styles from './screen-table.module.css'

export type ListTab = 'selected' | 'reserve' | 'all'

/** Every column of a screen and those that its user wants to see, fixed ones left out. */
export function useScreenColumns(parameters: Parameters, factors: Factors) {
  const { id: kind } = useMarket()
  const [settings, change] = useColumnSettings(`screen.${kind}`)
  const all = useMemo(() => columnsOf(kind, parameters, factors), [kind, parameters, factors])
  const arranged = useMemo(() => arrange(all, marketViews[kind].columnSets, settings), [all, kind, settings])
  const refs = useMemo(() => arranged.map(({ key }) => key), [arranged])
  const texts = useSecurityTexts(kind, refs)
  const shown = useMemo(() => arranged.map((column) => ({ ...column, words: texts.words(column.key) ?? column.words })), [arranged, texts])
  return { all, shown, refs, settings, change, sets: marketViews[kind].columnSets }
}

/** The ranking of a day as a table, with what the strategy looks at and the columns its user has chosen. */
export function ScreenTable({
  result,
  parameters,
  factors,
  tab,
  changes = null,
  stale,
  current,
  onOpen,
  selection,
  onSelect,
  onColumns,
  after = noColumns,
}: {
  /** None yet: rows of the real widths. */
  result: ScreenResult | null
  /** What the result was made of. */
  parameters: Parameters
  factors: Factors
  tab: ListTab
  /** Against the list held; null where none is. */
  changes?: Changes | null
  stale: boolean
  current: string | null
  onOpen: (row: ScreenRow) => void
  selection: Selection
  onSelect: (selection: Selection) => void
  onColumns: () => void
  /** Columns behind all others: what came after the day. */
  after?: readonly Column<ScreenRow>[]
}) {
  const { id: kind } = useMarket()
  const phone = usePhone()
  const heat = usePreferences((state) => state.heat)
  const [sorts, setSorts] = useState<Sorts>([])
  const { shown, refs, settings, change } = useScreenColumns(parameters, factors)
  const cell = useCells(kind, result, refs, factors)

  const columns = useMemo<readonly Column<ScreenRow>[]>(() => {
    const pool = result?.list_items ?? []
    const plain = new Set(settings.plain)
    const factorColumns = shown.map((column): Column<ScreenRow> => {
      const tinted = heat && !plain.has(column.key)
      const value = (row: ScreenRow) => cell(row, column.key)
      const levels = tinted ? thresholdsOf(column.heat, pool.map(value)) : undefined
      return {
        ...column,
        head: (
          <>
            {column.label}
            {column.marked && <span className="brand-mark">◆</span>}
          </>
        ),
        numeric: column.heat !== 'words',
        sortBy: value,
        cell: (row) => (column.heat === 'counter' ? <Counter value={value(row)} /> : cellText(column, value(row))),
        text: (row) => cellText(column, value(row)),
        exact: (row) => (column.words ? cellText(column, value(row)) : exact(value(row), column.scale === 100 ? 'percent' : 'decimal')),
        className: (row) => {
          const given = value(row)
          if (tinted) return heatClass(column, given, levels)
          return column.heat === 'signed' ? tone(given) : undefined
        },
      }
    })
    const width = (column: Column<ScreenRow>): Column<ScreenRow> => {
      const own = settings.widths[column.key]
      return own === undefined ? column : { ...column, width: own, grow: false }
    }
    const frozen = factorColumns.filter(({ pinned }) => pinned === 'left')
    const all = [...named.map(width), ...frozen, width(score), ...factorColumns.filter(({ pinned }) => pinned !== 'left'), ...after]
    const whole = changes ? [...all, changeColumn(changes)] : all
    return phone ? onlyNamePinned(whole) : whole
  }, [shown, result, cell, heat, settings, phone, after, changes])

  const rows = useMemo(() => (result ? rowsOf(result, tab, sorts, columns, changes) : []), [result, tab, sorts, columns, changes])
  return (
    <DataGrid
      label={{ selected: '名单', reserve: '候补', all: '全部排名' }[tab]}
      columns={columns}
      rows={rows}
      rowKey={codeOf}
      rowClass={dimmed}
      sorts={sorts}
      onSort={setSorts}
      ownOrder={byScore}
      onOpen={onOpen}
      current={current}
      stale={stale}
      loading={!result}
      selection={selection}
      onSelect={onSelect}
      lock={{ on: settings.locked, change: (locked) => change({ ...settings, locked }) }}
      onWidth={(key, width) => change(widened(settings, key, width))}
      onColumns={onColumns}
    />
  )
}

/** A phone has room for one column that stays: the name, first. */
function onlyNamePinned(columns: readonly Column<ScreenRow>[]): Column<ScreenRow>[] {
  const free = columns.map(({ pinned, ...column }) => (pinned && column.key === 'name' ? { ...column, pinned } : column))
  return [...free.filter(({ key }) => key === 'name'), ...free.filter(({ key }) => key !== 'name')]
}

const noColumns: readonly Column<ScreenRow>[] = []
const codeOf = (row: ScreenRow) => row.code
const dimmed = (row: ScreenRow) => (row.selected ? undefined : 'dim')

/** The table's own order, said as what it is. */
const byScore: Sort = { key: 'score', direction: 'descending' }

const named: readonly Column<ScreenRow>[] = [
  {
    key: 'rank',
    label: '名次',
    width: 60,
    numeric: true,
    pinned: 'left',
    cell: (row) => <span className="text-3">{row.rank ?? missing}</span>,
    text: (row) => String(row.rank ?? ''),
  },
  {
    key: 'code',
    label: '代码',
    width: 84,
    pinned: 'left',
    cell: (row) => <span className="mono">{row.code}</span>,
    sortBy: codeOf,
    firstSort: 'ascending',
  },
  {
    key: 'name',
    label: '名称',
    width: 96,
    grow: true,
    pinned: 'left',
    cell: (row) => <span className="medium">{row.name}</span>,
    text: (row) => row.name,
  },
]

const score: Column<ScreenRow> = {
  key: 'score',
  label: '得分',
  title: '0–100，100 为最好',
  width: 58,
  numeric: true,
  cell: (row) => <b className="strong">{fixed(row.score, 1)}</b>,
  text: (row) => fixed(row.score, 1),
  exact: (row) => exact(row.score),
  sortBy: (row) => row.score,
}

/** Days of the usual redemption clause: 15 of the last 30 at or above the trigger price. */
const counterDays = 15

function Counter({ value }: { value: number | null }) {
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

type Changes = ReadonlyMap<string, HeldChange>

const changeColumn = (changes: Changes): Column<ScreenRow> => ({
  key: 'change',
  label: '变化',
  title: '与当前名单相比',
  width: 76,
  pinned: 'right',
  cell: ({ code }) => {
    const change = changes.get(code)
    if (change?.change === 'new') return <span className={styles.changeNew}>＋ 新进</span>
    if (change?.change === 'out') return '－ 移出'
    return change ? <span className="text-2">= 持有</span> : ''
  },
  text: ({ code }) => changeWords(changes.get(code)?.change),
  exact: ({ code }) => changes.get(code)?.why || undefined,
})

/** One that has left the list, in the place where it would stand. */
const Gone = ({ code, name, why }: HeldChange) => (
  <Row as="span" gap={12} className={styles.screenGone} title={why}>
    <span className="mono">{code}</span> {name}
    <em>{why}</em>
    <b>－ 移出</b>
  </Row>
)

/** What a tab of the screen lists, in the order of the ranking. */
export const listOf = (result: ScreenResult, tab: ListTab): readonly ScreenRow[] =>
  tab === 'all' ? result.list_items : tab === 'reserve' ? reserveOf(result) : result.list_items.filter((row) => row.selected)

/** The list's rows with the reserves below it, or one of the others alone, in the asked order. */
function rowsOf(
  result: ScreenResult,
  tab: ListTab,
  sorts: Sorts,
  columns: readonly Column<ScreenRow>[],
  changes: Changes | null,
): GridRow<ScreenRow>[] {
  const ordered = (rows: readonly ScreenRow[]) => [...orderRows(rows, columns, sorts)]
  const reserve = reserveOf(result)
  if (tab === 'all') return ordered(result.list_items)
  if (tab === 'reserve') return ordered(reserve)
  const selected = ordered(result.list_items.filter((row) => row.selected))
  const left = [...(changes?.values() ?? [])].filter(({ change }) => change === 'out')
  const gone = left.map((one) => ({ id: `out ${one.code}`, separator: <Gone {...one} /> }))
  if (reserve.length === 0 || selected.length === 0) return [...selected, ...gone]
  return [
    ...selected,
    ...gone,
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
