import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { whenIdle } from '../../base/when-idle.ts'

const code = () => import('./echarts.ts')

/** For a page that shows a chart as soon as its data are here: the code comes beside them. */
export function fetchChart(): void {
  void code().catch(() => {})
}

/** The chart's code is large and first needed when a run begins: it is fetched while its settings are read. */
export function fetchChartSoon(): void {
  whenIdle(fetchChart)
}

export type Chart = EChartsType
export type ChartOption = EChartsCoreOption

/** Physical pixels to one of the page, at least one. */
const pixelRatio = () => Math.max(1, window.devicePixelRatio)
function hearPixelRatio(changed: () => void): () => void {
  const listeners = new AbortController()
  const hear = () => {
    const again = () => {
      hear()
      changed()
    }
    const now = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
    now.addEventListener('change', again, { once: true, signal: listeners.signal })
  }
  hear()
  // A zoom changes the size of the window too.
  window.addEventListener('resize', changed, { signal: listeners.signal })
  return () => listeners.abort()
}
/** It is another after a zoom, and on another monitor. */
export const usePixelRatio = (): number => useSyncExternalStore(hearPixelRatio, pixelRatio)

/**
 * A chart in an element: ECharts is fetched when it is first needed, the picture follows the element's size and the option.
 * `shape` names the option's structure; while it stays the same new options are merged, so that zoom and pointer stay.
 */
export function useChart(
  option: ChartOption,
  shape: string,
): { box: RefObject<HTMLDivElement | null>; chart: Chart | null; failed: boolean } {
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<Chart | null>(null)
  const [failed, setFailed] = useState(false)
  const newest = useRef({ option, shape })
  const drawn = useRef<{ option: ChartOption; shape: string } | null>(null)

  useEffect(() => {
    newest.current = { option, shape }
  }, [option, shape])

  useEffect(() => {
    let mounted = true
    let made: Chart | null = null
    let observer: ResizeObserver | null = null
    code()
      .then(({ init }) => {
        if (!mounted || !box.current) return
        made = init(box.current, null, { renderer: 'canvas', devicePixelRatio: pixelRatio() })
        // The observer also reports the initial size, which the chart has already: resizing to it would draw twice.
        observer = new ResizeObserver(([entry]) => {
          const { width = 0, height = 0 } = entry?.contentRect ?? {}
          if (made && (Math.round(width) !== Math.round(made.getWidth()) || Math.round(height) !== Math.round(made.getHeight())))
            made.resize()
        })
        observer.observe(box.current)
        // Drawn before it is given out: without an option it has no axes to ask for a place.
        made.setOption(newest.current.option)
        drawn.current = newest.current
        setChart(made)
      })
      .catch(() => mounted && setFailed(true))
    return () => {
      mounted = false
      observer?.disconnect()
      made?.dispose()
      setChart(null)
    }
  }, [])

  useEffect(() => {
    if (!chart || chart.isDisposed() || drawn.current?.option === option) return
    chart.setOption(option, { notMerge: drawn.current?.shape !== shape })
    drawn.current = { option, shape }
  }, [chart, option, shape])

  return { box, chart, failed }
}
