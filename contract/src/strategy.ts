import { z } from 'zod'
import { boards } from './enums/board.ts'
import { callStatuses } from './enums/call-status.ts'
import { holdRanges } from './enums/hold-range.ts'
import { holdWeights } from './enums/hold-weight.ts'
import { missingValues } from './enums/missing-value.ts'
import { operators } from './enums/operator.ts'
import { rankMethods } from './enums/rank-method.ts'
import { rebalanceTypes } from './enums/rebalance-type.ts'
import { stopBases } from './enums/stop-base.ts'
import { stopFields, stopTypes } from './enums/stop-type.ts'
import { valuesOf } from './enums/table.ts'
import { timingRules } from './enums/timing-rule.ts'
import { FactorRef, text } from './scalars.ts'

export const CallStatus = z.enum(valuesOf(callStatuses))
export type CallStatus = z.output<typeof CallStatus>
export const Board = z.enum(valuesOf(boards))
export type Board = z.output<typeof Board>
export const MissingProcess = z.enum(valuesOf(missingValues))
export type MissingProcess = z.output<typeof MissingProcess>

const texts = z.array(text(40, 1)).max(500)

/** Securities that may be selected. Empty `markets` = all boards. */
const Universe = z.strictObject({
  markets: z.array(Board).max(5),
  index_codes: texts.optional(),
  include_codes: z.array(text(12)).max(2_000).optional(),
  exclude_codes: z.array(text(12)).max(2_000),
  max_per_issuer: z.int().min(1).max(10).optional(),
})

/** Risk exclusions, applied before any filter row. */
const Exclude = z.strictObject({
  call_status: z.array(CallStatus).max(6).optional(),
  call_remain_days: z.int().min(0).max(30).nullable().optional(),
  st: z.boolean(),
  /** Listed for this many natural days or fewer: out. 0 = off. The listing day counts as 1. */
  list_days: z.int().min(0).max(3_650),
  suspended: z.boolean(),
  ratings_below: text(8).nullable().optional(),
  yy_ratings_above: text(8).nullable().optional(),
  org_types: texts,
  areas: texts,
  industries: texts,
})

export const Operation = z.enum(valuesOf(operators))
export type Operation = z.output<typeof Operation>

/** A filter row: `exclude` drops what satisfies it, `keep` drops what does not (api.md 0.1 for NaN). */
export const FilterFactor = z.strictObject({
  factor_key: FactorRef,
  action: z.enum(['exclude', 'keep']).default('exclude'),
  operation: Operation,
  value: z.union([z.number(), text(40), z.tuple([z.number(), z.number()]), texts]),
  enable: z.boolean(),
})
export type FilterFactor = z.output<typeof FilterFactor>

export const RankFactor = z.strictObject({
  factor_key: FactorRef,
  prefer: z.enum(['small', 'large']),
  /** 0 = disabled; negative is refused. */
  weight: z.number().min(0).max(100),
  missing_process: MissingProcess,
  neutralization: text(40).nullable(),
  enable: z.boolean(),
})
export type RankFactor = z.output<typeof RankFactor>

const HoldMethod = z.strictObject({
  hold_range_type: z.literal(valuesOf(holdRanges)),
  hold_range_start: z.number().min(0).max(10_000),
  hold_range_end: z.number().min(0).max(10_000),
  hold_weight_type: z.literal(valuesOf(holdWeights)),
  hold_weight_factor: FactorRef.optional(),
  hold_max_weight: z.number().gt(0).max(1),
  /** Buffer in places: a held security stays while its rank ≤ H + this. */
  hold_threshold: z.int().min(0).max(1_000),
  empty_slot: z.enum(['next', 'cash']),
})

const RebalanceMethod = z.strictObject({
  rebalance_type: z.literal(valuesOf(rebalanceTypes)),
  rebalance_value: z.int().min(-23).max(250),
})

const StopMethod = z.strictObject({
  stop_type: z.literal(valuesOf(stopTypes)),
  take_profit: z.number().gt(0).max(stopFields.take_profit.max).optional(),
  stop_loss: z.number().gt(0).max(stopFields.stop_loss.max).optional(),
  activate: z.number().gt(0).max(stopFields.activate.max).optional(),
  drawdown: z.number().gt(0).max(stopFields.drawdown.max).optional(),
  base: z.enum(valuesOf(stopBases)).optional(),
})

const Timing = z.strictObject({
  rule: z.enum(valuesOf(timingRules)),
  factor_key: FactorRef.optional(),
  value: z.number().optional(),
  exposure: z.number().min(0).max(1),
})

/** A strategy's rule; the user's draft, a saved strategy's `detail`, a run's input (api.md 7.3). */
export const Parameters = z.strictObject({
  version: z.literal(1),
  universe: Universe,
  exclude: Exclude,
  filter_factors: z.array(FilterFactor).max(30),
  rank_factors: z.array(RankFactor).max(20),
  rank_method: z.enum(valuesOf(rankMethods)),
  hold_method: HoldMethod,
  rebalance_method: RebalanceMethod,
  stop_method: StopMethod,
  timing: z.array(Timing).max(5).optional(),
  /** Least holding in trading days. */
  hold_days: z.int().min(0).max(250),
})
export type Parameters = z.output<typeof Parameters>
