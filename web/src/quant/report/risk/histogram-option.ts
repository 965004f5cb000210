import type { Look } from '../../../ui/chart/look.ts'
import { axisText, axisTooltip, ground, nameAxis, valueAxis, watermarkOf } from '../../../ui/chart/theme.ts'
import type { ChartOption } from '../../../ui/chart/use-chart.ts'
import { percent } from '../../../ui/format.ts'

export interface Histogram {
  rows: readonly { from: number; to: number; number: number }[]
  /** Levels that are drawn as upright lines: the value at risk. */
  marks: readonly { at: number; label: string }[]
}

/** Bars that touch, losses and gains in their colours; zero is always an edge. Marks stand where they are, not at the nearest bar. */
export function histogramOption(
  { rows, marks }: Histogram,
  watermark: string | null,
  look: Look,
  tooltip: (index: number) => HTMLElement | string,
): ChartOption {
  const width = rows[0] ? rows[0].to - rows[0].from : 1
  const placeOf = (value: number) => (value - (rows[0]?.from ?? 0)) / width - 0.5
  const zero = Math.round(placeOf(0) + 0.5)
  const every = labelledEvery(rows.length, width)
  const names = nameAxis(
    look,
    rows.map(({ from }) => percent(from, 1)),
  )
  return {
    ...ground(look),
    grid: { left: 44, right: 12, top: marks.length > 0 ? 44 : 24, bottom: 28 },
    xAxis: {
      ...names,
      // An edge's number stands under the edge: at the left of its bar.
      axisLabel: {
        ...axisText(look),
        interval: (index: number) => (index - zero) % every === 0,
        formatter: (_: string, index: number) => edgeText(rows[index]?.from ?? 0),
        align: 'left',
        hideOverlap: true,
      },
    },
    yAxis: { ...valueAxis(look, { format: (value) => String(Math.round(value)), zero: true }), minInterval: 1 },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark, { left: 56, top: marks.length > 0 ? 52 : 28 }),
    series: [
      {
        id: 'bars',
        type: 'bar',
        barCategoryGap: '4%',
        data: rows.map(({ from, number }) => ({ value: number, itemStyle: { color: from >= 0 ? look.up : look.down, opacity: 0.72 } })),
        emphasis: { disabled: true },
        label: {
          show: rows.length <= 16,
          position: 'top',
          ...axisText(look),
          formatter: ({ value }: { value: number }) => (value > 0 ? String(value) : ''),
        },
        markLine: {
          silent: true,
          symbol: 'none',
          animation: false,
          data: marks.map(({ at, label }, i) => ({
            xAxis: placeOf(at),
            lineStyle: { color: look.text1, type: [3, 3], width: 1 },
            label: {
              show: true,
              formatter: label,
              position: 'end',
              align: 'left',
              distance: [0, i === 0 ? 2 : 18],
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

/** Each how many edges are labelled: at most about eight labels, and round ones (1, 2 or 5 times a power of ten) where that can be. */
export function labelledEvery(edges: number, width: number): number {
  const least = Math.max(1, Math.ceil(edges / 8))
  const isRound = (every: number) => /^[125](\.0+)?e/.test((every * width).toExponential(6))
  for (let every = least; every <= least * 2.5; every++) if (isRound(every)) return every
  return least
}

/** `−2%`, `+0.5%`, `0%` */
const edgeText = (value: number) => {
  const text = percent(Math.abs(value), Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1)
  return Math.abs(value) < 1e-9 ? '0%' : `${value > 0 ? '+' : '−'}${text}`
}
