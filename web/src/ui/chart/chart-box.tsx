import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../button.tsx'
import { captioned, type PictureColours } from './captioned.ts'
import { samplingOf } from './chart-options.ts'
import { type TimeRange, useLinked, useTimeLink } from './link.ts'
import { type Chart, type ChartOption, useChart, usePixelRatio } from './use-chart.ts'
import './chart.css'

export interface ChartHandle {
  /** The picture as a PNG data URL in the given colours, under lines of text: the first is its title. */
  picture(colours: PictureColours, caption: readonly string[]): string | null
  /** Shows the part of the time axis between two dates. */
  zoomTo(from: string, to: string): void
}

interface ChartBoxProps {
  option: ChartOption
  shape: string
  label: string
  height: number | string
  points: number
  describe: (index: number) => string
  onPick?: ((index: number) => void) | undefined
  pen?: RefObject<ChartHandle | null>
  /** First and last day of its time axis: it moves with the other charts of its page. */
  span?: TimeRange
}

/**
 * A chart with a way in for the keyboard and the reader: it is one stop, ← → walk its points (Shift: by 20), Home and End jump,
 * + − 0 zoom, Enter opens the point. `describe` says a point in words.
 */
export function ChartBox(given: ChartBoxProps) {
  // The library keeps the pixels that a chart began with: with others all of it is made anew.
  return <Box key={usePixelRatio()} {...given} />
}

function Box({ option, shape, label, height, points, describe, onPick, pen, span }: ChartBoxProps) {
  const patterns = usePreferences((state) => state.patterns)
  // Which point the keyboard stands on while its tooltip is made.
  const standing = useRef<number | null>(null)
  const drawn = useMemo(() => withOurs(option, patterns, standing), [option, patterns])
  const { box, chart, failed } = useChart(drawn, shape)
  const [stop, setAt] = useState<number | null>(null)
  // Other data may have fewer points than those that the keyboard walked.
  const at = stop === null || points === 0 ? null : Math.min(stop, points - 1)
  useImperativeHandle(
    pen,
    () => ({
      picture: (colours, caption) => chart && pictureOf(chart, colours, caption),
      zoomTo: (from, to) => chart?.dispatchAction({ type: 'dataZoom', startValue: Date.parse(from), endValue: Date.parse(to) }),
    }),
    [chart],
  )
  const link = useTimeLink()
  useLinked(chart, span ? link : null, span ?? null)
  usePick(chart, onPick)
  useDoubleClickReset(chart)
  useTipClosed(chart)

  const go = (index: number) => {
    const next = Math.min(points - 1, Math.max(0, index))
    setAt(next)
    if (!chart) return
    standing.current = next
    showTip(chart, option, next, points)
    standing.current = null
  }
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    const now = at ?? points - 1
    const step = event.shiftKey ? 20 : 1
    const places: Record<string, number> = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: points - 1 }
    const place = places[event.key]
    const factor = zooms[event.key]
    if (place !== undefined) go(place)
    else if (factor !== undefined) zoom(chart, factor, now / Math.max(1, points - 1))
    else if (event.key === 'Enter' && at !== null) onPick?.(at)
    else return
    event.preventDefault()
  }
  return (
    <div className="chart-box" style={{ height }}>
      <div
        ref={box}
        className="canvas"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points - 1)}
        aria-valuenow={at ?? Math.max(0, points - 1)}
        aria-valuetext={points > 0 ? describe(at ?? points - 1) : '还没有数据'}
        onKeyDown={press}
        onBlur={() => chart?.dispatchAction({ type: 'hideTip' })}
      />
      {!chart && !failed && <div className="waiting">正在绘图…</div>}
      {failed && (
        <div className="waiting" role="alert">
          <span>
            绘图部件加载失败，可切换到表格查看。{' '}
            <Button look={['small']} onClick={() => window.location.reload()}>
              刷新重试
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

type Place = { dataIndex: number }
interface Told {
  formatter: (given: Place | Place[]) => HTMLElement | string
}

/**
 * Adds what all charts share: patterns (ECharts' own label stays off, since screen readers get ours), and a tooltip
 * that shows the point chosen by keyboard even where a sampled line does not draw it.
 */
function withOurs(option: ChartOption, patterns: boolean, standing: RefObject<number | null>): ChartOption {
  const tooltip = option['tooltip'] as Told | undefined
  const formatter: Told['formatter'] = (given) => {
    const at = standing.current
    if (!tooltip) return ''
    if (at === null) return tooltip.formatter(given)
    return tooltip.formatter(Array.isArray(given) ? [{ dataIndex: at }] : { dataIndex: at })
  }
  return {
    ...option,
    aria: { enabled: true, label: { enabled: false }, decal: { show: patterns } },
    ...(tooltip ? { tooltip: { ...tooltip, formatter } } : {}),
  }
}

/** Of a sampled line not every point is there to be named: its place on the axis is. */
function showTip(chart: Chart, option: ChartOption, index: number, points: number): void {
  const [first] = (option['series'] ?? []) as { data?: readonly (readonly [number, number | null])[] }[]
  const point = samplingOf(points) && first?.data?.[index]
  chart.dispatchAction(
    point
      ? { type: 'showTip', x: chart.convertToPixel({ xAxisIndex: 0 }, point[0]), y: insideTop }
      : { type: 'showTip', seriesIndex: 0, dataIndex: index },
  )
}

/** Below the upper edge of every plot. */
const insideTop = 48

const ratio = 2

/** The chart without its slider, its caption above it. */
function pictureOf(chart: Chart, colours: PictureColours, caption: readonly string[]) {
  const slider = (show: boolean) => {
    const windows = (chart.getOption()?.['dataZoom'] ?? []) as { type?: string }[]
    if (windows.length > 0) chart.setOption({ dataZoom: windows.map(({ type }) => (type === 'slider' ? { show } : {})) })
  }
  slider(false)
  const drawn = chart.renderToCanvas({ pixelRatio: ratio, backgroundColor: colours.ground })
  slider(true)
  return captioned(drawn, ratio, colours, caption)
}

/** Keys of the zoom: how the shown part grows; 0 shows all. */
const zooms: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2, '0': Number.POSITIVE_INFINITY }

/** The shown part of the axis made smaller or larger around a place; both are shares of the whole. */
function zoom(chart: Chart | null, factor: number, around: number): void {
  const windows = (chart?.getOption()?.['dataZoom'] ?? []) as { start?: number; end?: number }[]
  const shown = windows[0]
  if (!chart || !shown) return
  const width = Math.min(100, Math.max(2, ((shown.end ?? 100) - (shown.start ?? 0)) * factor))
  const start = Math.min(100 - width, Math.max(0, around * 100 - width / 2))
  chart.dispatchAction({ type: 'dataZoom', start, end: start + width })
}

/** A finger that comes back within so many pixels means what its last tap told. */
const fingertip = 24

interface ToldPlace {
  index: number
  x: number
  y: number
}

interface Pressed {
  offsetX: number
  offsetY: number
  zrByTouch?: boolean
}

/**
 * A click anywhere in the plot means the day under the crosshair, not only one on the line; a click on a mark, the mark. A finger has no
 * hover: its first tap tells, and what it told is opened by a second tap there or on the box that tells it.
 */
function usePick(chart: Chart | null, onPick: ((index: number) => void) | undefined) {
  useEffect(() => {
    if (!chart || !onPick) return
    let pointed: number | null = null
    let marked: number | null = null
    let shownAt: ToldPlace | null = null
    let before: ToldPlace | null = null
    let box: DOMRect | undefined
    const indexOf = (event: unknown) => {
      const { dataIndex } = event as { dataIndex?: number }
      return dataIndex !== undefined && dataIndex >= 0 ? dataIndex : null
    }
    const point = (event: unknown) => {
      pointed = indexOf(event) ?? pointed
    }
    const over = (event: unknown) => {
      marked = indexOf(event)
    }
    const out = () => {
      marked = null
    }
    const hidden = () => {
      shownAt = null
    }
    // Heard before the chart moves its box to the new place.
    const down = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') return
      before = shownAt
      box = canvas.querySelector('.chart-tip')?.getBoundingClientRect()
    }
    const up = ({ offsetX: x, offsetY: y, zrByTouch }: Pressed) => {
      const index = marked ?? pointed
      shownAt = zrByTouch && index !== null ? { index, x, y } : null
    }
    const pick = ({ offsetX: x, offsetY: y, zrByTouch }: Pressed) => {
      const index = marked ?? pointed
      if (!zrByTouch) return index !== null && onPick(index)
      const { left, top } = canvas.getBoundingClientRect()
      const inside = box && x + left >= box.left && x + left <= box.right && y + top >= box.top && y + top <= box.bottom
      if (before && (inside || Math.hypot(x - before.x, y - before.y) <= fingertip)) onPick(before.index)
    }
    const canvas = chart.getDom()
    const zr = chart.getZr()
    canvas.addEventListener('pointerdown', down, true)
    chart.on('updateAxisPointer', point)
    chart.on('mouseover', over)
    chart.on('mouseout', out)
    chart.on('hidetip', hidden)
    zr.on('mouseup', up as never)
    zr.on('click', pick as never)
    return () => {
      canvas.removeEventListener('pointerdown', down, true)
      if (chart.isDisposed()) return
      chart.off('updateAxisPointer', point)
      chart.off('mouseover', over)
      chart.off('mouseout', out)
      chart.off('hidetip', hidden)
      zr.off('mouseup', up as never)
      zr.off('click', pick as never)
    }
  }, [chart, onPick])
}

/** A mouse that leaves takes the box along; a finger leaves it by a tap elsewhere. */
function useTipClosed(chart: Chart | null) {
  useEffect(() => {
    if (!chart) return
    const canvas = chart.getDom()
    const away = ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'touch' && !canvas.contains(target as Node)) chart.dispatchAction({ type: 'hideTip' })
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [chart])
}

function useDoubleClickReset(chart: Chart | null) {
  useEffect(() => {
    if (!chart) return
    const reset = () => chart.dispatchAction({ type: 'dataZoom', start: 0, end: 100 })
    chart.getZr().on('dblclick', reset)
    return () => {
      if (!chart.isDisposed()) chart.getZr().off('dblclick', reset)
    }
  }, [chart])
}
