import type { Report } from '@convexa/contract/backtest'
import { type RefObject, useMemo, useState } from 'react'
import type { ChartPen } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { fixed, signedPercent } from '../../ui/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'
import { fileNameOf } from './files.ts'
import { NavChart } from './nav-chart.tsx'
import { inSampleSharpe, neverBought } from './sentences.ts'
import { relative, underwater, wantsLog } from './series.ts'

type View = 'absolute' | 'excess'

/** Net value against the benchmark over the drawdown, for the whole range or a part of it. */
export function NavCard({
  report,
  benchName,
  onDay,
  pen,
}: {
  report: Report
  benchName: string
  onDay: (date: string) => void
  pen: RefObject<ChartPen | null>
}) {
  const { curves } = report
  const [view, setView] = useState<View>('absolute')
  const [scale, setScale] = useState<'linear' | 'log'>(() => (wantsLog(curves.nav) ? 'log' : 'linear'))
  const hasBench = curves.bench.some((value) => value !== null)
  const excess = view === 'excess'
  const curve = useMemo(() => {
    if (!excess)
      return {
        dates: curves.dates,
        nav: curves.nav,
        bench: hasBench ? curves.bench : null,
        drawdown: curves.drawdown,
        holds: curves.hold_count,
      }
    const nav = relative(curves.nav, curves.bench)
    return { dates: curves.dates, nav, bench: null, drawdown: underwater(nav), holds: curves.hold_count }
  }, [curves, excess, hasBench])
  const demo = report.data_mode === 'demo'
  const last = curves.dates.length - 1
  const strategy = excess ? '策略 ÷ 基准' : '策略'
  return (
    <ChartCard
      id="overview"
      title="净值与回撤"
      note={`起点 = 1.00 · ${scale === 'log' ? '对数' : '线性'}`}
      legend={[
        { name: strategy, mark: '' },
        ...(curve.bench ? [{ name: benchName, mark: 'bench' as const }] : []),
        { name: '回撤(%)', mark: 'drawdown' },
        ...(report.oos_start ? [{ name: '样本外起点', mark: 'oos' as const }] : []),
      ]}
      tools={
        <>
          <Segmented
            label="纵轴"
            value={scale}
            choices={[
              { value: 'linear', label: '线性' },
              { value: 'log', label: '对数' },
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
              ]}
              onChange={setView}
            />
          )}
        </>
      }
      pen={pen}
      fileName={fileNameOf(report, excess ? '超额' : '净值')}
      caption={[
        `${report.name} · ${excess ? '超额' : '净值与回撤'}`,
        [`${curves.dates[0]} ~ ${curves.dates[last]}`, `基准 ${benchName}`, ...(demo ? ['演示数据，非真实行情'] : [])].join(' · '),
      ]}
      table={() => <NavTable report={report} benchName={benchName} onDay={onDay} />}
      foot={<Foot report={report} />}
    >
      <div className="body">
        <NavChart
          curve={curve}
          names={{ strategy, bench: benchName }}
          label={`净值与回撤：${curves.dates[0]} 至 ${curves.dates[last]}，策略 ${fixed(curves.nav[last], 3)}，${benchName} ${fixed(curves.bench[last], 3)}，最大回撤 ${signedPercent(report.metrics.max_drawdown)}。左右键逐日，回车看当天持仓。`}
          height="100%"
          log={scale === 'log'}
          oosStart={report.oos_start}
          watermark={demo ? '演示数据' : null}
          zoom
          onPick={onDay}
          pen={pen}
        />
      </div>
    </ChartCard>
  )
}

function Foot({ report }: { report: Report }) {
  const { oos } = report.metrics
  if (!oos || !report.oos_start || neverBought(report)) return '拖动下方滑块或按住 Ctrl 滚动可放大，双击还原；点某一天看当天持仓。'
  return `左边是照着历史想出来的，虚线右边才是没看过的：样本内夏普 ${fixed(inSampleSharpe(report))}，样本外 ${fixed(oos.sharpe)}（${oos.days} 个交易日）。`
}

interface NavRow {
  date: string
  nav: number | null
  bench: number | null
  excess: number | null
  drawdown: number | null
  holds: number | null
}

function NavTable({ report, benchName, onDay }: { report: Report; benchName: string; onDay: (date: string) => void }) {
  const { curves } = report
  const rows = useMemo(() => {
    const ratio = relative(curves.nav, curves.bench)
    return curves.dates.map(
      (date, i): NavRow => ({
        date,
        nav: curves.nav[i] ?? null,
        bench: curves.bench[i] ?? null,
        excess: ratio[i] ?? null,
        drawdown: curves.drawdown[i] ?? null,
        holds: curves.hold_count[i] ?? null,
      }),
    )
  }, [curves])
  const columns: Column<NavRow>[] = [
    { key: 'date', label: '日期', width: 120, grow: true, sortBy: (row) => row.date, cell: (row) => row.date },
    {
      key: 'nav',
      label: '策略净值',
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.nav,
      cell: (row) => fixed(row.nav, 4),
    },
    {
      key: 'bench',
      head: benchName,
      label: benchName,
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.bench,
      cell: (row) => fixed(row.bench, 4),
    },
    {
      key: 'excess',
      label: '策略÷基准',
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.excess,
      cell: (row) => fixed(row.excess, 4),
    },
    {
      key: 'drawdown',
      label: '回撤',
      width: 100,
      grow: true,
      numeric: true,
      sortBy: (row) => row.drawdown,
      cell: (row) => signedPercent(row.drawdown),
    },
    {
      key: 'holds',
      head: '持仓(只)',
      label: '持仓',
      width: 90,
      grow: true,
      numeric: true,
      sortBy: (row) => row.holds,
      cell: (row) => fixed(row.holds, 0),
    },
  ]
  const sorted = useSorted(rows, columns, [{ key: 'date', direction: 'descending' }])
  return (
    <div className="chart-table">
      <DataGrid label="每日净值" columns={columns} {...sorted} rowKey={(row) => row.date} onOpen={(row) => onDay(row.date)} />
    </div>
  )
}
