import { axisText, ground, itemTooltip, markLines, valueAxis, watermarkOf } from '../chart-options.ts'
import type { ChartTheme } from '../chart-theme.ts'
import type { ChartOption } from '../use-chart.ts'

export interface ScatterPicture {
  /** `hollow`: an outline only, one that steps back. */
  points: readonly { name: string; x: number; y: number; chosen?: boolean; hollow?: boolean }[]
  x: { name: string; format: (value: number) => string }
  y: { name: string; format: (value: number) => string }
  /** A level of x that is drawn, with its words. */
  level?: { x: number; words: string } | null
  /** Both axes measure the same: where y = x is drawn. */
  diagonal?: boolean
  watermark: string | null
}

/** One mark per security: two numbers against each other. */
export function scatterOption(picture: ScatterPicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { points, x, y, level, diagonal, watermark } = picture
  const same = diagonal ? sharedRange(points) : null
  return {
    ...ground(look),
    // The level's words stand right above the picture, the axis' name in a row of its own above them.
    grid: { left: 52, right: 24, top: level ? 44 : 32, bottom: 44 },
    xAxis: {
      ...valueAxis(look, { format: x.format }),
      name: x.name,
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: axisText(look),
      axisLine: { show: true, onZero: false, lineStyle: { color: look.border } },
    },
    yAxis: { ...valueAxis(look, { unit: y.name, format: y.format }), ...(level ? { nameGap: 24 } : {}) },
    tooltip: itemTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark, { left: 68, top: level ? 52 : 40 }),
    series: [
      {
        id: 'points',
        type: 'scatter',
        symbolSize: 8,
        data: points.map((point) => ({
          value: [point.x, point.y],
          ...(point.chosen
            ? { symbolSize: 12, itemStyle: { color: look.brand, opacity: 1, borderColor: look.text1, borderWidth: 2 } }
            : point.hollow
              ? { itemStyle: { color: look.surface, borderColor: look.brand, borderWidth: 1.5, opacity: 1 } }
              : {}),
        })),
        itemStyle: { color: look.brand, opacity: 0.55 },
        emphasis: { itemStyle: { opacity: 1, borderColor: look.text1, borderWidth: 1 } },
        markLine: {
          ...markLines,
          data: [
            ...(level
              ? [
                  {
                    xAxis: level.x,
                    lineStyle: { color: look.warn, type: [4, 3], width: 1.5 },
                    label: { ...axisText(look), color: look.warn, formatter: level.words, position: 'end' },
                  },
                ]
              : []),
            ...(same
              ? [same.map((at) => ({ coord: [at, at], lineStyle: { color: look.border, type: [3, 3], width: 1 }, label: { show: false } }))]
              : []),
          ],
        },
      },
      // Unseen: the axis goes as far as the level, which else would stand outside.
      ...(level && points[0] ? [{ id: 'level', type: 'scatter', silent: true, symbolSize: 0, data: [[level.x, points[0].y]] }] : []),
    ],
  }
}

/** Where the values of both axes meet; null where they do not. */
function sharedRange(points: ScatterPicture['points']): [number, number] | null {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const from = Math.max(Math.min(...xs), Math.min(...ys))
  const to = Math.min(Math.max(...xs), Math.max(...ys))
  return from < to ? [from, to] : null
}
