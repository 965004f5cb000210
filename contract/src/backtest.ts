import { z } from 'zod'
import { pageQuery } from './envelope.ts'
import { DataMode, Kind } from './market.ts'
import { BenchmarkCode, Id, IsoDate, lines, num, text } from './scalars.ts'
import { Parameters } from './strategy.ts'

export * from './stage.ts'

/** Rates are fractions per side; `min_fee` yuan per order. Absent: slippage 0, min_fee 0, duty and transfer fee by date (ideal: 0). */
export const Cost = z.strictObject({
  buy_rate: z.number().min(0).max(0.02),
  sell_rate: z.number().min(0).max(0.02),
  slippage: z.number().min(0).max(0.02).optional(),
  stamp_tax: z.number().min(0).max(0.02).optional(),
  min_fee: z.number().min(0).max(100).optional(),
})

export const Settings = z.strictObject({
  start_date: IsoDate,
  end_date: IsoDate,
  benchmark: BenchmarkCode,
  /** 万元 */
  capital: z.number().min(0.1).max(100_000),
  cost: Cost,
  execution: z.enum(['realistic', 'ideal']),
  fill: z.enum(['close', 'next_open', 'next_close', 'next_vwap']),
  oos_start: IsoDate.nullable().optional(),
  call_handling: z.enum(['t_minus_1_close', 'last_day_close', 'hold_to_redemption']),
  delisting: z.enum(['last_price', 'zero']),
  /** raw: dividends and splits are applied; qfq/hfq: prices are taken as adjusted. */
  adjust: z.enum(['raw', 'qfq', 'hfq']),
})
export type Settings = z.output<typeof Settings>

export const BacktestBody = z.strictObject({
  parameters: Parameters,
  settings: Settings,
  note: lines(200).optional(),
  strategy_id: Id.optional(),
  /** Double clicks: one run per user and id within 10 minutes. */
  client_run_id: text(64, 1).optional(),
})
export type BacktestBody = z.output<typeof BacktestBody>

/** A run of a saved group: its members as they are saved now. */
export const GroupBacktestBody = BacktestBody.omit({ parameters: true, strategy_id: true }).extend({ group_id: Id })
export type GroupBacktestBody = z.output<typeof GroupBacktestBody>

/** What is run: a rule, or a group. */
export const BacktestAsked = z.union([BacktestBody, GroupBacktestBody])
export type BacktestAsked = z.output<typeof BacktestAsked>

const metricNumbers = [
  'total_return',
  'annual_return',
  'max_drawdown',
  'recovery_days',
  'volatility',
  'downside_volatility',
  'sharpe',
  'sortino',
  'calmar',
  'win_rate',
  'profit_loss_ratio',
  'month_win_rate',
  'var95',
  'cvar95',
  'skew',
  'kurtosis',
  'ulcer_index',
  'longest_drawdown_days',
  'worst_day',
  'turnover',
  'turnover_annual',
  'avg_holdings',
  'avg_holding_days',
  'trades',
  'fees',
  'excess_annual',
  'excess_max_drawdown',
  'information_ratio',
  'tracking_error',
  'alpha',
  'beta',
  'correlation',
  'recent_1y',
] as const
export type MetricKey = (typeof metricNumbers)[number]

const metricShape = Object.fromEntries(metricNumbers.map((key) => [key, num])) as Record<MetricKey, typeof num>
const metricFields = {
  ...metricShape,
  max_drawdown_start: z.string().nullable(),
  max_drawdown_end: z.string().nullable(),
  days: z.int(),
  start_date: z.string(),
  end_date: z.string(),
}
/** Fractions; null = not computable (annual values below 20 days). Definitions: domain.md 5.9. Fees in yuan. */
export const Metrics = z.object({ ...metricFields, oos: z.object(metricFields).nullable().optional() })
export type Metrics = z.output<typeof Metrics>

/** Returns of the rows multiply to the total. `win_rate`: of a year its share of months with a gain, of a month its share of days; `turnover`: sum of its days. */
export const PeriodRow = z.object({
  /** `2023`, `2023-05`, `2023-W21` */
  period: z.string(),
  start: z.string(),
  end: z.string(),
  nav_return: num,
  bench_return: num,
  excess: num,
  max_drawdown: num,
  volatility: num,
  win_rate: num,
  turnover: num,
  partial: z.boolean(),
})
export type PeriodRow = z.output<typeof PeriodRow>

/** Why a position was opened, kept or closed. */
export const tradeReasons = [
  'enter',
  'rank_out',
  'rebalance',
  'excluded',
  'missing',
  'last_day',
  'called',
  'matured',
  'delisted',
  'take_profit',
  'stop_loss',
  'trailing_stop',
  'timing',
  'end',
] as const
export const TradeReason = z.enum(tradeReasons)
export type TradeReason = (typeof tradeReasons)[number]

/** One fill. Price and amount in yuan, volume in 张/股, fee in yuan; pnl and return_ of a sell against its cost, else null. */
export const TradeRow = z.object({
  date: z.string(),
  code: z.string(),
  name: z.string(),
  side: z.enum(['buy', 'sell']),
  price: z.number(),
  price_adj: num,
  volume: z.number(),
  amount: z.number(),
  fee: z.number(),
  pnl: num,
  return_: num,
  days_held: num,
  reason: TradeReason,
  reason_text: z.string(),
  rank_from: num,
  rank_to: num,
})
export type TradeRow = z.output<typeof TradeRow>

const series = z.array(num)
/** One value a day: nav after costs (1 before the first day), bench 1 at the first close, excess = nav ÷ bench − 1, drawdowns ≤ 0, cost in yuan. */
export const Curves = z.object({
  dates: z.array(z.string()),
  nav: series,
  bench: series,
  excess: series,
  drawdown: series,
  bench_drawdown: series,
  turnover: series,
  hold_count: series,
  exposure: series,
  cost: series,
})
export type Curves = z.output<typeof Curves>

export const Drawdown = z.object({
  peak: z.string(),
  trough: z.string(),
  end: z.string().nullable(),
  depth: z.number(),
  down_days: z.int(),
  recover_days: z.int().nullable(),
  bench_return: num,
})
export type Drawdown = z.output<typeof Drawdown>

const histogram = z.object({ edges: z.array(z.number()), counts: z.array(z.int()) })
const dayReturns = z.array(z.object({ date: z.string(), return_: z.number() }))
/** Low, middle and high: 5 %, 50 % and 95 % of the resampled histories. */
const band = z.tuple([z.number(), z.number(), z.number()]).readonly()

/** One test of 稳健性: `ok` null = it could not be made, `sentence` says why or what it means. */
export const RobustnessCheck = z.object({
  key: z.enum(['luck', 'deflated', 'overfitting', 'out_of_sample', 'neighbours', 'extremes']),
  label: z.string(),
  value: num,
  threshold: num,
  ok: z.boolean().nullable(),
  sentence: z.string(),
})
export type RobustnessCheck = z.output<typeof RobustnessCheck>

/** Whether it may have been luck (product.md 3.8). Sharpe ratios are annual; pbo and neighbour_std come from a grid. */
export const Robustness = z.object({
  /** Runs of this family so far, grid cells counted, this one included. */
  trials: z.int(),
  family: z.string(),
  luck_threshold: num,
  psr: num,
  dsr: num,
  pbo: num,
  oos_ratio: num,
  neighbour_std: num,
  drop_best5: z.object({ annual_return: num }),
  drop_best_month: z.object({ annual_return: num }),
  worst_year_dropped: z.object({ year: z.string(), annual_return: num }).nullable(),
  bootstrap: z.object({ annual_return: band, sharpe: band, max_drawdown: band, block_days: z.int(), seed: z.int(), n: z.int() }).nullable(),
  verdict: z.enum(['high', 'middle', 'low']),
  checks: z.array(RobustnessCheck),
})
export type Robustness = z.output<typeof Robustness>

/** Stored with the run; read by `GET …/backtest/{id}/detail/report`. */
export const Report = z.object({
  backtest_id: z.string(),
  kind: Kind,
  strategy_id: z.string().optional(),
  group_id: z.string().optional(),
  name: z.string(),
  note: z.string(),
  /** Of one strategy its rule; of a group its members with theirs. */
  parameters: Parameters.optional(),
  group: z
    .object({
      rebalance: z.enum(['monthly', 'never']),
      duplicate: z.enum(['merge', 'separate']),
      /** `nav`: of the member by itself, on the days of the report. */
      members: z.array(z.object({ name: z.string(), weight: z.number(), parameters: Parameters, nav: z.array(z.number()) })),
    })
    .optional(),
  settings: Settings,
  metrics: Metrics,
  benchmark_metrics: Metrics,
  metric_meta: z.record(z.string(), z.object({ label: z.string(), formula: z.string(), note: z.string() })),
  curves: Curves,
  gross_nav: series,
  yearly: z.array(PeriodRow),
  monthly: z.array(PeriodRow),
  weekly: z.array(PeriodRow),
  drawdowns: z.array(Drawdown),
  /** Over the last `window` trading days, of each day from the window-th on. */
  rolling: z.array(
    z.object({
      window: z.int(),
      dates: z.array(z.string()),
      return_: series,
      sharpe: series,
      volatility: series,
      beta: series,
      correlation: series,
    }),
  ),
  distribution: z.object({ daily: histogram, monthly: histogram, best: dayReturns, worst: dayReturns }),
  contributions: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      /** yuan */
      pnl: z.number(),
      /** Share of the starting capital; the shares sum to the total return. */
      share: z.number(),
      days: z.int(),
      trades: z.int(),
      industry: z.string().optional(),
      rating: z.string().optional(),
    }),
  ),
  /** Of each dimension the shares sum to the total return. */
  by_group: z.array(z.object({ dimension: z.string(), label: z.string(), key: z.string(), share: z.number() })),
  /** Shares of the starting capital by day and code, in steps of 1e-9; all of them sum to the net value − 1. Code '' = all others. */
  daily_contribution: z.object({
    codes: z.array(z.string()),
    days: z.array(z.object({ date: z.string(), code_index: z.array(z.int()), value: z.array(z.number()) })),
  }),
  holdings: z.object({
    codes: z.array(z.string()),
    names: z.array(z.string()),
    days: z.array(z.object({ date: z.string(), code_index: z.array(z.int()), weight: z.array(z.number()) })),
  }),
  trades: z.array(TradeRow),
  trades_total: z.int(),
  /** Windows that lie inside the run whole. */
  events: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      start: z.string(),
      end: z.string(),
      return_: z.number(),
      bench_return: num,
      max_drawdown: z.number(),
    }),
  ),
  /** `capital` 万元; `fill_rate` the share of what was to be bought that could be. */
  capacity: z.array(z.object({ capital: z.number(), annual_return: num, fill_rate: num })),
  /** `rate` per side, slippage included. */
  cost_sweep: z.array(z.object({ rate: z.number(), annual_return: num })),
  robustness: Robustness,
  assumptions: z.array(z.object({ key: z.string(), label: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  data_mode: DataMode,
  data_version: z.string(),
  engine_version: z.string(),
  params_hash: z.string(),
  /** Own factors that the run was computed with: key → version. */
  factor_versions: z.record(z.string(), z.int()).optional(),
  oos_start: z.string().nullable(),
  partial: z.boolean(),
  created_at: z.string(),
})
export type Report = z.output<typeof Report>

/** A position after a day's close. `profit_rate` a fraction of its cost. */
export const DayRow = z.object({
  code: z.string(),
  name: z.string(),
  volume: z.number(),
  cost_price: z.number(),
  last_price: num,
  market_value: z.number(),
  weight: z.number(),
  profit_loss: z.number(),
  profit_rate: num,
  holding_days: z.int(),
  rank: num,
  score: num,
  suspension: z.union([z.literal(0), z.literal(1)]),
  cash_div: z.number(),
  stk_div: z.number(),
  reason: z.string(),
  reason_text: z.string(),
})
export type DayRow = z.output<typeof DayRow>

/** `GET …/backtest/{id}/detail/{date}`: positions after the close, and what was traded that day. Money in yuan. */
export const DayDetail = z.object({
  trade_date: z.string(),
  nav: z.number(),
  cash: z.number(),
  turnover: z.number(),
  positions: z.array(DayRow),
  sold: z.array(TradeRow),
  bought: z.array(TradeRow),
  reserves: z.array(z.object({ code: z.string(), name: z.string(), rank: z.number(), score: num })),
  excluded: z.array(z.object({ code: z.string(), name: z.string(), rule: z.string() })),
  note: z.string().optional(),
})
export type DayDetail = z.output<typeof DayDetail>

/** Which of the own runs are listed. `note`: part of the note or of the name; `from` and `to`: days on which they were asked for (Asia/Shanghai). */
export const BacktestListQuery = pageQuery.extend({
  strategy_id: Id.optional(),
  group_id: Id.optional(),
  kind: Kind.optional(),
  status: z.coerce.number().int().min(0).max(6).optional(),
  note: text(200).optional(),
  from: IsoDate.optional(),
  to: IsoDate.optional(),
})
export type BacktestListQuery = z.output<typeof BacktestListQuery>

/** 0 排队 1 运行 2 完成 3 失败 4 取消 5 超时 6 中断 */
export const RunStatus = z.union([0, 1, 2, 3, 4, 5, 6].map((n) => z.literal(n as 0 | 1 | 2 | 3 | 4 | 5 | 6)))
export type RunStatus = z.output<typeof RunStatus>

export const BacktestListItem = z.object({
  backtest_id: z.string(),
  kind: Kind,
  strategy_id: z.string().nullable(),
  /** As it is called now; as it was called when the run was asked for, where it is not there any more. */
  strategy_name: z.string().nullable(),
  group_id: z.string().nullable(),
  group_name: z.string().nullable(),
  params_hash: z.string(),
  settings: Settings,
  metrics: Metrics.nullable(),
  trial_no: z.int(),
  note: z.string().optional(),
  data_mode: DataMode,
  data_version: z.string(),
  engine_version: z.string(),
  status: RunStatus,
  created_at: z.string(),
  finished_at: z.string().optional(),
})
export type BacktestListItem = z.output<typeof BacktestListItem>

const event = { run_id: z.string(), seq: z.int() }

/** One `success` event of a backtest stream (api.md 7.6); exactly one terminal event ends it. */
export const BacktestEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('queued'), ...event, position: z.int() }),
  z.object({ type: z.literal('stage'), ...event, stage: z.enum(['queue', 'load', 'factors', 'simulate', 'report']), label: z.string() }),
  z.object({
    type: z.literal('progress'),
    ...event,
    percent: z.number(),
    date: z.string(),
    nav: z.number(),
    bench: num,
    hold: z.int(),
    trades: z.int(),
  }),
  z.object({ type: z.literal('curve'), ...event, dates: z.array(z.string()), nav: series, bench: series }),
  z.object({ type: z.literal('warning'), ...event, message: z.string() }),
  z.object({
    type: z.literal('result'),
    ...event,
    backtest_id: z.string(),
    metrics: Metrics,
    params_hash: z.string(),
    data_version: z.string(),
    engine_version: z.string(),
    partial: z.boolean(),
  }),
])
export type BacktestEvent = z.output<typeof BacktestEvent>
