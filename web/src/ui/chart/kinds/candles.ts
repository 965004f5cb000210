import { axisDate, axisTooltip, ground, nameAxis, timeOf, valueAxis, watermarkOf } from '../chart-options.ts'
import type { ChartTheme } from '../chart-theme.ts'
import type { ChartOption } from '../use-chart.ts'

export interface Candle {
  date: string
  open: number
  high: number
  low: number
  close: number
  /** In yuan. */
  amount: number
}

export interface CandlesPicture {
  candles: readonly Candle[]
  decimals: number
  watermark: string | null
}

/** A day's prices over its turnover. What rises is hollow, what falls is full: the colour is not alone. */
export function candlesOption(picture: CandlesPicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { candles, decimals, watermark } = picture
  const days = nameAxis(
    look,
    candles.map(({ date }) => date),
  )
  const line = { axisPointer: { show: true, type: 'line', label: { show: false }, lineStyle: { color: look.border, type: 'solid' } } }
  return {
    ...ground(look),
    grid: [
      { left: 56, right: 16, top: 32, bottom: '34%' },
      { left: 56, right: 16, top: '74%', bottom: 28 },
    ],
    xAxis: [
      { ...days, ...line, gridIndex: 0, axisLabel: { show: false } },
      {
        ...days,
        ...line,
        gridIndex: 1,
        axisLabel: { ...days.axisLabel, formatter: (date: string, index: number) => axisDate(timeOf(date), index) },
      },
    ],
    yAxis: [
      { ...valueAxis(look, { unit: '元', format: (value) => value.toFixed(decimals > 2 ? 1 : 2) }), gridIndex: 0, splitNumber: 4 },
      { ...valueAxis(look, { format: (value) => `${(value / 1e4).toFixed(0)}万`, zero: true }), gridIndex: 1, splitNumber: 1 },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark, { left: 72, top: 36 }),
    series: [
      {
        id: 'prices',
        type: 'candlestick',
        data: candles.map(({ open, close, low, high }) => [open, close, low, high]),
        itemStyle: { color: look.surface, color0: look.down, borderColor: look.up, borderColor0: look.down, borderWidth: 1 },
      },
      {
        id: 'amounts',
        type: 'bar',
        xAxisIndex: 1,
        yAxisIndex: 1,
        data: candles.map(({ open, close, amount }) => ({
          value: amount,
          itemStyle: { color: close >= open ? look.up : look.down, opacity: 0.4 },
        })),
        emphasis: { disabled: true },
      },
    ],
  }
}
