import './skeleton.css'

export interface SkeletonColumn {
  head: string
  /** Of the column, in pixels; the last without one takes the rest. */
  width?: number
  /** Of the bar in it. */
  bar?: number
  numeric?: boolean
}

/** Placeholder rows in the real column widths, hidden from screen readers, for which empty cells say nothing. */
export function Skeleton({ columns, rows }: { columns: readonly SkeletonColumn[] | undefined; rows: number }) {
  const places = Array.from({ length: rows }, (_, row) => row)
  if (!columns)
    return (
      <div className="skeleton-lines" aria-hidden="true">
        {places.map((row) => (
          <span key={row} className="skeleton" style={{ width: `${[92, 76, 84, 60, 70][row % 5]}%` }} />
        ))}
      </div>
    )
  return (
    <table className="table compact" aria-hidden="true">
      <thead>
        <tr>
          {columns.map(({ head, width, numeric }) => (
            <th key={head} style={{ width }} className={numeric ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((row) => (
          <tr key={row}>
            {columns.map(({ head, bar = 48, numeric }) => (
              <td key={head} className={numeric ? 'number' : undefined}>
                <span className="skeleton" style={{ width: bar }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The frame of a chart that will come: its lines and its axis, nothing that looks like a course. */
export function ChartSkeleton({ height }: { height?: number }) {
  return (
    <div className="skeleton-chart" style={{ height }} aria-hidden="true">
      {[32, 24, 32, 24, 32].map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of nothing
        <i key={line}>
          <span className="skeleton" style={{ width }} />
        </i>
      ))}
    </div>
  )
}

/** A card that will come: its title, then a chart or lines. */
export function CardSkeleton({ chart, rows = 4, title = 96 }: { chart?: number; rows?: number; title?: number }) {
  return (
    <section className="card" aria-hidden="true">
      <header>
        <span className="skeleton" style={{ width: title, height: 14 }} />
      </header>
      {chart === undefined ? <Skeleton columns={undefined} rows={rows} /> : <ChartSkeleton height={chart} />}
    </section>
  )
}
