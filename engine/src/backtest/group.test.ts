import { describe, expect, it } from 'vitest'
import { parameters, rankBy, settings } from '../../test/fixtures/parameters.ts'
import { randomMarket } from '../../test/fixtures/random-market.ts'
import { table } from '../../test/fixtures/table.ts'
import { markets } from '../market/index.ts'
import type { GroupRequest } from '../simulation/request.ts'
import { type BacktestOutcome, backtest } from './backtest.ts'
import { backtestGroup } from './group.ts'

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

interface Ran extends Extract<BacktestOutcome, { ok: true }> {
  /** Net values told on the way. */
  readonly told: { readonly dates: string[]; readonly nav: number[]; readonly percents: number[] }
}

function run(over: Partial<GroupRequest> = {}, of = panel): Ran {
  const request = {
    members: [cheap, dear],
    rebalance: 'never',
    duplicate: 'merge',
    settings: settings('2024-01-30', '2024-02-02', { cost: free }),
    ...over,
  } as const
  const steps = backtestGroup(of, markets.cb, request)
  const told: Ran['told'] = { dates: [], nav: [], percents: [] }
  let step = steps.next()
  while (!step.done) {
    if ('percent' in step.value) {
      told.percents.push(step.value.percent)
      told.dates.push(...step.value.curve.dates)
      told.nav.push(...step.value.curve.nav)
    }
    step = steps.next()
  }
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return { ...step.value, told }
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

  it('held a security as many days as any of its members did', () => {
    // The cheap security becomes the dear one, so the first member sells it and the second buys it.
    const turned = table(`
                  AAA  BBB
      2024-01-30  100  200
      2024-01-31  100  200
      2024-02-01  300  200
      2024-02-02  300  200
    `)
    const days = (members: GroupRequest['members']) =>
      run({ members }, turned)
        .report.contributions.map(({ code, days }) => [code, days])
        .sort()
    expect(days([cheap, dear])).toEqual([
      ['AAA', 4],
      ['BBB', 4],
    ])
    expect(days([cheap, { ...cheap, name: '也低价' }])).toEqual([
      ['AAA', 2],
      ['BBB', 2],
    ])
  })

  it('tells the assumptions of all members, and who ended', () => {
    const ends = table(`
                  AAA   BBB  CCC
      2024-01-30  100   200  300
      2024-01-31  150   200  300
      2024-02-01  75    200  .
      2024-02-02  75    200  .
    `)
    const stopped = {
      ...dear,
      parameters: parameters({ stop_method: { stop_type: 4, take_profit: 0.5, stop_loss: 0.05 }, hold_method: { hold_max_weight: 0.2 } }),
    }
    const text = (wanted: string) => run({ members: [cheap, stopped] }, ends).report.assumptions.find(({ key }) => key === wanted)?.text
    expect(text('universe')).toContain('已退出交易的证券 1 只')
    expect(run().report.assumptions.find(({ key }) => key === 'universe')?.text).toContain(
      '没有退出交易的证券；数据如果只含至今存续的证券，结果会偏高',
    )
    expect(text('stop')).toMatch(/^【高价】收盘价/)
    const amounts = new Map([...panel.columns, ['amount', new Float64Array(panel.listed.length).fill(1_000)]])
    const execution = (of: typeof panel) =>
      run({ settings: settings('2024-01-30', '2024-02-02', { execution: 'realistic', adjust: 'raw' }) }, of).report.assumptions.find(
        ({ key }) => key === 'execution',
      )?.text
    expect(execution({ ...panel, columns: amounts })).toContain('当日成交额的 10%（各成员分别计）')
    expect(execution(panel)).toContain('没有成交额，不限制单笔成交占比')
    expect(text('cash')).toContain('；【高价】单只最多占 20%')
  })

  it('holds as long as its members held what they closed, whoever traded more', () => {
    // One buys and sells every day, the other closes once.
    const prices = table(`
                  AAA  BBB  CCC
      2024-01-30  100  101  200
      2024-01-31  101  100  200
      2024-02-01  100  101  200
      2024-02-02  101  100  90
    `)
    const patient = { ...cheap, parameters: parameters({ hold_days: 3, rank_factors: [rankBy('close', { prefer: 'large' })] }) }
    const members = [cheap, patient]
    const { report } = run({ members, settings: settings('2024-01-30', '2024-02-02', { cost: free }) }, prices)
    const closed = report.trades.filter(({ side }) => side === 'sell').map(({ days_held }) => days_held ?? Number.NaN)
    expect(closed.sort()).toEqual([1, 1, 1, 3])
    expect(report.metrics.avg_holding_days).toBe(1.5)
  })

  it('tells its own curve as it grows', () => {
    for (const rebalance of ['never', 'monthly'] as const) {
      const { report, told } = run({ rebalance })
      expect(told).toEqual({ dates: report.curves.dates, nav: report.curves.nav, percents: [25, 50, 75, 100] })
    }
  })

  it('at other costs and with more money is its members at other costs and with more money', () => {
    const market = randomMarket('cb', { seed: 5, days: 120, securities: 30 })
    const range = settings(market.dates[5]!, market.dates[110]!, { execution: 'realistic', capital: 20 })
    const members = [cheap, dear].map((member) => ({ ...member, weight: 0.5 }))
    const same = run({ members: [members[0]!, { ...members[0]!, name: '同一个' }], settings: range }, market)
    const alone = finish(backtest(market, markets.cb, { parameters: cheap.parameters, settings: { ...range, capital: 10 } }))
    // Two halves of one rule are that rule with half the money.
    const annual = (rows: readonly { annual_return: number | null }[]) => rows.map(({ annual_return }) => annual_return)
    expect(annual(same.report.cost_sweep).map(Number)).toEqual(
      annual(alone.report.cost_sweep).map((value) => expect.closeTo(Number(value), 9)),
    )
    const half = alone.report.capacity.find(({ capital }) => capital === 10)
    expect(same.report.capacity.find(({ capital }) => capital === 20)).toEqual({
      capital: 20,
      annual_return: expect.closeTo(half!.annual_return!, 9),
      sharpe: expect.closeTo(half!.sharpe!, 9),
      max_drawdown: expect.closeTo(half!.max_drawdown!, 9),
      fill_rate: half!.fill_rate,
    })
    const both = run({ members, settings: range }, market)
    expect(both.report.cost_sweep.map(({ rate }) => rate)).toEqual([0, 0.0005, 0.001, 0.002, 0.003, 0.005])
    const falling = annual(both.report.cost_sweep).map(Number)
    expect(falling).toEqual([...falling].sort((a, b) => b - a))
    expect(both.report.warnings.filter((text) => text.includes('成本敏感'))).toEqual([])
  })

  it('names the member that cannot be run', () => {
    const request = { members: [cheap, { ...dear, parameters: parameters({ rank_factors: [rankBy('ytm')] }) }] }
    expect(() => run(request)).toThrow(/「高价」/)
  })
})

function finish(steps: ReturnType<typeof backtest>): Extract<BacktestOutcome, { ok: true }> {
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return step.value
}
