import { percent, signedPercent } from '../../../base/format.ts'
import { axisText, axisTooltip, ground, valueAxis, watermarkOf } from '../../../ui/chart/chart-options.ts'
import { type ChartTheme, faded } from '../../../ui/chart/chart-theme.ts'
import type { ChartOption } from '../../../ui/chart/use-chart.ts'

export interface CapacityPicture {
  names: readonly string[]
  annual: readonly (number | null)[]
  unfilled: readonly (number | null)[]
  /** The user's own capital; −1 = between two. */
  own: number
  /** From here on the list held is not the rule's any more; −1 = nowhere. */
  beyond: number
  watermark: string | null
}

type Point = readonly [index: number, value: number | null]

/**
 * Annual return against capital, and beside it what could not be bought. The amounts stand at 0, 1, 2 … of an axis of values: an axis of
 * names would begin and end the shading at the middle of a bar, and would not draw that of the last bar alone.
 */
export function capacityOption(picture: CapacityPicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { names, annual, unfilled, own, beyond, watermark } = picture
  const format = (index: number) => names[index] ?? ''
  const end = names.length - 0.5
  return {
    ...ground(look),
    grid: { left: 52, right: 52, top: 36, bottom: 28 },
    xAxis: {
      ...valueAxis(look, { format }),
      min: -0.5,
      max: end,
      containShape: false,
      axisLine: { show: true, onZero: false, lineStyle: { color: look.border } },
      axisLabel: { ...axisText(look), customValues: names.map((_, index) => index), formatter: format, hideOverlap: true },
      splitLine: { show: false },
      axisPointer: { show: true, type: 'shadow', label: { show: false }, shadowStyle: { color: look.text3, opacity: 0.06 } },
    },
    yAxis: [
      valueAxis(look, { format: (value) => percent(value, 0), zero: true }),
      { ...valueAxis(look, { format: (value) => percent(value, 0), zero: true }), max: 1, splitLine: { show: false }, interval: 0.25 },
    ],
    tooltip: axisTooltip(look, tooltip),
    // Below the line: its number stands free.
    graphic: watermarkOf(look, watermark, { left: 68, top: 120 }),
    series: [
      {
        id: 'unfilled',
        type: 'bar',
        yAxisIndex: 1,
        barMaxWidth: 32,
        data: unfilled.map((value, index) => [index, value]),
        itemStyle: { color: faded(look.warn, 0.4) },
        emphasis: { disabled: true },
        label: {
          show: true,
          position: 'top',
          ...axisText(look),
          color: look.warn,
          formatter: ({ value: [, part] }: { value: Point }) => ((part ?? 0) >= 0.005 ? percent(part, (part ?? 0) < 0.1 ? 1 : 0) : ''),
        },
        markArea:
          beyond < 0
            ? undefined
            : {
                silent: true,
                itemStyle: { color: faded(look.warn, 0.06) },
                data: [[{ xAxis: beyond - 0.5 }, { xAxis: end }]],
              },
      },
      {
        id: 'annual',
        type: 'line',
        data: annual.map((value, i) => ({
          value: [i, value],
          itemStyle: i === own ? { color: look.surface, borderColor: look.brand, borderWidth: 2 } : { color: look.brand },
          symbolSize: i === own ? 9 : 6,
          // One is enough: above the last ones stand the bars' own numbers.
          label: { show: i === own || (own < 0 && i === 0) },
        })),
        symbol: 'circle',
        lineStyle: { color: look.brand, width: 2 },
        emphasis: { disabled: true },
        label: {
          position: 'top',
          ...axisText(look),
          // The first stands at the axis: its number begins above it, so that it is not on the axis' own.
          align: own <= 0 ? 'left' : 'center',
          color: look.brand,
          formatter: ({ value: [, annually] }: { value: Point }) => signedPercent(annually, 1),
        },
      },
    ],
  }
}
