import { type ReactNode, useMemo, useState } from 'react'
import { fixed, signed, signedPercent } from '../src/base/format.ts'
import { underwater } from '../src/features/report/series.ts'
import { ChartBox } from '../src/ui/chart/chart-box.tsx'
import { ChartCard } from '../src/ui/chart/chart-card.tsx'
import { useChartTheme } from '../src/ui/chart/chart-theme.ts'
import { barFacts } from '../src/ui/chart/facts.ts'
import { mostOf } from '../src/ui/chart/heat.ts'
import { HeatLegend, HeatMap } from '../src/ui/chart/heat-map.tsx'
import { barsOption } from '../src/ui/chart/kinds/bars.ts'
import { binsOf, histogramOption } from '../src/ui/chart/kinds/histogram.ts'
import { scatterOption } from '../src/ui/chart/kinds/scatter.ts'
import { Spark } from '../src/ui/chart/spark.tsx'
import { tip } from '../src/ui/chart/tip.ts'
import { height, made, Numbers, watermark } from './chart-numbers.tsx'
import { walk, wobble } from './made-up.ts'

const bins = ['Q1 最低', 'Q2', 'Q3', 'Q4', 'Q5 最高']
const excess = [2.09, 0.95, -0.98, -1.5, -0.93]

export function BarsSample() {
  const look = useChartTheme()
  const format = (value: number) => signed(value)
  const option = useMemo(
    () =>
      barsOption(
        { names: bins, values: excess, format: (value) => signed(value), unit: '%', signed: true, labels: true, watermark },
        look,
        (i) => tip(bins[i] ?? '', [{ mark: 'none', name: '年化超额', value: `${signed(excess[i])}%` }]),
      ),
    [look],
  )
  return (
    <ChartCard
      title="各箱年化超额"
      note={made}
      table={() => <Numbers label="各箱年化超额表" heads={['箱', '年化超额(%)']} rows={bins.map((bin, i) => [bin, signed(excess[i])])} />}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="bars"
          label={barFacts(bins, excess, format)}
          height={height}
          points={bins.length}
          describe={(i) => `${bins[i]} ${signed(excess[i])}%`}
        />
      </div>
    </ChartCard>
  )
}

const twoDecimals = (value: number) => value.toFixed(2)

export function HistogramSample() {
  const look = useChartTheme()
  const ranges = useMemo(
    () =>
      binsOf(
        Array.from({ length: 198 }, (_, i) => wobble(i + 5) ** 2 + wobble(i + 900) * 0.3),
        20,
      ),
    [],
  )
  const option = useMemo(
    () =>
      histogramOption(
        { bins: ranges, format: twoDecimals, unit: '只', chosen: 0.3, marks: [{ at: 0.3, label: '0.30' }], watermark },
        look,
        (i) => {
          const bin = ranges[i]
          return tip(`${fixed(bin?.from)} ~ ${fixed(bin?.to)}`, [{ mark: 'none', name: '只数', value: `${bin?.count ?? 0}` }])
        },
      ),
    [ranges, look],
  )
  const names = ranges.map(({ from, to }) => `${twoDecimals(from)}–${twoDecimals(to)}`)
  return (
    <ChartCard
      title="今日截面"
      note={`198 只 · ${made}`}
      table={() => <Numbers label="截面表" heads={['范围', '只数']} rows={ranges.map(({ count }, i) => [names[i] ?? '', String(count)])} />}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="histogram"
          label={barFacts(
            names,
            ranges.map(({ count }) => count),
            String,
          )}
          height={height}
          points={ranges.length}
          describe={(i) => `${names[i]}，${ranges[i]?.count} 只`}
        />
      </div>
    </ChartCard>
  )
}

export function ScatterSample() {
  const look = useChartTheme()
  const points = useMemo(
    () =>
      Array.from({ length: 120 }, (_, i) => ({
        name: `演示转债${i}`,
        x: 95 + wobble(i) * 60,
        y: wobble(i + 300) * 60 - wobble(i) * 20,
        ...(i === 7 ? { chosen: true } : {}),
      })),
    [],
  )
  const option = useMemo(
    () =>
      scatterOption(
        {
          points,
          x: { name: '现价(元)', format: (value) => value.toFixed(0) },
          y: { name: '溢价率(%)', format: (value) => fixed(value, 0) },
          watermark,
        },
        look,
        (i) =>
          tip(points[i]?.name ?? '', [
            { mark: 'none', name: '现价', value: fixed(points[i]?.x, 3) },
            { mark: 'none', name: '溢价率', value: `${signed(points[i]?.y)}%` },
          ]),
      ),
    [points, look],
  )
  return (
    <ChartCard
      title="价格与溢价率"
      note={`菱形为所选 · ${made}`}
      table={() => (
        <Numbers
          label="价格与溢价率表"
          heads={['证券', '现价(元)', '溢价率(%)']}
          rows={points.map(({ name, x, y }) => [name, fixed(x, 3), signed(y)])}
        />
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="scatter"
          label={`价格与溢价率：${points.length} 只，现价 95 至 155 元`}
          height={height}
          points={points.length}
          describe={(i) => `${points[i]?.name}，现价 ${fixed(points[i]?.x, 3)} 元，溢价率 ${signed(points[i]?.y)}%`}
        />
      </div>
    </ChartCard>
  )
}

const years = ['2023', '2024', '2025', '2026']
const months = Array.from({ length: 12 }, (_, i) => String(i + 1))
const returns = years.map((name, year) => ({
  name,
  values: months.map((_, month) => (year === 3 && month > 10 ? null : (wobble(year * 12 + month + 3) - 0.45) * 0.12)),
}))

export function HeatSample() {
  const [opened, setOpened] = useState<string | null>(null)
  const scale = { kind: 'signed', most: mostOf(returns.flatMap(({ values }) => values)) } as const
  return (
    <ChartCard
      title="逐月收益"
      note={opened ?? made}
      tools={<HeatLegend scale={scale} low={signedPercent(-scale.most, 1)} high={signedPercent(scale.most, 1)} />}
      table={() => (
        <Numbers
          label="逐月收益表"
          heads={['年', ...months]}
          rows={returns.map(({ name, values }) => [name, ...values.map((value) => signedPercent(value, 1))])}
        />
      )}
    >
      <HeatMap
        label="逐月收益"
        corner="年"
        columns={months}
        rows={returns}
        scale={scale}
        format={(value) => signedPercent(value, 1)}
        onOpen={(row, column) => setOpened(`${years[row]} 年 ${months[column]} 月`)}
      />
    </ChartCard>
  )
}

export function SparkSample(): ReactNode {
  return (
    <section className="card" aria-label="小图">
      <header>
        <h2>小图</h2>
        <span className="text-3">64 × 18，旁边总有数字 · {made}</span>
      </header>
      <div className="body sample-line">
        <Spark values={walk(20, 61)} tone="plain" /> <span>1.03</span>
        <Spark values={underwater(walk(60, 62)).map((value) => value ?? 0)} /> <span>{signedPercent(-0.0812)}</span>
        <Spark values={walk(40, 63).map((value) => value - 1)} tone="brand" /> <span>{signedPercent(0.0421)}</span>
      </div>
    </section>
  )
}
