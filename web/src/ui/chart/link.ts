import { createContext, useContext, useEffect, useRef } from 'react'
import { dayOf, timeOf } from './chart-options.ts'
import type { Chart } from './use-chart.ts'

// Charts of one time axis that move together: what is brushed in one is shown in all, and the line under the pointer stands in all.

export interface TimeRange {
  from: string
  to: string
}

/** Where the pointer stands; told to others without drawing a page again. */
export interface Pointer {
  point(time: number | null, by: unknown): void
  follow(listener: (time: number | null, by: unknown) => void): () => void
}

export interface TimeLink {
  range: TimeRange | null
  setRange(range: TimeRange | null): void
  pointer: Pointer
}

export const TimeLinkContext = createContext<TimeLink | null>(null)
export const useTimeLink = (): TimeLink | null => useContext(TimeLinkContext)

export function pointerOf(): Pointer {
  const listeners = new Set<(time: number | null, by: unknown) => void>()
  return {
    point: (time, by) => {
      for (const listener of listeners) listener(time, by)
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A drag shorter than this is a click. */
const leastDrag = 8

/** Joins a chart with a time axis to the others: dragging over it chooses a range, a double click all. */
export function useLinked(chart: Chart | null, link: TimeLink | null, shown: { from: string; to: string } | null): void {
  const range = link?.range ?? null
  const latest = useRef({ link, shown })
  latest.current = { link, shown }
  const own = useRef(false)
  const zoomed = useRef<Chart | null>(null)

  useEffect(() => {
    if (!chart || !link || chart.isDisposed()) return
    // A new chart shows all by itself: telling it so would draw it twice.
    const showsAll = zoomed.current !== chart
    zoomed.current = chart
    if (range === null && showsAll) return
    own.current = true
    chart.dispatchAction(
      range ? { type: 'dataZoom', startValue: timeOf(range.from), endValue: timeOf(range.to) } : { type: 'dataZoom', start: 0, end: 100 },
    )
    own.current = false
  }, [chart, link, range])

  const joined = link !== null
  useEffect(() => {
    if (!chart || !joined) return
    const canvas = chart.getDom()
    const cross = canvas.parentElement?.appendChild(document.createElement('i'))
    const box = canvas.parentElement?.appendChild(document.createElement('i'))
    if (!cross || !box) return
    cross.className = 'chart-cross'
    box.className = 'chart-brush'
    let from: number | null = null
    let to: number | null = null

    const timeAt = (x: number) => chart.convertFromPixel({ xAxisIndex: 0 }, x) as number
    const zoomed = () => {
      if (own.current) return
      const [window] = (chart.getOption()?.['dataZoom'] ?? []) as { start?: number; end?: number; startValue?: number; endValue?: number }[]
      if (!window) return
      const whole = (window.start ?? 0) <= 0.01 && (window.end ?? 100) >= 99.99
      latest.current.link?.setRange(
        whole || window.startValue === undefined || window.endValue === undefined
          ? null
          : { from: dayOf(window.startValue), to: dayOf(window.endValue) },
      )
    }
    type At = { offsetX: number; offsetY: number; event?: { pointerType?: string; button?: number } }
    const inside = ({ offsetX, offsetY }: At) => chart.containPixel('grid', [offsetX, offsetY])
    const down = (at: At) => {
      if (at.event?.pointerType === 'touch' || !inside(at)) return
      from = at.offsetX
      to = null
    }
    const move = (at: At) => {
      const { link: now } = latest.current
      now?.pointer.point(inside(at) ? timeAt(at.offsetX) : null, chart)
      if (from === null || Math.abs(at.offsetX - from) < leastDrag) return
      to = at.offsetX
      box.style.left = `${Math.min(from, to)}px`
      box.style.width = `${Math.abs(to - from)}px`
      box.classList.add('on')
    }
    const up = () => {
      const [a, b] = [from, to]
      from = to = null
      box.classList.remove('on')
      if (a === null || b === null) return
      const [first, last] = [timeAt(Math.min(a, b)), timeAt(Math.max(a, b))]
      const { link: now, shown: whole } = latest.current
      const limit = (day: string) => (whole && day < whole.from ? whole.from : whole && day > whole.to ? whole.to : day)
      now?.setRange({ from: limit(dayOf(first)), to: limit(dayOf(last)) })
    }
    const out = () => latest.current.link?.pointer.point(null, chart)
    const stop = latest.current.link?.pointer.follow((time, by) => {
      const x = time === null || by === chart ? Number.NaN : (chart.convertToPixel({ xAxisIndex: 0 }, time) as number)
      const visible = Number.isFinite(x) && chart.containPixel('grid', [x, insideTop])
      cross.classList.toggle('on', visible)
      if (visible) cross.style.left = `${Math.round(x)}px`
    })
    const zr = chart.getZr()
    chart.on('datazoom', zoomed)
    zr.on('mousedown', down as never)
    zr.on('mousemove', move as never)
    zr.on('globalout', out)
    document.addEventListener('pointerup', up)
    return () => {
      stop?.()
      document.removeEventListener('pointerup', up)
      cross.remove()
      box.remove()
      if (chart.isDisposed()) return
      chart.off('datazoom', zoomed)
      zr.off('mousedown', down as never)
      zr.off('mousemove', move as never)
      zr.off('globalout', out)
    }
  }, [chart, joined])
}

/** Below the upper edge of every plot. */
const insideTop = 48
