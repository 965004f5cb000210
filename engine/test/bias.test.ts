import type { Kind, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets, screen } from '../src/index.ts'
import type { Panel } from '../src/panel/panel.ts'
import { parameters, rankBy, settings } from './parameters.ts'
import { randomMarket, seeded } from './random-market.ts'
import { reportOf } from './run.ts'
import { table } from './table.ts'

const rule = (kind: Kind) =>
  parameters({
    exclude: { list_days: 3, st: true },
    rank_factors:
      kind === 'cb' ? [rankBy('dblow'), rankBy('pct_chg_5')] : [rankBy('pct_chg_5'), rankBy('total_mv'), rankBy('volatility_10')],
    hold_method: { hold_range_end: 5, hold_threshold: 2 },
    rebalance_method: { rebalance_type: 0, rebalance_value: 3 },
  })
const over = (kind: Kind, panel: Panel, execution: Settings['execution']): Settings =>
  settings(panel.dates[25] as string, panel.dates[79] as string, {
    benchmark: `${kind}_ew`,
    execution,
    capital: 20,
    adjust: 'raw',
    cost: { buy_rate: 0.001, sell_rate: 0.001 },
  })

/** The panel as it was known at the close of day `last`: later cells are something else, or are not there. */
function futureScrambled(panel: Panel, last: number, seed: number): Panel {
  const next = seeded(seed)
  const from = (last + 1) * panel.stride
  const columns = new Map(
    [...panel.columns].map(([key, column]) => [key, column.map((value, at) => (at < from ? value : value * (0.5 + next())))]),
  )
  return { ...panel, columns, traded: panel.traded.map((value, at) => (at < from ? value : next() < 0.5 ? 1 : 0)) }
}

function futureCut(panel: Panel, last: number): Panel {
  const cells = (last + 1) * panel.stride
  return {
    ...panel,
    dates: panel.dates.slice(0, last + 1),
    columns: new Map([...panel.columns].map(([key, column]) => [key, column.slice(0, cells)])),
    listed: panel.listed.slice(0, cells),
    traded: panel.traded.slice(0, cells),
    benchmarks: new Map([...panel.benchmarks].map(([code, series]) => [code, series.slice(0, last + 1)])),
    // What ends later is not known to end.
    securities: panel.securities.map((security) =>
      security.lastDay !== null && security.lastDay > (panel.dates[last] as string)
        ? { ...security, lastDay: null, lastDayKnown: null, delisted: null }
        : security,
    ),
  }
}

describe.each(['cb', 'stk'] as const)('no look-ahead, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 5, days: 90, securities: 40 })
  const request = (execution: Settings['execution']) => ({ parameters: rule(kind), settings: over(kind, panel, execution) })

  it.each(['ideal', 'realistic'] as const)('changing what comes later changes nothing before it, %s', (execution) => {
    const full = reportOf(panel, markets[kind], request(execution))
    for (const last of [40, 55, 70]) {
      const other = reportOf(futureScrambled(panel, last, last), markets[kind], request(execution))
      const days = last - 25 + 1
      expect(other.report.curves.nav.slice(0, days)).toEqual(full.report.curves.nav.slice(0, days))
      expect(other.days.slice(0, days)).toEqual(full.days.slice(0, days))
      expect(other.report.curves.nav[days + 5]).not.toEqual(full.report.curves.nav[days + 5])
    }
  })

  it('a realistic run that ends on a day is the same whether or not the data go on', () => {
    const last = 60
    const short = { parameters: rule(kind), settings: { ...over(kind, panel, 'realistic'), end_date: panel.dates[last] as string } }
    const withFuture = reportOf(panel, markets[kind], short)
    const without = reportOf(futureCut(panel, last), markets[kind], short)
    expect(without.report.curves).toEqual(withFuture.report.curves)
    expect(without.report.trades.map(({ reason_text: _, ...row }) => row)).toEqual(
      withFuture.report.trades.map(({ reason_text: _, ...row }) => row),
    )
  })

  it('a screen of a day is what a backtest that begins that day buys', () => {
    const day = 30
    const outcome = screen(panel, markets[kind], { parameters: rule(kind), day })
    const run = reportOf(panel, markets[kind], {
      parameters: rule(kind),
      settings: { ...over(kind, panel, 'ideal'), start_date: panel.dates[day] as string, call_handling: 'last_day_close', capital: 1 },
    })
    const chosen = outcome.ok ? outcome.result.list_items.filter((row) => row.selected).map((row) => row.code) : []
    expect(run.days[0]?.bought.map((row) => row.code).sort()).toEqual(chosen.sort())
    const scores = outcome.ok
      ? outcome.result.list_items.filter((row) => row.selected).map((row) => [row.code, Math.round((row.score as number) * 1e6) / 1e6])
      : []
    expect(run.days[0]?.positions.map((row) => [row.code, row.score])).toEqual(scores)
  })
})

describe('survivors are not preferred', () => {
  const panel = table(
    `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  90   110
    2024-01-04  80   110
    2024-01-05  .    110
  `,
    { securities: { AAA: { lastDay: '2024-01-04' } } },
  )
  it('what was delisted later is bought while it was the best, with its loss', () => {
    const { report } = reportOf(panel, markets.cb, {
      parameters: parameters(),
      settings: settings('2024-01-02', '2024-01-05'),
    })
    expect(report.trades.slice(0, 2).map(({ date, side, code }) => `${date} ${side} ${code}`)).toEqual([
      '2024-01-02 buy AAA',
      '2024-01-04 sell AAA',
    ])
    expect(report.curves.nav[2]).toBeCloseTo(0.8, 12)
    expect(report.assumptions.find(({ key }) => key === 'universe')?.text).toContain('退出交易的证券 1 只')
  })
})

describe('a new listing', () => {
  it('does not put its first day into the benchmark, nor into a factor that looks back', () => {
    const panel = table(`
                AAA  BBB
    2024-01-02  100  .
    2024-01-03  100  50
    2024-01-04  100  60
  `)
    expect([...(panel.benchmarks.get('cb_ew') as Float64Array)]).toEqual([1000, 1000, 1100])
    const outcome = screen(panel, markets.cb, { parameters: parameters({ rank_factors: [rankBy('pct_chg_1')] }), day: 1 })
    expect(outcome.ok && outcome.result.list_items.map(({ code }) => code)).toEqual(['AAA'])
  })
})
