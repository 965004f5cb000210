import { expect, it } from 'vitest'
import { backtestGroup } from '../../src/backtest/group.ts'
import { quickBacktest } from '../../src/backtest/quick.ts'
import { markets } from '../../src/index.ts'
import { glance } from '../../src/report/glance.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

// The one share that the rule holds is delisted, and counts for nothing.
const panel = table(
  `
              AAA  BBB
  2024-01-29  10   20
  2024-01-30  10   20
  2024-01-31  .    20
  2024-02-01  .    20
  2024-02-02  .    22
`,
  { kind: 'stk' },
)
const rule = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 250 } })
const other = parameters({ ...rule, rank_factors: [rankBy('close', { prefer: 'large' })] })
const range = settings('2024-01-29', '2024-02-02', { benchmark: 'stk_ew', delisting: 'zero' })

/** Paths of numbers that are none. */
function holes(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => holes(inner, `${path}.${key}`))
}

it('a run that loses everything is told to its end', () => {
  const { report, days } = reportOf(panel, markets.stk, { parameters: rule, settings: range })
  expect(report.curves.nav).toEqual([1, 1, 0, 0, 0])
  expect([report.metrics.total_return, report.metrics.max_drawdown, report.metrics.worst_day]).toEqual([-1, -1, -1])
  expect(report.monthly.map(({ nav_return }) => nav_return)).toEqual([-1, 0])
  expect([holes(report), holes(days)]).toEqual([[], []])
})

it('a quick run and a glance of it too', () => {
  const quick = quickBacktest(panel, markets.stk, { parameters: rule, settings: range })
  expect(quick).toMatchObject({ ok: true, result: { metrics: { total_return: -1, win_rate: 0 } } })
  expect(holes(quick)).toEqual([])
  const told = glance(panel, markets.stk, { parameters: rule, settings: range, since: '2024-01-30' })
  expect(told).toMatchObject({ ok: true, glance: { ret_1d: null } })
  expect(holes(told)).toEqual([])
})

it('of a group that is put back every month, the others go on with what is left', () => {
  const members = [
    { name: '退市', weight: 0.4, parameters: rule },
    { name: '还在', weight: 0.6, parameters: other },
  ]
  const steps = backtestGroup(panel, markets.stk, { members, rebalance: 'monthly', duplicate: 'merge', settings: range })
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  const { report } = step.value
  expect(report.curves.nav).toEqual([1, 1, 0.6, 0.6, expect.closeTo(0.66, 12)])
  expect(holes(report)).toEqual([])
})
