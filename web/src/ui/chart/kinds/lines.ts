import {
  axisTooltip,
  ground,
  hatching,
  insideZoom,
  markLines,
  samplingOf,
  timeAxis,
  timeOf,
  valueAxis,
  watermarkOf,
} from '../chart-options.ts'
import type { ChartTheme } from '../chart-theme.ts'
import { asLog } from '../log-axis.ts'
import { lastKnown, type Series } from '../series.ts'
import type { ChartOption } from '../use-chart.ts'

export interface Line {
  name: string
  /** A benchmark is dashed and ochre, the strategy blue and strong; the others take the next colour. */
  role?: 'strategy' | 'bench'
  /** Its own colour, where lines are shades of one: all of them are drawn then. */
  colour?: string
  values: Series
  /** From where to where it might have gone: a pale ground of its colour. */
  band?: { low: readonly number[]; high: readonly number[] }
}

export interface LinesPicture {
  dates: readonly string[]
  lines: readonly Line[]
  format: (value: number) => string
  unit?: string
  /** Values cannot be above it: a share. */
  ceiling?: number
  /** A level that is drawn: 0 of returns, 1 of net values. */
  base?: number
  /** The axis goes on to this day: what is missing is hatched. */
  until?: string | null
  /** From this day on it is out of the sample: a ground and a line of its own. */
  oosStart?: string | null
  watermark: string | null
  patterns: boolean
  /** A part of the axis can be shown alone. */
  zoom?: boolean
  /** Behind the ends stand the values alone: a legend has the names. */
  bareEnds?: boolean
  /** Equal steps of the axis are equal shares: of values above 0 only. */
  log?: boolean
}

/** More cannot be told apart: they go to a comparison. */
export const mostLines = 6

const dashes = ['solid', [8, 3], [2, 2], [8, 3, 2, 3], [4, 4], [12, 4]] as const

/** The colour of each line that is drawn, in their order: for the legend too. */
export function coloursOf(lines: readonly Line[], look: ChartTheme): string[] {
  if (lines.some(({ colour }) => colour)) return lines.map(({ role, colour }) => colour ?? (role === 'bench' ? look.bench : look.text3))
  const free = [look.cat1, look.cat2, look.cat3, look.cat4, look.cat5, look.cat6]
  let next = lines.some(({ role }) => role === 'strategy') ? 1 : 0
  return lines
    .slice(0, mostLines)
    .map(({ role }) => (role === 'strategy' ? look.brand : role === 'bench' ? look.bench : (free[next++] ?? look.text3)))
}

const [leastRoom, mostRoom] = [96, 176]
/** Room right of the plot where line ends show their values only. */
export const bareEndRoom = 56

/** A Chinese character is as wide as its font size, others a little over half. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 12 : 7), 0)
/** Between a line's end and its words, and behind these. */
const margin = 20

/** Label at a line's end: name and number; a long name is shortened so that the number fits. */
export function endWords(name: string, number: string): string {
  const room = mostRoom - margin - widthOf(` ${number}`)
  if (widthOf(name) <= room) return `${name} ${number}`
  const letters = [...name]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > room) letters.pop()
  return `${letters.join('').trimEnd()}… ${number}`
}

/** What the names and numbers at the lines' ends take. */
function roomFor(lines: readonly Line[], format: (value: number) => string): number {
  const widths = lines.map(({ name, values }) => widthOf(endWords(name, format(values[lastKnown(values)] ?? 0))))
  return Math.min(mostRoom, Math.max(leastRoom, ...widths.map((width) => width + margin)))
}

/** All that is drawn of lines, with their bands. */
const spanOf = (lines: readonly Line[]) => lines.flatMap(({ values, band }) => [...values, ...(band ? [...band.low, ...band.high] : [])])

/** A band between two lines that are not drawn: what lies below it, and on top of that what lies between. */
function bandOf({ band }: Line, colour: string, times: readonly number[], index: number) {
  if (!band) return []
  const part = {
    type: 'line',
    stack: `band ${index}`,
    symbol: 'none',
    silent: true,
    z: 2,
    lineStyle: { opacity: 0 },
    emphasis: { disabled: true },
  }
  return [
    { ...part, id: `${index} below`, data: band.low.map((low, i) => [times[i], low]), areaStyle: { opacity: 0 } },
    {
      ...part,
      id: `${index} between`,
      data: band.low.map((low, i) => [times[i], (band.high[i] ?? low) - low]),
      areaStyle: { color: colour, opacity: 0.14 },
    },
  ]
}

/** Lines over time; at most six. */
export function linesOption(picture: LinesPicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { dates, lines, format, unit, ceiling, base, until, oosStart, watermark, patterns, zoom, bareEnds, log } = picture
  const colours = coloursOf(lines, look)
  const shown = lines.slice(0, colours.length)
  const times = dates.map(timeOf)
  const last = times.at(-1)
  const end = until ? timeOf(until) : last
  const unfinished = end !== undefined && last !== undefined && end > last
  const axis = { ...valueAxis(look, { ...(unit ? { unit } : {}), format }), ...(ceiling === undefined ? {} : { max: ceiling }) }
  return {
    ...ground(look),
    grid: { left: 52, right: bareEnds ? bareEndRoom : roomFor(shown, format), top: unit ? 32 : 12, bottom: 28 },
    ...(zoom ? { dataZoom: [insideZoom] } : {}),
    xAxis: { ...timeAxis(look), min: times[0], max: end },
    yAxis: log ? asLog(axis, spanOf(shown)) : axis,
    tooltip: axisTooltip(look, tooltip),
    graphic: watermarkOf(look, watermark),
    series: [
      ...shown.map((line, index) => {
        const colour = colours[index] ?? look.text3
        const tail = lastKnown(line.values)
        return {
          id: String(index),
          name: line.name,
          type: 'line',
          data: line.values.map((value, i) => [times[i], value]),
          symbol: 'none',
          connectNulls: true,
          sampling: samplingOf(dates.length),
          z: line.role === 'strategy' ? 4 : 3,
          itemStyle: { color: colour },
          lineStyle: {
            color: colour,
            width: line.role === 'bench' ? 1.5 : 2,
            type: line.role === 'bench' ? [5, 3] : patterns ? dashes[index % dashes.length] : 'solid',
            join: 'round',
          },
          emphasis: { disabled: true },
          endLabel: {
            show: tail >= 0,
            distance: 8,
            // Room around each, so that names that end close together are pushed apart: it counts only where there is a ground.
            padding: [2, 0],
            backgroundColor: 'transparent',
            // Of the last day in sight.
            formatter: ({ value }: { value: readonly [number, number | null] }) =>
              bareEnds ? format(value[1] ?? 0) : endWords(line.name, format(value[1] ?? 0)),
            // A pale shade is no colour for words.
            color: line.colour ? look.text2 : colour,
            fontSize: 12,
            fontWeight: 500,
            fontFamily: look.fonts,
          },
          labelLayout: { moveOverlap: 'shiftY' },
          ...(index === 0
            ? {
                markLine: {
                  ...markLines,
                  data: [
                    ...(base === undefined
                      ? []
                      : [{ yAxis: base, lineStyle: { color: look.border, type: 'solid', width: 1 }, label: { show: false } }]),
                    ...(oosStart
                      ? [{ xAxis: timeOf(oosStart), lineStyle: { color: look.oos, type: [4, 3], width: 1.5 }, label: { show: false } }]
                      : []),
                  ],
                },
                markArea: {
                  silent: true,
                  animation: false,
                  data: [
                    ...(unfinished
                      ? [[{ xAxis: last, itemStyle: { color: { image: hatching(look.line), repeat: 'repeat' } } }, { xAxis: end }]]
                      : []),
                    ...(oosStart ? [[{ xAxis: timeOf(oosStart), itemStyle: { color: look.oosTint } }, { xAxis: end }]] : []),
                  ],
                },
              }
            : {}),
        }
      }),
      ...shown.flatMap((line, index) => bandOf(line, colours[index] ?? look.text3, times, index)),
    ],
  }
}
