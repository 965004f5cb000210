import { missing, percent, signedPercent } from '../../base/format.ts'
import {
  axisDate,
  axisText,
  axisTooltip,
  dayOf,
  hatching,
  insideZoom,
  leastDifference,
  leastStep,
  markLines,
  samplingOf,
  timeOf,
  watermarkOf,
} from '../../ui/chart/chart-options.ts'
import { type ChartTheme, faded } from '../../ui/chart/chart-theme.ts'
import { asLog } from '../../ui/chart/log-axis.ts'
import { lastKnown, lowest, type Series } from '../../ui/chart/series.ts'
import type { ChartOption } from '../../ui/chart/use-chart.ts'

interface CurveLine {
  name: string
  /** `measure`: what one could have done instead, thin and pale. */
  role: 'strategy' | 'bench' | 'measure'
  values: Series
}

/** Net value above, drawdown below, on one axis of time. */
export interface CurvePicture {
  dates: readonly string[]
  lines: readonly CurveLine[]
  drawdown: Series
  /** Ordinate of the emphasised line: 1 for net value. */
  base: number
  log: boolean
  /** The axis goes on to this day though the data does not: the rest is hatched. */
  until: string | null
  /** A run that ended before its end: everything grey. */
  stopped: boolean
  oosStart: string | null
  watermark: string | null
  zoom: boolean
  /** Stretches that are left out of a second look. */
  bands?: readonly { from: string; to: string }[]
  /** How a value is written; net values have three decimals. */
  format?: (value: number) => string
}

const number = (value: number | null | undefined) => (value === null || value === undefined ? missing : value.toFixed(3))

const widths = { strategy: 2, bench: 1.5, measure: 1 } as const
const dashes = { strategy: 'solid', bench: [5, 3], measure: [1, 3] } as const

/** ECharts' option for a picture, in a look. Pure but for the hatching's canvas. */
export function curveOption(picture: CurvePicture, look: ChartTheme, tooltip: (index: number) => HTMLElement | string): ChartOption {
  const { dates, lines, drawdown, log, until, stopped, oosStart, watermark, zoom, base, bands = [], format } = picture
  const times = dates.map(timeOf)
  const first = times[0]
  const last = times.at(-1)
  const end = until ? timeOf(until) : last
  const unfinished = end !== undefined && last !== undefined && end > last
  const colourOf = (role: CurveLine['role']) =>
    stopped ? look.text3 : role === 'strategy' ? look.brand : role === 'bench' ? look.bench : look.text3
  const points = (values: Series) => values.map((value, i) => [times[i], value])
  const text = axisText(look)
  const low = lowest(drawdown)
  const lowValue = drawdown[low] ?? null
  // Room for the lines' names behind their ends; a letter is as wide as half a Chinese one.
  const longest = Math.max(0, ...lines.map(({ name }) => [...name].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 255 ? 12 : 7), 0)))
  const right = Math.min(144, Math.max(76, longest + 16))
  // Of the whole picture: while a curve grows its newest day is not at the right.
  const lowTime = times[low]
  const lowLate = lowTime !== undefined && first !== undefined && end !== undefined && lowTime > first + (end - first) * 0.75

  const area = (from: number, to: number, style: object) => [{ xAxis: from, itemStyle: style }, { xAxis: to }]
  const waiting = unfinished ? area(last, end, { color: { image: hatching(look.line), repeat: 'repeat' } }) : null
  const oos = oosStart && (!last || timeOf(oosStart) <= last) ? oosStart : null
  const oosArea = oos && last !== undefined ? area(timeOf(oos), last, { color: look.oosTint }) : null
  const left = bands.map(({ from, to }) => area(timeOf(from), timeOf(to), { color: faded(look.text3, 0.18) }))
  const areas = [waiting, oosArea, ...left].filter((one) => one !== null)

  const oosLate = oos !== null && first !== undefined && end !== undefined && timeOf(oos) > first + (end - first) * 0.7
  const uprights = [
    ...(oos
      ? [
          {
            xAxis: timeOf(oos),
            lineStyle: { color: look.oos, type: [4, 3], width: 1.5 },
            label: {
              show: true,
              position: 'end',
              // Where the line's end is near, its own value stands there.
              align: oosLate ? 'right' : 'left',
              distance: [0, -14],
              padding: [1, 4],
              // The curve may run behind it.
              backgroundColor: look.surface,
              borderRadius: 2,
              formatter: `样本外 ${oos} 起`,
              color: look.oos,
              fontSize: 12,
              fontWeight: 500,
              fontFamily: look.fonts,
            },
          },
        ]
      : []),
    ...(unfinished
      ? [{ xAxis: last, lineStyle: { color: stopped ? look.text3 : look.brand, type: [2, 3], width: 1 }, label: { show: false } }]
      : []),
  ]
  const plainUprights = uprights.map(({ label: _label, ...line }) => ({ ...line, label: { show: false } }))

  const timeAxis = (gridIndex: number) => ({
    type: 'time',
    gridIndex,
    min: first,
    max: end,
    minInterval: leastStep,
    axisLine: { show: gridIndex === 1, lineStyle: { color: look.line } },
    axisTick: { show: false },
    splitLine: { show: true, showMinLine: false, showMaxLine: false, lineStyle: { color: look.lineSoft } },
    axisLabel: {
      show: gridIndex === 1,
      ...text,
      hideOverlap: true,
      showMinLabel: true,
      alignMinLabel: 'left',
      formatter: axisDate,
    },
    axisPointer: { show: true, label: { show: false }, lineStyle: { color: look.border, type: 'solid', width: 1 } },
  })

  const written = format ?? ((value: number) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2))
  const highest = Math.max(0, ...lines.map(({ values }) => values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0)))
  const valueAxis = {
    type: 'value',
    scale: true,
    gridIndex: 0,
    splitNumber: 6,
    minInterval: leastDifference(written, highest),
    axisLabel: { ...text, formatter: written },
    splitLine: { lineStyle: { color: look.lineSoft } },
    axisPointer: { show: false },
  }

  const lastOf = (line: CurveLine) => {
    const at = lastKnown(line.values)
    return at < 0 ? null : { at, value: line.values[at] as number }
  }

  return {
    useUTC: true,
    animation: false,
    textStyle: { fontFamily: look.fonts },
    grid: [
      { left: 52, right, top: 12, bottom: zoom ? '36%' : '32%' },
      { left: 52, right, top: zoom ? '69%' : '73%', bottom: zoom ? 48 : 28 },
    ],
    xAxis: [timeAxis(0), timeAxis(1)],
    yAxis: [
      log
        ? asLog(
            valueAxis,
            lines.flatMap(({ values }) => values),
          )
        : valueAxis,
      {
        type: 'value',
        gridIndex: 1,
        max: 0,
        min: ({ min }: { min: number }) => -Math.max(0.05, Math.ceil(-(min || 0) * 20) / 20),
        interval: 1,
        axisLabel: { ...text, formatter: (value: number) => percent(value, 0), showMinLabel: true, showMaxLabel: true },
        splitLine: { lineStyle: { color: look.lineSoft } },
        axisPointer: { show: false },
      },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: axisTooltip(look, tooltip),
    ...(zoom
      ? {
          dataZoom: [
            insideZoom,
            {
              type: 'slider',
              xAxisIndex: [0, 1],
              height: 12,
              bottom: 4,
              brushSelect: false,
              showDetail: false,
              showDataShadow: false,
              borderColor: look.line,
              backgroundColor: 'transparent',
              fillerColor: faded(look.brand, 0.06),
              handleStyle: { color: look.surface, borderColor: look.border },
              moveHandleStyle: { color: look.border, opacity: 0.6 },
              moveHandleSize: 4,
              emphasis: { handleStyle: { borderColor: look.brand }, moveHandleStyle: { color: look.brand } },
              labelFormatter: (value: number) => dayOf(value),
            },
          ],
        }
      : {}),
    graphic: watermarkOf(look, watermark),
    series: [
      ...lines.map((line) => {
        const tail = lastOf(line)
        const strategy = line.role === 'strategy'
        const colour = colourOf(line.role)
        return {
          id: line.role === 'measure' ? line.name : line.role,
          name: line.name,
          type: 'line',
          xAxisIndex: 0,
          yAxisIndex: 0,
          data: points(line.values),
          symbol: 'none',
          showSymbol: false,
          connectNulls: true,
          sampling: samplingOf(dates.length),
          z: strategy ? 4 : line.role === 'bench' ? 3 : 2,
          itemStyle: { color: colour },
          lineStyle: {
            color: colour,
            width: widths[line.role],
            type: dashes[line.role],
            join: 'round',
            opacity: stopped || line.role === 'measure' ? 0.7 : 1,
          },
          emphasis: { disabled: true },
          ...(strategy ? { areaStyle: { color: colour, opacity: 0.06, origin: 'start' } } : {}),
          endLabel: {
            show: tail !== null,
            distance: 8,
            // Room around each pair of lines, as in the chart of lines.
            padding: [2, 0],
            backgroundColor: 'transparent',
            // Of the last day in sight.
            formatter: ({ value: [, value] }: { value: readonly [number, number | null] }) =>
              `{value|${format && value !== null ? format(value) : number(value)}}\n{name|${line.name}}`,
            rich: {
              value: { color: colour, fontSize: 12, fontWeight: 600, fontFamily: look.fonts, lineHeight: 15 },
              name: { color: look.text2, fontSize: 12, fontFamily: look.fonts, lineHeight: 14 },
            },
          },
          labelLayout: { moveOverlap: 'shiftY' },
          markPoint: {
            silent: true,
            symbol: 'circle',
            symbolSize: strategy ? 6 : 5,
            itemStyle: { color: colour },
            label: { show: false },
            data: tail ? [{ coord: [times[tail.at], tail.value] }] : [],
          },
          markLine: strategy
            ? {
                ...markLines,
                data: [{ yAxis: base, lineStyle: { color: look.border, type: 'solid', width: 1 }, label: { show: false } }, ...uprights],
              }
            : undefined,
          markArea: strategy ? { silent: true, animation: false, data: areas } : undefined,
        }
      }),
      {
        id: 'drawdown',
        name: '回撤',
        type: 'line',
        xAxisIndex: 1,
        yAxisIndex: 1,
        data: points(drawdown),
        symbol: 'none',
        showSymbol: false,
        sampling: samplingOf(dates.length),
        itemStyle: { color: look.down },
        lineStyle: { color: stopped ? look.text3 : look.down, width: 1, opacity: 0.7 },
        areaStyle: { color: stopped ? look.text3 : look.down, opacity: 0.18, origin: 'end' },
        emphasis: { disabled: true },
        markPoint: {
          silent: true,
          symbol: 'circle',
          symbolSize: 6,
          itemStyle: { color: look.surface, borderColor: stopped ? look.text3 : look.down, borderWidth: 1.5 },
          label: {
            show: true,
            position: lowLate ? 'left' : 'right',
            distance: 6,
            color: look.text1,
            fontSize: 12,
            fontFamily: look.fonts,
            formatter: `最大回撤 ${signedPercent(lowValue, 1)}`,
          },
          data: lowValue !== null && lowValue < 0 ? [{ coord: [times[low], lowValue] }] : [],
        },
        markLine: { ...markLines, data: plainUprights },
        markArea: { silent: true, animation: false, data: areas },
      },
    ],
  }
}
