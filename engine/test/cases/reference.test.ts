import { readdirSync, readFileSync } from 'node:fs'
import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { crossSection, markets } from '../../src/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { referencesOf } from '../../src/report/robustness/judged.ts'
import { worthOf } from '../../src/report/robustness/worth.ts'
import { referencePanel, shared, sharedIsThere } from '../fixtures/reference-market.ts'
import { reportOf } from '../fixtures/run.ts'

interface Case {
  case: string
  kind: MarketId
  parameters: Parameters
  settings: Settings
  expected: { days: number; total_return: number; annual_return: number; max_drawdown: number; sharpe: number; turnover: number }
  dates: string[]
  nav: number[]
}

// The folder may not be part of the project: without it these tests are skipped.
const why = sharedIsThere ? '' : ' (skipped: ../shared is not beside the repository)'
describe.skipIf(!sharedIsThere)(`reference backtests on real data${why}`, () => {
  const panels = new Map<MarketId, Promise<Panel>>()
  const names = sharedIsThere ? readdirSync(`${shared}/reference`).filter((name) => name.endsWith('.json')) : []

  it.each(names)('%s: every net value to 1e-9, every metric to its digits', async (name) => {
    const { kind, parameters, settings, expected, dates, nav }: Case = JSON.parse(readFileSync(`${shared}/reference/${name}`, 'utf8'))
    if (!panels.has(kind)) panels.set(kind, referencePanel(kind))
    const { report, days, told } = reportOf((await panels.get(kind)) as Panel, markets[kind], { parameters, settings })

    expect(report.curves.dates).toEqual(dates)
    const off = nav.map((value, day) => Math.abs(value - (report.curves.nav[day] as number)))
    expect(Math.max(...off)).toBeLessThan(1e-9)
    expect(days.map((day) => day.nav)).toEqual(report.curves.nav)

    const { metrics } = report
    expect(metrics.days).toBe(expected.days)
    for (const key of ['total_return', 'annual_return', 'max_drawdown', 'sharpe', 'turnover'] as const) {
      const digits = String(expected[key]).split('.')[1]?.length ?? 0
      expect([key, Number((metrics[key] as number).toFixed(digits))]).toEqual([key, expected[key]])
    }
    // Against the benchmark alone: the report tells the reference that was harder to beat.
    const against = worthOf(Float64Array.from(report.curves.nav as number[]), referencesOf(report).slice(0, 1))
    expect(Math.abs((against?.excess_annual as number) - (metrics.excess_annual as number))).toBeLessThan(1e-12)
    const sum = report.contributions.reduce((total, { share }) => total + share, 0)
    expect(sum).toBeCloseTo(metrics.total_return as number, 9)
    expect(told.flatMap((each) => ('curve' in each ? each.curve.dates : []))).toEqual(dates)
  })

  it('theory_conv_prem on 2023-01-20: A 5.10, b −0.0296, not flattened by a few conversion values of hundreds', async () => {
    if (!panels.has('cb')) panels.set('cb', referencePanel('cb'))
    const panel = (await panels.get('cb')) as Panel
    const premium = panel.columns.get('conv_prem') as Float64Array
    const value = (panel.columns.get('close') as Float64Array).map((close, at) => close / (1 + (premium[at] as number)))
    // The announcements in hand end before that day: none counts as called.
    const columns = new Map([...panel.columns, ['conv_value', value] as const, ['call_status', value.map(() => 0)] as const])
    const section = crossSection({ ...panel, columns }, markets.cb, ['conv_value', 'theory_conv_prem'], panel.dates.indexOf('2023-01-20'))
    if (!section.ok) throw new Error(section.problem.message)
    const [values, told] = section.values as number[][] as [number[], number[]]
    const [low, high] = [Math.min(...values), Math.max(...values)].map((each) => values.indexOf(each)) as [number, number]
    expect(values[high]).toBeGreaterThan(300)
    const b = Math.log((told[high] as number) / (told[low] as number)) / ((values[high] as number) - (values[low] as number))
    expect((told[low] as number) / Math.exp(b * (values[low] as number))).toBeCloseTo(5.1, 2)
    expect(b).toBeCloseTo(-0.0296, 4)
  })
})
