import type { ReportCore } from '@convexa/contract/report'
import type { KeyboardEvent, ReactNode } from 'react'
import { tone } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { Definition } from '../../report/definition.tsx'
import styles from './compare.module.css'
import type { CompareRow } from './compare-rows.ts'
import { LineMark } from './line-mark.tsx'

export interface Column {
  key: string
  /** Its place among all, which is its colour. */
  place: number
  state: 'loading' | 'failed' | 'none' | 'ready'
  name: string
  href: string | null
  /** Under the name: `#a91c`, why there are no numbers. */
  note: ReactNode
}

export interface RowGroup {
  title: string
  note?: string
  rows: readonly CompareRow[]
}

/** Metrics, years and rules in one table, a column for each; ← → on a head move its column. */
export function CompareTable({
  columns,
  groups,
  report,
  onMove,
  onRemove,
}: {
  /** Those that are shown; cells are by place. */
  columns: readonly Column[]
  groups: readonly RowGroup[]
  /** The report with the definitions that explain the metrics. */
  report: ReportCore | null
  onMove: (place: number, step: -1 | 1) => void
  onRemove: (place: number) => void
}) {
  const press = (place: number) => (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    onMove(place, step)
  }
  return (
    <div className="table-frame">
      <Table
        grouped
        className={styles.compareTable}
        caption="指标与参数"
        columns={[
          { label: '指标' },
          ...columns.map(({ key, place, name, href, note }) => ({
            label: key,
            numeric: true,
            own: { onKeyDown: press(place) },
            head: (
              <>
                <Row as="span" inline gap={6}>
                  <LineMark place={place} />
                  {place + 1}
                  <Button
                    look={['ghost', 'square', 'plus']}
                    icon="cross"
                    aria-label={`移除第 ${place + 1} 列 ${name}`}
                    onClick={() => onRemove(place)}
                  />
                </Row>
                {href ? (
                  <PageLink className={styles.compareName} to={href} data-column={place} title="按 ← → 移动这一列">
                    {name}
                  </PageLink>
                ) : (
                  <span className={styles.compareName}>{name}</span>
                )}
                <small>{note}</small>
              </>
            ),
          })),
        ]}
      >
        {groups.map(({ title, note, rows }) => (
          <tbody key={title}>
            <tr className={styles.compareGroup}>
              <th colSpan={columns.length + 1} scope="rowgroup">
                {title} {note && <span>{note}</span>}
              </th>
            </tr>
            {rows.map(({ key, label, metric, cells }) => (
              <tr key={key}>
                <th scope="row">
                  {metric && report && !key.startsWith('oos') ? (
                    <Definition report={report} metric={metric} value={cells.map((cell) => cell?.text ?? '—').join(' · ')}>
                      {label}
                    </Definition>
                  ) : (
                    label
                  )}
                </th>
                {columns.map((column) => {
                  const cell = cells[column.place] ?? null
                  return (
                    <td key={column.key} className="number">
                      {column.state === 'loading' ? (
                        <span className="skeleton" style={{ width: 56 }} />
                      ) : cell === null || column.state !== 'ready' ? (
                        <span className="text-3">—</span>
                      ) : (
                        <span
                          className={[cell.signed ? tone(cell.value) : '', cell.best ? 'best' : ''].filter(Boolean).join(' ') || undefined}
                        >
                          {cell.text}
                          {cell.best && <span className="hidden-text">（本行最优）</span>}
                        </span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  )
}
