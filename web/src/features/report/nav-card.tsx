import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import type { Report, ReportCore } from '@convexa/contract/report'
import { type RefObject, useMemo, useState } from 'react'
import { fixed, percent, signedPercent } from '../../base/format.ts'
import type { ChartHandle } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { DeepPart } from './deep-part.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from './files.ts'
import { NavChart, type NavCurve } from './nav-chart.tsx'
import { depositCurve, depositRate, inSampleSharpe, neverBought } from './sentences.ts'
import { relative, underwater, wantsLog } from './series.ts'
import { RangeStrip } from './what-if/range-strip.tsx'
import type { ReportRange } from './what-if/what-if.ts'

type View = 'absolute' | 'excess' | 'relative'

/** Net value against the benchmark over the drawdown, for the whole range or a part of it. */
export function NavCard({
  report,
  benchName,
  onDay,
  pen,
  leftOut,
  onLeaveOut,
}: {
  report: ReportCore
  benchName: string
  onDay: (date: string) => void
  pen: RefObject<ChartHandle | null>
  /** Stretches that a second look leaves out. */
  leftOut: readonly ReportRange[]
  onLeaveOut: (stretch: ReportRange) => void
}) {
  const { curves } = report
  const [view, setView] = useState<View>('absolute')
  const [scale, setScale] = useState<'linear' | 'log'>(() => (wantsLog(curves.nav) ? 'log' : 'linear'))
  const hasBench = curves.bench.some((value) => value !== null)
  const curve = useMemo((): NavCurve => {
    const { dates, hold_count: holds } = curves
    if (view === 'absolute')
      return {
        dates,
        nav: curves.nav,
        bench: hasBench ? curves.bench : null,
        drawdown: curves.drawdown,
        holds,
        measures: measuresOf(curves),
      }
    const ratio = relative(curves.nav, curves.bench)
    const nav = view === 'relative' ? ratio : ratio.map((value) => (value === null ? null : value - 1))
    return { dates, nav, bench: null, drawdown: underwater(ratio), holds }
  }, [curves, view, hasBench])
  const demo = isSynthetic(report.data_mode)
  const last = curves.dates.length - 1
  const strategy = names[view]
  const log = scale === 'log' && view !== 'excess'
  return (
    <ChartCard
      id="overview"
      title="净值与回撤"
      note={`${view === 'excess' ? '起点 = 0' : '起点 = 1.00'} · ${log ? '对数' : '线性'}`}
      legend={[{ name: strategy, mark: '' }, ...(curve.bench ? [{ name: benchName, mark: 'bench' as const }] : [])]}
      tools={
        <>
          <Segmented
            label="纵轴"
            value={log ? 'log' : 'linear'}
            choices={[
              { value: 'linear', label: '线性' },
              { value: 'log', label: '对数', disabled: view === 'excess' },
            ]}
            onChange={setScale}
          />
          {hasBench && (
            <Segmented
              label="口径"
              value={view}
              choices={[
                { value: 'absolute', label: '绝对' },
                { value: 'excess', label: '超额' },
                { value: 'relative', label: '相对' },
              ]}
              onChange={setView}
            />
          )}
        </>
      }
      pen={pen}
      fileName={fileNameOf(report, viewWords[view])}
      caption={captionOf(report, view === 'absolute' ? '净值与回撤' : viewWords[view], `基准 ${benchName}`)}
      csv={() => navCsv(report, benchName)}
      table={() => <DeepPart height={320}>{({ NavTable }) => <NavTable report={report} benchName={benchName} onDay={onDay} />}</DeepPart>}
      foot={<Foot report={report} />}
    >
      <div className="body">
        <NavChart
          curve={curve}
          names={{ strategy, bench: benchName }}
          label={`净值与回撤：${curves.dates[0]} 至 ${curves.dates[last]}，策略 ${fixed(curves.nav[last], 3)}，${benchName} ${fixed(curves.bench[last], 3)}，最大回撤 ${signedPercent(report.metrics.max_drawdown)}。左右键逐日，回车看当天持仓。`}
          height="100%"
          log={log}
          base={view === 'excess' ? 0 : 1}
          format={view === 'excess' ? excessText : undefined}
          bands={leftOut}
          linked
          oosStart={report.oos_start}
          watermark={demo ? dataModes.demo.label : null}
          zoom
          onPick={onDay}
          pen={pen}
        />
      </div>
      <RangeStrip report={report} onLeaveOut={onLeaveOut} />
    </ChartCard>
  )
}

/** 和什么比: all of the market where that is not the benchmark, and a deposit. */
const measuresOf = ({ market, dates }: Report['curves']) => [
  ...(market ? [{ name: '全市场等权', values: market }] : []),
  { name: `定存 ${percent(depositRate, 1)}`, values: depositCurve(dates.length) },
]

const names: Record<View, string> = { absolute: '策略', excess: '超额', relative: '策略 ÷ 基准' }
const viewWords: Record<View, string> = { absolute: '净值', excess: '超额', relative: '相对基准' }
const excessText = (value: number) => signedPercent(value, 0)

/** Every day of the report for a spreadsheet. */
export function navCsv(report: ReportCore, benchName: string): string {
  const { curves } = report
  const ratio = relative(curves.nav, curves.bench)
  return csvOf(
    report,
    ['日期', '策略净值', `${benchName}净值`, '策略÷基准', '回撤(%)', '持仓(只)', '仓位(%)'],
    curves.dates.map((date, i) => [
      date,
      curves.nav[i],
      curves.bench[i],
      ratio[i],
      asPercent(curves.drawdown[i]),
      curves.hold_count[i],
      asPercent(curves.exposure[i]),
    ]),
  )
}

function Foot({ report }: { report: ReportCore }) {
  const { oos } = report.metrics
  if (!oos || !report.oos_start || neverBought(report)) return '在图上拖选一段，所有的图一起放大，双击还原；点某一天看当天持仓。'
  return `左边是照着历史想出来的，虚线右边才是没看过的：样本内夏普 ${fixed(inSampleSharpe(report))}，样本外 ${fixed(oos.sharpe)}（${oos.days} 个交易日）。`
}
