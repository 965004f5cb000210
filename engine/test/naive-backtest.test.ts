import type { Kind, Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../src/index.ts'
import { naiveBacktest } from './naive-backtest.ts'
import { filterBy, parameters, rankBy, settings } from './parameters.ts'
import { randomMarket, seeded } from './random-market.ts'
import { reportOf } from './run.ts'

const factors = { cb: ['close', 'dblow', 'conv_prem', 'remain_size'], stk: ['close', 'formula: close/ref(close,5)-1', 'total_mv', 'pb'] }

/** A request from a seed, of everything that the naive one knows. */
function anyRequest(
  kind: Kind,
  execution: Settings['execution'],
  seed: number,
  dates: readonly string[],
): { parameters: Parameters; settings: Settings } {
  const next = seeded(seed * 977 + 13)
  const pick = <T>(...choices: T[]): T => choices[Math.floor(next() * choices.length)] as T
  const ranks = pick(1, 1, 2, 3)
  const names = [...factors[kind]].sort(() => next() - 0.5).slice(0, ranks)
  const first = pick(1, 1, 1, 3)
  const capital = pick(1, 10, 50)
  const bonds = kind === 'cb'
  return {
    parameters: parameters({
      universe: { markets: pick([], [], ['SZSE_MAIN', 'CHINEXT', 'STAR']), ...(pick(true, false) ? { max_per_issuer: 1 } : {}) },
      exclude: {
        suspended: pick(true, true, true, false),
        st: pick(true, false),
        list_days: pick(0, 3, 20),
        call_status: pick([], ['announced']),
      },
      filter_factors: pick([], [filterBy('close', 'gt', bonds ? 140 : 35)], [filterBy(factors[kind][3] as string, 'lt', 2.5, 'keep')]),
      rank_factors: names.map((name) =>
        rankBy(name, {
          prefer: pick('small', 'large'),
          weight: pick(1, 2, 0.5),
          missing_process: pick('exclude', 'exclude', 'market_median'),
        }),
      ),
      hold_method: {
        hold_range_start: first,
        hold_range_end: first + pick(1, 3, 6),
        hold_weight_type: pick(1, 1, 2),
        hold_threshold: pick(0, 0, 2, 5),
        empty_slot: pick('next', 'cash'),
      },
      rebalance_method: { rebalance_type: 0, rebalance_value: pick(1, 2, 5) },
      hold_days: pick(0, 0, 3),
    }),
    settings: settings(dates[8] as string, dates[dates.length - 3] as string, {
      benchmark: `${kind}_ew`,
      capital,
      execution,
      fill: pick('close', 'close', 'next_open', 'next_close', 'next_vwap'),
      cost: pick(
        { buy_rate: 0.001, sell_rate: 0.001, stamp_tax: 0, min_fee: 0 },
        { buy_rate: 0.00025, sell_rate: 0.00025, min_fee: 5, slippage: 0.001 },
        { buy_rate: 0, sell_rate: 0.002 },
      ),
      call_handling: pick('t_minus_1_close', 'last_day_close', 'hold_to_redemption'),
      delisting: pick('last_price', 'zero'),
      adjust: bonds ? 'raw' : pick('raw', 'qfq'),
    }),
  }
}

describe.each(['cb', 'stk'] as const)('the fast backtest and the obvious one agree on random markets, %s', (kind) => {
  it.each(['ideal', 'realistic'] as const)('%s', { timeout: 120_000 }, (execution) => {
    let trades = 0
    for (let seed = 1; seed <= 40; seed++) {
      const panel = randomMarket(kind, { seed, days: 70, securities: 28, from: seed % 2 === 0 ? '2022-06-20' : '2023-07-03' })
      const request = anyRequest(kind, execution, seed, panel.dates)
      const slow = naiveBacktest(panel, markets[kind], request.parameters, request.settings)
      const { report } = reportOf(panel, markets[kind], request)
      const off = slow.nav.map((value, day) => Math.abs(value - (report.curves.nav[day] as number)))
      const first = off.findIndex((each) => !(each < 1e-9))
      expect({ seed, first: first < 0 ? null : report.curves.dates[first], slow: slow.nav[first] }).toEqual({
        seed,
        first: null,
        slow: undefined,
      })
      expect(report.trades.map(({ date, side, code }) => `${date} ${side} ${code}`)).toEqual(
        slow.trades.map((line) => line.split(' ').slice(0, 3).join(' ')),
      )
      trades += slow.trades.length
    }
    // The requests must be worth comparing.
    expect(trades).toBeGreaterThan(1_000)
  })
})
