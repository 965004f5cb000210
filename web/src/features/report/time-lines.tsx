import { type RefObject, useMemo } from 'react'
import { dayWords } from '../../base/dates.ts'
import { usePreferences } from '../../state/preferences.ts'
import { ChartBox, type ChartHandle } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { type Line, linesOption } from '../../ui/chart/kinds/lines.ts'
import { lastKnown } from '../../ui/chart/series.ts'
import { pressWords, tip } from '../../ui/chart/tip.ts'

/** Lines over the days of a report, moving with its other charts. */
export function TimeLines({
  title,
  dates,
  lines,
  format,
  base,
  height,
  watermark,
  oosStart = null,
  named = false,
  onPick,
  pen,
}: {
  title: string
  dates: readonly string[]
  lines: readonly Line[]
  format: (value: number) => string
  base?: number
  height: number
  watermark: string | null
  oosStart?: string | null
  /** Names behind the ends: where no legend tells them. */
  named?: boolean
  onPick?: (date: string) => void
  pen?: RefObject<ChartHandle | null>
}) {
  const look = useChartTheme()
  const patterns = usePreferences((state) => state.patterns)
  const option = useMemo(() => {
    const words = (index: number) =>
      tip(
        dayWords(dates[index] ?? ''),
        lines.map(({ name, role, values }) => {
          const value = values[index]
          const text = typeof value === 'number' ? format(value) : '—'
          return {
            mark: role === 'strategy' ? ('' as const) : role === 'bench' ? ('bench' as const) : ('none' as const),
            name,
            value: text,
          }
        }),
        onPick && pressWords('看当天持仓'),
      )
    const picture = {
      dates,
      lines,
      format,
      watermark,
      patterns,
      oosStart,
      zoom: true,
      bareEnds: !named,
      ...(base === undefined ? {} : { base }),
    }
    return linesOption(picture, look, words)
  }, [dates, lines, format, base, watermark, patterns, oosStart, named, look, onPick])
  const sentence = (index: number) =>
    [dates[index], ...lines.map(({ name, values }) => `${name} ${typeof values[index] === 'number' ? format(values[index]) : '—'}`)].join(
      '，',
    )
  const [main] = lines
  const end = main ? lastKnown(main.values) : -1
  return (
    <ChartBox
      option={option}
      shape={`${lines.length}`}
      label={`${title}：${dates[0]} 至 ${dates.at(-1)}，期末 ${sentence(end)}。左右键逐日。`}
      height={height}
      points={dates.length}
      describe={sentence}
      span={{ from: dates[0] ?? '', to: dates.at(-1) ?? '' }}
      {...(onPick ? { onPick: (index: number) => dates[index] && onPick(dates[index]) } : {})}
      {...(pen ? { pen } : {})}
    />
  )
}
