import { describe, expect, it } from 'vitest'
import { parameters, rankBy, settings } from '../../test/parameters.ts'
import { table } from '../../test/table.ts'
import { markets } from '../market/index.ts'
import type { BacktestOutcome } from './backtest.ts'
import { backtestGroup, type GroupRequest } from './group.ts'

// The cheap one doubles in January and halves in February, the dear one stands still.
const panel = table(`
              AAA   BBB
  2024-01-30  100   200
  2024-01-31  150   200
  2024-02-01  75    200
  2024-02-02  75    200
`)
const cheap = { name: '低价', weight: 0.5, parameters: parameters() }
const dear = { name: '高价', weight: 0.5, parameters: parameters({ rank_factors: [rankBy('close', { prefer: 'large' })] }) }
const free = { buy_rate: 0, sell_rate: 0 }

function run(over: Partial<GroupRequest> = {}): Extract<BacktestOutcome, { ok: true }> {
  const request = {
    members: [cheap, dear],
    rebalance: 'never',
    duplicate: 'merge',
    settings: settings('2024-01-30', '2024-02-02', { cost: free }),
    ...over,
  } as const
  const steps = backtestGroup(panel, markets.cb, request)
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return step.value
}

describe('a group', () => {
  it('that is never put back to its shares is the weighted sum', () => {
    const { report } = run()
    expect(report.curves.nav).toEqual([1, 1.25, 0.875, 0.875])
    expect(report.group?.members.map(({ nav }) => nav)).toEqual([
      [1, 1.5, 0.75, 0.75],
      [1, 1, 1, 1],
    ])
  })

  it('put back on the first day of a month goes on with half of what there was', () => {
    const { report, days } = run({ rebalance: 'monthly' })
    expect(report.curves.nav).toEqual([1, 1.25, 0.9375, 0.9375])
    // What each added sums to the return, in the group's own yuan.
    expect(report.contributions.map(({ code, share }) => [code, share])).toEqual([
      ['BBB', 0],
      ['AAA', -0.0625],
    ])
    expect(days.map(({ nav }) => nav)).toEqual(report.curves.nav)
    expect(days[2]?.positions.map(({ code, weight }) => [code, weight])).toEqual([
      ['BBB', 0.666667],
      ['AAA', 0.333333],
    ])
  })

  it('holds a security of several members once, or once for each', () => {
    const twice = [cheap, { ...cheap, name: '也低价' }]
    const positions = (duplicate: 'merge' | 'separate') => run({ members: twice, duplicate }).days[0]?.positions ?? []
    expect(positions('merge').map(({ code, weight, reason_text }) => [code, weight, reason_text.match(/【.*?】/g)])).toEqual([
      ['AAA', 1, ['【低价】', '【也低价】']],
    ])
    expect(positions('separate').map(({ code, weight }) => [code, weight])).toEqual([
      ['AAA', 0.5],
      ['AAA', 0.5],
    ])
    expect(run({ members: twice }).report.curves.hold_count[0]).toBe(1)
  })

  it('names the member that cannot be run', () => {
    const request = { members: [cheap, { ...dear, parameters: parameters({ rank_factors: [rankBy('ytm')] }) }] }
    expect(() => run(request)).toThrow(/「高价」/)
  })
})
