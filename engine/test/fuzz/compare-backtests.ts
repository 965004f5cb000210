import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { markets } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket, seeded } from '../fixtures/random-market.ts'
import { runToEnd } from '../fixtures/run.ts'
import { naiveBacktest } from '../oracles/naive-backtest.ts'

/** One random request, computed by both. */
export interface Comparison {
  readonly kind: MarketId
  readonly seed: number
  readonly days: number
  readonly trades: number
  /** What was in it: rules with their choice, to be counted. */
  readonly rules: readonly string[]
  /** By reason, of the fast one. */
  readonly reasons: ReadonlyMap<string, number>
  /** The first difference; null when they agree. */
  readonly wrong: string | null
}

const factors = { cb: ['close', 'dblow', 'conv_prem', 'remain_size'], stk: ['close', 'formula: close/ref(close,5)-1', 'total_mv', 'pb'] }

/** A request from a seed, of everything that the slow twin knows. */
export function anyRequest(kind: MarketId, seed: number, dates: readonly string[]): { parameters: Parameters; settings: Settings } {
  const next = seeded(seed * 977 + (kind === 'cb' ? 13 : 14))
  const pick = <T>(...choices: T[]): T => choices[Math.floor(next() * choices.length)] as T
  const bonds = kind === 'cb'
  const names = [...factors[kind]].sort(() => next() - 0.5).slice(0, pick(1, 1, 2, 3))
  const first = pick(1, 1, 1, 3)
  const weightType = pick(1, 1, 2, 3, 4, 5) as 1 | 2 | 3 | 4 | 5
  const fraction = next() < 0.2
  const filter = () =>
    pick(
      filterBy('close', 'gt', bonds ? 140 : 35),
      filterBy(factors[kind][3] as string, 'lt', 2.5, 'keep'),
      filterBy('close', 'between', bonds ? [95, 135] : [5, 30], 'keep'),
      filterBy('amount', 'lt_rank', 0.1),
      filterBy(factors[kind][1] as string, 'gt_rank', 0.8),
      filterBy('amount', 'is_null', 0),
      filterBy(bonds ? 'rating' : 'is_st', 'ne', bonds ? 2 : 1, 'keep'),
    )
  const timing = pick<Parameters['timing']>(
    undefined,
    undefined,
    [{ rule: 'ma_cross', value: pick(3, 10), exposure: pick(0, 0.5) }],
    [{ rule: 'threshold', factor_key: bonds ? 'dblow' : 'pb', value: bonds ? 145 : 2, exposure: pick(0, 0.3) }],
    [
      { rule: 'ma_cross', factor_key: 'close', value: 5, exposure: 0.6 },
      { rule: 'none', exposure: 0 },
    ],
  )
  return {
    parameters: parameters({
      universe: {
        markets: pick([], [], ['SZSE_MAIN', 'CHINEXT', 'STAR']),
        exclude_codes: pick([], ['900003.DM', '900010.DM']),
        ...(pick(true, false) ? { max_per_issuer: 1 } : {}),
      },
      exclude: {
        suspended: pick(true, true, true, false),
        st: pick(true, false),
        list_days: pick(0, 3, 20),
        call_status: pick([], ['announced']),
        ratings_below: pick(null, null, 'AA'),
        industries: pick([], [], ['银行']),
      },
      filter_factors: pick([], [filter()], [filter(), filter()]),
      rank_factors: names.map((name) =>
        rankBy(name, {
          prefer: pick('small', 'large'),
          weight: pick(1, 2, 0.5),
          missing_process: pick('exclude', 'exclude', 'forward_fill', 'market_mean', 'market_median', 'market_min', 'market_max', 'worst'),
          neutralization: pick(null, null, null, 'size', 'industry', bonds ? 'none' : 'size_industry'),
        }),
      ),
      rank_method: pick('rank', 'rank', 'percentile', 'zscore'),
      hold_method: {
        ...(fraction
          ? { hold_range_type: 2, hold_range_start: pick(0, 0.1), hold_range_end: pick(0.25, 0.4) }
          : { hold_range_type: 1, hold_range_start: first, hold_range_end: first + pick(1, 3, 6) }),
        hold_weight_type: weightType,
        ...(weightType === 4 ? { hold_weight_factor: pick('close', bonds ? 'conv_prem' : 'pb') } : {}),
        hold_max_weight: pick(1, 1, 0.3),
        hold_threshold: pick(0, 0, 2, 5),
        empty_slot: pick('next', 'cash'),
      },
      rebalance_method: pick(
        { rebalance_type: 0, rebalance_value: pick(1, 2, 5) },
        { rebalance_type: 1, rebalance_value: pick(1, 5, -1, -2) },
        { rebalance_type: 2, rebalance_value: pick(1, 3, -1, -20, 23) },
      ),
      stop_method: pick<Parameters['stop_method']>(
        { stop_type: 0 },
        { stop_type: 1, take_profit: 0.03, base: pick('prev_close', 'cost') },
        { stop_type: 2, stop_loss: 0.03, base: pick('prev_close', 'cost') },
        { stop_type: 3, take_profit: 0.02, stop_loss: 0.02, base: pick('prev_close', 'cost') },
        { stop_type: 4, take_profit: 0.03, stop_loss: 0.03, base: pick('prev_close', 'cost') },
        { stop_type: 5, activate: 0.03, drawdown: 0.02, base: pick('prev_close', 'cost') },
      ),
      hold_days: pick(0, 0, 3),
      ...(timing ? { timing } : {}),
    }),
    settings: settings(dates[weightType === 5 ? 62 : 8] as string, dates[dates.length - 3] as string, {
      benchmark: `${kind}_ew`,
      capital: pick(1, 10, 50),
      execution: pick('realistic', 'realistic', 'ideal'),
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

const told = new Set(['take_profit', 'stop_loss', 'trailing_stop', 'timing', 'delisted'])
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
/** Rows of a report have six decimals. */
const alike = (row: number, exact: number) => Math.abs(row - exact) <= 5.1e-7 + 1e-9 * Math.abs(exact)

/** Runs a request by the engine and by the slow twin, and compares net values day by day and trades one by one. */
export function compareBacktests(kind: MarketId, seed: number): Comparison {
  const panel = randomMarket(kind, { seed, days: 100, securities: 28, from: seed % 2 === 0 ? '2022-06-20' : '2023-07-03', terms: true })
  const request = anyRequest(kind, seed, panel.dates)
  const { parameters: wanted, settings: run } = request
  const rules = [
    `stop ${wanted.stop_method.stop_type}`,
    `weight ${wanted.hold_method.hold_weight_type}`,
    `rebalance ${wanted.rebalance_method.rebalance_type}`,
    `rank ${wanted.rank_method}`,
    `fill ${run.fill}`,
    run.execution,
    `call ${run.call_handling}`,
    `timing ${wanted.timing?.[0]?.rule ?? 'none'}`,
    ...wanted.rank_factors.map(({ neutralization }) => `neutral ${neutralization ?? 'none'}`),
  ]
  const { outcome } = runToEnd(panel, markets[kind], request)
  const common = { kind, seed, rules }
  if (!outcome.ok) return { ...common, days: 0, trades: 0, reasons: new Map(), wrong: outcome.problem.message }
  const { curves, trades } = outcome.report
  const slow = naiveBacktest(panel, markets[kind], wanted, run)
  const reasons = new Map<string, number>()
  for (const { reason } of trades) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return { ...common, days: slow.nav.length, trades: slow.trades.length, reasons, wrong: difference() }

  function difference(): string | null {
    for (let k = 0; k < Math.max(trades.length, slow.trades.length); k++) {
      const [one, other] = [trades[k], slow.trades[k]]
      const text = (each: typeof one | typeof other) =>
        each ? `${each.date} ${each.side} ${each.code} ${each.volume}@${each.price} ${each.reason} ${each.pnl}` : 'nothing'
      const same =
        one !== undefined &&
        other !== undefined &&
        one.date === other.date &&
        one.side === other.side &&
        one.code === other.code &&
        alike(one.volume, other.volume) &&
        alike(one.price, other.price) &&
        (other.pnl === null ? one.pnl === null : alike(one.pnl as number, other.pnl)) &&
        (other.reason === one.reason || (other.reason === null && !told.has(one.reason)))
      if (!same) return `trade ${k}: ${text(one)}, slow ${text(other)}`
    }
    const day = slow.nav.findIndex((value, at) => !near(value, curves.nav[at] as number))
    return day < 0 ? null : `${curves.dates[day]}: ${curves.nav[day]}, slow ${slow.nav[day]}`
  }
}
