import { z } from 'zod'
import { adjustments } from './enums/adjust.ts'
import { callHandlings } from './enums/call-handling.ts'
import { executions } from './enums/execution.ts'
import { fills } from './enums/fill.ts'
import { runStatuses } from './enums/run-status.ts'
import { valuesOf } from './enums/table.ts'
import { pageQuery } from './envelope.ts'
import { DataMode } from './market.ts'
import { Metrics } from './metrics.ts'
import { BenchmarkCode, Id, IsoDate, lines, MarketId, num, text, whole } from './scalars.ts'
import { Parameters } from './strategy.ts'
import { Verdict } from './verdict.ts'

export * from './stage.ts'

/** Rates are fractions per side; `min_fee` yuan per order. Absent: slippage 0, min_fee 0, duty and transfer fee by date (ideal: 0). */
const Cost = z.strictObject({
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
  execution: z.enum(valuesOf(executions)),
  fill: z.enum(valuesOf(fills)),
  oos_start: IsoDate.nullable().optional(),
  call_handling: z.enum(valuesOf(callHandlings)),
  delisting: z.enum(['last_price', 'zero']),
  /** raw: dividends and splits are applied; qfq/hfq: prices are taken as adjusted. */
  adjust: z.enum(valuesOf(adjustments)),
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
const GroupBacktestBody = BacktestBody.omit({ parameters: true, strategy_id: true }).extend({ group_id: Id })

/** What is run: a rule, or a group. */
export const BacktestAsked = z.union([BacktestBody, GroupBacktestBody])
export type BacktestAsked = z.output<typeof BacktestAsked>

/** Which of the own runs are listed. `note`: part of the note or of the name; `from` and `to`: days on which they were asked for (Asia/Shanghai). */
export const BacktestListQuery = pageQuery.extend({
  strategy_id: Id.optional(),
  group_id: Id.optional(),
  kind: MarketId.optional(),
  status: whole(0, 6).optional(),
  note: text(200).optional(),
  from: IsoDate.optional(),
  to: IsoDate.optional(),
})
export type BacktestListQuery = z.output<typeof BacktestListQuery>

export const RunStatus = z.literal(valuesOf(runStatuses))
export type RunStatus = z.output<typeof RunStatus>

export const BacktestListItem = z.object({
  backtest_id: z.string(),
  kind: MarketId,
  strategy_id: z.string().nullable(),
  /** As it is called now; as it was called when the run was asked for, where it is not there any more. */
  strategy_name: z.string().nullable(),
  group_id: z.string().nullable(),
  group_name: z.string().nullable(),
  /** The name of what was saved; of a draft its rule in short: `双低 + 转股溢价率 · 10 只`. */
  name: z.string(),
  params_hash: z.string(),
  settings: Settings,
  metrics: Metrics.nullable(),
  /** The net value at up to 64 days, evenly spread; null where none was kept in short. */
  spark: z.array(z.number()).nullable(),
  /** Both answers; null of a run that is not done, of one of long ago, and of one without anything to hold it against. */
  verdict: Verdict.nullable(),
  /** Which trial of its family it was, as its report says; null of a group and of a run of long ago, which do not say. */
  trial_no: z.int().nullable(),
  note: z.string().optional(),
  favourite: z.boolean(),
  /** false: its report is kept no more, what is listed here is. */
  complete: z.boolean(),
  data_mode: DataMode,
  data_version: z.string(),
  /** As of a report. */
  data_sources: z.array(z.string()),
  engine_version: z.string(),
  status: RunStatus,
  created_at: z.string(),
  finished_at: z.string().optional(),
})
export type BacktestListItem = z.output<typeof BacktestListItem>

/** What a run was asked, and its figures: all that is left of one whose report is kept no more. */
export const RunQuestion = BacktestListItem.pick({
  kind: true,
  name: true,
  strategy_id: true,
  group_id: true,
  settings: true,
  metrics: true,
  spark: true,
  note: true,
  engine_version: true,
  created_at: true,
}).extend({
  /** Absent of a group. */
  parameters: Parameters.optional(),
})
export type RunQuestion = z.output<typeof RunQuestion>

/** How long the asker's runs are kept. */
export const RunRetention = z.object({
  /** By whose rules; `lapsed`: a member of before, for a while. */
  plan: z.enum(['guest', 'free', 'vip', 'lapsed']),
  /** The newest so many reports of so many days, then figures up to that age; null: all, for good. */
  reports: z.object({ newest: z.int(), days: z.int(), question_days: z.int() }).nullable(),
  /** Of a lapsed member: the last day of a member's rules. */
  until: z.string().nullable(),
  favourites: z.int(),
  most_favourites: z.int(),
})
export type RunRetention = z.output<typeof RunRetention>

const series = z.array(num)
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
