import { metricsOf } from '@convexa/engine/report'
import { describe, expect, it } from 'vitest'
import { madeReport, weekdays } from '../../../../test/made-report.ts'
import { merged, mostProfitable, returnsWithout, stretchFigures, withoutThem } from './what-if.ts'

const report = madeReport({ days: 300 })
const { dates, nav, bench } = report.curves
const day = (index: number) => dates[index] ?? ''

describe('a report without some of its days', () => {
  it('nothing left out is the report itself, to the last digits', () => {
    const { metrics } = withoutThem(report, [], [])
    const own = metricsOf({
      dates,
      nav: Float64Array.from(nav, (value) => value ?? 1),
      bench: Float64Array.from(bench, (value) => value ?? 1),
      monthWinRate: null,
      run: null,
    })
    for (const key of ['annual_return', 'sharpe', 'max_drawdown', 'volatility', 'excess_annual', 'beta'] as const)
      expect(metrics[key]).toBeCloseTo(own[key] as number, 10)
  })

  it('days are taken out, not put to zero: their return is gone and so is their time', () => {
    const out = withoutThem(report, [{ from: day(100), to: day(119) }], [])
    expect(out.dates).toHaveLength(280)
    const kept = (nav[99] as number) * ((nav[299] as number) / (nav[119] as number))
    expect(out.nav.at(-1)).toBeCloseTo(kept, 10)
    expect(out.metrics.annual_return).toBeCloseTo(kept ** (242 / 280) - 1, 10)
    expect(out.bench.total_return).toBeCloseTo(((bench[99] as number) * (bench[299] as number)) / (bench[119] as number) - 1, 10)
  })

  it('of less than twenty days nothing is annualised', () => {
    expect(withoutThem(report, [{ from: day(10), to: day(299) }], []).metrics.annual_return).toBeNull()
  })
})

describe('a report without what its best securities earned', () => {
  const small = {
    ...report,
    curves: { ...report.curves, dates: weekdays('2024-01-01', 3), nav: [1.02, 1.05, 1.01], bench: [1, 1, 1] },
    daily_contribution: {
      codes: ['A', 'B', ''],
      days: [
        { date: '2024-01-01', code_index: [0, 1], value: [0.015, 0.005] },
        { date: '2024-01-02', code_index: [0, 2], value: [0.02, 0.01] },
        { date: '2024-01-03', code_index: [1], value: [-0.04] },
      ],
    },
    contributions: [
      { code: 'B', name: 'B', pnl: -3_500, share: -0.035, days: 3, trades: 2 },
      { code: 'A', name: 'A', pnl: 3_500, share: 0.035, days: 2, trades: 2 },
    ],
  }
  it('their places stay empty: a gain counts against the value of the day before', () => {
    const [first, second, third] = returnsWithout(small, ['A'])
    expect(first).toBeCloseTo(0.005, 12)
    expect(second).toBeCloseTo((1.05 - 0.02) / 1.02 - 1, 12)
    expect(third).toBeCloseTo(1.01 / 1.05 - 1, 12)
  })
  it('a run that lost all is told as it was', () => {
    const ruined = { ...small, curves: { ...small.curves, nav: [1, 0, 0] }, daily_contribution: { codes: [], days: [] } }
    expect(returnsWithout(ruined, [])).toEqual([0, -1, 0])
    expect(withoutThem(ruined, [], []).metrics).toMatchObject({ total_return: -1, max_drawdown: -1 })
  })
  it('those that lost are never among the best', () => expect(mostProfitable(small, 5)).toEqual(['A']))
})

describe('stretches', () => {
  it.each([
    [
      'apart',
      [
        ['01', '02'],
        ['05', '06'],
      ],
      [
        ['01', '02'],
        ['05', '06'],
      ],
    ],
    [
      'one inside another',
      [
        ['01', '09'],
        ['03', '04'],
      ],
      [['01', '09']],
    ],
    [
      'out of order and touching',
      [
        ['04', '06'],
        ['01', '04'],
      ],
      [['01', '06']],
    ],
  ])('%s', (_, given, wanted) => {
    const of = (pairs: string[][]) => pairs.map(([from = '', to = '']) => ({ from, to }))
    expect(merged(of(given))).toEqual(of(wanted))
  })
  it('says what happened in it, from the close before', () => {
    const figures = stretchFigures(report, { from: day(50), to: day(60) })
    expect(figures).toMatchObject({ days: 11, from: day(50), to: day(60) })
    expect(figures?.own).toBeCloseTo((nav[60] as number) / (nav[49] as number) - 1, 12)
  })
  it('outside of the report is nothing', () => expect(stretchFigures(report, { from: '1999-01-01', to: '1999-02-01' })).toBeNull())
})
