import type { Settings } from '@convexa/contract/backtest'
import { adjustments } from '@convexa/contract/enums/adjust'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { operandsOf } from '@convexa/contract/enums/operator'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import type { StrategyOptions, Template } from '@convexa/contract/reference'
import type { FilterFactor, Parameters, RankFactor } from '@convexa/contract/strategy'
import { ruleViews } from '../../market/rule-views.ts'
import type { Draft, Range } from '../../state/drafts.ts'
import type { Factors } from './factors.ts'

/** First and last trading day of a market's data. */
export interface DataRange {
  start: string
  end: string
}

/** The day so many years before, in the calendar. */
export function yearsBefore(date: string, years: number): string {
  const [year = '', month = '', day = ''] = date.split('-')
  // 29 February has no twin in most years.
  return `${Number(year) - years}-${month}-${month === '02' && day === '29' ? '28' : day}`
}

const later = (a: string, b: string) => (a > b ? a : b)

function usualStart(kind: MarketId, end: string): string {
  const start = ruleViews[kind].usualStart
  return 'day' in start ? start.day : yearsBefore(end, start.years)
}

const starts: Record<Range, (kind: MarketId, data: DataRange) => string> = {
  default: (kind, { end }) => usualStart(kind, end),
  '1y': (_, { end }) => yearsBefore(end, 1),
  '3y': (_, { end }) => yearsBefore(end, 3),
  '5y': (_, { end }) => yearsBefore(end, 5),
  '2018': () => '2018-01-01',
  all: (_, { start }) => start,
}

/** Where a range would begin, whatever the data have. */
export const startOf = (range: Range, kind: MarketId, data: DataRange): string => starts[range](kind, data)

/** The dates of a range on the data there are; a usual start after the data's end (an old file) gives all of it. */
export function datesOf(range: Range, kind: MarketId, data: DataRange): Pick<Settings, 'start_date' | 'end_date'> {
  const start = later(starts[range](kind, data), data.start)
  return { start_date: start < data.end ? start : data.start, end_date: data.end }
}

/** Prices can be taken raw only where the data can pay out dividends and splits. */
function pricesOf(kind: MarketId, factors: Factors): Settings['adjust'] {
  const known = factors.list.length > 0
  return markets[kind].hasAdjustmentFactor && known && !factors.of('adj_factor')?.available ? 'qfq' : 'raw'
}

/** Moves a draft's dates with the data: those of a range follow it, those set by hand stay inside it. */
export function followData(draft: Draft, kind: MarketId, data: DataRange, factors: Factors): Draft {
  const moved = followDates(draft, kind, data)
  const adjust = adjustments[moved.settings.adjust].adjusted ? moved.settings.adjust : pricesOf(kind, factors)
  return adjust === moved.settings.adjust ? moved : { ...moved, settings: { ...moved.settings, adjust } }
}

function followDates(draft: Draft, kind: MarketId, data: DataRange): Draft {
  const { start_date: start, end_date: end } = draft.settings
  const dates = draft.range
    ? datesOf(draft.range, kind, data)
    : {
        start_date: start < data.start || start >= data.end ? data.start : start,
        end_date: end > data.end || end <= data.start ? data.end : end,
      }
  if (dates.start_date === start && dates.end_date === end) return draft
  return { ...draft, settings: withDates(draft.settings, dates) }
}

/** Settings on another range; an out-of-sample start moves to the last fifth of it. */
export function withDates(settings: Settings, dates: Pick<Settings, 'start_date' | 'end_date'>): Settings {
  const { start_date, end_date } = dates
  return { ...settings, start_date, end_date, oos_start: settings.oos_start ? lastFifth(start_date, end_date) : null }
}

/** Where the last 20 % of a range begins, which is kept out of the sample (api.md 0.2). */
export function lastFifth(start: string, end: string): string {
  const from = Date.parse(start)
  if (!(Date.parse(end) > from)) return start
  return new Date(from + (Date.parse(end) - from) * 0.8).toISOString().slice(0, 10)
}

/** The first of a market's presets. */
function usualCost(kind: MarketId, { cost_presets: presets }: StrategyOptions): Settings['cost'] {
  const usual = presets.find((one) => one.kind === kind)
  if (!usual) return { buy_rate: 0, sell_rate: 0 }
  const { buy_rate, sell_rate, slippage, min_fee } = usual
  return { buy_rate, sell_rate, slippage, min_fee }
}

/** The defaults of api.md 0.2: the server adds nothing to a request, so a form fills in everything. */
export function defaultSettings(kind: MarketId, options: StrategyOptions, factors: Factors): Settings {
  const data = options.ranges[kind] ?? { start: '2020-01-01', end: '2020-12-31' }
  const loaded = options.benchmarks.filter((one) => one.kind === kind && one.available).map((one) => one.value)
  const usual = ruleForms[kind].benchmarks.find((code) => loaded.includes(code))
  const benchmark = usual ?? loaded[0] ?? markets[kind].equalWeightBenchmark
  const dates = datesOf('default', kind, data)
  return {
    ...dates,
    benchmark,
    capital: 10,
    cost: usualCost(kind, options),
    execution: 'realistic',
    fill: 'close',
    oos_start: lastFifth(dates.start_date, dates.end_date),
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: pricesOf(kind, factors),
  }
}

export const newRank = (factor: string, prefer: RankFactor['prefer']): RankFactor => ({
  factor_key: factor,
  prefer,
  weight: 1,
  missing_process: 'exclude',
  neutralization: null,
  enable: true,
})

/** A number that has not been given. It is kept so, and told; storage makes it null, which is read as the same. */
export const unfilled = Number.NaN

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

/** Whether a condition says with what to compare. */
export function isFilled({ operation, value }: Pick<FilterFactor, 'operation' | 'value'>): boolean {
  const operands = operandsOf(operation)
  if (operands === 'none') return true
  if (operands === 'range') return Array.isArray(value) && value.length === 2 && value.every(isNumber)
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'string' ? value.trim() !== '' : isNumber(value)
}

/** A condition on a factor: it does nothing until it is given a value, which switches it on. */
export const newFilter = (factor: string): FilterFactor => ({
  factor_key: factor,
  action: 'exclude',
  operation: 'gt',
  value: unfilled,
  enable: false,
})

/** What the server can read: rows that are switched off may lack their numbers here, not on the wire. */
export function sendable(parameters: Parameters): Parameters {
  return {
    ...parameters,
    filter_factors: parameters.filter_factors.map((row) =>
      operandsOf(row.operation) === 'none' || (!row.enable && !isFilled(row)) ? { ...row, value: 0 } : row,
    ),
    rank_factors: parameters.rank_factors.map((row) =>
      !row.enable && !(row.weight >= 0 && row.weight <= 100) ? { ...row, weight: 0 } : row,
    ),
  }
}

/** A strategy from nothing: the usual exclusions and one factor. */
export function blankParameters(kind: MarketId, usable: (ref: string) => boolean = () => true): Parameters {
  const { firstFactors, maxPerIssuer, excludedCallStatuses } = ruleForms[kind]
  const factor = firstFactors.find(usable) ?? 'close'
  return {
    version: 1,
    universe: { markets: [], exclude_codes: [], ...(maxPerIssuer !== null && { max_per_issuer: maxPerIssuer }) },
    exclude: {
      ...(excludedCallStatuses.length > 0 && { call_status: [...excludedCallStatuses] }),
      st: true,
      list_days: 3,
      suspended: true,
      org_types: [],
      areas: [],
      industries: [],
    },
    filter_factors: [],
    rank_factors: [newRank(factor, 'small')],
    rank_method: 'rank',
    hold_method: {
      hold_range_type: 1,
      hold_range_start: 1,
      hold_range_end: 10,
      hold_weight_type: 1,
      hold_max_weight: 1,
      hold_threshold: 0,
      empty_slot: 'next',
    },
    rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
    stop_method: { stop_type: 0 },
    hold_days: 0,
  }
}

/** Only a ranking can be run: a template of exclusions alone picks nobody. */
export const isRunnable = ({ parameters }: Pick<Template, 'parameters'>): boolean => parameters.rank_factors.some(({ enable }) => enable)

/** A rule that also leaves out what a set of exclusions leaves out; a condition that it has already stays as it is. */
export function withExclusions(rule: Parameters, { exclude, filter_factors: filters }: Parameters): Parameters {
  const idOf = ({ factor_key: key, action, operation }: FilterFactor) => `${key} ${action} ${operation}`
  const there = new Set(rule.filter_factors.map(idOf))
  const statuses = [...new Set([...(rule.exclude.call_status ?? []), ...(exclude.call_status ?? [])])]
  return {
    ...rule,
    exclude: { ...rule.exclude, ...(exclude.call_status && { call_status: statuses }) },
    filter_factors: [...rule.filter_factors, ...filters.filter((row) => !there.has(idOf(row)))],
  }
}

/**
 * An editable copy of a template, or a blank one; settings of the draft that it replaces stay. A set of exclusions replaces nothing:
 * it is laid on the draft that is there, or on a blank one.
 */
export function newDraft(
  kind: MarketId,
  options: StrategyOptions,
  factors: Factors,
  template: Template | null,
  before: Draft | null,
): Draft {
  if (template && !isRunnable(template)) {
    const under = before ?? newDraft(kind, options, factors, null, null)
    return { ...under, edited: true, ruleEdited: true, parameters: withExclusions(under.parameters, template.parameters) }
  }
  const usable = (ref: string) => factors.list.length === 0 || factors.of(ref)?.available === true
  return {
    name: template?.name ?? '未命名策略',
    ...(template && { template: template.name }),
    edited: false,
    parameters: template ? structuredClone(template.parameters) : blankParameters(kind, usable),
    settings: before?.settings ?? defaultSettings(kind, options, factors),
    range: before ? before.range : 'default',
  }
}
