import { type ReactNode, type RefObject, useState } from 'react'
import { Button } from '../button.tsx'
import type { ChartPen } from './chart-box.tsx'
import './chart.css'

export interface LegendItem {
  name: string
  mark: '' | 'bench' | 'drawdown' | 'oos' | 'up' | 'down'
}

export const Legend = ({ items }: { items: readonly LegendItem[] }) => (
  <span className="legend">
    {items.map((item) => (
      <span key={item.name}>
        <i className={item.mark} />
        {item.name}
      </span>
    ))}
  </span>
)

/** A chart's card: title and its terms, legend, what can be switched, and always the same numbers as a table. */
export function ChartCard({
  title,
  note,
  legend,
  tools,
  table,
  foot,
  pen,
  fileName,
  caption,
  id,
  children,
}: {
  title: string
  note?: ReactNode
  legend?: readonly LegendItem[]
  tools?: ReactNode
  table: () => ReactNode
  foot?: ReactNode
  pen?: RefObject<ChartPen | null>
  /** Without the ending. */
  fileName?: string
  /** What a saved picture says above the chart. */
  caption?: readonly string[]
  id?: string
  children: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  const save = () => {
    const style = getComputedStyle(document.documentElement)
    const token = (name: string) => style.getPropertyValue(name).trim()
    const colours = { ground: token('--bg-surface'), text: token('--text-1'), fonts: token('--sans') }
    const url = pen?.current?.picture(colours, caption ?? [title])
    if (!url || !fileName) return
    const link = document.createElement('a')
    link.href = url
    link.download = `${fileName}.png`
    link.click()
  }
  return (
    <section className="card chart-card" id={id} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note && <span className="text-3 grow-note">{note}</span>}
        <span className="grow" />
        {legend && !asTable && <Legend items={legend} />}
        {tools}
        {pen && fileName && !asTable && (
          <Button
            look={['small', 'ghost', 'square']}
            icon="download"
            title="保存为图片"
            aria-label={`${title}：保存为图片`}
            onClick={save}
          />
        )}
        <Button
          look={['small', asTable ? 'outline' : 'ghost']}
          icon={asTable ? 'chart' : 'columns'}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? '图' : '表格'}
        </Button>
      </header>
      {asTable ? table() : children}
      {foot && <div className="foot">{foot}</div>}
    </section>
  )
}
