import type { Report } from '@convexa/contract/report'
import { stretchFigures } from '../what-if/what-if.ts'

// Windows of time that a report is looked at through: those of the markets' hard times, the user's own, or, where the market is made up,
// its own deepest falls and quickest rises.

export interface Window {
  key: string
  label: string
  start: string
  end: string
}

export interface WindowFigures extends Window {
  own: number | null
  bench: number | null
  depth: number
  days: number
}

/** What strategy and benchmark did in each window that lies inside the report whole. */
export function windowFigures(report: Pick<Report, 'curves'>, windows: readonly Window[]): WindowFigures[] {
  const { dates } = report.curves
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  return windows.flatMap((window) => {
    if (window.start < first || window.end > last) return []
    const figures = stretchFigures(report, { from: window.start, to: window.end })
    return figures ? [{ ...window, own: figures.own, bench: figures.bench, depth: figures.depth, days: figures.days }] : []
  })
}

/** Lengths looked for, in days, and what a stretch of each is called. */
const lengths = [5, 20, 40] as const

/**
 * The benchmark's deepest falls and quickest rises over 5, 20 and 40 days, none inside another: up to four of each, the deepest of each
 * length first, in the order of time.
 */
export function benchStretches({ dates, bench }: Report['curves'], perSide = 4): Window[] {
  const change = (from: number, to: number) => {
    const [a, b] = [bench[from - 1], bench[to]]
    return typeof a === 'number' && typeof b === 'number' ? b / a - 1 : Number.NaN
  }
  const taken: { from: number; to: number }[] = []
  const free = (from: number, to: number) => taken.every((one) => to < one.from || from > one.to)
  const found: (Window & { from: number })[] = []
  for (const side of [-1, 1]) {
    for (let k = 0; k < perSide; k++) {
      const length = lengths[k % lengths.length] as number
      let best = -1
      let most = 0
      for (let from = 1; from + length <= dates.length; from++) {
        const to = from + length - 1
        const size = side * change(from, to)
        if (size > most && free(from, to)) {
          most = size
          best = from
        }
      }
      if (best < 0) continue
      const to = best + length - 1
      taken.push({ from: best, to })
      const label = `${length} 日${side < 0 ? (length === 5 ? '急跌' : '下跌') : length === 5 ? '急涨' : '上涨'}`
      found.push({ key: `${side} ${best}`, label, start: dates[best] ?? '', end: dates[to] ?? '', from: best })
    }
  }
  return found.sort((a, b) => a.from - b.from).map(({ from: _from, ...window }) => window)
}

/** A window with some days around it, both curves 1 at the close before it. */
export function aroundWindow({ dates, nav, bench }: Report['curves'], { start, end }: Window, around = 10) {
  const first = dates.findIndex((date) => date >= start)
  const last = dates.findLastIndex((date) => date <= end)
  const from = Math.max(0, first - around)
  const to = Math.min(dates.length - 1, last + around)
  const relative = (values: readonly (number | null)[]) => {
    const base = first > 0 ? values[first - 1] : 1
    return values.slice(from, to + 1).map((value) => (typeof value === 'number' && base ? value / base : null))
  }
  return { dates: dates.slice(from, to + 1), nav: relative(nav), bench: relative(bench), first: first - from, last: last - from }
}
