import { axisText, axisTooltip, ground, markLines, nameAxis, valueAxis, watermarkOf } from '../chart-options.ts'
import { type ChartTheme, faded } from '../chart-theme.ts'
import type { ChartOption } from '../use-chart.ts'

export interface BarsPicture {
  names: readonly string[]
  values: readonly (number | null)[]
  format: (value: number) => string
  /** Of the numbers at the axis, where they are rounder than those over the bars. */
  tick?: (value: number) => string
  /** About how many of them: fewer in a low chart. */
  ticks?: number
  unit?: string
  /** Returns are red and green by their sign, counts are blue. */
  signed?: boolean
  /** The one that is meant; the others step back. */
  chosen?: number
  /** The value over each bar: where there are few. */
  labels?: boolean
  /** Bars touch: they are ranges of one axis. */
  histogram?: boolean
  /** Room at the right edge: what the picture under it keeps for its ends. */
  room?: number
  watermark: string | null
}

/** Bars from zero: a bar that begins elsewhere lies. */
export function barsOption(picture: BarsPicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { names, values, format, tick = format, ticks = 5, unit, signed, chosen, labels, histogram, room = 16, watermark } = picture
  const colourOf = (value: number | null) => (signed ? ((value ?? 0) >= 0 ? look.up : look.down) : look.brand)
  const opacityOf = (index: number) => (signed ? 0.72 : chosen === undefined ? (histogram ? 0.5 : 1) : index === chosen ? 1 : 0.5)
  return {
    ...ground(look),
    grid: { left: 52, right: room, top: unit ? 32 : labels ? 24 : 12, bottom: 28 },
    xAxis: nameAxis(look, names),
    // A number under a bar needs room.
    yAxis: {
      ...valueAxis(look, { ...(unit ? { unit } : {}), format: tick, zero: true }),
      splitNumber: ticks,
      ...(labels && signed ? { boundaryGap: ['12%', '8%'] } : {}),
    },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark),
    series: [
      {
        id: 'bars',
        type: 'bar',
        barCategoryGap: histogram ? '6%' : '32%',
        barMaxWidth: histogram ? undefined : 48,
        data: values.map((value, index) => ({
          value,
          // The alpha is the colour's own: an opacity would pale the number over the bar too.
          itemStyle: { color: faded(colourOf(value), opacityOf(index)) },
          label: { position: (value ?? 0) < 0 ? 'bottom' : 'top' },
        })),
        label: { show: labels ?? false, ...axisText(look), color: look.text1, formatter: ({ value }: { value: number }) => format(value) },
        // On a narrow card some numbers give way to their neighbours: all of them are in the box and in the table.
        labelLayout: { hideOverlap: true },
        emphasis: { disabled: true },
        markLine: {
          ...markLines,
          data: [{ yAxis: 0, lineStyle: { color: look.border, type: 'solid', width: 1 }, label: { show: false } }],
        },
      },
    ],
  }
}
