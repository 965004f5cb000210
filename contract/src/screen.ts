import { z } from 'zod'
import { DataMode } from './market.ts'
import { DataNote, IsoDate, num, text } from './scalars.ts'
import { Parameters } from './strategy.ts'

const value = z.union([z.number(), z.string()]).nullable()

const ScoreParts = z.record(z.string(), z.object({ raw: num, rank: num, norm: num, contrib: num }))

/** One security of a screen. `score` is 0–100, 100 = best possible; `values` by factor ref. */
export const ScreenRow = z.object({
  rank: num,
  code: z.string(),
  name: z.string(),
  score: num,
  selected: z.boolean(),
  reserve: z.boolean().optional(),
  values: z.record(z.string(), value),
  score_parts: ScoreParts.optional(),
  change: z.enum(['new', 'hold', 'out']).optional(),
  reason: z.string().optional(),
  reason_text: z.string().optional(),
})
export type ScreenRow = z.output<typeof ScreenRow>

export const ScreenResult = z.object({
  trade_date: z.string(),
  data_time: z.string(),
  realtime: z.boolean(),
  data_mode: DataMode,
  data_version: z.string(),
  /** Size of the ranked pool. */
  total: z.int(),
  selected: z.int(),
  /** The whole ranking, best first. */
  list_items: z.array(ScreenRow),
  reserve_items: z.array(ScreenRow).optional(),
  excluded: z.array(z.object({ code: z.string(), name: z.string(), rule: z.string(), rule_index: z.int(), value })).optional(),
  funnel: z.array(z.object({ step: z.string(), label: z.string(), before: z.int(), after: z.int() })),
  warnings: z.array(z.string()),
  data_note: DataNote,
})
export type ScreenResult = z.output<typeof ScreenResult>

const screenNeeds = z.enum(['list', 'reserve', 'excluded', 'funnel'])

export const RealtimeScreenBody = z.strictObject({
  parameters: Parameters,
  /** The list held now, for `change`. */
  previous: z.array(text(12)).max(2_000).optional(),
  need: z.array(screenNeeds).max(4).optional(),
})
export type RealtimeScreenBody = z.output<typeof RealtimeScreenBody>

/** `trade_date` or `trade_dates`, not both. Of several days only the selected are listed. */
export const HistoryScreenBody = z.strictObject({
  parameters: Parameters,
  trade_date: IsoDate.optional(),
  trade_dates: z.array(IsoDate).min(1).max(12).optional(),
  /** Trading days after each date whose returns are wanted. */
  forward: z.array(z.int().min(1).max(250)).max(6).optional(),
  /** Also from each date up to the newest day of the data. */
  latest: z.boolean().optional(),
  /** Also day by day, for so many trading days. */
  path: z.int().min(1).max(60).optional(),
  need: z.array(screenNeeds).max(4).optional(),
})
export type HistoryScreenBody = z.output<typeof HistoryScreenBody>

/** What came after: null where the data end before. A security that left by then counts with its last price. */
export const ForwardReturns = z.object({ horizon: z.int(), list_mean: num, pool_mean: num, per_code: z.record(z.string(), num) })
export type ForwardReturns = z.output<typeof ForwardReturns>

export const HistoryScreenResult = z.object({
  results: z.array(
    ScreenResult.extend({
      forward: z.array(ForwardReturns),
      latest: ForwardReturns.optional(),
      /** Mean returns after 1, 2, … trading days; it ends with the data. */
      path: z.object({ list: z.array(num), pool: z.array(num) }).optional(),
    }),
  ),
})
export type HistoryScreenResult = z.output<typeof HistoryScreenResult>
