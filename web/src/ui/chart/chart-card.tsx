import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { type CardState, holdsContent, StateBody, StateStrip } from '../card-state.tsx'
import { FileButton } from '../file-button.tsx'
import { saveText } from '../table/sheet.ts'
import { Badge } from '../tag.tsx'
import { toast } from '../toast.tsx'
import type { ChartHandle } from './chart-box.tsx'
import './chart.css'
import './legend.css'

export interface LegendItem {
  name: string
  mark: '' | 'bench' | 'drawdown' | 'oos' | 'up' | 'down'
  /** Of a line that has no role. */
  colour?: string
}

export const Legend = ({ items }: { items: readonly LegendItem[] }) => (
  <span className="legend">
    {items.map((item) => (
      <span key={item.name}>
        <i className={item.mark} style={item.colour ? { borderColor: item.colour } : undefined} />
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
  pictured = false,
  fileName,
  caption,
  id,
  csv,
  unfinished = false,
  left = 0,
  state = ready,
  height,
  children,
}: {
  title: string
  note?: ReactNode
  legend?: readonly LegendItem[]
  tools?: ReactNode
  table: () => ReactNode
  foot?: ReactNode
  pen?: RefObject<ChartHandle | null>
  /** Its body is no chart of the library, but can be saved as a picture all the same. */
  pictured?: boolean
  /** Without the ending. */
  fileName?: string
  /** What a saved picture says above the chart. */
  caption?: readonly string[]
  id?: string
  /** The same numbers as a file. */
  csv?: () => string
  /** Not all of it is computed. */
  unfinished?: boolean
  /** How many lines are not drawn, because more cannot be told apart. */
  left?: number
  /** Loading, empty, failed: in the box that the chart will have. */
  state?: CardState
  /** Of that box. */
  height?: number
  children: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  const known = holdsContent(state)
  const drawn = known && !asTable
  const card = useRef<HTMLElement>(null)
  const save = async () => {
    const style = getComputedStyle(document.documentElement)
    const token = (name: string) => style.getPropertyValue(name).trim()
    const colours = { ground: token('--bg-surface'), text: token('--text-1'), fonts: token('--sans') }
    const body = card.current?.querySelector<HTMLElement>(':scope > header + *')
    const lines = caption ?? [title]
    const url = pen
      ? pen.current?.picture(colours, lines)
      : body &&
        (await import('./element-picture.ts').then(({ pictureOfElement }) => pictureOfElement(body, colours, lines)).catch(() => null))
    if (!fileName) return
    if (!url) return toast.error('没有画成图片，可以切换到表格查看')
    const link = document.createElement('a')
    link.href = url
    link.download = `${fileName}.png`
    link.click()
  }
  return (
    <section ref={card} className="card chart-card" id={id} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note && <span className="text-3 grow-note">{note}</span>}
        {unfinished && <Badge>未完成，勿用于判断</Badge>}
        {left > 0 && <span className="text-3">另有 {left} 条未画出</span>}
        <span className="grow" />
        {legend && drawn && <Legend items={legend} />}
        {tools}
        <span className="chart-tools">
          <span className="chart-files">
            {(pen || pictured) && fileName && drawn && (
              <FileButton
                look={['small', 'ghost', 'square']}
                icon="download"
                title="保存为图片"
                aria-label={`${title}：保存为图片`}
                onClick={() => void save()}
              />
            )}
            {csv && fileName && known && (
              <FileButton
                look={['small', 'ghost']}
                title="保存为 CSV"
                aria-label={`${title}：保存为 CSV`}
                onClick={() => saveText(`${fileName}.csv`, csv(), 'text/csv')}
              >
                CSV
              </FileButton>
            )}
          </span>
          {known && (
            <Button
              look={['small', asTable ? 'outline' : 'ghost']}
              icon={asTable ? 'chart' : 'columns'}
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? '图' : '表格'}
            </Button>
          )}
        </span>
      </header>
      {state === ready ? (
        asTable ? (
          table()
        ) : (
          children
        )
      ) : (
        <div className="card-content chart-state" style={{ minHeight: height }}>
          <StateStrip state={state} />
          {known && <div className={state.kind === 'timeout' ? undefined : 'stale'}>{asTable ? table() : children}</div>}
          <StateBody state={state} />
        </div>
      )}
      {foot && <div className="foot">{foot}</div>}
    </section>
  )
}

const ready: CardState = { kind: 'ready' }
