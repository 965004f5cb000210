import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { missing, percent, plain } from '../ui/format.ts'

// What a run changes against the one before: the list on the running screen and the remark that is stored with it.

export interface Difference {
  label: string
  before: string
  after: string
}

interface Rule {
  parameters: Parameters
  settings: Settings
}

type Names = (ref: string) => string
type Row = readonly [label: string, value: (rule: Rule) => unknown, show?: (value: never) => string]

const onOff = (value: boolean) => (value ? '是' : '否')
const days = (value: number) => `${value} 日`

export const fills: Record<Settings['fill'], string> = {
  close: '收盘撮合',
  next_open: '次日开盘撮合',
  next_close: '次日收盘撮合',
  next_vwap: '次日均价撮合',
}
export const executions: Record<Settings['execution'], string> = { realistic: '按真实规则', ideal: '理想成交' }
const weights: Record<number, string> = { 1: '等权', 2: '按名次', 3: '按规模', 4: '按因子', 5: '波动率倒数' }
const stops: Record<number, string> = { 0: '不设', 1: '盘中止盈', 2: '盘中止损', 3: '盘中止盈止损', 4: '收盘止盈止损', 5: '移动止盈' }
const methods: Record<Parameters['rank_method'], string> = { rank: '排名加权', zscore: '标准分', percentile: '百分位' }

const rebalances = ({ rebalance_type, rebalance_value }: Parameters['rebalance_method']): string => {
  const place = rebalance_value < 0 ? `倒数第 ${-rebalance_value} 个` : `第 ${rebalance_value} 个`
  if (rebalance_type === 0) return `每 ${rebalance_value} 交易日`
  return `每${rebalance_type === 1 ? '周' : '月'}${place}交易日`
}

export { rebalances as rebalanceWords }

/** One line per thing that can change, in the order of the builder. */
const rows: readonly Row[] = [
  ['板块', ({ parameters }) => parameters.universe.markets.join('、') || '全部'],
  ['黑名单', ({ parameters }) => parameters.universe.exclude_codes.length, (n: number) => `${n} 只`],
  ['同一正股最多', ({ parameters }) => parameters.universe.max_per_issuer ?? '不限'],
  ['剔除强赎', ({ parameters }) => parameters.exclude.call_status?.length ?? 0, (n: number) => `${n} 种状态`],
  ['剔除 ST', ({ parameters }) => parameters.exclude.st, onOff],
  ['剔除停牌', ({ parameters }) => parameters.exclude.suspended, onOff],
  ['剔除上市', ({ parameters }) => parameters.exclude.list_days, (n: number) => `${n} 天以内`],
  ['评级不低于', ({ parameters }) => parameters.exclude.ratings_below ?? '不限'],
  ['合成', ({ parameters }) => methods[parameters.rank_method]],
  ['持有', ({ parameters }) => `${plain(parameters.hold_method.hold_range_start)}–${plain(parameters.hold_method.hold_range_end)}`],
  ['权重', ({ parameters }) => weights[parameters.hold_method.hold_weight_type] ?? missing],
  ['单只上限', ({ parameters }) => parameters.hold_method.hold_max_weight, (n: number) => percent(n, 0)],
  ['排名差', ({ parameters }) => parameters.hold_method.hold_threshold],
  ['空位', ({ parameters }) => (parameters.hold_method.empty_slot === 'next' ? '顺延' : '留现金')],
  ['轮动', ({ parameters }) => rebalances(parameters.rebalance_method)],
  ['止盈止损', ({ parameters }) => stops[parameters.stop_method.stop_type] ?? missing],
  ['止盈', ({ parameters }) => parameters.stop_method.take_profit ?? null, (n: number | null) => percent(n)],
  ['止损', ({ parameters }) => parameters.stop_method.stop_loss ?? null, (n: number | null) => percent(n)],
  ['最短持有', ({ parameters }) => parameters.hold_days, days],
  ['开始', ({ settings }) => settings.start_date],
  ['结束', ({ settings }) => settings.end_date],
  ['基准', ({ settings }) => settings.benchmark],
  ['资金', ({ settings }) => settings.capital, (n: number) => `${plain(n)} 万元`],
  ['买入成本', ({ settings }) => settings.cost.buy_rate, (n: number) => percent(n, 3)],
  ['卖出成本', ({ settings }) => settings.cost.sell_rate, (n: number) => percent(n, 3)],
  ['滑点', ({ settings }) => settings.cost.slippage ?? 0, (n: number) => percent(n, 3)],
  ['撮合', ({ settings }) => fills[settings.fill]],
  ['成交', ({ settings }) => executions[settings.execution]],
]

/** What is different in `after`, by name; nothing when it is the same rule. */
export function differences(before: Rule, after: Rule, nameOf: Names): Difference[] {
  const changed: Difference[] = []
  for (const [label, value, show = String as (value: never) => string] of rows) {
    const [was, is] = [value(before), value(after)]
    if (was !== is) changed.push({ label, before: show(was as never), after: show(is as never) })
  }
  const ranks = (rule: Rule) => new Map(rule.parameters.rank_factors.filter((one) => one.enable).map((one) => [one.factor_key, one]))
  changed.push(
    ...compare(ranks(before), ranks(after), (key) => `${nameOf(key)} 权重`, (one) => `${one.prefer === 'small' ? '越小越好' : '越大越好'} ${plain(one.weight)}`, '未使用'),
  )
  const filters = (rule: Rule) =>
    new Map(rule.parameters.filter_factors.filter((one) => one.enable).map((one) => [`${one.factor_key} ${one.action} ${one.operation}`, one]))
  changed.push(
    ...compare(filters(before), filters(after), (key) => `条件 ${nameOf(key.split(' ')[0] ?? key)}`, (one) => `${operations[one.operation] ?? ''} ${String(one.value)}`.trim(), '无'),
  )
  return changed
}

const operations: Record<string, string> = {
  gt: '大于',
  ge: '不小于',
  lt: '小于',
  le: '不大于',
  eq: '等于',
  ne: '不等于',
  between: '介于',
  gt_rank: '分位高于',
  lt_rank: '分位低于',
  in: '属于',
  is_null: '缺失',
}

function compare<T>(before: Map<string, T>, after: Map<string, T>, label: (key: string) => string, show: (one: T) => string, none: string): Difference[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    const [from, to] = [was === undefined ? none : show(was), is === undefined ? none : show(is)]
    return from === to ? [] : [{ label: label(key), before: from, after: to }]
  })
}

/** The remark stored with a run, at most 200 characters: `持有 1–20→1–10；排名差 0→5`. */
export function remarkOf(changed: readonly Difference[]): string {
  const text = changed.map(({ label, before, after }) => `${label} ${before}→${after}`).join('；')
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}
