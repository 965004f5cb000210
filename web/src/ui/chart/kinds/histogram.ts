import { axisText, axisTooltip, ground, markLines, valueAxis, watermarkOf } from '../chart-options.ts'
import { type ChartTheme, faded } from '../chart-theme.ts'
import type { ChartOption } from '../use-chart.ts'

export interface Bin {
  from: number
  to: number
  count: number
}

export interface HistogramPicture {
  bins: readonly Bin[]
  /** Of the numbers at edges. */
  format: (value: number) => string
  unit?: string
  /** Bars below zero and above it have the colours of losses and gains. */
  signed?: boolean
  /** The bar of this value stands out. */
  chosen?: number | undefined
  /** Values with an upright line each. */
  marks?: readonly { at: number; label: string }[]
  /** The count over each bar: where there are few. */
  labels?: boolean
  watermark: string | null
}

/** Equal ranges over all values; the highest value belongs to the last. Nothing of nothing. */
export function binsOf(values: readonly number[], bins: number): Bin[] {
  const known = values.filter(Number.isFinite)
  const low = Math.min(...known)
  const high = Math.max(...known)
  if (known.length === 0) return []
  if (low === high) return [{ from: low, to: high, count: known.length }]
  const width = (high - low) / bins
  const made = Array.from({ length: bins }, (_, i) => ({ from: low + i * width, to: low + (i + 1) * width, count: 0 }))
  for (const value of known) {
    const bin = made[Math.min(bins - 1, Math.floor((value - low) / width))]
    if (bin) bin.count++
  }
  return made
}

/** `edges.length − 1` bins between neighbouring edges. */
export const binsBetween = (edges: readonly number[], counts: readonly number[]): Bin[] =>
  counts.map((count, i) => ({ from: edges[i] ?? 0, to: edges[i + 1] ?? 0, count }))

/**
 * How often each range occurs, on an axis of values: a bar lies between its edges, an edge's number stands under the edge, and a mark
 * stands at its value. On an axis of names each of them would be half a bar off.
 */
export function histogramOption(
  picture: HistogramPicture,
  look: ChartTheme,
  tooltip: (index: number) => HTMLElement | string,
): ChartOption {
  const { bins, format, unit, signed = false, chosen, marks = [], labels = false, watermark } = picture
  const edges = edgesOf(bins)
  const [low, high] = rangeOf(edges)
  const at = chosen === undefined ? -1 : bins.findIndex(({ from, to }, i) => chosen >= from && (chosen < to || i === bins.length - 1))
  const colourOf = (from: number) => (signed ? (from >= 0 ? look.up : look.down) : look.brand)
  const opacityOf = (index: number) => (signed ? 0.72 : index === at ? 1 : 0.5)
  const top = (unit ? 32 : 24) + (marks.length > 0 ? 4 + 16 * (marks.length - 1) : 0)
  return {
    ...ground(look),
    grid: { left: unit ? 52 : 44, right: 24, top, bottom: 28 },
    xAxis: {
      ...valueAxis(look, { format }),
      min: low,
      max: high,
      // Bars end at the outer edges: no room of half a bar beyond them.
      containShape: false,
      axisLine: { show: true, onZero: false, lineStyle: { color: look.border } },
      axisLabel: { ...axisText(look), customValues: labelledEdges(edges), formatter: format, hideOverlap: true },
      splitLine: { show: false },
      axisPointer: { show: true, type: 'shadow', label: { show: false }, shadowStyle: { color: look.text3, opacity: 0.06 } },
    },
    yAxis: {
      ...valueAxis(look, { ...(unit ? { unit } : {}), format: (value) => String(Math.round(value)), zero: true }),
      minInterval: 1,
    },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark, { left: 68, top: top + 8 }),
    series: [
      {
        id: 'bars',
        type: 'bar',
        barCategoryGap: '5%',
        data: bins.map(({ from, to, count }, index) => ({
          value: [(from + to) / 2, count],
          itemStyle: { color: faded(colourOf(from), opacityOf(index)) },
        })),
        emphasis: { disabled: true },
        label: {
          show: labels,
          position: 'top',
          ...axisText(look),
          formatter: ({ value: [, count] }: { value: readonly [number, number] }) => (count > 0 ? String(count) : ''),
        },
        markLine: {
          ...markLines,
          data: marks.map(({ at: value, label }, i) => ({
            xAxis: value,
            lineStyle: { color: look.text1, type: [3, 3], width: 1 },
            label: {
              show: true,
              formatter: label,
              position: 'end',
              // Words of a mark near the right end run to its left.
              align: value - low > 0.6 * (high - low) ? 'right' : 'left',
              distance: [0, 2 + 16 * i],
              color: look.text1,
              fontSize: 12,
              fontFamily: look.fonts,
            },
          })),
        },
      },
    ],
  }
}

const edgesOf = (bins: readonly Bin[]): number[] => {
  const last = bins.at(-1)
  return last ? [...bins.map(({ from }) => from), last.to] : []
}

/** From the first edge to the last; room on both sides of a single value. */
function rangeOf(edges: readonly number[]): [low: number, high: number] {
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const room = Math.abs(low) / 2 || 1
  return low < high ? [low, high] : [low - room, high + room]
}

/** Edges that have their number, about eight. Where zero is an edge they are counted from it, else both ends are among them. */
export function labelledEdges(edges: readonly number[]): number[] {
  const [first, second] = edges
  const last = edges.at(-1)
  if (first === undefined || second === undefined || last === undefined) return [...edges]
  if (first === last) return [first]
  const zero = edges.findIndex((edge) => Math.abs(edge) < (second - first) * 1e-6)
  const every = zero < 0 ? dividing(edges.length - 1) : labelledEvery(edges.length, second - first)
  return edges.filter((_, index) => (index - Math.max(0, zero)) % every === 0)
}

/** The least number of bins that divides all of them into eight parts or fewer. */
function dividing(bins: number): number {
  let every = Math.ceil(bins / 8)
  while (bins % every !== 0) every++
  return every
}

/** Each how many edges are labelled: at most about eight labels, and round ones (1, 2 or 5 times a power of ten) where that can be. */
export function labelledEvery(edges: number, width: number): number {
  const least = Math.max(1, Math.ceil(edges / 8))
  const isRound = (every: number) => /^[125](\.0+)?e/.test((every * width).toExponential(6))
  for (let every = least; every <= least * 2.5; every++) if (isRound(every)) return every
  return least
}
