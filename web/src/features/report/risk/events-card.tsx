import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useState } from 'react'
import { signedPercent, tone } from '../../../base/format.ts'
import { atLeast, eachOf, text } from '../../../state/shapes.ts'
import { local } from '../../../state/storage.ts'
import { Button } from '../../../ui/button.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { EventsDialog } from './events-dialog.tsx'
import { WindowPicture } from './window-picture.tsx'
import { aroundWindow, benchStretches, type Window, windowFigures } from './windows.ts'
import './risk.module.css'

const storageKey = 'reportWindows'
const shape = eachOf(atLeast<Window>({ key: text, label: text, start: text, end: text }))

/** How the run came through stretches of strain; the user may choose others. */
export function EventsCard({
  report,
  benchName,
  onZoom,
}: {
  report: ReportCore
  benchName: string
  onZoom: (from: string, to: string) => void
}) {
  const demo = isSynthetic(report.data_mode)
  const [own, setOwn] = useState<readonly Window[] | null>(() => local.read(storageKey, shape, ''))
  const [editing, setEditing] = useState(false)
  const [scale, setScale] = useState<'shared' | 'each'>('shared')
  const preset = useMemo<readonly Window[]>(
    () => (demo ? benchStretches(report.curves) : report.events.map(({ key, label, start, end }) => ({ key, label, start, end }))),
    [report, demo],
  )
  const windows = own ?? preset
  const shown = useMemo(() => windowFigures(report, windows), [report, windows])
  const pictures = useMemo(() => shown.map((window) => aroundWindow(report.curves, window)), [report, shown])
  const all = pictures.flatMap(({ nav, bench }) => [...nav, ...bench]).filter((value) => value !== null)
  const shared = scale === 'shared' && all.length > 0 ? { low: Math.min(...all), high: Math.max(...all) } : null
  const keep = (next: readonly Window[] | null) => {
    setOwn(next)
    if (next) local.write(storageKey, next)
    else local.remove(storageKey)
  }
  const missing = windows.length - shown.length
  return (
    <ChartCard
      title="事件窗口"
      note="窗口前一日 = 1.00，灰底为窗口，前后各 10 日"
      legend={[
        { name: '策略', mark: '' },
        { name: benchName, mark: 'bench' },
      ]}
      tools={
        <>
          <Segmented
            label="纵轴"
            value={scale}
            choices={[
              { value: 'shared', label: '同一刻度' },
              { value: 'each', label: '各自缩放' },
            ]}
            onChange={setScale}
          />
          <Button look={['small']} icon="pencil" onClick={() => setEditing(true)}>
            编辑窗口
          </Button>
        </>
      }
      pictured
      fileName={fileNameOf(report, '事件窗口')}
      caption={captionOf(report, '事件窗口', `基准 ${benchName}`)}
      csv={() =>
        csvOf(
          report,
          ['窗口', '开始', '结束', '交易日', '策略(%)', '基准(%)', '最大回撤(%)'],
          shown.map((one) => [one.label, one.start, one.end, one.days, asPercent(one.own), asPercent(one.bench), asPercent(one.depth)]),
        )
      }
      table={() => <EventsTable rows={shown} onZoom={onZoom} />}
      foot={`${
        own
          ? '这是你编辑过的窗口，只存在这个浏览器里。'
          : demo
            ? '演示市场没有真实事件，这里取基准跌得最深与涨得最快的区间；换成真实行情后使用预设清单。'
            : '预设清单按当时发生的事命名，日期可改。'
      }${missing > 0 ? ` 另有 ${missing} 个窗口不完整地落在区间内，未列出。` : ''}`}
    >
      {shown.length === 0 ? (
        <p className="body text-2">没有完整落在区间内的窗口。</p>
      ) : (
        <div className="events">
          {shown.map((window, i) => (
            <article key={`${window.key} ${window.start}`}>
              <h3 className="subhead">
                <button type="button" className="plain" title="在净值图中放大这一段" onClick={() => onZoom(window.start, window.end)}>
                  {window.label}
                </button>
                <span>
                  {window.start} ~ {window.end.slice(5)}
                </span>
              </h3>
              {pictures[i] && <WindowPicture picture={pictures[i]} extent={shared} watermark={demo} />}
              <p>
                <Figure name="策略" value={window.own} />
                <Figure name="基准" value={window.bench} />
                <Figure name="超额" value={excessOf(window)} />
              </p>
            </article>
          ))}
        </div>
      )}
      {editing && (
        <EventsDialog windows={windows} preset={preset} dates={report.curves.dates} onSave={keep} onClose={() => setEditing(false)} />
      )}
    </ChartCard>
  )
}

const excessOf = ({ own, bench }: { own: number | null; bench: number | null }) =>
  own === null || bench === null ? null : (1 + own) / (1 + bench) - 1

const Figure = ({ name, value }: { name: string; value: number | null }) => (
  <span>
    {name} <b className={tone(value, 3)}>{signedPercent(value, 1)}</b>
  </span>
)

function EventsTable({ rows, onZoom }: { rows: ReturnType<typeof windowFigures>; onZoom: (from: string, to: string) => void }) {
  return (
    <div className="table-frame">
      <Table
        dense
        columns={[
          {
            label: '窗口',
            cell: (row) => (
              <button type="button" className="plain" onClick={() => onZoom(row.start, row.end)}>
                {row.label}
              </button>
            ),
          },
          { label: '开始', cell: (row) => row.start },
          { label: '结束', cell: (row) => row.end },
          { label: '交易日', numeric: true, cell: (row) => row.days },
          { label: '策略', numeric: true, look: (row) => tone(row.own), cell: (row) => signedPercent(row.own) },
          { label: '基准', numeric: true, look: (row) => tone(row.bench), cell: (row) => signedPercent(row.bench) },
          { label: '超额', numeric: true, look: (row) => tone(excessOf(row)), cell: (row) => signedPercent(excessOf(row)) },
          { label: metricLabel('max_drawdown'), numeric: true, cell: (row) => signedPercent(row.depth) },
        ]}
        rows={rows}
        rowKey={(row) => `${row.key} ${row.start}`}
      />
    </div>
  )
}
