import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { metricWords } from './metric-labels.ts'
import { metricGroups } from './metric-rows.ts'
import { workedOut } from './metric-worked.ts'
import { withoutThem } from './what-if/what-if.ts'

const made = madeReport({ days: 500 })
const report = { ...made, metrics: { ...made.metrics, ...withoutThem(made, [], []).metrics } }

/** The left side of 「a ÷ b × √242 = c」, computed. */
function computed(text: string): number {
  const [left = ''] = text.split('=')
  const plain = left
    .replace(/（.*?）/g, '')
    .replace(/([\d.]+)%/g, '($1/100)')
    .replace(/√242/g, '15.5563491861')
    .replaceAll('÷', '/')
    .replaceAll('×', '*')
    .replaceAll('−', '-')
    .replaceAll('^', '**')
  const numbers = plain.trim()
  expect(numbers).toMatch(/^[\d\s.+\-*/()]+$/)
  return new Function(`return ${numbers}`)() as number
}

describe('formulas with their numbers put in come out at what is shown', () => {
  it.each([
    'total_return',
    'annual_return',
    'max_drawdown',
    'volatility',
    'sharpe',
    'sortino',
    'calmar',
    'win_rate',
    'recent_1y',
    'excess_annual',
  ] as const)('%s', (key) => {
    const { numbers } = workedOut(report, key)
    expect(computed(numbers as string)).toBeCloseTo(report.metrics[key] as number, 2)
  })
  it('of what cannot be computed nothing is written', () => {
    const short = { ...report, metrics: { ...report.metrics, sharpe: null, annual_return: null } }
    expect(workedOut(short, 'sharpe').numbers).toBeNull()
    expect(workedOut(short, 'annual_return')).toEqual({ numbers: null, money: null })
  })
  it.each(['worst_day', 'var95'] as const)('where %s is no loss, none is told', (key) =>
    expect(workedOut({ ...report, metrics: { ...report.metrics, [key]: 0.001 } }, key).money).toBeNull(),
  )
  it('a run that lost all fell from its highest', () => {
    const curves = { ...report.curves, nav: report.curves.nav.map((value, i) => (i < 200 ? value : 0)) }
    const fallen = { max_drawdown: -1, max_drawdown_start: report.curves.dates[100]!, max_drawdown_end: report.curves.dates[200]! }
    const numbers = workedOut({ ...report, curves, metrics: { ...report.metrics, ...fallen } }, 'max_drawdown').numbers
    expect(computed(numbers as string)).toBe(-1)
  })
  it('of a run that bought nothing nothing is worked out', () =>
    expect(workedOut({ ...report, trades_total: 0, contributions: [] }, 'win_rate')).toEqual({ numbers: null, money: null }))
  it('a fall is told in money', () =>
    expect(workedOut({ ...report, metrics: { ...report.metrics, max_drawdown: -0.183 } }, 'max_drawdown').money).toBe(
      '投入 10 万元买在最高点，最低时账面 8.17 万元。',
    ))
})

it('every metric that is shown is explained', () => {
  for (const { keys } of metricGroups) for (const key of keys) expect(metricWords[key].meaning.length, key).toBeGreaterThan(6)
})
