import type { ChartTheme } from './chart-theme.ts'
import { besideIn, type Pair } from './tip.ts'

// The one look of all charts, from the tokens of now: axes, tooltip, watermark, hatching. Each kind adds only what is its own.

export const timeOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** A year's first day as its year, a month's as its month, others by day; the first label always says year and month. */
export const axisDate = (time: number, index: number): string => {
  const day = dayOf(time)
  if (index === 0) return day.slice(0, 7)
  if (day.endsWith('-01-01')) return day.slice(0, 4)
  return day.endsWith('-01') ? day.slice(0, 7) : day.slice(5)
}

/** Letters on axes. */
export const axisText = (look: ChartTheme) => ({ color: look.text3, fontSize: 12, fontFamily: look.fonts })

/** Above this many points a line is sampled (LTTB keeps its shape); the tooltip still names the true day. */
const mostPoints = 1_000
export const samplingOf = (points: number): 'lttb' | undefined => (points > mostPoints ? 'lttb' : undefined)

const hatchings = new Map<string, HTMLCanvasElement>()
/** Slanting lines: what has not been computed. */
export function hatching(colour: string): HTMLCanvasElement {
  const known = hatchings.get(colour)
  if (known) return known
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 12
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.strokeStyle = colour
    pen.lineWidth = 1
    for (const shift of [-12, 0, 12]) {
      pen.moveTo(shift, 12)
      pen.lineTo(shift + 12, 0)
    }
    pen.stroke()
  }
  hatchings.set(colour, canvas)
  return canvas
}

/** In the picture, not over it: it is saved and printed with it. */
export const watermarkOf = (look: ChartTheme, text: string | null, { left = 68, top = 22 } = {}) =>
  text === null
    ? []
    : [
        {
          id: 'watermark',
          type: 'text',
          left,
          top,
          silent: true,
          z: 0,
          style: { text, font: `600 24px ${look.fonts}`, fill: look.text3, opacity: 0.16 },
        },
      ]

/** Of lines at a value: ECharts' own precision would put them at two decimals of it, and a return of −1.26 % at −1 %. */
export const markLines = { silent: true, symbol: 'none', animation: false, precision: 20 } as const

/** A tooltip's place as ECharts asks for it. */
const inWindow = (at: Pair, _: unknown, box: HTMLElement, __: unknown, { contentSize }: { contentSize: Pair }): Pair =>
  besideIn(box.parentElement, at, contentSize)

const tooltipBox = (look: ChartTheme) => ({
  position: inWindow,
  transitionDuration: 0,
  className: 'chart-tip',
  backgroundColor: look.surface,
  borderColor: look.border,
  borderWidth: 1,
  borderRadius: 4,
  padding: 0,
  extraCssText: 'box-shadow: var(--shadow-2); white-space: normal',
  textStyle: { color: look.text1, fontSize: 12, fontFamily: look.fonts },
})

/** Of everything at one place of the axis. */
export const axisTooltip = (look: ChartTheme, words: (index: number) => HTMLElement | string) => ({
  trigger: 'axis',
  ...tooltipBox(look),
  formatter: (items: { dataIndex: number }[]) => words(items[0]?.dataIndex ?? 0),
})

/** Of one mark. */
export const itemTooltip = (look: ChartTheme, words: (index: number) => HTMLElement | string) => ({
  trigger: 'item',
  ...tooltipBox(look),
  formatter: (item: { dataIndex: number }) => words(item.dataIndex),
})

/** The least power of ten that a format tells apart at a value: numbers at an axis are no nearer to each other, or two of them would read alike. */
export const leastDifference = (format: (value: number) => string, at = 0): number => {
  // From a whole number: beside the middle of two numbers the least difference would turn one into the other.
  const from = Math.floor(at)
  const power = Array.from({ length: 13 }, (_, k) => k - 6).find((exponent) => format(from + 10 ** exponent) !== format(from))
  return power === undefined ? 0 : 10 ** power
}

/** Numbers at the side with lines across; `zero` keeps zero in sight: bars begin there. */
export const valueAxis = (
  look: ChartTheme,
  { unit, format, zero = false }: { unit?: string; format: (value: number) => string; zero?: boolean },
) => ({
  type: 'value',
  scale: !zero,
  minInterval: leastDifference(format),
  name: unit,
  nameLocation: 'end',
  nameGap: 10,
  nameTextStyle: { ...axisText(look), align: 'right', padding: [0, 4, 0, 0] },
  splitNumber: 5,
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: { ...axisText(look), formatter: format },
  splitLine: { lineStyle: { color: look.lineSoft } },
  axisPointer: { show: false },
})

export const nameAxis = (look: ChartTheme, names: readonly string[]) => ({
  type: 'category',
  data: names,
  axisLine: { lineStyle: { color: look.border } },
  axisTick: { show: false },
  axisLabel: { ...axisText(look), hideOverlap: true },
  splitLine: { show: false },
  axisPointer: { show: true, type: 'shadow', label: { show: false }, shadowStyle: { color: look.text3, opacity: 0.06 } },
})

/** Of an axis of time: values are of days, and a few of them are not labelled by the hour, the same day again and again. */
export const leastStep = 86_400_000

export const timeAxis = (look: ChartTheme) => ({
  type: 'time',
  minInterval: leastStep,
  axisLine: { show: true, lineStyle: { color: look.line } },
  axisTick: { show: false },
  splitLine: { show: true, showMinLine: false, showMaxLine: false, lineStyle: { color: look.lineSoft } },
  axisLabel: { ...axisText(look), hideOverlap: true, showMinLabel: true, alignMinLabel: 'left', formatter: axisDate },
  axisPointer: { show: true, label: { show: false }, lineStyle: { color: look.border, type: 'solid', width: 1 } },
})

/** What every option begins with. */
export const ground = (look: ChartTheme) => ({
  useUTC: true,
  animation: false,
  textStyle: { fontFamily: look.fonts },
})

/** Of charts that show a part of their time: the mouse chooses it by dragging (`link.ts`), Ctrl and the wheel or two fingers change it. */
export const insideZoom = {
  type: 'inside',
  xAxisIndex: 'all',
  zoomOnMouseWheel: 'ctrl',
  moveOnMouseMove: false,
  moveOnMouseWheel: false,
  preventDefaultMouseMove: false,
} as const
