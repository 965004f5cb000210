import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { placeOfKey } from '../../ui/cell-keys.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Tip } from '../../ui/overlay/late-parts.ts'
import { Table } from '../../ui/table/table.tsx'
import styles from './grid-map.module.css'

export interface MapCell {
  /** Null where nothing was computed (yet): hatched. */
  value: string | null
  /** A second, smaller line. */
  second?: string | undefined
  ground: string
  /** 当前, 最高. */
  tags: readonly string[]
  chosen: boolean
  /** In the outlined region. */
  member: boolean
  /** For the reader, before and after what is seen. */
  said: readonly [before: string, after: string]
}

/**
 * A heat map as a grid (ARIA APG): one stop of the keyboard, arrows walk, Space lays the cell's curve over the others, Enter opens it. What is
 * under the mouse or has the focus tells all of its numbers in `tip`.
 */
export function GridMap({
  label,
  corner,
  columns,
  rows,
  cellAt,
  tip,
  onChoose,
  onOpen,
  onTap,
}: {
  label: string
  corner: string
  columns: readonly string[]
  rows: readonly string[]
  cellAt: (row: number, column: number) => MapCell
  tip: (row: number, column: number) => ReactNode
  onChoose: (row: number, column: number) => void
  onOpen: (row: number, column: number) => void
  /** What a finger's tap does besides telling the cell; `again`: its second on the same cell. Left out, that chooses the cell. */
  onTap?: ((row: number, column: number, again: boolean) => void) | undefined
}) {
  const table = useRef<HTMLTableElement>(null)
  const [stop, setStop] = useState<readonly [number, number]>([0, 0])
  const [shown, setShown] = useState<{ at: readonly [number, number]; cell: Element } | null>(null)
  // Of the press that is under way: a finger has no hover, its first tap tells the cell.
  const tap = useRef({ touch: false, told: '' })
  const find = (row: number, column: number) => table.current?.querySelector<HTMLElement>(`[data-at="${row},${column}"]`) ?? null
  const tell = (row: number, column: number) => {
    const cell = find(row, column)
    setShown(cell && cellAt(row, column).value !== null ? { at: [row, column], cell } : null)
  }
  const press = (row: number, column: number) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const place = placeOfKey(event.key, [row, column], columns.length)
    if (event.key === 'Enter') onOpen(row, column)
    else if (event.key === ' ') onChoose(row, column)
    else if (event.key === 'Escape' && shown) setShown(null)
    else if (place) {
      if (find(...place)) setStop(place)
      find(...place)?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const member = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < rows.length && column < columns.length && cellAt(row, column).member
  const stopAt = stop[0] < rows.length && stop[1] < columns.length ? stop : [0, 0]
  return (
    <ScrollBox label={`${label}，可左右滚动`} className={styles.frame}>
      {/* A grid on a table is the pattern's own markup (ARIA APG). */}
      <Table
        ref={table}
        bare
        className="grid-map"
        role="grid"
        aria-label={label}
        onPointerLeave={() => setShown(null)}
        columns={[{ label: corner, head: <span className="hidden-text">{corner}</span> }, ...columns.map((name) => ({ label: name }))]}
      >
        {rows.map((name, row) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map((head, column) => {
              const cell = cellAt(row, column)
              return (
                <td
                  key={head}
                  data-at={`${row},${column}`}
                  tabIndex={stopAt[0] === row && stopAt[1] === column ? 0 : -1}
                  className={[cell.value === null ? 'hatched' : cell.ground, cell.chosen && styles.chosen].filter(Boolean).join(' ')}
                  onKeyDown={press(row, column)}
                  onFocus={() => {
                    setStop([row, column])
                    tell(row, column)
                  }}
                  onBlur={() => setShown(null)}
                  onPointerEnter={({ pointerType }) => pointerType === 'mouse' && tell(row, column)}
                  onPointerDown={({ pointerType }) => {
                    tap.current = { touch: pointerType === 'touch', told: shown?.at.join() ?? '' }
                  }}
                  onClick={() => {
                    if (!tap.current.touch) return onChoose(row, column)
                    const again = tap.current.told === `${row},${column}`
                    tell(row, column)
                    if (onTap) onTap(row, column, again)
                    else if (again) onChoose(row, column)
                  }}
                  onDoubleClick={() => onOpen(row, column)}
                >
                  <span className="hidden-text">{cell.said[0]}</span>
                  {cell.value !== null && (
                    <>
                      <b>{cell.value}</b>
                      {cell.second && <small>{cell.second}</small>}
                      {cell.tags.map((tag) => (
                        <em key={tag}>{tag}</em>
                      ))}
                    </>
                  )}
                  <span className="hidden-text">{cell.said[1]}</span>
                  {cell.member && (
                    <i
                      className={[
                        styles.edge,
                        !member(row - 1, column) && styles.top,
                        !member(row + 1, column) && styles.bottom,
                        !member(row, column - 1) && styles.left,
                        !member(row, column + 1) && styles.right,
                      ]
                        .filter(Boolean)
                        .join(' ')}
                    />
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </Table>
      {shown && (
        <Tip anchor={shown.cell} role="tooltip" className={styles.tip} onClose={() => setShown(null)}>
          {tip(...shown.at)}
        </Tip>
      )}
    </ScrollBox>
  )
}
