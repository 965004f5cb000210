import type { Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const panel = table(`
              AAA    BBB
  2024-01-02  104.5  200
  2024-01-03  105    199
  2024-01-04  103    198
`)
const run = (wanted = parameters(), over: Partial<Settings> = {}) =>
  reportOf(panel, markets.cb, { parameters: wanted, settings: settings('2024-01-02', '2024-01-04', over) }).report

describe('a run with too little money', () => {
  it.each(['ideal', 'realistic'] as const)('%s: fees beyond the proceeds leave cash at nothing, never below', (execution) => {
    const market = randomMarket('cb', { seed: 5, days: 110, securities: 36, from: '2022-05-16' })
    const { report, days } = reportOf(market, markets.cb, {
      parameters: parameters({ hold_method: { hold_range_end: 8 } }),
      settings: settings(market.dates[62] as string, market.dates[104] as string, {
        execution,
        capital: 0.1,
        cost: { buy_rate: 0.02, sell_rate: 0.02, min_fee: 100 },
      }),
    })
    expect(Math.min(...report.curves.nav.map((value) => value ?? Number.NaN))).toBeGreaterThanOrEqual(0)
    expect(Math.min(...days.map(({ cash }) => cash))).toBeGreaterThanOrEqual(-1e-6)
    expect(report.metrics.total_return).toBeGreaterThanOrEqual(-1)
  })

  it('says that no lot could be bought', () => {
    const report = run(parameters(), { execution: 'realistic', capital: 0.1 })
    expect([report.trades_total, report.warnings]).toEqual([
      0,
      expect.arrayContaining(['没有一笔成交（资金不足以买入一手，或选出的标的都无法买入），全程空仓']),
    ])
  })
})

describe('a run with nothing to choose from', () => {
  it('says that the pool was empty', () => {
    const report = run(parameters({ universe: { include_codes: ['999999.DM'] } }))
    expect(report.warnings).toContain('每个轮动日都没有可选的标的（全部被剔除或缺少打分因子），全程空仓')
  })

  it('a run with trades says nothing of the kind', () => {
    expect(run(parameters({ rank_factors: [rankBy('close')] })).warnings.filter((text) => text.includes('全程空仓'))).toEqual([])
  })
})
