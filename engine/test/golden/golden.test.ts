import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'

interface Golden {
  name: string
  kind: MarketId
  parameters: Parameters
  settings: Partial<Settings>
}

const cases: Golden[] = [
  {
    name: 'cb-double-low-ideal',
    kind: 'cb',
    parameters: parameters({
      rank_factors: [rankBy('dblow')],
      hold_method: { hold_range_end: 5, hold_threshold: 3, empty_slot: 'cash' },
      rebalance_method: { rebalance_type: 0, rebalance_value: 5 },
    }),
    settings: { execution: 'ideal', adjust: 'raw', cost: { buy_rate: 0.001, sell_rate: 0.001 } },
  },
  {
    name: 'cb-weekly-realistic',
    kind: 'cb',
    parameters: parameters({
      universe: { max_per_issuer: 1 },
      exclude: { call_status: ['announced', 'executing', 'maturity'], st: true, list_days: 3, ratings_below: 'AA-' },
      filter_factors: [filterBy('close', 'gt', 150), filterBy('amount', 'lt_rank', 0.03)],
      rank_factors: [rankBy('dblow', { weight: 2 }), rankBy('bias_5', { missing_process: 'market_median' })],
      hold_method: { hold_range_end: 6, hold_weight_type: 2, hold_max_weight: 0.25, hold_threshold: 2 },
      rebalance_method: { rebalance_type: 1, rebalance_value: -1 },
    }),
    settings: {
      execution: 'realistic',
      adjust: 'raw',
      fill: 'next_open',
      call_handling: 't_minus_1_close',
      cost: { buy_rate: 0.001, sell_rate: 0.001 },
      oos_start: '2022-09-01',
    },
  },
  {
    name: 'stk-small-realistic',
    kind: 'stk',
    parameters: parameters({
      exclude: { st: true, list_days: 60 },
      rank_factors: [rankBy('total_mv'), rankBy('pct_chg_5', { weight: 0.5 }), rankBy('pb', { missing_process: 'worst', prefer: 'large' })],
      hold_method: { hold_range_end: 5, hold_threshold: 2 },
      rebalance_method: { rebalance_type: 0, rebalance_value: 3 },
      hold_days: 4,
    }),
    settings: { execution: 'realistic', adjust: 'raw', cost: { buy_rate: 0.00025, sell_rate: 0.00025, min_fee: 5, slippage: 0.001 } },
  },
  {
    name: 'stk-zscore-ideal',
    kind: 'stk',
    parameters: parameters({
      rank_method: 'zscore',
      rank_factors: [rankBy('ln_mv'), rankBy('volatility_10')],
      hold_method: { hold_range_type: 2, hold_range_start: 0, hold_range_end: 0.2, hold_weight_type: 5 },
      rebalance_method: { rebalance_type: 2, rebalance_value: 1 },
    }),
    settings: { execution: 'ideal', adjust: 'raw', cost: { buy_rate: 0.0005, sell_rate: 0.0015 } },
  },
]

/** Members one a line, rows of lists one a line: so that a change is a readable diff. */
function lines(value: Record<string, unknown>): string {
  const members = Object.entries(value).map(([key, member]) => {
    const rows = Array.isArray(member) && member.some((each) => typeof each === 'object')
    const text = rows ? `[\n${member.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n ]` : JSON.stringify(member)
    return ` ${JSON.stringify(key)}: ${text}`
  })
  return `{\n${members.join(',\n')}\n}\n`
}

describe('whole backtests on a seeded market', () => {
  it.each(cases)('$name', ({ name, kind, parameters: wanted, settings: over }) => {
    const panel = randomMarket(kind, { seed: kind === 'cb' ? 77 : 78, days: 110, securities: 36, from: '2022-05-16' })
    const run = settings(panel.dates[62] as string, panel.dates[104] as string, { benchmark: `${kind}_ew`, capital: 20, ...over })
    const { report, days } = reportOf(panel, markets[kind], { parameters: wanted, settings: run })
    const { metric_meta: _, engine_version: __, ...told } = report
    const text = lines({ ...told, days: days.slice(-6) })

    const path = new URL(`${name}.json`, import.meta.url)
    const changed = new URL(`${name}.changed.json`, import.meta.url)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) {
      rmSync(changed, { force: true })
      return
    }
    // Look at the difference; when it is meant, the changed file becomes the golden one.
    writeFileSync(changed, text)
    expect.fail(`golden/${name}.json is not what the engine answers now: see golden/${name}.changed.json`)
  })
})
