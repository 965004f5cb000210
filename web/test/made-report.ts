import { metricLabel } from '@convexa/contract/enums/metric'
import { metricFormulas } from '@convexa/contract/enums/metric-formula'
import type { Metrics, PeriodRow } from '@convexa/contract/metrics'
import type { Report, TradeRow } from '@convexa/contract/report'
import { underwater } from '../src/features/report/series.ts'

// A whole report made from a seed, for the tests: every part fits every other, no number is real.

function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Weekdays from a date on. */
export function weekdays(from: string, count: number): string[] {
  const days: string[] = []
  for (let time = Date.parse(`${from}T00:00:00Z`); days.length < count; time += 86_400_000) {
    const day = new Date(time)
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10))
  }
  return days
}

function walk(random: () => number, count: number, drift: number, swing: number): number[] {
  let value = 1
  return Array.from({ length: count }, (_, i) => {
    const normal = random() + random() + random() + random() - 2
    if (i > 0) value *= 1 + drift + swing * normal
    return Number(value.toFixed(6))
  })
}

const emptyMetrics = (start: string, end: string, days: number): Metrics =>
  ({
    ...Object.fromEntries(
      'total_return annual_return max_drawdown recovery_days volatility downside_volatility sharpe sortino calmar win_rate profit_loss_ratio month_win_rate var95 cvar95 skew kurtosis ulcer_index longest_drawdown_days worst_day turnover turnover_annual avg_holdings avg_holding_days trades fees excess_annual excess_max_drawdown information_ratio tracking_error alpha beta correlation recent_1y'
        .split(' ')
        .map((key) => [key, null]),
    ),
    max_drawdown_start: null,
    max_drawdown_end: null,
    days,
    start_date: start,
    end_date: end,
  }) as Metrics

function metricsOf(dates: readonly string[], nav: readonly number[]): Metrics {
  const returns = nav.map((value, i) => (i === 0 ? 0 : value / (nav[i - 1] ?? 1) - 1))
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const spread = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1))
  const water = underwater(nav) as number[]
  const total = (nav.at(-1) ?? 1) - 1
  const annual = (1 + total) ** (242 / nav.length) - 1
  const worst = Math.min(...water)
  const trough = water.indexOf(worst)
  const peak = nav.indexOf(Math.max(...nav.slice(0, trough + 1)))
  return {
    ...emptyMetrics(dates[0] ?? '', dates.at(-1) ?? '', nav.length),
    total_return: total,
    annual_return: annual,
    max_drawdown: worst,
    max_drawdown_start: dates[peak] ?? null,
    max_drawdown_end: dates[trough] ?? null,
    volatility: spread * Math.sqrt(242),
    downside_volatility: spread * 9,
    sharpe: (mean / spread) * Math.sqrt(242),
    sortino: (mean / spread) * 21,
    calmar: annual / -worst,
    win_rate: returns.filter((value) => value > 0).length / returns.length,
    profit_loss_ratio: 1.08,
    month_win_rate: 0.6,
    var95: -0.0152,
    cvar95: -0.0202,
    skew: -0.05,
    kurtosis: 0.11,
    ulcer_index: 0.052,
    longest_drawdown_days: 283,
    recovery_days: 93,
    worst_day: Math.min(...returns),
    recent_1y: (nav.at(-1) ?? 1) / (nav.at(-243) ?? 1) - 1,
  }
}

function periods(dates: readonly string[], nav: readonly number[], bench: readonly number[], length: 4 | 7): PeriodRow[] {
  const rows: PeriodRow[] = []
  let from = -1
  dates.forEach((date, i) => {
    const key = date.slice(0, length)
    if (dates[i + 1]?.slice(0, length) === key) return
    const part = nav.slice(from + 1, i + 1)
    const nav_return = (nav[i] ?? 1) / (nav[from] ?? 1) - 1
    const bench_return = (bench[i] ?? 1) / (bench[from] ?? 1) - 1
    rows.push({
      period: key,
      start: dates[from + 1] ?? '',
      end: date,
      nav_return,
      bench_return,
      excess: (1 + nav_return) / (1 + bench_return) - 1,
      max_drawdown: Math.min(...(underwater(part.map((value) => value / (part[0] ?? 1))) as number[])),
      volatility: 0.15,
      win_rate: 0.55,
      turnover: length === 4 ? 12.3 : 1,
      partial: rows.length === 0 || i === dates.length - 1,
    })
    from = i
  })
  return rows
}

function drawdownsOf(dates: readonly string[], nav: readonly number[]): Report['drawdowns'] {
  const water = underwater(nav) as number[]
  const list: Report['drawdowns'] = []
  for (let i = 0; i < water.length; i++) {
    if (water[i] === 0) continue
    let end = i
    let trough = i
    while (end < water.length && water[end] !== 0) {
      if ((water[end] ?? 0) < (water[trough] ?? 0)) trough = end
      end++
    }
    const over = end < water.length
    const peak = Math.max(0, i - 1)
    list.push({
      peak: dates[peak] ?? '',
      trough: dates[trough] ?? '',
      end: over ? (dates[end] ?? null) : null,
      depth: water[trough] ?? 0,
      down_days: trough - peak,
      recover_days: over ? end - trough : null,
      bench_return: -0.05,
    })
    i = end
  }
  return list.sort((a, b) => a.depth - b.depth).slice(0, 10)
}

const pool = 40
const codeOf = (i: number) => `9${String(i).padStart(5, '0')}.DM`
const nameOf = (i: number) => `演示转债${String(i).padStart(2, '0')}`

/** Ten bonds; every eighth day the worst two make room. */
function holdingsOf(dates: readonly string[], random: () => number) {
  const trades: TradeRow[] = []
  const days: Report['holdings']['days'] = []
  let held = Array.from({ length: 10 }, (_, i) => i)
  const fill = (date: string, i: number, side: 'buy' | 'sell', at: number): TradeRow => {
    const reason = side === 'buy' ? 'enter' : at % 9 === 0 ? 'called' : at % 7 === 0 ? 'excluded' : 'rank_out'
    const rank = Math.floor(random() * 20) + 1
    const price = Number((95 + random() * 40).toFixed(3))
    return {
      date,
      code: codeOf(i),
      name: nameOf(i),
      side,
      price,
      price_adj: price,
      volume: 100,
      amount: price * 100,
      fee: price / 10,
      pnl: side === 'sell' ? Number(((random() - 0.4) * 1500).toFixed(2)) : null,
      return_: side === 'sell' ? (random() - 0.4) / 8 : null,
      days_held: side === 'sell' ? Math.floor(random() * 60) + 1 : null,
      reason,
      reason_text:
        side === 'buy'
          ? `新进：名次 ${rank}`
          : reason === 'called'
            ? '已公告强赎，移出'
            : reason === 'excluded'
              ? '收盘价大于 150 元'
              : `移出：名次 ${rank + 10}，持有区间 10`,
      rank_from: side === 'sell' ? rank : null,
      rank_to: side === 'buy' ? rank : rank + 10,
    }
  }
  dates.forEach((date, at) => {
    if (at === 0) trades.push(...held.map((i) => fill(date, i, 'buy', at)))
    else if (at % 8 === 0) {
      const out = held.slice(0, 2)
      const come = Array.from({ length: pool }, (_, i) => i)
        .filter((i) => !held.includes(i))
        .slice(Math.floor(random() * 28))
        .slice(0, 2)
      trades.push(...out.map((i) => fill(date, i, 'sell', at)), ...come.map((i) => fill(date, i, 'buy', at)))
      held = [...held.slice(2), ...come]
    }
    days.push({ date, code_index: [...held], weight: held.map(() => 0.1) })
  })
  return {
    trades,
    holdings: { codes: Array.from({ length: pool }, (_, i) => codeOf(i)), names: Array.from({ length: pool }, (_, i) => nameOf(i)), days },
  }
}

export function madeReport({ days = 1042, seed = 7, drift = 0.00055 }: { days?: number; seed?: number; drift?: number } = {}): Report {
  const random = chance(seed)
  const dates = weekdays('2022-08-01', days)
  const nav = walk(random, days, drift, 0.0165)
  const bench = walk(random, days, 0.0001, 0.011)
  const gross = nav.map((value, i) => value * 1.0001 ** i)
  const { trades, holdings } = holdingsOf(dates, random)
  const oos = Math.floor(days * 0.8)
  const metrics = metricsOf(dates, nav)
  const total = metrics.total_return ?? 0
  const shares = Array.from({ length: pool }, (_, i) => (i === 0 ? 0 : (random() - 0.42) / 20))
  shares[0] = total - shares.reduce((sum, share) => sum + share, 0)
  return {
    backtest_id: '01980000-0000-7000-8000-000000000001',
    kind: 'cb',
    name: '双低低溢价 10 只',
    note: '持有 1–20→1–10；缓冲名次 0→5',
    parameters: {
      version: 1,
      universe: { markets: [], exclude_codes: [] },
      exclude: { st: true, list_days: 3, suspended: true, org_types: [], areas: [], industries: [] },
      filter_factors: [],
      rank_factors: [{ factor_key: 'dblow', prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: null, enable: true }],
      rank_method: 'rank',
      hold_method: {
        hold_range_type: 1,
        hold_range_start: 1,
        hold_range_end: 10,
        hold_weight_type: 1,
        hold_max_weight: 1,
        hold_threshold: 5,
        empty_slot: 'next',
      },
      rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
      stop_method: { stop_type: 0 },
      hold_days: 0,
    },
    settings: {
      start_date: dates[0] ?? '',
      end_date: dates.at(-1) ?? '',
      benchmark: 'cb_ew',
      capital: 10,
      cost: { buy_rate: 0.001, sell_rate: 0.001 },
      execution: 'realistic',
      fill: 'close',
      oos_start: dates[oos] ?? null,
      call_handling: 't_minus_1_close',
      delisting: 'last_price',
      adjust: 'raw',
    },
    metrics: {
      ...metrics,
      turnover: 0.0508,
      turnover_annual: 12.3,
      avg_holdings: 10,
      avg_holding_days: 18.8,
      trades: trades.length,
      fees: 14036,
      excess_annual: 0.1263,
      excess_max_drawdown: -0.08,
      information_ratio: 1.72,
      tracking_error: 0.07,
      alpha: 0.12,
      beta: 1.36,
      correlation: 0.91,
      oos: {
        ...metricsOf(
          dates.slice(oos),
          nav.slice(oos).map((value) => value / (nav[oos] ?? 1)),
        ),
      },
    },
    benchmark_metrics: metricsOf(dates, bench),
    metric_meta: {
      annual_return: {
        label: metricLabel('annual_return'),
        formula: metricFormulas.annual_return,
        note: '按每年 242 个交易日折算；少于 20 个交易日不年化。',
      },
    },
    curves: {
      dates,
      nav,
      bench,
      excess: nav.map((value, i) => value / (bench[i] ?? 1) - 1),
      drawdown: underwater(nav),
      bench_drawdown: underwater(bench),
      turnover: dates.map(() => 0.05),
      hold_count: dates.map(() => 10),
      exposure: dates.map(() => 1),
      cost: dates.map(() => 0.0001),
    },
    gross_nav: gross,
    yearly: periods(dates, nav, bench, 4),
    monthly: periods(dates, nav, bench, 7),
    drawdowns: drawdownsOf(dates, nav),
    contributions: shares.map((share, i) => ({ code: codeOf(i), name: nameOf(i), pnl: share * 100_000, share, days: 100 - i, trades: 8 })),
    weekly: [],
    rolling: [],
    distribution: { daily: { edges: [], counts: [] }, monthly: { edges: [], counts: [] }, best: [], worst: [] },
    by_group: [],
    daily_contribution: { codes: [], days: [] },
    holdings,
    trades,
    trades_total: trades.length,
    events: [],
    capacity: [],
    cost_sweep: [],
    robustness: {
      trials: 1,
      family: '双低',
      luck_threshold: 0,
      psr: 0.97,
      dsr: 0.97,
      pbo: null,
      oos_ratio: 0.8,
      neighbour_std: null,
      drop_best5: { annual_return: 0.1 },
      drop_best_month: { annual_return: 0.12 },
      worst_year_dropped: { year: '2023', annual_return: 0.08 },
      bootstrap: null,
      verdict: 'middle',
      checks: [],
    },
    assumptions: [
      { key: 'fill', label: '成交', text: '当日收盘价，涨停不买、跌停不卖、停牌顺延' },
      { key: 'cost', label: '成本', text: '单边 0.10%，无最低佣金' },
      { key: 'call', label: '强赎', text: '公告后按风险剔除移出，最迟在最后交易日前一日收盘卖出' },
      { key: 'missing', label: '缺失', text: '任一打分因子缺失即剔除该券' },
      { key: 'delisted', label: '摘牌', text: '包含区间内已摘牌的转债' },
      { key: 'annual', label: '年化', text: '242 交易日，无风险利率 0，样本标准差' },
      { key: 'bench', label: '基准', text: '可转债等权，每日再平衡，不计成本' },
      { key: 'demo', label: '演示市场', text: '几何布朗运动加均值回复，参数见说明' },
    ],
    warnings: ['2023-06-14 有 2 只缺少剩余年限，当日已按“缺失即剔除”处理。'],
    data_mode: 'demo',
    data_version: 'demo-2026.11.19',
    engine_version: '1.4.2',
    params_hash: 'a91c5b7e',
    oos_start: dates[oos] ?? null,
    partial: false,
    created_at: '2026-11-20T14:32:05+08:00',
  }
}
