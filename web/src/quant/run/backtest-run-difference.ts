import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { operationWords } from '@convexa/engine/screen'
import { missing, percent, plain } from '../../ui/format.ts'
import { rebalanceWords } from '../report/rule-words.ts'
import { executionWords, fillWords, rankMethodWords, weightWords } from '../words.ts'

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
type Row = readonly [label: string, words: (rule: Rule) => string]

const yesNo = (value: boolean) => (value ? '是' : '否')
const stops: Record<Parameters['stop_method']['stop_type'], string> = {
  0: '不设',
  1: '盘中止盈',
  2: '盘中止损',
  3: '盘中止盈止损',
  4: '收盘止盈止损',
  5: '移动止盈',
}

/** One line per thing that can change, in the order of the builder: what it says in a rule. */
export const ruleRows: readonly Row[] = [
  ['板块', ({ parameters: { universe } }) => universe.markets.join('、') || '全部'],
  ['黑名单', ({ parameters: { universe } }) => `${universe.exclude_codes.length} 只`],
  ['同一正股最多', ({ parameters: { universe } }) => (universe.max_per_issuer ? `${universe.max_per_issuer} 只` : '不限')],
  ['剔除强赎', ({ parameters: { exclude } }) => `${exclude.call_status?.length ?? 0} 种状态`],
  ['剔除 ST', ({ parameters: { exclude } }) => yesNo(exclude.st)],
  ['剔除停牌', ({ parameters: { exclude } }) => yesNo(exclude.suspended)],
  ['剔除上市', ({ parameters: { exclude } }) => `${exclude.list_days} 天以内`],
  ['评级不低于', ({ parameters: { exclude } }) => exclude.ratings_below ?? '不限'],
  ['合成', ({ parameters }) => rankMethodWords[parameters.rank_method] ?? missing],
  ['持有', ({ parameters: { hold_method: hold } }) => `${plain(hold.hold_range_start)}–${plain(hold.hold_range_end)}`],
  ['权重', ({ parameters: { hold_method: hold } }) => weightWords[hold.hold_weight_type] ?? missing],
  ['单只上限', ({ parameters: { hold_method: hold } }) => percent(hold.hold_max_weight, 0)],
  ['排名差', ({ parameters: { hold_method: hold } }) => String(hold.hold_threshold)],
  ['空位', ({ parameters: { hold_method: hold } }) => (hold.empty_slot === 'next' ? '顺延' : '持币')],
  ['轮动', ({ parameters }) => rebalanceWords(parameters.rebalance_method)],
  ['止盈止损', ({ parameters: { stop_method: stop } }) => stops[stop.stop_type]],
  ['止盈', ({ parameters: { stop_method: stop } }) => percent(stop.take_profit)],
  ['止损', ({ parameters: { stop_method: stop } }) => percent(stop.stop_loss)],
  ['最短持有', ({ parameters }) => `${parameters.hold_days} 日`],
  ['开始', ({ settings }) => settings.start_date],
  ['结束', ({ settings }) => settings.end_date],
  ['本金', ({ settings }) => `${plain(settings.capital)} 万元`],
  ['买入成本', ({ settings: { cost } }) => percent(cost.buy_rate, 3)],
  ['卖出成本', ({ settings: { cost } }) => percent(cost.sell_rate, 3)],
  ['滑点', ({ settings: { cost } }) => percent(cost.slippage ?? 0, 3)],
  ['撮合', ({ settings }) => fillWords[settings.fill] ?? missing],
  ['成交', ({ settings }) => executionWords[settings.execution] ?? missing],
]

/** What is different in `after`, by name; nothing when it is the same rule. */
export function differences(before: Rule, after: Rule, nameOf: Names, benchOf: Names = (code) => code): Difference[] {
  const changed: Difference[] = []
  const bench = ({ settings }: Rule) => benchOf(settings.benchmark)
  for (const [label, words] of [...ruleRows, ['基准', bench]] as readonly Row[]) {
    const [was, is] = [words(before), words(after)]
    if (was !== is) changed.push({ label, before: was, after: is })
  }
  const ranks = (rule: Rule) => new Map(rule.parameters.rank_factors.filter((one) => one.enable).map((one) => [one.factor_key, one]))
  changed.push(
    ...compare(
      ranks(before),
      ranks(after),
      (key) => `${nameOf(key)} 权重`,
      (one) => `${one.prefer === 'small' ? '越小越好' : '越大越好'} ${plain(one.weight)}`,
      '未使用',
    ),
  )
  const filters = (rule: Rule) =>
    new Map(
      rule.parameters.filter_factors.filter((one) => one.enable).map((one) => [`${one.factor_key} ${one.action} ${one.operation}`, one]),
    )
  changed.push(
    ...compare(
      filters(before),
      filters(after),
      (key) => `条件 ${nameOf(key.split(' ')[0] ?? key)}`,
      (one) => `${operationWords[one.operation]} ${String(one.value)}`.trim(),
      '无',
    ),
  )
  return changed
}

function compare<T>(
  before: Map<string, T>,
  after: Map<string, T>,
  label: (key: string) => string,
  show: (one: T) => string,
  none: string,
): Difference[] {
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
