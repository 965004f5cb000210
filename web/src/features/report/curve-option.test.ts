// isolated: stubs globals
import { describe, expect, it, vi } from 'vitest'
import type { ChartTheme } from '../../ui/chart/chart-theme.ts'
import { type CurvePicture, curveOption } from './curve-option.ts'

const look = new Proxy({}, { get: () => '#000000' }) as ChartTheme
const picture: CurvePicture = {
  dates: ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'],
  lines: [
    { name: '基准', role: 'bench', values: [1, 1.01, 1.02, null] },
    { name: '策略', role: 'strategy', values: [1, 1.1, 0.99, 1.2] },
  ],
  drawdown: [0, 0, -0.1, 0],
  base: 1,
  log: false,
  until: null,
  stopped: false,
  oosStart: null,
  watermark: '演示数据',
  zoom: false,
}

interface Drawn {
  series: {
    id: string
    data: [number, number | null][]
    markPoint: { label: { position: string }; data: { coord: [number, number] }[] }
    markArea?: { data: { xAxis: number }[][] }
    itemStyle: { color: string }
  }[]
  graphic: { style: { text: string } }[]
  xAxis: { min: number; max: number }[]
  yAxis: { type: string; minInterval?: number }[]
  dataZoom?: unknown
}
const draw = (change: Partial<CurvePicture>) => curveOption({ ...picture, ...change }, look, () => '') as unknown as Drawn
const seriesOf = (drawn: Drawn, id: string) => drawn.series.find((one) => one.id === id)

describe('the picture of net value over drawdown', () => {
  it('ends each line at its own last value and marks the deepest fall', () => {
    const drawn = draw({})
    expect(seriesOf(drawn, 'bench')?.markPoint.data).toEqual([{ coord: [Date.parse('2024-01-04'), 1.02] }])
    expect(seriesOf(drawn, 'strategy')?.markPoint.data).toEqual([{ coord: [Date.parse('2024-01-05'), 1.2] }])
    expect(seriesOf(drawn, 'drawdown')?.markPoint.data).toEqual([{ coord: [Date.parse('2024-01-04'), -0.1] }])
  })
  it.each([
    ['late in a whole picture: before it', {}, 'left'],
    ['in a picture that grows: behind it, as there is room', { until: '2024-12-31' }, 'right'],
  ])('writes the deepest fall %s', (_, change, side) => {
    // What is still to come is hatched, on a canvas.
    vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) })
    const drawn = draw({ ...change, drawdown: [0, 0, 0, -0.1] })
    vi.unstubAllGlobals()
    expect(seriesOf(drawn, 'drawdown')?.markPoint.label.position).toBe(side)
  })
  it('has numbers at its side that differ: no nearer than what is written tells apart', () => {
    const least = (...values: number[]) => draw({ lines: [{ name: '策略', role: 'strategy', values }] }).yAxis[0]?.minInterval
    expect([least(1, 1.0043), least(1, 12.4), least(1, 240)]).toEqual([0.01, 0.1, 1])
  })

  it('tints what comes after the out-of-sample start, and only when it is within', () => {
    expect(seriesOf(draw({ oosStart: '2024-01-04' }), 'strategy')?.markArea?.data).toHaveLength(1)
    expect(seriesOf(draw({ oosStart: '2025-01-04' }), 'strategy')?.markArea?.data).toHaveLength(0)
  })
  it('keeps the words of the watermark inside the picture', () => {
    expect(draw({}).graphic[0]?.style.text).toBe('演示数据')
    expect(draw({ watermark: null }).graphic).toEqual([])
  })
  it('zooms only where asked', () => {
    expect(draw({}).dataZoom).toBeUndefined()
    expect(draw({ zoom: true }).dataZoom).toHaveLength(2)
  })
})
