import type { Parameters, Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { operandsOf } from '@convexa/contract/enums/operator'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { type ErrorContext, quoted, refusal } from '../base/problem.ts'
import type { Problem } from '../expression/index.ts'
import { storedFor } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import { dayPrices } from '../market/price-limits.ts'
import type { Needs } from '../panel/panel.ts'
import { reachBack } from '../panel-views/recent.ts'
import { groupingFields } from '../report/groups.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import { compileScreen, expressionsOf } from '../screen/compiled-screen.ts'
import { exclusionFields, listColumns } from '../screen/list-columns.ts'
import { forwardFillDays } from '../screen/missing.ts'
import { isAveragedRaw, missingAdjustment, missingFill, missingStop } from '../simulation/required-fields.ts'
import { wrongSchedule } from '../simulation/schedule.ts'
import { stopFields } from '../simulation/stops.ts'

/**
 * What a screen (settings null) or a backtest reads: fields of the store, trading days before its first day, benchmarks.
 * Pure bookkeeping: need → load → compute. A field that the request cannot do without and the loaded data lack is a
 * problem that names it. `cost`: values that the dearest factor reads for one cell of a day that is ranked, `historyCost` for one of any day; `own`: keys of the user's factors in it. With `benchmarks` a factor of a market series that is not among them is refused too. Fields that only refine (previous close, turnover, ST, the day's prices) are asked for where they exist.
 */
export function needsOf(
  market: Market,
  available: ReadonlySet<string>,
  parameters: Parameters,
  settings: Settings | null,
  benchmarks?: ReadonlySet<string>,
): { ok: true; needs: Needs; cost: number; historyCost: number; own: readonly string[] } | { ok: false; problem: Problem } {
  const context: ErrorContext = settings ? 'backtest' : 'screen'
  const made = compileScreen(market, available, parameters, context, benchmarks)
  if (!made.ok) return made
  const wrong = wrongSchedule(parameters.rebalance_method) ?? wrongPercentile(made.compiled)
  if (wrong) return { ok: false, problem: refusal(context, wrong) }
  const expressions = expressionsOf(made.compiled)
  if (!settings) expressions.push(...listColumns(market, available).map((column) => column.expression))

  const fields = new Set(['close'])
  for (const expression of expressions) for (const key of expression.needs.fields) fields.add(key)
  for (const key of exclusionFields(market, parameters)) fields.add(key)
  if (settings) {
    for (const key of fills[settings.fill].fields) {
      if (!available.has(key)) return { ok: false, problem: refusal(context, missingFill(market, key)) }
      fields.add(key)
    }
    for (const key of stopFields(parameters.stop_method)) {
      if (!available.has(key)) return { ok: false, problem: refusal(context, missingStop(market, key)) }
      fields.add(key)
    }
    const { adjustment, st } = market.roles
    if (adjustment && (!adjustments[settings.adjust].adjusted || available.has(adjustment))) {
      if (!available.has(adjustment)) return { ok: false, problem: refusal(context, missingAdjustment(market, adjustment)) }
      fields.add(adjustment)
    }
    if (isAveragedRaw(market, settings)) for (const key of ['high', 'low']) fields.add(key)
    if (!executions[settings.execution].frictionless) for (const key of ['pre_close', 'amount', st ?? '', ...dayPrices]) fields.add(key)
    for (const key of groupingFields(market, available)) fields.add(key)
    // Tells a redemption from a call.
    if (market.redeemed) fields.add('call_status')
  }
  const stored = new Set<string>()
  for (const key of fields) {
    for (const one of storedFor(key, available)) stored.add(one)
  }
  const filled = made.compiled.ranks.some(({ row }) => missingValues[row.missing_process].from === 'history')
  const meanDays = made.compiled.timing.reduce(
    (most, { row }) => Math.max(most, timingRules[row.rule].value === 'days' ? (row.value as number) : 0),
    0,
  )
  const lookback = expressions.reduce((most, expression) => Math.max(most, expression.needs.lookback), 0)
  return {
    ok: true,
    own: [...new Set(expressionsOf(made.compiled).flatMap(({ own }) => own))],
    cost: expressionsOf(made.compiled).reduce((most, { cost }) => Math.max(most, cost), 0),
    historyCost: expressionsOf(made.compiled).reduce((most, { historyCost }) => Math.max(most, historyCost), 0),
    needs: {
      fields: stored,
      lookback: lookback + (filled ? forwardFillDays : 0) + meanDays,
      sinceListing: reachBack(expressions, available, fields) === null,
      benchmarks: new Set([
        ...(settings ? [settings.benchmark] : []),
        ...expressions.flatMap((expression) => [...expression.needs.benchmarks]),
      ]),
    },
  }
}

/** A condition by percentile compares with 0 (smallest) to 1 (largest). */
function wrongPercentile({ filters }: CompiledScreen): string | null {
  const wrong = filters.find(({ row: { operation, value } }) => {
    return operandsOf(operation) === 'share' && (Number(value) < 0 || Number(value) > 1)
  })
  return wrong ? `第 ${wrong.index + 1} 个条件（${quoted(wrong.factor.label)}）的分位需为 0 至 1` : null
}
