import type { Settings } from '@convexa/contract/backtest'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import type { ShownMarket } from '../market/market-context.tsx'
import type { DataRange } from './draft.ts'

/** What is wrong with a draft, where, in words (product.md 2.1). The server checks again; this is a courtesy. */
export interface Mistake {
  /** `hold.end`, `filters.2`, `settings.capital`. */
  place: string
  message: string
}

const whole = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high

const numericOperations = new Set<FilterFactor['operation']>(['gt', 'ge', 'lt', 'le'])

function filterMistake({ operation, value }: FilterFactor): string | null {
  if (operation === 'gt_rank' || operation === 'lt_rank')
    return typeof value === 'number' && value > 0 && value < 1 ? null : '分位须在 0%–100% 之间'
  if (numericOperations.has(operation)) return typeof value === 'number' && Number.isFinite(value) ? null : '请填写取值'
  if (operation === 'between')
    return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number' && value[0] <= value[1]
      ? null
      : '请填写从小到大的两个取值'
  if (operation === 'in') return Array.isArray(value) && value.length > 0 ? null : '请填写取值'
  if (operation === 'eq' || operation === 'ne') return value === '' ? '请填写取值' : null
  return null
}

export function parameterMistakes(parameters: Parameters, market: ShownMarket): Mistake[] {
  const mistakes: Mistake[] = []
  const wrong = (bad: boolean, place: string, message: string) => bad && mistakes.push({ place, message })
  const { hold_method: hold, rebalance_method: rebalance, exclude, universe } = parameters

  parameters.filter_factors.forEach((row, index) => {
    const message = row.enable ? filterMistake(row) : null
    if (message) mistakes.push({ place: `filters.${index}`, message })
  })
  const ranks = parameters.rank_factors.filter((row) => row.enable)
  wrong(ranks.length === 0, 'ranks', '请至少启用一个打分因子')
  parameters.rank_factors.forEach((row, index) => {
    wrong(row.enable && !(row.weight > 0), `ranks.${index}`, '权重须大于 0')
    wrong(row.weight > 100, `ranks.${index}`, '权重不能大于 100')
    const twin = parameters.rank_factors.findIndex((other) => other.enable && other.factor_key === row.factor_key)
    wrong(row.enable && twin >= 0 && twin < index, `ranks.${index}`, '该因子已添加')
  })
  wrong(
    universe.max_per_issuer !== undefined && !whole(universe.max_per_issuer, 1, 10),
    'universe.max_per_issuer',
    '同一正股须为 1–10 的整数',
  )
  wrong(!whole(exclude.list_days, 0, 3_650), 'exclude.list_days', '上市天数须为 0–3650 的整数')
  if (hold.hold_range_type === 1) {
    const n = market.largestHold
    const bad = !whole(hold.hold_range_start, 1, 10_000) || !whole(hold.hold_range_end, 1, 10_000)
    const size = hold.hold_range_end - hold.hold_range_start + 1
    wrong(bad || size < 1 || size > n, 'hold.range', `持有数量须为 1–${n} 的整数`)
  } else {
    wrong(
      !(hold.hold_range_start >= 0 && hold.hold_range_end <= 1 && hold.hold_range_start < hold.hold_range_end),
      'hold.range',
      '持有比例须在 0%–100% 之间，且由小到大',
    )
  }
  wrong(!(hold.hold_max_weight > 0 && hold.hold_max_weight <= 1), 'hold.max_weight', '单只上限须在 0%–100% 之间')
  wrong(!whole(hold.hold_threshold, 0, 1_000), 'hold.threshold', '排名差须为 0–1000 的整数')
  wrong(!whole(parameters.hold_days, 0, 250), 'hold.days', '最短持有须为 0–250 的整数')
  wrong(hold.hold_weight_type === 4 && !hold.hold_weight_factor, 'hold.weight', '请选择加权因子')
  const { rebalance_type: type, rebalance_value: value } = rebalance
  const limits = { 0: [1, 250], 1: [-5, 5], 2: [-23, 23] } as const
  const [low, high] = limits[type]
  wrong(!whole(value, low, high) || value === 0, 'rebalance', type === 0 ? '轮动间隔须为 1–250 的整数' : '请填写第几个交易日')
  return mistakes
}

/** Trading days between two dates, near enough to warn by: 242 a year. */
const tradingDays = (start: string, end: string) => ((Date.parse(end) - Date.parse(start)) / 86_400_000) * (242 / 365)

export function settingMistakes(settings: Settings, data: DataRange | null): Mistake[] {
  const mistakes: Mistake[] = []
  const wrong = (bad: boolean, place: string, message: string) => bad && mistakes.push({ place, message })
  const { start_date: start, end_date: end, cost } = settings
  if (start >= end) wrong(true, 'settings.range', '开始日期须早于结束日期')
  else if (data && start < data.start) wrong(true, 'settings.range', `数据从 ${data.start} 开始`)
  else if (data && end > data.end) wrong(true, 'settings.range', `数据到 ${data.end} 为止`)
  else wrong(tradingDays(start, end) < 60, 'settings.range', '区间少于 60 个交易日，统计指标没有意义')
  const rates = [cost.buy_rate, cost.sell_rate, cost.slippage ?? 0]
  wrong(
    rates.some((rate) => !(rate >= 0 && rate <= 0.02)),
    'settings.cost',
    '单边成本须在 0–2% 之间',
  )
  wrong(!((cost.min_fee ?? 0) >= 0 && (cost.min_fee ?? 0) <= 100), 'settings.cost', '最低佣金须在 0–100 元之间')
  wrong(!(settings.capital >= 0.1 && settings.capital <= 100_000), 'settings.capital', '资金须在 0.1–100000 万元之间')
  return mistakes
}
