import { useMemo, useState } from 'react'
import { dayWords } from '../../base/dates.ts'
import { fixed } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { usePreferences } from '../../state/preferences.ts'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard, type LegendItem } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { lineFacts } from '../../ui/chart/facts.ts'
import { type Line, linesOption } from '../../ui/chart/kinds/lines.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import { useBenchName } from '../rule/bench-name.ts'
import styles from './binning.module.css'
import type { BinningPart } from './binning-part.ts'
import { shadesOf } from './binning-text.ts'

/** Each bin; the outermost two with what they are when formed on other days; the one less the other. */
const views = { bins: '各箱', band: '起点', spread: '多空' }
type View = keyof typeof views
const titles: Record<View, string> = { bins: '各箱净值', band: '首尾两箱与换起点', spread: '多空净值' }

/** The net value of each bin, shades of one hue from the first to the last; or what of it is the day that the first were formed on. */
export function CurvesCard({ question, result, watermark }: BinningPart) {
  const [view, show] = useState<View>('bins')
  const [scale, setScale] = useState<'linear' | 'log'>('linear')
  const look = useChartTheme()
  const phone = usePhone()
  const patterns = usePreferences((state) => state.patterns)
  const benchName = useBenchName(question.body.settings.benchmark)
  const { band, bins } = result
  const { dates, series, benchmark, long_short } = result.curves
  const offered = (Object.keys(views) as View[]).filter((one) => one === 'bins' || (long_short.length > 0 && (one === 'spread' || band)))
  const shown = offered.includes(view) ? view : 'bins'
  const lines = useMemo<Line[]>(() => {
    if (shown === 'spread') return [{ name: '多空', role: 'strategy', values: long_short }]
    const shades = shadesOf(look.brand, look.surface, series.length)
    // A bin that never had members has no curve.
    const all = series.map((values, i) => ({ name: bins[i]?.label ?? `Q${i + 1}`, values, colour: shades[i] ?? look.brand }))
    if (shown === 'band' && band) return outermost(all, band, [look.cat1, look.cat2])
    return [...all.filter(({ values }) => values.length > 0), { name: benchName, role: 'bench' as const, values: benchmark }]
  }, [shown, series, band, bins, long_short, benchmark, benchName, look])
  // What has been lost whole has no place on an axis of shares.
  const loggable = lines.every(({ values }) => values.every((value) => value === null || value > 0))
  const log = scale === 'log' && loggable
  const option = useMemo(
    () =>
      linesOption({ dates, lines, format: (value) => fixed(value, 3), base: 1, watermark, patterns, log }, look, (index) =>
        tip(
          dayWords(dates[index] ?? ''),
          lines.map((line) => ({ mark: line.role === 'bench' ? 'bench' : '', name: line.name, value: valueWords(line, index) })),
        ),
      ),
    [dates, lines, watermark, patterns, log, look],
  )
  const words = lines.map(({ name, values }) => lineFacts(name, dates, values, (value) => fixed(value, 3))).join('；')
  const { rebalance_days: period, weight } = question.body
  const rows = () => dates.map((date, i) => [date, ...lines.map(({ values }) => values[i])])
  return (
    <ChartCard
      title={titles[shown]}
      note={`${log ? '对数 · ' : ''}起点 = 1.00 · ${period} 日调仓${weight === 'equal' ? '等权' : '加权'} · 不计成本`}
      {...(!phone && lines.length <= mostNamed && { legend: legendOf(lines) })}
      {...(shown === 'band' &&
        band && { foot: `底色是换 ${band.offsets.length} 个起点后净值的高低范围；两条底色分不开，差别就多半是起点凑巧。` })}
      tools={
        <>
          <Segmented
            label="纵轴"
            value={log ? 'log' : 'linear'}
            choices={[
              { value: 'linear', label: '线性' },
              { value: 'log', label: '对数', disabled: !loggable },
            ]}
            onChange={setScale}
          />
          {offered.length > 1 && (
            <Segmented label="净值" value={shown} choices={offered.map((value) => ({ value, label: views[value] }))} onChange={show} />
          )}
        </>
      }
      {...chartFiles({ name: question.factorName, title: titles[shown], demo: watermark !== null }, () => [
        ['日期', ...lines.map(({ name }) => name)],
        ...rows(),
      ])}
      table={() => <LastRows dates={dates} lines={lines} />}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape={`curves ${shown} ${lines.length} ${log}`}
          label={words}
          height={404 + Math.max(0, bins.length - 5) * rowHeight}
          points={dates.length}
          describe={(index) => [dates[index], ...lines.map((line) => `${line.name} ${valueWords(line, index)}`)].join('，')}
        />
      </div>
    </ChartCard>
  )
}

/** First and last bin that have values, each with its band, in colours that stay distinct where the bands overlap. */
function outermost(all: readonly Line[], { low, high }: NonNullable<BinningPart['result']['band']>, colours: readonly string[]): Line[] {
  const filled = all.flatMap(({ values }, bin) => (values.length > 0 ? [bin] : []))
  return [filled[0] ?? 0, filled.at(-1) ?? 0].flatMap((bin, k) => {
    const [line, from, to] = [all[bin], low[bin], high[bin]]
    return line && from && to ? [{ ...line, colour: colours[k] ?? '', band: { low: from, high: to } }] : []
  })
}

/** `1.102`, with its band `1.102（1.080 ~ 1.131）`. */
const valueWords = ({ values, band }: Line, index: number): string =>
  band ? `${fixed(values[index], 3)}（${fixed(band.low[index], 3)} ~ ${fixed(band.high[index], 3)}）` : fixed(values[index], 3)

/** More legend entries would wrap the card's head; the line ends are labelled anyway. */
const mostNamed = 6
const legendOf = (lines: readonly Line[]): LegendItem[] =>
  lines.map(({ name, role, colour }) => ({ name, mark: role === 'bench' ? 'bench' : '', ...(colour ? { colour } : {}) }))

/** The card beside it has a row for each bin. */
const rowHeight = 28
const most = 250

function LastRows({ dates, lines }: { dates: readonly string[]; lines: readonly Line[] }) {
  const from = Math.max(0, dates.length - most)
  const places = dates
    .slice(from)
    .map((_, i) => from + i)
    .reverse()
  return (
    <ScrollBox label="净值表" className={styles.table}>
      <Table
        dense
        columns={[
          { label: from > 0 ? `日期（最近 ${most} 日，全部见 CSV）` : '日期' },
          ...lines.map(({ name }) => ({ label: name, numeric: true })),
        ]}
      >
        {places.map((i) => (
          <tr key={dates[i]}>
            <td>{dates[i]}</td>
            {lines.map(({ name, values }) => (
              <td key={name} className="number">
                {fixed(values[i], 3)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </ScrollBox>
  )
}
