import { fixed, percent } from '../../../base/format.ts'
import { axisTooltip, ground, markLines, samplingOf, timeAxis, timeOf, valueAxis, watermarkOf } from '../../../ui/chart/chart-options.ts'
import type { ChartTheme } from '../../../ui/chart/chart-theme.ts'
import { asLog } from '../../../ui/chart/log-axis.ts'
import { lastKnown, type Series } from '../../../ui/chart/series.ts'
import type { ChartOption } from '../../../ui/chart/use-chart.ts'

export interface OverlayLine {
  /** What stands at its end: its place and value. */
  short: string
  name: string
  values: Series
  drawdown: Series
  /** Its place among the columns; the benchmark has none. */
  place: number | null
}

/** Told apart by dash as well as by colour: place 1 is solid. */
export const dashes = ['solid', [8, 4], [2, 3], [10, 3, 2, 3], [1, 3], [4, 4]] as const

export const colourAt = (look: ChartTheme, place: number): string =>
  [look.cat1, look.cat3, look.text2, look.cat4, look.cat2, look.cat6][place] ?? look.text3

/** Net values above, falls below, on one axis of time. */
export function overlayOption(
  {
    dates,
    lines,
    log,
    base,
    watermark,
    format,
  }: {
    dates: readonly string[]
    lines: readonly OverlayLine[]
    log: boolean
    /** The level that all start from: 1, or 0 of an excess. */
    base: number
    watermark: string | null
    format: (value: number) => string
  },
  look: ChartTheme,
  tooltip: (index: number) => HTMLElement | string,
): ChartOption {
  const times = dates.map(timeOf)
  const points = (values: Series) => values.map((value, i) => [times[i], value])
  const axis = { ...timeAxis(look), min: times[0], max: times.at(-1) }
  const style = (line: OverlayLine) => ({
    color: line.place === null ? look.bench : colourAt(look, line.place),
    type: line.place === null ? [5, 3] : (dashes[line.place] ?? 'solid'),
  })
  const nav = { ...valueAxis(look, { format: (value) => fixed(value) }), gridIndex: 0 }
  return {
    ...ground(look),
    grid: [
      { left: 52, right: 88, top: 12, bottom: '34%' },
      { left: 52, right: 88, top: '72%', bottom: 28 },
    ],
    xAxis: [
      { ...axis, gridIndex: 0, axisLabel: { show: false } },
      { ...axis, gridIndex: 1 },
    ],
    yAxis: [
      log
        ? asLog(
            nav,
            lines.flatMap(({ values }) => values),
          )
        : nav,
      { ...valueAxis(look, { format: (value) => percent(value, 0) }), gridIndex: 1, max: 0, splitNumber: 2 },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark),
    series: [
      ...lines.map((line, index) => {
        const { color, type } = style(line)
        const tail = lastKnown(line.values)
        return {
          id: `nav ${index}`,
          name: line.name,
          type: 'line',
          xAxisIndex: 0,
          yAxisIndex: 0,
          data: points(line.values),
          symbol: 'none',
          connectNulls: true,
          sampling: samplingOf(dates.length),
          z: line.place === 0 ? 4 : 3,
          itemStyle: { color },
          lineStyle: { color, type, width: line.place === 0 ? 2 : 1.5, join: 'round' },
          emphasis: { disabled: true },
          endLabel: {
            show: tail >= 0,
            distance: 6,
            padding: [2, 0],
            backgroundColor: 'transparent',
            formatter: `${line.short} ${format(line.values[tail] ?? 0)}`,
            color,
            fontSize: 12,
            fontWeight: 600,
            fontFamily: look.fonts,
          },
          labelLayout: { moveOverlap: 'shiftY' },
          ...(index === 0
            ? {
                markLine: {
                  ...markLines,
                  data: [{ yAxis: base, lineStyle: { color: look.border, type: 'solid', width: 1 }, label: { show: false } }],
                },
              }
            : {}),
        }
      }),
      ...lines.map((line, index) => ({
        id: `fall ${index}`,
        name: line.name,
        type: 'line',
        xAxisIndex: 1,
        yAxisIndex: 1,
        data: points(line.drawdown),
        symbol: 'none',
        sampling: samplingOf(dates.length),
        lineStyle: { ...style(line), width: 1 },
        itemStyle: { color: style(line).color },
        emphasis: { disabled: true },
      })),
    ],
  }
}
