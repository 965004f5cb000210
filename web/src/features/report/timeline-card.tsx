import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { markets } from '@convexa/contract/enums/market'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo, useState } from 'react'
import { percent } from '../../base/format.ts'
import { useWidth } from '../../base/use-width.ts'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useMarkTips } from '../../ui/chart/mark-tips.tsx'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Row } from '../../ui/layout.tsx'
import { Table } from '../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from './files.ts'
import { reasonWords } from './reasons.ts'
import { type SpanRow, spanRows } from './spans.ts'
import styles from './timeline.module.css'

const rowsShown = 14
const rowHeight = 22
const nameWidth = 88
const daysWidth = 56
const year = 242

/** Which securities were held when, how heavy, and which ends were forced. */
export function TimelineCard({
  report,
  onDay,
}: {
  report: ReportCore & Pick<Report, 'holdings' | 'trades'>
  onDay: (date: string) => void
}) {
  const { dates } = report.curves
  const { redeemed } = markets[report.kind]
  const long = dates.length > year * 1.2
  const [range, setRange] = useState<'year' | 'all'>('year')
  const first = long && range === 'year' ? dates.length - year : 0
  const rows = useMemo(() => spanRows(dates, report.holdings, report.trades, first), [dates, report.holdings, report.trades, first])
  const shown = rows.slice(0, rowsShown)
  const weights = shown.flatMap((row) => row.spans.map((span) => span.weight))
  const light = weights.length > 0 ? Math.min(...weights) : 0
  const heavy = weights.length > 0 ? Math.max(...weights) : 0
  const marks = [...new Set(shown.flatMap((row) => row.marks.map((mark) => markOf(mark.reason))))]
  return (
    <ChartCard
      title="持仓时间线"
      note={`${first > 0 ? '近一年' : '全部区间'} · 按持有天数前 ${shown.length} 只，共 ${rows.length} 只`}
      tools={
        <>
          <Row as="span" inline gap={16} className={styles.timelineLegend}>
            {heavy - light > 0.005 && (
              <span className={styles.weights}>
                权重 {percent(light, 1)}
                <i style={{ opacity: 0.35 }} />
                <i style={{ opacity: 0.6 }} />
                <i style={{ opacity: 0.85 }} />
                {percent(heavy, 1)}
              </span>
            )}
            {marks.includes('forced') && (
              <span>
                <svg width="10" height="10" aria-hidden="true">
                  <path className={`${styles.mark} ${styles.forced}`} d="M5 1 9.5 9H.5Z" />
                </svg>
                {redeemed ? '强赎、到期、退市' : '退市'}
              </span>
            )}
            {marks.includes('thrown') && (
              <span>
                <svg width="10" height="10" aria-hidden="true">
                  <path className={styles.mark} d="M2 2l6 6M8 2 2 8" />
                </svg>
                剔除、止盈止损
              </span>
            )}
          </Row>
          {long && (
            <Segmented
              label="时间线范围"
              value={range}
              choices={[
                { value: 'year', label: '近一年' },
                { value: 'all', label: '全部' },
              ]}
              onChange={setRange}
            />
          )}
        </>
      }
      pictured
      fileName={fileNameOf(report, '持仓时间线')}
      caption={captionOf(report, '持仓时间线')}
      csv={() =>
        csvOf(
          report,
          ['代码', '名称', '买入日', '到', '平均权重(%)'],
          rows.flatMap(({ code, name, spans }) =>
            spans.map((span) => [code, name, dates[span.bought], dates[span.to], asPercent(span.weight)]),
          ),
        )
      }
      table={() => <SpanTable rows={rows} dates={dates} />}
      foot="点任意一段，看买入当天为什么买。"
    >
      <Timeline rows={shown} dates={dates} first={first} light={light} heavy={heavy} demo={isSynthetic(report.data_mode)} onDay={onDay} />
    </ChartCard>
  )
}

const forced: ReadonlySet<string> = new Set(['called', 'last_day', 'matured', 'delisted'])
const markOf = (reason: string) => (forced.has(reason) ? 'forced' : 'thrown')

function Timeline({
  rows,
  dates,
  first,
  light,
  heavy,
  demo,
  onDay,
}: {
  rows: readonly SpanRow[]
  dates: readonly string[]
  first: number
  light: number
  heavy: number
  demo: boolean
  onDay: (date: string) => void
}) {
  const [box, width] = useWidth<HTMLDivElement>()
  const tips = useMarkTips('看当天持仓')
  const left = nameWidth
  const right = Math.max(left + 100, width - daysWidth)
  const count = Math.max(1, dates.length - first)
  const x = (index: number) => left + ((index - first) / count) * (right - left)
  const height = rows.length * rowHeight + 26
  const depth = (weight: number) => (heavy - light < 0.005 ? 0.72 : 0.35 + (0.55 * (weight - light)) / (heavy - light))
  return (
    <div className={`body ${styles.timeline}`} ref={box} {...tips.handlers}>
      {tips.bubble}
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`持仓时间线，${rows.length} 只证券；逐行内容见表格`}
        >
          {ticks(dates, first, right - left).map(({ index, label }) => (
            <g key={label}>
              <line className={styles.grid} x1={x(index)} x2={x(index)} y1={0} y2={height - 22} />
              <text className="axis" x={x(index)} y={height - 6} textAnchor="middle">
                {label}
              </text>
            </g>
          ))}
          {demo && (
            <text className={styles.watermark} x={left + 16} y={height - 40}>
              {dataModes.demo.label}
            </text>
          )}
          {rows.map((row, k) => {
            const middle = k * rowHeight + rowHeight / 2
            return (
              <g key={row.code}>
                <text className={styles.name} x={0} y={middle + 4}>
                  {row.name}
                </text>
                <line className={styles.grid} x1={left} x2={right} y1={middle + rowHeight / 2} y2={middle + rowHeight / 2} />
                {row.spans.map((span) => (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard reaches the same days by the table and the date above the holdings
                  <rect
                    key={span.from}
                    className={styles.span}
                    x={x(span.from)}
                    width={Math.max(2, x(span.to + 1) - x(span.from) - 1)}
                    y={middle - 5}
                    height={10}
                    opacity={depth(span.weight)}
                    onClick={() => onDay(dates[span.bought] ?? '')}
                  >
                    <title>
                      {row.name} {dates[span.bought]} 至 {dates[span.to]}，{span.to - span.bought + 1} 个交易日，平均权重{' '}
                      {percent(span.weight, 1)}
                    </title>
                  </rect>
                ))}
                {row.marks.map((mark) => (
                  // biome-ignore lint/a11y/noStaticElementInteractions: as above
                  <path
                    key={`${mark.at} ${mark.reason}`}
                    className={markOf(mark.reason) === 'forced' ? `${styles.mark} ${styles.forced}` : styles.mark}
                    d={markOf(mark.reason) === 'forced' ? 'M0 -5 5 4H-5Z' : 'M-3 -3l6 6M3 -3l-6 6'}
                    transform={`translate(${x(mark.at) + 3} ${middle})`}
                    onClick={() => onDay(dates[mark.at] ?? '')}
                  >
                    <title>
                      {row.name} {dates[mark.at]} {reasonWords[mark.reason]}
                    </title>
                  </path>
                ))}
                <text className={styles.days} x={width} y={middle + 4} textAnchor="end">
                  {row.days} 日
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}

/** First days of months, as many as have room: `2026-03`; of years when there are many. */
function ticks(dates: readonly string[], first: number, width: number): { index: number; label: string }[] {
  const starts: { index: number; label: string }[] = []
  for (let i = Math.max(1, first + 1); i < dates.length; i++) {
    const month = dates[i]?.slice(0, 7) ?? ''
    if (dates[i - 1]?.slice(0, 7) !== month) starts.push({ index: i, label: month })
  }
  const years = starts.filter((tick) => tick.label.endsWith('-01')).map(({ index, label }) => ({ index, label: label.slice(0, 4) }))
  const room = Math.max(1, Math.floor(width / 88))
  if (starts.length > room * 4 && years.length >= 2) return years
  const every = Math.ceil(starts.length / room)
  return starts.filter((_, i) => i % every === Math.floor(every / 2))
}

function SpanTable({ rows, dates }: { rows: readonly SpanRow[]; dates: readonly string[] }) {
  return (
    <ScrollBox label="持仓时间线表" className="chart-table scroll">
      <Table
        dense
        columns={[
          { label: '代码' },
          { label: '名称' },
          { label: '持有(日)', numeric: true },
          { label: '次数', numeric: true },
          { label: '最近一段' },
          { label: '被动卖出' },
        ]}
      >
        {rows.map((row) => {
          const last = row.spans.at(-1)
          return (
            <tr key={row.code}>
              <td className="mono">{row.code}</td>
              <td>{row.name}</td>
              <td className="number">{row.days}</td>
              <td className="number">{row.spans.length}</td>
              <td>{last && `${dates[last.bought]} 至 ${dates[last.to]}`}</td>
              <td className="text-2">{row.marks.map((mark) => `${dates[mark.at]} ${reasonWords[mark.reason]}`).join('；') || '—'}</td>
            </tr>
          )
        })}
      </Table>
    </ScrollBox>
  )
}
