import { type RefObject, useCallback, useMemo } from 'react'
import { dayWords } from '../../base/dates.ts'
import { fixed, signedPercent } from '../../base/format.ts'
import { ChartBox, type ChartHandle } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import type { Series } from '../../ui/chart/series.ts'
import { pressWords, tip } from '../../ui/chart/tip.ts'
import { curveOption } from './curve-option.ts'

export interface NavCurve {
  dates: readonly string[]
  /** What is drawn as the strategy: its net value, or net value ÷ benchmark. */
  nav: Series
  /** Null when the strategy is drawn relative to it. */
  bench: Series | null
  drawdown: Series
  holds?: Series
  /** What one could have done instead: thin lines. */
  measures?: readonly { name: string; values: Series }[]
}

/** Net value, benchmark and, below them, drawdown. */
export function NavChart({
  curve,
  names,
  label,
  height,
  log = false,
  until = null,
  stopped = false,
  oosStart = null,
  watermark,
  zoom = false,
  onPick,
  pen,
  bands,
  base = 1,
  format,
  linked = false,
}: {
  curve: NavCurve
  names: { strategy: string; bench: string }
  label: string
  height: number | string
  log?: boolean
  /** The axis goes on to this day: what is missing is hatched. */
  until?: string | null
  stopped?: boolean
  oosStart?: string | null
  watermark: string | null
  zoom?: boolean
  onPick?: ((date: string) => void) | undefined
  pen?: RefObject<ChartHandle | null>
  /** Stretches that are left out of a second look. */
  bands?: readonly { from: string; to: string }[] | undefined
  /** The level that is drawn. */
  base?: number
  /** Of what is no net value. */
  format?: ((value: number) => string) | undefined
  /** It moves with the other charts of the page. */
  linked?: boolean
}) {
  const look = useChartTheme()
  const { strategy, bench } = names
  const written = useCallback(
    (value: number | null | undefined) => (format && typeof value === 'number' ? format(value) : fixed(value, 3)),
    [format],
  )
  const option = useMemo(() => {
    const measures = curve.measures ?? []
    const lines = [
      ...measures.map((one) => ({ ...one, role: 'measure' as const })),
      ...(curve.bench ? [{ name: bench, role: 'bench' as const, values: curve.bench }] : []),
      { name: strategy, role: 'strategy' as const, values: curve.nav },
    ]
    const words = (index: number) =>
      tip(
        dayWords(curve.dates[index] ?? ''),
        [
          { mark: '', name: strategy, value: written(curve.nav[index]) },
          ...(curve.bench ? [{ mark: 'bench' as const, name: bench, value: fixed(curve.bench[index], 3) }] : []),
          ...measures.map(({ name, values }) => ({ mark: 'none' as const, name, value: fixed(values[index], 3) })),
          { mark: 'drawdown', name: '回撤', value: signedPercent(curve.drawdown[index]) },
          ...(curve.holds ? [{ mark: 'none' as const, name: '持仓', value: `${fixed(curve.holds[index], 0)} 只` }] : []),
        ],
        onPick && pressWords('看当天持仓'),
      )
    const { dates, drawdown } = curve
    const picture = { dates, lines, drawdown, base, log, until, stopped, oosStart, watermark, zoom }
    return curveOption({ ...picture, ...(bands ? { bands } : {}), ...(format ? { format } : {}) }, look, words)
  }, [curve, strategy, bench, log, until, stopped, oosStart, watermark, zoom, look, onPick, bands, base, format, written])
  const describe = (index: number) =>
    [
      curve.dates[index],
      `${strategy} ${written(curve.nav[index])}`,
      ...(curve.bench ? [`${bench} ${fixed(curve.bench[index], 3)}`] : []),
      `回撤 ${signedPercent(curve.drawdown[index])}`,
    ].join('，')
  return (
    <ChartBox
      option={option}
      shape={`${log} ${curve.bench !== null} ${curve.measures?.length ?? 0} ${zoom}`}
      label={label}
      height={height}
      points={curve.dates.length}
      {...(linked && curve.dates.length > 1 ? { span: { from: curve.dates[0] ?? '', to: curve.dates.at(-1) ?? '' } } : {})}
      describe={describe}
      onPick={onPick && ((index) => curve.dates[index] && onPick(curve.dates[index]))}
      {...(pen ? { pen } : {})}
    />
  )
}
