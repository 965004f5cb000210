import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import { missing } from '../../base/format.ts'
import { placeOfKey } from '../cell-keys.ts'
import { type HeatScale, heatOf } from './heat.ts'
import { ScrollBox } from './scroll-box.tsx'

/**
 * Numbers in a grid on coloured ground: a real table, so that a reader and the clipboard have it too. One stop of the keyboard,
 * arrows walk its cells, Enter opens one.
 */
export function HeatMap({
  label,
  corner,
  columns,
  rows,
  scale,
  format,
  half = false,
  onOpen,
}: {
  label: string
  corner: string
  columns: readonly string[]
  rows: readonly { name: string; values: readonly (number | null)[] }[]
  scale: HeatScale
  format: (value: number) => string
  /** Symmetric matrix: cells above the diagonal repeat those below and stay empty; the diagonal is not coloured. */
  half?: boolean
  onOpen?: (row: number, column: number) => void
}) {
  const table = useRef<HTMLTableElement>(null)
  const cellAt = (row: number, column: number) => table.current?.querySelector<HTMLElement>(`[data-at="${row},${column}"]`)
  const press = (row: number, column: number) => (event: KeyboardEvent) => {
    const place = placeOfKey(event.key, [row, column], columns.length)
    if (event.key === 'Enter' && onOpen) onOpen(row, column)
    else if (place) {
      const next = cellAt(...place)
      if (next) {
        for (const cell of table.current?.querySelectorAll<HTMLElement>('[data-at][tabindex="0"]') ?? []) cell.tabIndex = -1
        next.tabIndex = 0
        next.focus()
      }
    } else return
    event.preventDefault()
  }
  return (
    <ScrollBox label={label} className="heat-map-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid on a table is the pattern's own markup (ARIA APG) */}
      <table ref={table} className={half ? 'heat-map half' : 'heat-map'} role="grid" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }, row) => (
            <tr key={name}>
              <th scope="row" title={half ? name : undefined}>
                {name}
              </th>
              {columns.map((column, index) => {
                const value = values[index] ?? null
                return (
                  <td
                    key={column}
                    data-at={`${row},${index}`}
                    tabIndex={row === 0 && index === 0 ? 0 : -1}
                    className={value === null || (half && index >= row) ? 'text-3' : `heat ${heatOf(value, scale)}`}
                    onKeyDown={press(row, index)}
                    onClick={onOpen && (() => onOpen(row, index))}
                  >
                    {half && index > row ? '' : value === null ? missing : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** What the grounds mean, with the numbers at both ends. */
export function HeatLegend({ scale, low, high }: { scale: HeatScale; low: ReactNode; high: ReactNode }) {
  const grounds =
    scale.kind === 'signed'
      ? ['heat-down-3', 'heat-down-2', 'heat-down-1', 'heat-up-1', 'heat-up-2', 'heat-up-3']
      : ['seq-1', 'seq-2', 'seq-3']
  return (
    <span className="heat-legend">
      {low}
      <span aria-hidden="true">
        {grounds.map((ground) => (
          <i key={ground} className={ground} />
        ))}
      </span>
      {high}
    </span>
  )
}
