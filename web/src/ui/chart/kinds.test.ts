// isolated: stubs globals
import { use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { describe, expect, it, vi } from 'vitest'
import type { ChartTheme } from './chart-theme.ts'
import { init } from './echarts.ts'
import { barFacts, lineFacts } from './facts.ts'
import { heatOf } from './heat.ts'
import { barsOption } from './kinds/bars.ts'
import { type Bin, binsBetween, binsOf, type HistogramPicture, histogramOption, labelledEdges, labelledEvery } from './kinds/histogram.ts'
import { coloursOf, endWords, type Line, type LinesPicture, linesOption } from './kinds/lines.ts'

/** Every token is its own name. */
const look = new Proxy({}, { get: (_, name) => String(name) }) as ChartTheme
const days = (count: number) => Array.from({ length: count }, (_, i) => new Date(Date.UTC(2010, 0, 1 + i)).toISOString().slice(0, 10))
const flat = (name: string, length = 3): Line => ({ name, values: Array.from({ length }, () => 1) })
const fixed = (value: number) => value.toFixed(2)

interface Drawn {
  series: {
    name: string
    sampling?: string
    lineStyle: { color: string; type: unknown }
    data: unknown[]
    markArea?: { data: unknown[] }
    markLine?: { data: { yAxis: number }[] }
    stack?: string
  }[]
  yAxis: { type: string }
  graphic: unknown[]
}
const draw = (change: Partial<LinesPicture>) =>
  linesOption(
    { dates: days(3), lines: [flat('甲')], format: fixed, watermark: null, patterns: false, ...change },
    look,
    () => '',
  ) as unknown as Drawn

describe('lines', () => {
  it('no two numbers at the side read alike, however little the lines move', () => {
    use([SVGRenderer])
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 480, height: 250 })
    const plain = new Proxy({}, { get: () => '#123456' }) as ChartTheme
    const line: Line = { name: '甲', values: [1, 1.0021, 1.0008, 1.0043] }
    const format = (value: number) => value.toFixed(2)
    chart.setOption(linesOption({ dates: days(4), lines: [line], format, watermark: null, patterns: false }, plain, () => ''))
    const texts = chart.getZr().storage.getDisplayList(true) as unknown as { style: { text?: string } }[]
    const labels = texts.flatMap(({ style: { text } }) => (text && /^\d\.\d\d$/.test(text) ? [text] : []))
    expect(labels.length).toBeGreaterThan(1)
    expect(new Set(labels).size).toBe(labels.length)
    chart.dispose()
  })

  it('draws six at most', () => expect(draw({ lines: [...'甲乙丙丁戊己庚辛'].map((name) => flat(name)) }).series).toHaveLength(6))

  it('gives strategy and benchmark their own colours, the others the next', () => {
    const lines: Line[] = [{ ...flat('策略'), role: 'strategy' }, { ...flat('等权'), role: 'bench' }, flat('甲'), flat('乙')]
    expect(coloursOf(lines, look)).toEqual(['brand', 'bench', 'cat2', 'cat3'])
    expect(coloursOf([flat('甲'), flat('乙')], look)).toEqual(['cat1', 'cat2'])
  })

  it('a long name leaves its number in sight', () => {
    expect(endWords('经典双低', '1.65')).toBe('经典双低 1.65')
    expect(endWords('一二三四五六七八九十一二三四五', '1.65')).toBe('一二三四五六七八九… 1.65')
    expect(endWords('low premium and small and more', '12.65')).toBe('low premium and… 12.65')
  })

  it.each([
    [1_000, undefined],
    [1_001, 'lttb'],
  ])('of %i points is sampled by %s', (length, sampling) =>
    expect(draw({ dates: days(length), lines: [flat('甲', length)] }).series[0]?.sampling).toBe(sampling),
  )

  it('keeps every true day in its data, sampled or not', () =>
    expect(draw({ dates: days(5_000), lines: [flat('甲', 5_000)] }).series[0]?.data[4_999]).toEqual([Date.UTC(2010, 0, 5_000), 1]))

  it('differs by pattern when patterns are wanted', () => {
    const types = draw({ lines: [...'甲乙丙'].map((name) => flat(name)), patterns: true }).series.map(({ lineStyle }) =>
      JSON.stringify(lineStyle.type),
    )
    expect(new Set(types).size).toBe(3)
  })

  it('hatches what is not computed', () => {
    expect(draw({}).series[0]?.markArea?.data).toEqual([])
    vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) })
    expect(draw({ until: '2010-02-01' }).series[0]?.markArea?.data).toHaveLength(1)
    vi.unstubAllGlobals()
  })

  it('has a band as what lies between its edges, behind the lines', () => {
    const line: Line = { ...flat('甲'), colour: '#123456', band: { low: [0.5, 0.75, 1], high: [1, 1.5, 2] } }
    const { series } = draw({ lines: [flat('乙'), line] })
    expect(series.map(({ stack }) => stack)).toEqual([undefined, undefined, 'band 1', 'band 1'])
    const heights = series.slice(2).map(({ data }) => data.map((one) => (one as [number, number])[1]))
    expect(heights).toEqual([
      [0.5, 0.75, 1],
      [0.5, 0.75, 1],
    ])
  })

  it('has an axis of equal shares where that was chosen', () =>
    expect([draw({}).yAxis.type, draw({ log: true }).yAxis.type]).toEqual(['value', 'log']))

  it('carries the watermark inside', () =>
    expect([draw({}).graphic.length, draw({ watermark: '演示数据' }).graphic.length]).toEqual([0, 1]))
})

it('bars begin at zero and take their colour from their sign', () => {
  const option = barsOption(
    { names: ['一', '二', '三'], values: [1, -2, null], format: fixed, signed: true, watermark: null },
    look,
    () => '',
  ) as unknown as { yAxis: { scale: boolean }; series: { data: { value: number | null; itemStyle: { color: string } }[] }[] }
  expect(option.yAxis.scale).toBe(false)
  expect(option.series[0]?.data.map(({ itemStyle }) => itemStyle.color.slice(0, -2))).toEqual(['up', 'down', 'up'])
  expect(option.series[0]?.data[2]?.value).toBe(null)
})

describe('a histogram', () => {
  it.each([
    ['spreads values over equal ranges', [0, 1, 2, 3, 4], 2, [2, 3]],
    ['gives the highest value to the last range', [0, 10], 5, [1, 0, 0, 0, 1]],
    ['is one range of one value', [7, 7], 4, [2]],
    ['leaves out what is absent', [Number.NaN, 1, 2], 1, [2]],
    ['is nothing of nothing', [], 3, []],
  ])('%s', (_, values, bins, counts) => expect(binsOf(values, bins).map(({ count }) => count)).toEqual(counts))

  interface Shape {
    type: string
    shape?: Record<string, number>
    style: { text?: string }
    transform?: number[]
  }
  interface DrawnBars {
    xAxis: { type: string; min: number; max: number; axisLabel: { customValues: number[] } }
    series: [
      {
        data: { value: [number, number]; itemStyle: { color: string } }[]
        markLine: { data: { xAxis: number; label: { align: string } }[] }
      },
    ]
  }
  const drawBars = (bins: readonly Bin[], change: Partial<HistogramPicture> = {}) =>
    histogramOption({ bins, format: fixed, watermark: null, ...change }, look, () => '') as unknown as DrawnBars
  const quarters = binsBetween([-2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5], [1, 0, 2, 4, 9, 9, 14, 30, 28, 12])

  it('has bars between their edges and marks at their values, on one axis of values', () => {
    const { xAxis, series } = drawBars(quarters, {
      marks: [
        { at: -1.26, label: 'VaR95' },
        { at: 0.4, label: '' },
      ],
    })
    expect(xAxis).toMatchObject({ type: 'value', min: -2, max: 0.5 })
    expect(series[0].data.map(({ value }) => value[0])).toEqual(quarters.map(({ from, to }) => (from + to) / 2))
    expect(series[0].markLine.data.map(({ xAxis: at, label }) => [at, label.align])).toEqual([
      [-1.26, 'left'],
      [0.4, 'right'],
    ])
  })

  it('is drawn so: a number under its edge, a mark at its value, bars from edge to edge', () => {
    use([SVGRenderer])
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 480, height: 250 })
    const edges = quarters.map(({ from }) => from / 100).concat(0.005)
    const bins = binsBetween(
      edges,
      edges.slice(1).map(() => 4),
    )
    const plain = new Proxy({}, { get: () => '#123456' }) as ChartTheme
    const marks = [{ at: -0.0126, label: 'VaR95' }]
    chart.setOption(histogramOption({ bins, format: (value) => `${value * 100}%`, marks, watermark: null }, plain, () => ''))
    const drawn = chart.getZr().storage.getDisplayList(true) as unknown as Shape[]
    const placeOf = (text: string) => drawn.find(({ style }) => style.text === text)?.transform?.[4]
    const at = (value: number) => chart.convertToPixel({ xAxisIndex: 0 }, value) as number
    for (const edge of [-0.02, -0.01, 0, 0.005]) expect(placeOf(`${edge * 100}%`), String(edge)).toBeCloseTo(at(edge), 1)
    expect(placeOf('VaR95'), 'the mark').toBeCloseTo(at(-0.0126), 1)
    const bars = drawn.flatMap(({ type, shape }) => (type === 'rect' && shape && (shape['height'] ?? 0) < 0 ? [shape] : []))
    expect(bars).toHaveLength(bins.length)
    bars.forEach(({ x = 0, width = 0 }, i) => {
      expect(Math.abs(x - at(edges[i] ?? 0)), `the left of bar ${i}`).toBeLessThan(2)
      expect(Math.abs(x + width - at(edges[i + 1] ?? 0)), `the right of bar ${i}`).toBeLessThan(2)
    })
    chart.dispose()
  })

  it.each([
    ['from zero by round steps', quarters.flatMap(({ from }) => from).concat(0.5), [-2, -1.5, -1, -0.5, 0, 0.5]],
    ['from the first to the last', Array.from({ length: 41 }, (_, i) => 90 + i), [90, 95, 100, 105, 110, 115, 120, 125, 130]],
    ['all of few', [1.5, 2.5, 3.5], [1.5, 2.5, 3.5]],
    ['one of one value', [7, 7], [7]],
    ['none of none', [], []],
  ])('labels edges %s', (_, edges, labelled) => expect(labelledEdges(edges)).toEqual(labelled))

  it.each([
    { edges: 37, width: 0.0025, every: 8, step: '2 %' },
    { edges: 30, width: 0.0025, every: 4, step: '1 %' },
    { edges: 40, width: 0.002, every: 5, step: '1 %' },
    { edges: 16, width: 0.01, every: 2, step: '2 %' },
    { edges: 20, width: 0.01, every: 5, step: '5 %' },
    { edges: 6, width: 0.03, every: 1, step: 'its own: three is never round' },
  ])('$edges bars of $width are labelled by $step', ({ edges, width, every }) => expect(labelledEvery(edges, width)).toBe(every))

  it('of one value has room on both sides of it', () => expect(drawBars(binsOf([7, 7], 4)).xAxis).toMatchObject({ min: 3.5, max: 10.5 }))

  it('the bar of one value stands out', () => {
    const bins = binsOf([0, 1, 2, 3, 4], 4)
    const out = (chosen: number) => drawBars(bins, { chosen }).series[0].data.findIndex(({ itemStyle }) => itemStyle.color.endsWith('ff'))
    expect([out(0), out(2.5), out(4), out(9)]).toEqual([0, 2, 3, 3])
  })
})

describe('in words', () => {
  it('a line says from, to, highest, lowest with their days', () =>
    expect(lineFacts('策略', ['2024-01-02', '2024-01-03', '2024-01-04'], [1, 1.2, 0.9], fixed)).toBe(
      '策略：2024-01-02 至 2024-01-04，从 1.00 到 0.90，最高 1.20（2024-01-03），最低 0.90（2024-01-04）',
    ))
  it('nothing is said of nothing', () => expect(lineFacts('策略', ['2024-01-02'], [null], fixed)).toBe('策略：没有数据'))
  it('bars say the largest and the smallest', () =>
    expect(barFacts(['一箱', '二箱'], [2, -1], fixed)).toBe('共 2 项，最高 一箱 2.00，最低 二箱 -1.00'))
})

it.each([
  [0.16, { kind: 'signed', most: 0.16 }, 'heat-up-3'],
  [-0.07, { kind: 'signed', most: 0.16 }, 'heat-down-2'],
  [0.01, { kind: 'signed', most: 0.16 }, 'heat-up-1'],
  [0, { kind: 'signed', most: 0.16 }, ''],
  [90, { kind: 'sequence', low: 0, high: 92.8 }, 'seq-3'],
  [0, { kind: 'sequence', low: 0, high: 92.8 }, ''],
] as const)('%f on %j lies on %j', (value, scale, ground) => expect(heatOf(value, scale)).toBe(ground))
