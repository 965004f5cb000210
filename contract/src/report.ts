import { z } from 'zod'
import { Settings } from './backtest.ts'
import { DataMode } from './market.ts'
import { Metrics, PeriodRow } from './metrics.ts'
import { Checks, Robustness } from './robustness.ts'
import { LeftOutInterest, MarketId, num } from './scalars.ts'
import { Parameters } from './strategy.ts'
import { Worth } from './verdict.ts'

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

/** One fill. Price and amount in yuan, volume in 张/股, fee in yuan; pnl and return_ of a sell against its cost, with the dividends and interest that the sold units were paid, else null. */
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
/**
 * One value a day: nav after costs (1 before the first day), bench and market 1 at the first close, excess = nav ÷ bench − 1, drawdowns ≤ 0, cost in yuan.
 * `market`: all of the market at equal weights, the least that a rule is held against; absent where it is the benchmark itself.
 */
const Curves = z.object({
  dates: z.array(z.string()),
  nav: series,
  bench: series,
  market: series.optional(),
  excess: series,
  drawdown: series,
  bench_drawdown: series,
  turnover: series,
  hold_count: series,
  exposure: series,
  cost: series,
})

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
/** Of a run at another cost or with other capital; reports made before have the annual return alone. */
const sweptFigures = { annual_return: num, sharpe: num.optional(), max_drawdown: num.optional() }

const Recomputed = z.object({ engine_version: z.string(), nav_difference: z.number() })

/** Stored with the run; read by `GET …/backtest/{id}/detail/report`. */
export const Report = z.object({
  backtest_id: z.string(),
  kind: MarketId,
  strategy_id: z.string().optional(),
  group_id: z.string().optional(),
  name: z.string(),
  note: z.string(),
  /** Absent in reports of long ago. */
  favourite: z.boolean().optional(),
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
    /**
     * Of `code_index` those that trade no more and are not paid yet: `claims` at what they will be paid, `unpaid` at their last price, because
     * nobody knows that. Absent where there is none.
     */
    days: z.array(
      z.object({
        date: z.string(),
        code_index: z.array(z.int()),
        weight: z.array(z.number()),
        claims: z.array(z.int()).optional(),
        unpaid: z.array(z.int()).optional(),
      }),
    ),
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
  capacity: z.array(z.object({ capital: z.number(), ...sweptFigures, fill_rate: num })),
  /** The largest share of a security's turnover of a day that the run traded; null where turnover is not known. Reports made before have none. */
  peak_participation: num.optional(),
  /** `rate` per side, slippage included. */
  cost_sweep: z.array(z.object({ rate: z.number(), ...sweptFigures })),
  /** Reports made before have none. */
  worth: Worth.optional(),
  robustness: Robustness,
  /** What its check grid says, once it was made; then this stands in place of `robustness`. */
  checks: Checks.pick({ robustness: true, grid: true }).optional(),
  left_out_interest: LeftOutInterest,
  assumptions: z.array(z.object({ key: z.string(), label: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  data_mode: DataMode,
  data_version: z.string(),
  /** Names of where the data came from, in the order in which they came; empty or absent where that is not known any more. */
  data_sources: z.array(z.string()).optional(),
  engine_version: z.string(),
  /** The newest earlier run of the same rule by its owner, where another engine computed it: its numbers may differ for that alone. */
  earlier_engine: z.object({ engine_version: z.string(), finished_at: z.string() }).optional(),
  params_hash: z.string(),
  /** Own factors that the run was computed with: key → version. */
  factor_versions: z.record(z.string(), z.int()).optional(),
  oos_start: z.string().nullable(),
  partial: z.boolean(),
  created_at: z.string(),
  /** The parts that are computed again come out otherwise than they were; the largest difference of a net value. */
  recomputed: Recomputed.optional(),
})
export type Report = z.output<typeof Report>

/**
 * Parts of a report that are asked for by name: `core` is all that is kept of a run, the others are computed again from its data.
 */
export const reportParts = ['core', 'daily_contribution', 'holdings', 'trades'] as const
export type ReportPart = (typeof reportParts)[number]
export type LedgerPart = Exclude<ReportPart, 'core'>
export type ReportCore = Omit<Report, LedgerPart>

/** `GET …/detail/report?parts=core,trades`: the members of these parts alone. */
export const ReportParts = Report.partial().extend({ parts: z.array(z.enum(reportParts)) })
export type ReportParts = z.output<typeof ReportParts>
/** `parts`: names, with commas between them. */
export const ReportQuery = z.object({ parts: z.string().max(60).optional() })

/**
 * A position after a day's close. `profit_loss` holds the dividends and interest that the units held were paid since they were bought,
 * `profit_rate` is a fraction of their cost.
 */
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
  /** It did not trade, and neither a bar nor a suspension of the day has come (缺行情). */
  missing_bar: z.literal(true).optional(),
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
  /** Selected securities that could not be bought, with the reason (涨停未买入). Absent where there were none. */
  unbought: z.array(z.object({ code: z.string(), name: z.string(), rank: z.number(), reason_text: z.string() })).optional(),
  note: z.string().optional(),
  recomputed: Recomputed.optional(),
})
export type DayDetail = z.output<typeof DayDetail>
