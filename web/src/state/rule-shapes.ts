import type { Settings } from '@convexa/contract/backtest'
import { adjustments } from '@convexa/contract/enums/adjust'
import { boards } from '@convexa/contract/enums/board'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { callStatuses } from '@convexa/contract/enums/call-status'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { holdRanges } from '@convexa/contract/enums/hold-range'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { operators } from '@convexa/contract/enums/operator'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { stopBases } from '@convexa/contract/enums/stop-base'
import { stopTypes } from '@convexa/contract/enums/stop-type'
import { valuesOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { exactly, fits, flag, listOf, number, oneOf, optional, orNull, type Shape, text, texts } from './shapes.ts'

// A rule and its settings as a browser keeps them: the structure and the choices of the contract's schemas, without their limits, since a
// draft may hold numbers that are still being typed. That both say the same of every key is tested (rule-shapes.test.ts).

const date = fits<string>((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))

const pair = fits<unknown[]>((value) => Array.isArray(value) && value.length === 2)
const value: Shape<FilterFactor['value']> = (given) => {
  if (typeof given === 'string') return given
  if (!Array.isArray(given)) return number(given)
  return given.length === 0 || typeof given[0] === 'string' ? texts(given) : (pair(given).map(number) as [number, number])
}

export const parameters = exactly<Parameters>({
  version: oneOf(1),
  universe: exactly<Parameters['universe']>({
    markets: listOf(oneOf(...valuesOf(boards))),
    ...{ index_codes: optional(texts), include_codes: optional(texts), exclude_codes: texts, max_per_issuer: optional(number) },
  }),
  exclude: exactly<Parameters['exclude']>({
    call_status: optional(listOf(oneOf(...valuesOf(callStatuses)))),
    ...{ call_remain_days: optional(orNull(number)), st: flag, list_days: number, suspended: flag },
    ...{
      ratings_below: optional(orNull(text)),
      yy_ratings_above: optional(orNull(text)),
      org_types: texts,
      areas: texts,
      industries: texts,
    },
  }),
  filter_factors: listOf(
    exactly<FilterFactor>({
      ...{ factor_key: text, action: oneOf('exclude', 'keep'), value, enable: flag },
      operation: oneOf(...valuesOf(operators)),
    }),
  ),
  rank_factors: listOf(
    exactly<Parameters['rank_factors'][number]>({
      ...{ factor_key: text, prefer: oneOf('small', 'large'), weight: number, neutralization: orNull(text), enable: flag },
      missing_process: oneOf(...valuesOf(missingValues)),
    }),
  ),
  rank_method: oneOf(...valuesOf(rankMethods)),
  hold_method: exactly<Parameters['hold_method']>({
    ...{ hold_range_type: oneOf(...valuesOf(holdRanges)), hold_range_start: number, hold_range_end: number },
    ...{ hold_weight_type: oneOf(...valuesOf(holdWeights)), hold_weight_factor: optional(text), hold_max_weight: number },
    ...{ hold_threshold: number, empty_slot: oneOf('next', 'cash') },
  }),
  rebalance_method: exactly<Parameters['rebalance_method']>({
    rebalance_type: oneOf(...valuesOf(rebalanceTypes)),
    rebalance_value: number,
  }),
  stop_method: exactly<Parameters['stop_method']>({
    stop_type: oneOf(...valuesOf(stopTypes)),
    ...{ take_profit: optional(number), stop_loss: optional(number), activate: optional(number), drawdown: optional(number) },
    base: optional(oneOf(...valuesOf(stopBases))),
  }),
  timing: optional(
    listOf(
      exactly<NonNullable<Parameters['timing']>[number]>({
        ...{ rule: oneOf(...valuesOf(timingRules)), factor_key: optional(text), value: optional(number), exposure: number },
      }),
    ),
  ),
  hold_days: number,
})

export const settings = exactly<Settings>({
  ...{ start_date: date, end_date: date, benchmark: text, capital: number, oos_start: optional(orNull(date)) },
  cost: exactly<Settings['cost']>({
    ...{ buy_rate: number, sell_rate: number, slippage: optional(number), stamp_tax: optional(number), min_fee: optional(number) },
  }),
  execution: oneOf(...valuesOf(executions)),
  fill: oneOf(...valuesOf(fills)),
  call_handling: oneOf(...valuesOf(callHandlings)),
  delisting: oneOf('last_price', 'zero'),
  adjust: oneOf(...valuesOf(adjustments)),
})
