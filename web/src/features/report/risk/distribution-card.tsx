import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo, useRef } from 'react'
import { count, fixed, percent, signedPercent, tone } from '../../../base/format.ts'
import { ChartBox, type ChartHandle } from '../../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../../ui/chart/chart-theme.ts'
import { type Bin, binsBetween, type HistogramPicture, histogramOption } from '../../../ui/chart/kinds/histogram.ts'
import { ScrollBox } from '../../../ui/chart/scroll-box.tsx'
import { tip } from '../../../ui/chart/tip.ts'
import { Table } from '../../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { lossSentence } from '../sentences.ts'
import styles from './risk.module.css'

/** How often which return came, by day and by month, and the days at both ends. */
export function DistributionCard({ report, onDay }: { report: ReportCore; onDay: (date: string) => void }) {
  const { distribution, metrics, curves } = report
  const pen = useRef<ChartHandle>(null)
  const daily = useMemo(() => binsBetween(distribution.daily.edges, distribution.daily.counts), [distribution])
  const monthly = useMemo(() => binsBetween(distribution.monthly.edges, distribution.monthly.counts), [distribution])
  const watermark = isSynthetic(report.data_mode) ? dataModes.demo.label : null
  const marks = useMemo(
    () => [
      ...(metrics.var95 === null ? [] : [{ at: metrics.var95, label: `VaR95 ${signedPercent(metrics.var95)}` }]),
      ...(metrics.cvar95 === null ? [] : [{ at: metrics.cvar95, label: `CVaR95 ${signedPercent(metrics.cvar95)}` }]),
    ],
    [metrics],
  )
  const table = (bins: readonly Bin[], unit: string) => (
    <Table
      dense
      columns={[
        {
          label: `${unit}收益（含下限）`,
          cell: ({ from, to }) => (
            <>
              {signedPercent(from)} 至 {signedPercent(to)}
            </>
          ),
        },
        { label: `${unit}数`, numeric: true, cell: ({ count: number }) => count(number) },
      ]}
      rows={bins}
      rowKey={({ from }) => from}
    />
  )
  return (
    <ChartCard
      title="收益分布"
      note={`日收益 ${count(metrics.days)} 个 · 月收益 ${count(report.monthly.length)} 个 · 偏度 ${fixed(metrics.skew)} · 峰度 ${fixed(metrics.kurtosis)}`}
      pen={pen}
      fileName={fileNameOf(report, '收益分布')}
      caption={captionOf(report, '日收益分布')}
      csv={() =>
        csvOf(
          report,
          ['周期', '自(%)', '至(%)', '个数'],
          [
            ...daily.map((bin) => ['日', asPercent(bin.from), asPercent(bin.to), bin.count]),
            ...monthly.map((bin) => ['月', asPercent(bin.from), asPercent(bin.to), bin.count]),
          ],
        )
      }
      table={() => (
        <ScrollBox label="收益分布表" className={`chart-table scroll ${styles.two}`}>
          {table(daily, '日')}
          {table(monthly, '月')}
        </ScrollBox>
      )}
      foot={lossSentence(metrics)}
    >
      <div className={styles.distribution}>
        <section>
          <h3 className="subhead">
            日收益<span>纵轴 天数，每格 {percent(widthOf(distribution.daily))}</span>
          </h3>
          <Bars bins={daily} unit="天" marks={marks} watermark={watermark} pen={pen} />
        </section>
        <section>
          <h3 className="subhead">
            月收益<span>纵轴 月数，每格 {percent(widthOf(distribution.monthly), 1)}</span>
          </h3>
          <Bars bins={monthly} unit="月" marks={[]} watermark={watermark} />
        </section>
        <Days title="最差 10 天" days={distribution.worst} curves={curves} onDay={onDay} />
        <Days title="最好 10 天" days={distribution.best} curves={curves} onDay={onDay} />
      </div>
    </ChartCard>
  )
}

const widthOf = ({ edges }: { edges: readonly number[] }) => (edges[1] ?? 0) - (edges[0] ?? 0)

/** `−2%`, `+0.5%`, `0%` */
const edgeText = (value: number) => signedPercent(value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1)

/** From this many bars on their counts have no room over them. */
const mostCounted = 16

function Bars({
  bins,
  unit,
  marks,
  watermark,
  pen,
}: Pick<HistogramPicture, 'bins' | 'watermark'> & {
  unit: string
  marks: NonNullable<HistogramPicture['marks']>
  pen?: React.RefObject<ChartHandle | null>
}) {
  const look = useChartTheme()
  const option = useMemo(() => {
    const words = (index: number) => {
      const bin = bins[index]
      return bin
        ? tip(`${signedPercent(bin.from)} 至 ${signedPercent(bin.to)}`, [{ mark: 'none', name: `${unit}数`, value: count(bin.count) }])
        : ''
    }
    const labels = bins.length <= mostCounted
    return histogramOption({ bins, marks, format: edgeText, signed: true, labels, watermark }, look, words)
  }, [bins, marks, unit, watermark, look])
  const all = bins.reduce((sum, bin) => sum + bin.count, 0)
  const won = bins.reduce((sum, bin) => (bin.from >= 0 ? sum + bin.count : sum), 0)
  return (
    <ChartBox
      option={option}
      shape={`${marks.length}`}
      label={`${unit}收益分布：共 ${all} 个，不亏的 ${won} 个。左右键逐格。`}
      height={252}
      points={bins.length}
      describe={(index) => {
        const bin = bins[index]
        return bin ? `${signedPercent(bin.from)} 至 ${signedPercent(bin.to)}，${bin.count} ${unit}` : ''
      }}
      {...(pen ? { pen } : {})}
    />
  )
}

function Days({
  title,
  days,
  curves: { dates, bench },
  onDay,
}: {
  title: string
  days: Report['distribution']['best']
  curves: Report['curves']
  onDay: (date: string) => void
}) {
  const benchOf = (date: string) => {
    const at = dates.indexOf(date)
    const [now, before] = [bench[at] ?? null, at > 0 ? (bench[at - 1] ?? null) : null]
    return now === null || before === null ? null : now / before - 1
  }
  return (
    <Table
      dense
      className={styles.extremeDays}
      columns={[{ label: title }, { label: '策略', numeric: true }, { label: '基准', numeric: true }]}
    >
      {days.map(({ date, return_ }) => {
        const its = benchOf(date)
        return (
          <tr key={date}>
            <td>
              <button type="button" className="plain" title={`看 ${date} 的持仓`} onClick={() => onDay(date)}>
                {date.slice(2)}
              </button>
            </td>
            <td className={`number ${tone(return_)}`}>{signedPercent(return_)}</td>
            <td className={`number ${tone(its)}`}>{signedPercent(its)}</td>
          </tr>
        )
      })}
    </Table>
  )
}
