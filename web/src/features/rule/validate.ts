import type { Settings } from '@convexa/contract/backtest'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { isByFactor } from '@convexa/contract/enums/hold-weight'
import type { MarketRow } from '@convexa/contract/enums/market'
import { operandsOf } from '@convexa/contract/enums/operator'
import { periodOf, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { stopFields, stopTypes } from '@convexa/contract/enums/stop-type'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { type DataRange, isFilled } from './draft.ts'

/** What is wrong with a draft, where, in words (product.md 2.1). The server checks again; this is a courtesy. */
export interface ValidationIssue {
  /** `hold.end`, `filters.2`, `settings.capital`. */
  place: string
  message: string
}

const whole = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high
/** A box that was emptied: not a number here, null after a reload. */
const empty = (value: number | null | undefined) => value === null || (value !== undefined && !Number.isFinite(value))

/** No factor of any market is anywhere near it, in whatever unit. */
const mostValue = 1e12

function filterMistake(row: FilterFactor): string | null {
  const { operation, value } = row
  if (!isFilled(row)) return operandsOf(operation) === 'range' ? '请填写下限与上限' : '请填写取值'
  const numbers = Array.isArray(value) ? value : [value]
  if (numbers.some((one) => typeof one === 'number' && Math.abs(one) > mostValue)) return '取值过大，请核对数字与单位'
  if (operandsOf(operation) === 'share' && !(typeof value === 'number' && value > 0 && value < 1)) return '分位须在 0%–100% 之间'
  if (operandsOf(operation) === 'range' && Array.isArray(value) && Number(value[0]) > Number(value[1])) return '下限不能大于上限'
  return null
}

export function parameterMistakes(parameters: Parameters, market: MarketRow): ValidationIssue[] {
  const mistakes: ValidationIssue[] = []
  const wrong = (bad: boolean, place: string, message: string) => bad && mistakes.push({ place, message })
  /** One mistake of a number: that it is not there, else that it is out of its bounds. */
  const number = (value: number | null | undefined, good: boolean, place: string, name: string, message: string) =>
    wrong(empty(value) || !good, place, empty(value) ? `请填写${name}` : message)
  const { hold_method: hold, rebalance_method: rebalance, exclude, universe } = parameters

  parameters.filter_factors.forEach((row, index) => {
    const message = row.enable ? filterMistake(row) : null
    if (message) mistakes.push({ place: `filters.${index}`, message })
  })
  const ranks = parameters.rank_factors.filter((row) => row.enable)
  wrong(ranks.length === 0, 'ranks', '请至少启用一个打分因子')
  parameters.rank_factors.forEach((row, index) => {
    if (row.enable) number(row.weight, row.weight > 0, `ranks.${index}`, '权重', '权重须大于 0')
    wrong(row.weight > 100, `ranks.${index}`, '权重不能大于 100')
    const twin = parameters.rank_factors.findIndex((other) => other.enable && other.factor_key === row.factor_key)
    wrong(row.enable && twin >= 0 && twin < index, `ranks.${index}`, '该因子已添加')
  })
  wrong(
    universe.max_per_issuer !== undefined && !whole(universe.max_per_issuer, 1, 10),
    'universe.max_per_issuer',
    '同一正股须为 1–10 的整数',
  )
  number(exclude.list_days, whole(exclude.list_days, 0, 3_650), 'exclude.list_days', ruleLabels.list_days, '上市天数须为 0–3650 的整数')
  const call = exclude.call_remain_days ?? null
  if (call !== null)
    number(call, whole(call, 0, 30), 'exclude.call_remain_days', ruleLabels.call_remain_days, '距强赎触发天数须为 0–30 的整数')
  const range = rangeMistake(hold, ruleForms[market.id].largestHold)
  if (range) mistakes.push({ place: 'hold.range', message: range })
  const { hold_max_weight: most, hold_threshold: threshold } = hold
  number(most, most > 0 && most <= 1, 'hold.max_weight', ruleLabels.hold_max_weight, '单只最多占的比例须在 0%–100% 之间')
  number(threshold, whole(threshold, 0, 1_000), 'hold.threshold', ruleLabels.hold_threshold, '缓冲名次须为 0–1000 的整数')
  number(parameters.hold_days, whole(parameters.hold_days, 0, 250), 'hold.days', ruleLabels.hold_days, '最短持有须为 0–250 的整数')
  wrong(isByFactor(hold.hold_weight_type) && !hold.hold_weight_factor, 'hold.weight', '请选择加权因子')
  const { rebalance_type: type, rebalance_value: value } = rebalance
  const { max: high } = rebalanceTypes[type]
  const isInterval = periodOf(rebalance) === null
  const low = isInterval ? 1 : -high
  const [name, message] = isInterval
    ? [ruleLabels.rebalance_value, `轮动间隔须为 ${low}–${high} 的整数`]
    : ['第几个交易日', `第几个交易日须为 ${low} 到 ${high} 的整数，且不为 0`]
  number(value, whole(value, low, high) && value !== 0, 'rebalance', name, message)
  const stop = stopMistake(parameters.stop_method)
  if (stop) mistakes.push({ place: 'stop', message: stop })
  const timing = timingMistake(parameters.timing)
  if (timing) mistakes.push({ place: 'timing', message: timing })
  return mistakes
}

function stopMistake(stop: Parameters['stop_method']): string | null {
  for (const key of stopTypes[stop.stop_type].fields) {
    const { label: name, max: most } = stopFields[key]
    const value = stop[key]
    if (value === undefined || empty(value)) return `请填写${name}`
    if (!(value > 0 && value <= most)) return `${name}须大于 0、不超过 ${most * 100}%`
  }
  return null
}

function timingMistake(rows: Parameters['timing'] = []): string | null {
  for (const { rule, factor_key: factor, value, exposure } of rows) {
    const { value: valueKind } = timingRules[rule]
    if (valueKind === null) continue
    if (valueKind === 'level' && !factor) return '请选择择时因子'
    if (value === undefined || empty(value)) return valueKind === 'days' ? '请填写均线天数' : '请填写择时阈值'
    if (valueKind === 'days' && !whole(value, 2, 250)) return '均线天数须为 2–250 的整数'
    if (empty(exposure) || exposure < 0 || exposure > 1) return '择时仓位须在 0%–100% 之间'
  }
  return null
}

function rangeMistake(hold: Parameters['hold_method'], most: number) {
  const { hold_range_start: start, hold_range_end: end } = hold
  if (empty(start) || empty(end)) return '请填写起止名次'
  if (isFraction(hold)) {
    if (start < 0 || end > 1) return '持有比例须在 0%–100% 之间'
    return start < end ? null : '起始比例须小于结束比例'
  }
  if (!whole(start, 1, 10_000) || !whole(end, 1, 10_000)) return '名次须为不小于 1 的整数'
  if (start > end) return '起始名次不能大于结束名次'
  return end - start + 1 > most ? `持有数量须为 1–${most} 的整数` : null
}

/** Trading days between two dates, near enough to warn by: 242 a year. */
const tradingDays = (start: string, end: string) => ((Date.parse(end) - Date.parse(start)) / 86_400_000) * (242 / 365)

export function settingMistakes(settings: Settings, data: DataRange | null): ValidationIssue[] {
  const mistakes: ValidationIssue[] = []
  const wrong = (bad: boolean, place: string, message: string) => bad && mistakes.push({ place, message })
  const { start_date: start, end_date: end, cost } = settings
  if (start >= end) wrong(true, 'settings.range', '开始日期须早于结束日期')
  else if (data && start < data.start) wrong(true, 'settings.range', `数据从 ${data.start} 开始`)
  else if (data && end > data.end) wrong(true, 'settings.range', `数据到 ${data.end} 为止`)
  else wrong(tradingDays(start, end) < 60, 'settings.range', '区间少于 60 个交易日，统计指标没有意义')
  const rates: [string, number][] = [
    [ruleLabels.buy_rate, cost.buy_rate],
    [ruleLabels.sell_rate, cost.sell_rate],
    ['滑点', cost.slippage === undefined ? 0 : cost.slippage],
  ]
  for (const [name, rate] of rates)
    if (empty(rate)) wrong(true, 'settings.cost', `请填写${name}`)
    else wrong(!(rate >= 0 && rate <= 0.02), 'settings.cost', `${name}须在 0–2% 之间`)
  const least = cost.min_fee === undefined ? 0 : cost.min_fee
  if (empty(least)) wrong(true, 'settings.cost', '请填写最低佣金')
  else wrong(!(least >= 0 && least <= 100), 'settings.cost', '最低佣金须在 0–100 元之间')
  const { capital, oos_start: oos } = settings
  if (empty(capital)) wrong(true, 'settings.capital', '请填写本金')
  else wrong(!(capital >= 0.1 && capital <= 100_000), 'settings.capital', '本金须在 0.1–100000 万元之间')
  wrong(Boolean(oos) && start < end && (String(oos) <= start || String(oos) >= end), 'settings.oos', '样本外起点须在区间之内')
  return mistakes
}
