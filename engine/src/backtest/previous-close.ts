import type { Panel } from '../panel/panel.ts'

/** The close that a day's limits and stops are measured from: the exchange's previous close (adjusted on ex-days), else the carried close of the day before. */
export function previousCloseOf(panel: Panel, adjustment: Float64Array | null): (security: number, day: number) => number {
  const { stride } = panel
  const close = panel.columns.get('close') as Float64Array
  const previous = panel.columns.get('pre_close') ?? null
  return (i, t) => {
    const at = t * stride + i
    const told = previous ? previous[at] : Number.NaN
    if (told > 0 || t === 0) return told
    return adjustment ? (close[at - stride] * adjustment[at - stride]) / adjustment[at] : close[at - stride]
  }
}
