import { useMemo, useRef } from 'react'
import { dayWords } from '../src/base/dates.ts'
import { fixed, money } from '../src/base/format.ts'
import { NavChart } from '../src/features/report/nav-chart.tsx'
import { underwater } from '../src/features/report/series.ts'
import { usePreferences } from '../src/state/preferences.ts'
import { ChartBox, type ChartHandle } from '../src/ui/chart/chart-box.tsx'
import { ChartCard } from '../src/ui/chart/chart-card.tsx'
import { useChartTheme } from '../src/ui/chart/chart-theme.ts'
import { lineFacts } from '../src/ui/chart/facts.ts'
import { type Candle, candlesOption } from '../src/ui/chart/kinds/candles.ts'
import { coloursOf, type Line, linesOption, mostLines } from '../src/ui/chart/kinds/lines.ts'
import { tip } from '../src/ui/chart/tip.ts'
import { csv } from '../src/ui/table/sheet.ts'
import { height, made, Numbers, watermark } from './chart-numbers.tsx'
import { walk, weekdays, wobble } from './made-up.ts'

const demo = ['演示数据，模拟生成，非真实行情，不能用于交易']

export function NavSample({ title, part = 1 }: { title: string; part?: number }) {
  const dates = weekdays('2022-08-01', 1_040)
  const shown = Math.round(dates.length * part)
  const nav = walk(dates.length, 7).slice(0, shown)
  const bench = walk(dates.length, 3, 0, 0.008).slice(0, shown)
  const days = dates.slice(0, shown)
  const pen = useRef<ChartHandle>(null)
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

export function LinesSample() {
  const look = useChartTheme()
  const patterns = usePreferences((state) => state.patterns)
  const pen = useRef<ChartHandle>(null)
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
export function LongLine() {
  const look = useChartTheme()
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

export function CandlesSample() {
  const look = useChartTheme()
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
