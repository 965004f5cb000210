import { type ReactNode, useMemo, useRef, useState } from 'react'
import { CallError } from '../api/messages.ts'
import { NavChart } from '../quant/report/nav-chart.tsx'
import { underwater } from '../quant/report/series.ts'
import { usePreferences } from '../state/preferences.ts'
import type { CardState } from '../ui/card-state.tsx'
import { ChartBox, type ChartPen } from '../ui/chart/chart-box.tsx'
import { ChartCard } from '../ui/chart/chart-card.tsx'
import { barFacts, lineFacts } from '../ui/chart/facts.ts'
import { mostOf } from '../ui/chart/heat.ts'
import { HeatLegend, HeatMap } from '../ui/chart/heat-map.tsx'
import { barsOption } from '../ui/chart/kinds/bars.ts'
import { type Candle, candlesOption } from '../ui/chart/kinds/candles.ts'
import { binsOf, histogramPicture } from '../ui/chart/kinds/histogram.ts'
import { coloursOf, type Line, linesOption, mostLines } from '../ui/chart/kinds/lines.ts'
import { scatterOption } from '../ui/chart/kinds/scatter.ts'
import { useLook } from '../ui/chart/look.ts'
import { ScrollBox } from '../ui/chart/scroll-box.tsx'
import { Spark } from '../ui/chart/spark.tsx'
import { tip } from '../ui/chart/tip.ts'
import { dayWords } from '../ui/dates.ts'
import { fixed, money, signed, signedPercent } from '../ui/format.ts'
import { csv } from '../ui/table/sheet.ts'
import { toast } from '../ui/toast.tsx'
import { walk, weekdays, wobble } from './made-up.ts'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'charts', title: '图', Component: Charts }]

const made = '编造的数字，只为看样子'
const watermark = '演示数据'
const height = 260
const demo = ['演示数据，模拟生成，非真实行情，不能用于交易']

function Charts() {
  return (
    <>
      <p className="note" style={{ marginBottom: 12 }}>
        这一节的数字全部是编造的，只用来看图的样子，与任何行情、任何策略无关。
      </p>
      <div className="samples charts">
        <NavSample title="净值与回撤" />
        <NavSample title="净值随回放生长" part={0.6} />
        <LinesSample />
        <LongLine />
        <BarsSample />
        <HistogramSample />
        <ScatterSample />
        <CandlesSample />
        <HeatSample />
        <SparkSample />
        <Waiting title="加载中的图" state={{ kind: 'loading', rows: 4 }} />
        <Waiting
          title="没有数据的图"
          state={{ kind: 'empty', icon: 'chart', title: '选择因子后运行', text: '运行后在这里画出各箱净值。' }}
        />
        <Waiting
          title="没有读到的图"
          state={{
            kind: 'error',
            error: new CallError('network', '网络连接失败，请检查网络'),
            still: '上次的结论还在上方。',
            onRetry: () => toast.info('已点按'),
          }}
        />
      </div>
    </>
  )
}

/** The same numbers as a table. */
function Numbers({ label, heads, rows }: { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <ScrollBox label={label} className="chart-table">
      <table className="table compact">
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={head} className={i > 0 ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, i) => (
                <td key={heads[i]} className={i > 0 ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function NavSample({ title, part = 1 }: { title: string; part?: number }) {
  const dates = weekdays('2022-08-01', 1_040)
  const shown = Math.round(dates.length * part)
  const nav = walk(dates.length, 7).slice(0, shown)
  const bench = walk(dates.length, 3, 0, 0.008).slice(0, shown)
  const days = dates.slice(0, shown)
  const pen = useRef<ChartPen>(null)
  const three = (value: number) => fixed(value, 3)
  return (
    <ChartCard
      title={title}
      note={`起点 = 1.00 · ${made}`}
      legend={[
        { name: '策略', mark: '' },
        { name: '等权', mark: 'bench' },
        { name: '回撤(%)', mark: 'drawdown' },
      ]}
      unfinished={part < 1}
      pen={pen}
      fileName={title}
      caption={[title, ...demo]}
      csv={() => csv([demo, ['日期', '策略', '等权'], ...days.map((day, i) => [day, nav[i] ?? null, bench[i] ?? null])])}
      table={() => (
        <Numbers
          label={`${title}表`}
          heads={['日期', '策略', '等权']}
          rows={days.map((day, i) => [day, fixed(nav[i], 3), fixed(bench[i], 3)])}
        />
      )}
    >
      <div className="body">
        <NavChart
          curve={{ dates: days, nav, bench, drawdown: underwater(nav) }}
          names={{ strategy: '策略', bench: '等权' }}
          label={lineFacts('策略', days, nav, three)}
          height={320}
          watermark={watermark}
          until={part < 1 ? (dates.at(-1) ?? null) : null}
          oosStart={part < 1 ? null : '2025-12-01'}
          pen={pen}
        />
      </div>
    </ChartCard>
  )
}

const lineNames = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', '池内等权', '多出的一条']

function LinesSample() {
  const look = useLook()
  const patterns = usePreferences((state) => state.patterns)
  const pen = useRef<ChartPen>(null)
  const dates = useMemo(() => weekdays('2022-08-01', 1_040), [])
  const lines = useMemo<Line[]>(
    () =>
      lineNames.map((name, i) => ({
        name,
        values: walk(1_040, 20 + i, 0.0002 - i * 0.00004, 0.009),
        ...(name === '池内等权' ? { role: 'bench' as const } : {}),
      })),
    [],
  )
  const words = (index: number) =>
    tip(
      dayWords(dates[index] ?? ''),
      lines.slice(0, mostLines).map(({ name, values }) => ({ mark: 'none', name, value: fixed(values[index], 3) })),
    )
  const format = (value: number) => value.toFixed(2)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are made of the lines
  const option = useMemo(
    () => linesOption({ dates, lines, format, base: 1, watermark, patterns }, look, words),
    [dates, lines, look, patterns],
  )
  const colours = coloursOf(lines, look)
  return (
    <ChartCard
      title="各箱净值"
      note={made}
      legend={lines
        .slice(0, mostLines)
        .map(({ name, role }, i) => ({ name, mark: role === 'bench' ? 'bench' : '', ...(role ? {} : { colour: colours[i] ?? '' }) }))}
      left={lines.length - mostLines}
      pen={pen}
      fileName="各箱净值"
      table={() => (
        <Numbers
          label="各箱净值表"
          heads={['日期', ...lineNames]}
          rows={dates.slice(-60).map((day, i) => [day, ...lines.map(({ values }) => fixed(values[980 + i], 3))])}
        />
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="lines"
          label={lines
            .slice(0, 2)
            .map(({ name, values }) => lineFacts(name, dates, values, format))
            .join('；')}
          height={height}
          points={dates.length}
          describe={(i) =>
            `${dates[i]}，${lines
              .slice(0, mostLines)
              .map(({ name, values }) => `${name} ${fixed(values[i], 3)}`)
              .join('，')}`
          }
          pen={pen}
        />
      </div>
    </ChartCard>
  )
}

/** The value says its own place, so that a tooltip can be checked: the day number. */
function LongLine() {
  const look = useLook()
  const dates = useMemo(() => weekdays('2004-01-01', 5_200), [])
  const values = useMemo(() => dates.map((_, i) => Math.round(1_000 + 600 * Math.sin(i / 180) + 60 * (wobble(i) - 0.5))), [dates])
  const option = useMemo(
    () =>
      linesOption(
        {
          dates,
          lines: [{ name: '点数', role: 'strategy', values }],
          format: (value) => value.toFixed(0),
          unit: '点',
          watermark,
          patterns: false,
        },
        look,
        (i) => tip(dayWords(dates[i] ?? ''), [{ mark: '', name: '点数', value: fixed(values[i], 0) }], `第 ${i} 天`),
      ),
    [dates, values, look],
  )
  return (
    <ChartCard
      title="5200 天，抽样绘制"
      note={`提示里是真实的那天 · ${made}`}
      table={() => (
        <Numbers label="点数表" heads={['日期', '点数(点)']} rows={dates.slice(-60).map((day, i) => [day, fixed(values[5_140 + i], 0)])} />
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="long"
          label={lineFacts('点数', dates, values, (value) => value.toFixed(0))}
          height={height}
          points={dates.length}
          describe={(i) => `${dates[i]}，${fixed(values[i], 0)} 点`}
        />
      </div>
    </ChartCard>
  )
}

const bins = ['Q1 最低', 'Q2', 'Q3', 'Q4', 'Q5 最高']
const excess = [2.09, 0.95, -0.98, -1.5, -0.93]

function BarsSample() {
  const look = useLook()
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

function HistogramSample() {
  const look = useLook()
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
      barsOption(histogramPicture(ranges, { format: twoDecimals, unit: '只', at: 0.3, watermark }), look, (i) => {
        const bin = ranges[i]
        return tip(`${fixed(bin?.from)} ~ ${fixed(bin?.to)}`, [{ mark: 'none', name: '只数', value: `${bin?.count ?? 0}` }])
      }),
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

function ScatterSample() {
  const look = useLook()
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

function CandlesSample() {
  const look = useLook()
  const candles = useMemo<Candle[]>(() => {
    const closes = walk(60, 41, 0.001, 0.02).map((value) => value * 112)
    return weekdays('2026-08-28', 60).map((date, i) => {
      const close = closes[i] ?? 112
      const open = closes[i - 1] ?? 112
      return {
        date,
        open,
        close,
        high: Math.max(open, close) * (1 + wobble(i) * 0.01),
        low: Math.min(open, close) * (1 - wobble(i + 99) * 0.01),
        amount: 2e6 + wobble(i + 7) * 9e6,
      }
    })
  }, [])
  const option = useMemo(
    () =>
      candlesOption({ candles, decimals: 3, watermark }, look, (i) => {
        const day = candles[i]
        return tip(dayWords(day?.date ?? ''), [
          { mark: 'none', name: '开', value: fixed(day?.open, 3) },
          { mark: 'none', name: '高', value: fixed(day?.high, 3) },
          { mark: 'none', name: '低', value: fixed(day?.low, 3) },
          { mark: 'none', name: '收', value: fixed(day?.close, 3) },
          { mark: 'none', name: '成交额', value: money(day?.amount) },
        ])
      }),
    [candles, look],
  )
  const dates = candles.map(({ date }) => date)
  const closes = candles.map(({ close }) => close)
  return (
    <ChartCard
      title="近 60 日"
      note={`空心为涨，实心为跌 · ${made}`}
      table={() => (
        <Numbers
          label="近 60 日表"
          heads={['日期', '开(元)', '高(元)', '低(元)', '收(元)']}
          rows={candles.map(({ date, open, high, low, close }) => [date, fixed(open, 3), fixed(high, 3), fixed(low, 3), fixed(close, 3)])}
        />
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="candles"
          label={lineFacts('收盘价', dates, closes, (value) => value.toFixed(3))}
          height={height}
          points={candles.length}
          describe={(i) => `${dates[i]}，收 ${fixed(closes[i], 3)} 元`}
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

function HeatSample() {
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

function SparkSample(): ReactNode {
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

const Waiting = ({ title, state }: { title: string; state: CardState }) => (
  <ChartCard title={title} note={made} state={state} height={height} table={() => null}>
    {null}
  </ChartCard>
)
