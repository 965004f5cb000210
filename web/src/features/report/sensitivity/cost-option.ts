import { fixed } from '../../../base/format.ts'
import {
  axisText,
  axisTooltip,
  ground,
  insideZoom,
  samplingOf,
  timeAxis,
  timeOf,
  valueAxis,
  watermarkOf,
} from '../../../ui/chart/chart-options.ts'
import type { ChartTheme } from '../../../ui/chart/chart-theme.ts'
import type { Series } from '../../../ui/chart/series.ts'
import type { ChartOption } from '../../../ui/chart/use-chart.ts'

export interface CostPicture {
  dates: readonly string[]
  net: Series
  gross: Series
  /** Turnover of each month, at its last trading day. */
  months: readonly { end: string; turnover: number }[]
  watermark: string | null
}

/** Turnover by month above, net values with and without costs below, on one axis of time. */
export function costOption(
  { dates, net, gross, months, watermark }: CostPicture,
  look: ChartTheme,
  tooltip: (index: number) => HTMLElement | string,
): ChartOption {
  const times = dates.map(timeOf)
  const axis = { ...timeAxis(look), min: times[0], max: times.at(-1) }
  const line = (id: string, values: Series, colour: string, width: number) => ({
    id,
    type: 'line',
    xAxisIndex: 0,
    yAxisIndex: 0,
    data: values.map((value, i) => [times[i], value]),
    symbol: 'none',
    sampling: samplingOf(dates.length),
    itemStyle: { color: colour },
    lineStyle: { color: colour, width },
    emphasis: { disabled: true },
    endLabel: {
      show: true,
      distance: 8,
      padding: [2, 0],
      backgroundColor: 'transparent',
      formatter: ({ value }: { value: readonly [number, number | null] }) => fixed(value[1]),
      color: colour,
      fontSize: 12,
      fontWeight: 500,
      fontFamily: look.fonts,
    },
    labelLayout: { moveOverlap: 'shiftY' },
  })
  return {
    ...ground(look),
    dataZoom: [insideZoom],
    grid: [
      { left: 44, right: 56, top: '46%', bottom: 28 },
      { left: 44, right: 56, top: 12, height: '32%' },
    ],
    xAxis: [
      { ...axis, gridIndex: 0 },
      { ...axis, gridIndex: 1, axisLabel: { show: false } },
    ],
    yAxis: [
      { ...valueAxis(look, { format: (value) => fixed(value) }), gridIndex: 0, splitNumber: 3 },
      {
        ...valueAxis(look, { format: (value) => fixed(value, 1), zero: true }),
        gridIndex: 1,
        splitNumber: 2,
        axisLabel: { ...axisText(look), formatter: (value: number) => fixed(value, 1) },
      },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark, { left: 60, top: 120 }),
    series: [
      line('net', net, look.brand, 2),
      line('gross', gross, look.text3, 1.5),
      {
        id: 'turnover',
        type: 'bar',
        xAxisIndex: 1,
        yAxisIndex: 1,
        data: months.map(({ end, turnover }) => [timeOf(`${end.slice(0, 7)}-15`), turnover]),
        barMaxWidth: 14,
        barMinWidth: 1,
        barWidth: '60%',
        itemStyle: { color: look.brand, opacity: 0.6 },
        emphasis: { disabled: true },
      },
    ],
  }
}
