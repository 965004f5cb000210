import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useMemo } from 'react'
import { missing } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'
import type { Factors } from '../rule/factors.ts'
import { excludedWords } from './excluded-text.ts'
import { useGrowing } from './growing.tsx'
import styles from './screen-cards.module.css'

type Row = NonNullable<ScreenResult['excluded']>[number] & { why: string; valueText: string }

const columns: readonly Column<Row>[] = [
  {
    key: 'code',
    label: '代码',
    width: 100,
    pinned: 'left',
    cell: (row) => <span className="mono">{row.code}</span>,
    sortBy: (row) => row.code,
    firstSort: 'ascending',
  },
  { key: 'name', label: '名称', width: 120, pinned: 'left', cell: (row) => <span className="medium">{row.name}</span> },
  {
    key: 'rule',
    label: '第一条剔除它的规则',
    width: 280,
    grow: true,
    cell: (row) => row.why,
    sortBy: (row) => row.rule_index,
    firstSort: 'ascending',
  },
  {
    key: 'value',
    label: '当日值',
    width: 120,
    numeric: true,
    cell: (row) => row.valueText,
    sortBy: (row) => (typeof row.value === 'number' ? row.value : null),
  },
]

/** Excluded securities, each with the first rule that removed it; a row opens all of its rules. */
export function ExcludedTable({
  result,
  parameters,
  factors,
  stale,
  onOpen,
}: {
  result: Pick<ScreenResult, 'excluded' | 'funnel'>
  parameters: Parameters
  factors: Factors
  stale: boolean
  onOpen?: (row: Row) => void
}) {
  const phone = usePhone()
  const { excluded, funnel } = result
  const rows = useMemo(
    () =>
      (excluded ?? []).map((row): Row => {
        const { why, value } = excludedWords(row, funnel, parameters, factors)
        return { ...row, why, valueText: value }
      }),
    [excluded, funnel, parameters, factors],
  )
  const sorted = useSorted(rows, columns)
  if (phone) return <ExcludedCards rows={rows} stale={stale} {...(onOpen ? { onOpen } : {})} />
  const shown = rows.some(({ valueText }) => valueText !== missing) ? columns : columns.slice(0, -1)
  return <DataGrid label="被剔除" columns={shown} {...sorted} rowKey={(row) => row.code} stale={stale} {...(onOpen ? { onOpen } : {})} />
}

/** The same on a phone: each security with the reason below it. */
function ExcludedCards({ rows, stale, onOpen }: { rows: readonly Row[]; stale: boolean; onOpen?: (row: Row) => void }) {
  const { most, more } = useGrowing(rows.length)
  return (
    <>
      <ul className={stale ? `screen-cards ${styles.excluded} stale` : `screen-cards ${styles.excluded}`} aria-label="被剔除">
        {rows.slice(0, most).map((row) => (
          <li key={row.code}>
            <button type="button" disabled={!onOpen} onClick={() => onOpen?.(row)}>
              <span className="ellipsis">
                <b>{row.name}</b> <small className="mono">{row.code}</small>
              </span>
              <span>{row.valueText === missing ? '' : row.valueText}</span>
              <span className={styles.screenCardWhy}>{row.why}</span>
            </button>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
