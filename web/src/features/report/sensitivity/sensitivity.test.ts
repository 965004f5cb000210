import { use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../../test/made-report.ts'
import { CallError } from '../../../api/messages.ts'
import type { ChartTheme } from '../../../ui/chart/chart-theme.ts'
import { init } from '../../../ui/chart/echarts.ts'
import { capacityOption } from './capacity-option.ts'
import { capacityAt, capacitySentence, capacitySize, capitalSteps, costSentence, finalValue, ownRate } from './cost.ts'
import { type Progress, runChanges } from './run-changes.ts'
import { axisOf, byWidth, ownBars } from './tornado.ts'
import { around, type Rule, variantsOf } from './variants.ts'

const report = madeReport({ days: 600 })
const { settings } = report
const parameters = report.parameters as NonNullable<typeof report.parameters>
const days = ['2024-01-08', '2024-01-09', '2024-01-10']
const codes = Array.from({ length: 300 }, (_, i) => `9${i}`)

describe('a fifth down and a fifth up', () => {
  it.each([
    [10, true, [8, 12]],
    [2, true, [1, 3]],
    [1, true, [2]],
    [150, false, [120, 180]],
    [0.03, false, [0.024, 0.036]],
  ] as const)('%d', (value, whole, wanted) => expect(around(value, whole)).toEqual(wanted))
})

describe('small changes of a rule', () => {
  const filters = [{ factor_key: 'close', action: 'exclude' as const, operation: 'gt' as const, value: 150, enable: true }]
  const variants = variantsOf({ parameters: { ...parameters, filter_factors: filters }, settings }, (ref) => `<${ref}>`, codes, '只', days)
  const of = (key: string) => variants.find((one) => one.key === key)

  it('each changes one thing and says to what', () => {
    expect(of('hold')?.cases.map(({ label, parameters: p }) => [label, p.hold_method.hold_range_end])).toEqual([
      ['8 只', 8],
      ['12 只', 12],
    ])
    expect(of('threshold')?.cases.map(({ label }) => label)).toEqual(['4', '6'])
    expect(of('filter 0')?.name).toBe('<close>')
    expect(of('filter 0')?.cases.map(({ parameters: p }) => p.filter_factors[0]?.value)).toEqual([120, 180])
    expect(of('cost')?.cases.map(({ label }) => label)).toEqual(['0.08%', '0.12%'])
  })
  it('begins a day earlier, which may be a Friday, and a day later', () => {
    expect(of('start')?.cases.map(({ label, settings: s }) => [label, s.start_date])).toEqual([
      ['早一日', '2024-01-05'],
      ['晚一日', '2024-01-09'],
    ])
    expect(variantsOf({ parameters, settings }, String, [], '只', ['2024-01-08']).some(({ key }) => key === 'start')).toBe(false)
  })
  it('one factor has no weight to change', () => expect(variants.some(({ key }) => key.startsWith('rank'))).toBe(false))
  it('a daily rule can only be slowed down', () => expect(of('rebalance')?.cases.map(({ label }) => label)).toEqual(['每 2 日']))
  it('about a tenth of the securities is missing, others each time, the same again', () => {
    const [a, b] = of('missing')?.cases.map(({ parameters: p }) => p.universe.exclude_codes) ?? []
    expect(a?.length).toBeGreaterThan(15)
    expect(a?.length).toBeLessThan(50)
    expect(a).not.toEqual(b)
  })
  it('the last day of a month moves to the one before it, never to day 0', () => {
    const monthly = { ...parameters, rebalance_method: { rebalance_type: 2 as const, rebalance_value: -1 } }
    const cases = variantsOf({ parameters: monthly, settings }, String, [], '只', days).find(({ key }) => key === 'rebalance')?.cases
    expect(cases?.map(({ label }) => label)).toEqual(['月内倒数第 2 日', '月内第 1 日'])
  })
})

describe('small changes that are run', () => {
  const slow: Rule = { parameters: { ...parameters, rebalance_method: { rebalance_type: 0, rebalance_value: 250 } }, settings }
  const variants = variantsOf(slow, String, [], '只', [])
  const told = async (failure: CallError) => {
    let last: Progress | null = null
    const annualOf = async ({ parameters: p }: Rule) => {
      if (p.rebalance_method.rebalance_value > 250) throw failure
      return p.rebalance_method.rebalance_value / 1_000
    }
    await runChanges(slow, variants, annualOf, (progress) => {
      last = progress
    })
    return last as Progress | null
  }
  it('leave out what a rule may not say, and go on', async () => {
    const progress = await told(new CallError('response', '请求参数有误', 40000, null, 400))
    expect(progress?.bars.map(({ key }) => key)).toEqual(variants.map(({ key }) => key))
    expect(progress?.bars.find(({ key }) => key === 'rebalance')).toMatchObject({ terms: '每 200 日', low: 0.2, high: 0.2 })
    expect(progress?.done).toBe(progress?.of)
  })
  it('end where the server cannot be asked any more', async () => {
    await expect(told(new CallError('response', '服务繁忙', 50301, null, 503))).rejects.toThrow('服务繁忙')
  })
})

describe('the tornado', () => {
  it('without any one year there is one bar over all of them', () => {
    const bars = ownBars(report)
    const year = bars.find(({ key }) => key === 'year')
    expect(year?.low).toBeLessThan(year?.high as number)
    const annual = report.metrics.annual_return as number
    expect(bars.find(({ key }) => key === 'best')?.high).toBeLessThan(annual)
    expect(bars.find(({ key }) => key === 'worst')?.low).toBeGreaterThan(annual)
  })
  it('the widest stands on top; the axis has round steps around all', () => {
    const bars = [
      { key: 'a', name: '', terms: '', low: 0.13, high: 0.14 },
      { key: 'b', name: '', terms: '', low: 0.097, high: 0.1 },
    ]
    expect(byWidth(bars, 0.137).map(({ key }) => key)).toEqual(['b', 'a'])
    expect(axisOf(bars, 0.137)).toEqual({ from: 0.08, to: 0.14, ticks: [0.08, 0.1, 0.12, 0.14] })
  })
})

describe('what costs take', () => {
  const sweep = [
    { rate: 0, annual_return: 0.2 },
    { rate: 0.001, annual_return: 0.18 },
    { rate: 0.005, annual_return: 0.1 },
  ]
  it('in a sentence, by the slope of the sweep', () => {
    expect(costSentence({ cost_sweep: sweep })).toBe('单边成本每多 0.1%，年化约少 2.0 个百分点。')
    expect(costSentence({ cost_sweep: [] })).toBeNull()
  })
  it('no row is the run where it also paid a least fee', () => {
    const charged = (min_fee?: number) => ({
      settings: { ...settings, cost: { buy_rate: 0.001, sell_rate: 0.001, ...(min_fee ? { min_fee } : {}) } },
      cost_sweep: sweep,
    })
    expect([ownRate(charged()), ownRate(charged(5))]).toEqual([1, -1])
  })
  it('the final value follows from the annual return', () => {
    expect(finalValue(0.21, 484)).toBeCloseTo(1.21 ** 2, 12)
    expect(finalValue(null, 484)).toBeNull()
  })
})

describe('money between two rows of the capacity curve', () => {
  const capacity = [
    { capital: 10, annual_return: 0.2, fill_rate: 1 },
    { capital: 1_000, annual_return: 0.1, fill_rate: 0.9 },
    { capital: 10_000, annual_return: 0, fill_rate: null },
  ]
  it.each([
    { wan: 10, annual: 0.2, unfilled: 0 },
    { wan: 100, annual: 0.15, unfilled: 0.05 },
    { wan: 1_000, annual: 0.1, unfilled: 0.1 },
    { wan: 5, annual: 0.2, unfilled: 0 },
    { wan: 20_000, annual: 0, unfilled: null },
  ])('$wan 万元', ({ wan, annual, unfilled }) => {
    const told = capacityAt(capacity, wan)
    expect(told.annual).toBeCloseTo(annual, 9)
    if (unfilled === null) expect(told.unfilled).toBeNull()
    else expect(told.unfilled).toBeCloseTo(unfilled, 9)
  })
  const told = (capital: number, rows: typeof capacity, execution: 'ideal' | 'realistic' = 'realistic') =>
    capacitySentence({ settings: { ...settings, capital, execution }, capacity: rows })
  it('is judged there, as the slider says', () => {
    expect(told(50, capacity)).toBe('你的 50 万元在容量之内；到 1000 万元时，想买的有 5% 以上买不到，名单已不是原策略。')
    expect(told(500, capacity)).toBe('你的 500 万元已经超过容量：想买的约有 8% 买不到。')
  })
  it('is not called ample where nothing was computed', () => {
    const filled = capacity.map((row) => ({ ...row, fill_rate: 1 }))
    expect(told(10_000, filled)).toBe('到 1 亿元为止，想买的都能买到 95% 以上；你的 1 亿元容量充足。')
    expect(told(20_000, filled)).toBe('到 1 亿元为止，想买的都能买到 95% 以上；你的 2 亿元超出了这个范围，没有算过。')
    expect(
      told(
        10,
        capacity.map((row) => ({ ...row, fill_rate: null })),
      ),
    ).toBe('没有要买的，没有容量可算。')
  })
  it('is told with the most that it took of a turnover', () => {
    const of = (peak_participation: number | null) =>
      capacitySentence({ settings: { ...settings, capital: 10, execution: 'realistic' }, capacity, peak_participation })
    expect(of(0.0043)).toMatch(/^单只单日最多占到当日成交额的 0.43%。你的 10 万元在容量之内/)
    expect(of(0.1)).toMatch(/^单只单日最多占到当日成交额的 10.0%。/)
    expect(of(null)).toMatch(/^你的 10 万元在容量之内/)
  })
  it('容量@90% is where nine tenths are still bought', () => {
    const rows = (...filled: (number | null)[]) => capacity.map((row, i) => ({ ...row, fill_rate: filled[i] ?? null }))
    expect(capacitySize(capacity)).toBe('1000 万元以上')
    expect(capacitySize(rows(1, 0.95, 0.85))).toBe('约 3200 万元')
    expect(capacitySize(rows(0.8, 0.7, 0.6))).toBe('不足 10 万元')
    expect(capacitySize(rows(null, null, null))).toBeNull()
  })
  it('the slider stops at round numbers, from the first row to the last', () => {
    const steps = capitalSteps(10, 10_000)
    expect([steps[0], steps.at(-1), steps.length]).toEqual([10, 10_000, 61])
    expect(steps).toContain(100)
  })
})

describe('the chart of capacity', () => {
  const look = new Proxy({}, { get: () => '#123456' }) as ChartTheme
  const names = ['50 万', '200 万', '1000 万', '5000 万']
  /** Left and right of the shading and of the bars, and where a name stands. */
  const drawn = (beyond: number) => {
    use([SVGRenderer])
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 480, height: 264 })
    const [annual, unfilled] = [
      [0.2, 0.18, 0.1, null],
      [0, 0.02, 0.3, 0.8],
    ]
    chart.setOption(capacityOption({ names, annual, unfilled, own: 0, beyond, watermark: null }, look, () => ''))
    const shapes = chart.getZr().storage.getDisplayList(true) as unknown as Drawn[]
    const xs = ({ shape }: Drawn) => (shape?.points ?? []).map(([x]) => x)
    const areas = shapes.filter(({ type }) => type === 'polygon').map((one) => [Math.min(...xs(one)), Math.max(...xs(one))])
    const at = (index: number) => chart.convertToPixel({ xAxisIndex: 0 }, index) as number
    const placeOf = (name: string) => shapes.find(({ style }) => style.text === name)?.transform?.[4]
    const told = { areas, places: names.map(placeOf), middles: names.map((_, index) => at(index)) }
    chart.dispose()
    return told
  }
  interface Drawn {
    type: string
    shape?: { points?: [number, number][] }
    style: { text?: string }
    transform?: number[]
  }
  // The canvas has 480 px less 52 on either side: 94 px for each amount.
  it.each([
    { beyond: 2, areas: [[240, 428]] },
    { beyond: 3, areas: [[334, 428]] },
    { beyond: 0, areas: [[52, 428]] },
    { beyond: -1, areas: [] },
  ])('shades whole places from $beyond on, that of the last amount too', ({ beyond, areas }) => expect(drawn(beyond).areas).toEqual(areas))

  it('names each amount under its place', () => {
    const { places, middles } = drawn(2)
    expect(middles).toEqual([99, 193, 287, 381])
    expect(places.map((place) => Math.round(place ?? 0))).toEqual(middles)
  })
})
