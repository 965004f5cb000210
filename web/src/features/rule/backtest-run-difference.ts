import type { Settings } from '@convexa/contract/backtest'
import { adjustments } from '@convexa/contract/enums/adjust'
import { excludedTexts } from '@convexa/contract/enums/attribute'
import { boards } from '@convexa/contract/enums/board'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { holdWeights, isByFactor } from '@convexa/contract/enums/hold-weight'
import type { MarketId } from '@convexa/contract/enums/market'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { neutralizations, noNeutralization } from '@convexa/contract/enums/neutralization'
import { operandsOf, operators } from '@convexa/contract/enums/operator'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { stopBases } from '@convexa/contract/enums/stop-base'
import { hasStop, stopFields, stopTypes } from '@convexa/contract/enums/stop-type'
import { isIn, labelOf, valuesOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { FilterFactor, Parameters, RankFactor } from '@convexa/contract/strategy'
import { percent, plain } from '../../base/format.ts'
import { rebalanceWords, shareWords } from './rule-text.ts'
import { share } from './summary.ts'

// What a run changes against the one before: the list on the running screen and the remark that is stored with it.

export interface Difference {
  label: string
  before: string
  after: string
}

interface Rule {
  /** Absent: both markets' words. */
  kind?: MarketId
  parameters: Parameters
  settings: Settings
}

type Names = (ref: string) => string
/** `content`: what is compared where words alone may be the same of different things. */
type Row = readonly [label: string, words: (rule: Rule, nameOf: Names) => string, content?: (rule: Rule) => string]

const yesNo = (value: boolean) => (value ? '是' : '否')
const codes = (list: readonly string[] = []) => [...list].sort().join('、')
const days = (value: number | null | undefined) => (value == null ? '不限' : `${value} 天`)

/** `双低 高于 150 时仓位 50%`, `基准低于 20 日线时仓位 0%`. */
function timingWords({ parameters: { timing = [] } }: Rule, nameOf: Names): string {
  const rules = timing
    .filter(({ rule }) => timingRules[rule].value !== null)
    .map(({ rule, factor_key: ref, value, exposure }) => {
      const when =
        timingRules[rule].value === 'days' ? `${ref ? nameOf(ref) : '基准'}低于 ${value} 日线` : `${nameOf(ref ?? '')} 高于 ${value}`
      return `${when}时仓位 ${share(exposure)}`
    })
  return rules.join('；') || timingRules.none.label
}

/** One line per thing that can change, in the order of the builder: what it says in a rule. Whatever a rule can say stands in one of them, or in its factors. */
export const ruleRows: readonly Row[] = [
  ['板块', ({ parameters: { universe } }) => universe.markets.map((board) => labelOf(boards, board)).join('、') || '全部'],
  [ruleLabels.index_codes, ({ parameters: { universe } }) => codes(universe.index_codes) || '不限'],
  [
    '只看代码',
    ({ parameters: { universe } }) => (universe.include_codes?.length ? `${universe.include_codes.length} 只` : '不限'),
    ({ parameters: { universe } }) => codes(universe.include_codes),
  ],
  [
    '黑名单',
    ({ parameters: { universe } }) => `${universe.exclude_codes.length} 只`,
    ({ parameters: { universe } }) => codes(universe.exclude_codes),
  ],
  [ruleLabels.max_per_issuer, ({ parameters: { universe } }) => (universe.max_per_issuer ? `${universe.max_per_issuer} 只` : '不限')],
  [
    '剔除强赎',
    ({ parameters: { exclude } }) => `${exclude.call_status?.length ?? 0} 种状态`,
    ({ parameters: { exclude } }) => codes(exclude.call_status),
  ],
  ['距强赎触发不足', ({ parameters: { exclude } }) => days(exclude.call_remain_days)],
  ['剔除 ST', ({ parameters: { exclude } }) => yesNo(exclude.st)],
  [ruleLabels.suspended, ({ parameters: { exclude } }) => yesNo(exclude.suspended)],
  ['剔除上市', ({ parameters: { exclude } }) => `${exclude.list_days} 天以内`],
  ['评级不低于', ({ parameters: { exclude } }) => exclude.ratings_below || '不限'],
  ['三方评级不差于', ({ parameters: { exclude } }) => exclude.yy_ratings_above || '不限'],
  [`剔除${labelOf(excludedTexts, 'org_types')}`, ({ parameters: { exclude } }) => codes(exclude.org_types) || '无'],
  [`剔除${labelOf(excludedTexts, 'areas')}`, ({ parameters: { exclude } }) => codes(exclude.areas) || '无'],
  [`剔除${labelOf(excludedTexts, 'industries')}`, ({ parameters: { exclude } }) => codes(exclude.industries) || '无'],
  ['合成', ({ parameters }) => labelOf(rankMethods, parameters.rank_method)],
  [
    '持有',
    ({ parameters: { hold_method: hold } }) =>
      isFraction(hold) ? `前 ${shareWords(hold)}` : `${plain(hold.hold_range_start)}–${plain(hold.hold_range_end)}`,
  ],
  ['权重', ({ kind, parameters: { hold_method: hold } }) => labelOf(holdWeights, hold.hold_weight_type, kind)],
  [
    ruleLabels.hold_weight_factor,
    ({ parameters: { hold_method: hold } }, nameOf) => (isByFactor(hold.hold_weight_type) ? nameOf(hold.hold_weight_factor ?? '') : '不用'),
  ],
  [ruleLabels.hold_max_weight, ({ parameters: { hold_method: hold } }) => share(hold.hold_max_weight)],
  [ruleLabels.hold_threshold, ({ parameters: { hold_method: hold } }) => String(hold.hold_threshold)],
  ['空位', ({ parameters: { hold_method: hold } }) => (hold.empty_slot === 'next' ? '顺延' : '持币')],
  ['轮动', ({ parameters }) => rebalanceWords(parameters.rebalance_method)],
  [ruleLabels.stop_method, ({ parameters: { stop_method: stop } }) => labelOf(stopTypes, stop.stop_type)],
  ...valuesOf(stopFields).map((key): Row => [labelOf(stopFields, key), ({ parameters: { stop_method: stop } }) => percent(stop[key])]),
  [
    '止盈止损对比',
    ({ parameters: { stop_method: stop } }) =>
      hasStop(stop.stop_type) ? labelOf(stopBases, stop.base ?? 'prev_close') : labelOf(stopTypes, stop.stop_type),
  ],
  ['择时', timingWords],
  ['最短持有', ({ parameters }) => `${parameters.hold_days} 日`],
  ['开始', ({ settings }) => settings.start_date],
  ['结束', ({ settings }) => settings.end_date],
  [ruleLabels.oos_start, ({ settings }) => settings.oos_start ?? '不设'],
  ['本金', ({ settings }) => `${plain(settings.capital)} 万元`],
  [ruleLabels.buy_rate, ({ settings: { cost } }) => percent(cost.buy_rate, 3)],
  [ruleLabels.sell_rate, ({ settings: { cost } }) => percent(cost.sell_rate, 3)],
  ['滑点', ({ settings: { cost } }) => percent(cost.slippage ?? 0, 3)],
  ['印花税', ({ settings: { cost } }) => (cost.stamp_tax === undefined ? '按日期' : percent(cost.stamp_tax, 3))],
  [ruleLabels.min_fee, ({ settings: { cost } }) => `${plain(cost.min_fee ?? 0)} 元`],
  ['成交', ({ settings }) => labelOf(fills, settings.fill)],
  ['成交', ({ settings }) => labelOf(executions, settings.execution)],
  [ruleLabels.call_handling, ({ settings }) => labelOf(callHandlings, settings.call_handling)],
  ['退市', ({ settings }) => (settings.delisting === 'zero' ? '按零计' : '按最后价')],
  [ruleLabels.adjust, ({ settings }) => labelOf(adjustments, settings.adjust)],
]

/** Between the parts of a key: in no formula. */
const part = '\u0000'

/** What a rule says in a line, and what that stands for. */
export interface Said {
  text: string
  content: string
}

export function saidBy([, words, content]: Row, rule: Rule, nameOf: Names): Said {
  const text = words(rule, nameOf)
  return { text, content: content ? content(rule) : text }
}

/** What is said of one thing beside another: words that are the same of different things say so. */
export const otherwise = (said: Said, other: Said): string =>
  said.text === other.text && said.content !== other.content ? `${said.text}（内容不同）` : said.text

/** What is different in `after`, by name; nothing when it is the same rule. */
export function differences(before: Rule, after: Rule, nameOf: Names, benchOf: Names = (code) => code): Difference[] {
  const changed: Difference[] = []
  const bench = ({ settings }: Rule) => benchOf(settings.benchmark)
  const rows: readonly Row[] = [...ruleRows, ['基准', bench, ({ settings }) => settings.benchmark]]
  for (const row of rows) {
    const [was, is] = [saidBy(row, before, nameOf), saidBy(row, after, nameOf)]
    if (was.content !== is.content) changed.push({ label: row[0], before: was.text, after: otherwise(is, was) })
  }
  const ranks = (rule: Rule) => new Map(rule.parameters.rank_factors.filter((one) => one.enable).map((one) => [one.factor_key, one]))
  changed.push(...compare(ranks(before), ranks(after), (key) => `${nameOf(key)} 权重`, rankWords, '未使用'))
  // Two conditions of one kind are two: the second by its number.
  const filters = (rule: Rule) => {
    const found = new Map<string, FilterFactor>()
    for (const one of rule.parameters.filter_factors.filter(({ enable }) => enable)) {
      const key = [one.factor_key, one.action, one.operation].join(part)
      const same = [...found.keys()].filter((known) => known.startsWith(`${key}${part}`)).length
      found.set(`${key}${part}${same}`, one)
    }
    return found
  }
  changed.push(
    ...compare(
      filters(before),
      filters(after),
      (key) => `条件 ${nameOf(key.split(part)[0] ?? key)}`,
      (one) =>
        `${one.action === 'keep' ? '仅保留 ' : ''}${labelOf(operators, one.operation)} ${operandsOf(one.operation) === 'none' ? '' : one.value}`.trim(),
      '无',
    ),
  )
  return changed
}

/** `越小越好 1`; what is not usual behind it: `越小越好 1，缺失按中位数，按行业中性化`. */
function rankWords(rank: RankFactor): string {
  const { prefer, weight } = rank
  return [`${prefer === 'small' ? '越小越好' : '越大越好'} ${plain(weight)}`, ...unusualOf(rank)].join('，')
}

/** What of a factor is seldom set: how its gaps are filled, what it is freed of. */
export const unusualOf = ({ missing_process: process, neutralization }: RankFactor): string[] => [
  ...(missingValues[process].from === 'nothing' ? [] : [`缺失按${labelOf(missingValues, process)}`]),
  ...(neutralization && neutralization !== noNeutralization ? [`按${neutralWord(neutralization)}中性化`] : []),
]

/** Of both markets; the builder has the market's own labels. */
const neutralWord = (key: string): string => (isIn(neutralizations, key) ? neutralizations[key].label : key)

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

/** The remark stored with a run, at most 200 characters: `持有 1–20→1–10；缓冲名次 0→5`. */
export function remarkOf(changed: readonly Difference[]): string {
  const text = changed.map(({ label, before, after }) => `${label} ${before}→${after}`).join('；')
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}
