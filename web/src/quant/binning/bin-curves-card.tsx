import { useMemo, useState } from 'react'
import { usePreferences } from '../../state/preferences.ts'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard, type LegendItem } from '../../ui/chart/chart-card.tsx'
import { lineFacts } from '../../ui/chart/facts.ts'
import { type Line, linesOption } from '../../ui/chart/kinds/lines.ts'
import { useLook } from '../../ui/chart/look.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Segmented } from '../../ui/controls.tsx'
import { dayWords } from '../../ui/dates.ts'
import { fixed } from '../../ui/format.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { chartFiles } from '../chart-files.ts'
import { useBenchName } from '../report/bench-name.ts'
import type { BinningPart } from './binning-part.ts'
import { shadesOf } from './binning-words.ts'

/** The net value of each bin, shades of one hue from the first to the last; or of the first less the last. */
export function CurvesCard({ question, result, watermark }: BinningPart) {
  const [shown, show] = useState<'bins' | 'spread'>('bins')
  const look = useLook()
  const phone = usePhone()
  const patterns = usePreferences((state) => state.patterns)
  const benchName = useBenchName(question.body.settings.benchmark)
  const { dates, series, benchmark, long_short } = result.curves
  const lines = useMemo<Line[]>(() => {
    if (shown === 'spread') return [{ name: '多空', role: 'strategy', values: long_short }]
    const shades = shadesOf(look.brand, look.surface, series.length)
    return [
      ...series.map((values, i) => ({ name: result.bins[i]?.label ?? `Q${i + 1}`, values, colour: shades[i] ?? look.brand })),
      { name: benchName, role: 'bench' as const, values: benchmark },
    ]
  }, [shown, series, long_short, benchmark, benchName, result.bins, look])
  const option = useMemo(
    () =>
      linesOption({ dates, lines, format: (value) => fixed(value, 3), base: 1, watermark, patterns }, look, (index) =>
        tip(
          dayWords(dates[index] ?? ''),
          lines.map(({ name, role, values }) => ({ mark: role === 'bench' ? 'bench' : '', name, value: fixed(values[index], 3) })),
        ),
      ),
    [dates, lines, watermark, patterns, look],
  )
  const words = lines.map(({ name, values }) => lineFacts(name, dates, values, (value) => fixed(value, 3))).join('；')
  const { rebalance_days: period, weight } = question.body
  const rows = () => dates.map((date, i) => [date, ...lines.map(({ values }) => values[i])])
  return (
    <ChartCard
      title={shown === 'bins' ? '各箱净值' : '多空净值'}
      note={`起点 = 1.00 · ${period} 日调仓${weight === 'equal' ? '等权' : '加权'} · 不计成本`}
      {...(!phone && lines.length <= mostNamed && { legend: legendOf(lines) })}
      tools={
        long_short.length > 0 && (
          <Segmented
            label="净值"
            value={shown}
            choices={[
              { value: 'bins', label: '各箱' },
              { value: 'spread', label: '多空' },
            ]}
            onChange={show}
          />
        )
      }
      {...chartFiles({ name: question.factorName, title: shown === 'bins' ? '各箱净值' : '多空净值', demo: watermark !== null }, () => [
        ['日期', ...lines.map(({ name }) => name)],
        ...rows(),
      ])}
      table={() => <LastRows dates={dates} lines={lines} />}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape={`curves ${shown} ${lines.length}`}
          label={words}
          height={404 + Math.max(0, result.bins.length - 5) * rowHeight}
          points={dates.length}
          describe={(index) => [dates[index], ...lines.map(({ name, values }) => `${name} ${fixed(values[index], 3)}`)].join('，')}
        />
      </div>
    </ChartCard>
  )
}

/** More would push the head into a second line; the lines' ends are named anyway. */
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
    <ScrollBox label="净值表" className="binning-table">
      <table className="table compact">
        <thead>
          <tr>
            <th>日期{from > 0 && `（最近 ${most} 日，全部见 CSV）`}</th>
            {lines.map(({ name }) => (
              <th key={name} className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </ScrollBox>
  )
}
