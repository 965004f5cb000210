import { type MarketId, markets } from './enums/market.ts'
import { namesVersion } from './names-version.ts'
import type { Parameters } from './strategy.ts'

/**
 * Factors that are not what they were. Where a name got another meaning, a rule that was written before keeps what it meant: the name is
 * replaced by one that still means it. Where a factor was wrong and is mended, the rule is computed with the mended one. Either is said.
 */

interface Renamed {
  readonly kind: MarketId
  /** The key and the Chinese name that meant it. */
  readonly names: readonly string[]
  /** What means it now; null: the same name, which is computed rightly now. */
  readonly key: string | null
  readonly told: string
}

/** With `namesVersion` 2 (engine 0.4.0). */
const renamed: readonly Renamed[] = [
  {
    kind: 'cb',
    names: ['volatility', '年化波动率'],
    key: 'volatility_60',
    told: '「年化波动率」现为近一年（244 个交易日）；这里写于改动之前，仍按原来的 60 日计算，写作 volatility_60（60日波动率）',
  },
  ...clauses('强赎', 'redeem'),
  ...clauses('下修', 'reset'),
  ...clauses('回售', 'put'),
  {
    kind: 'cb',
    names: ['theory_conv_prem', '理论溢价率', 'mod_conv_prem', '修正溢价率'],
    key: null,
    told: '「理论溢价率」「修正溢价率」自引擎 0.4 起改正了拟合样本（转股价值低于 130 元、转股溢价率高于 1%），这里写于改动之前，结果可能与当时不同',
  },
  {
    kind: 'cb',
    names: [
      ...['rating_yield', '同评级收益率', 'pure_value', '纯债价值', 'bond_prem', '纯债溢价率', 'theory_value', '理论价值', 'theory_bias'],
      ...['理论偏离度', 'iv', '隐含波动率', 'iv_hv', '隐波历史波比', 'duration', '久期', 'convexity', '凸性', 'floor_gap', '债底距离'],
    ],
    key: null,
    told: '纯债价值及用到它的因子自引擎 0.4 起按当时年份的收益率表折现，价格隐含违约的缺失；这里写于改动之前，结果可能与当时不同',
  },
]

/** Of each clause the Chinese name of a ratio became that of the clause's own figure. */
function clauses(clause: string, key: string): Renamed[] {
  return [
    {
      kind: 'cb',
      names: [`${clause}触发价比率`],
      key: `${key}_price_rate`,
      told: `「${clause}触发价比率」现为条款的触发价 ÷ 转股价格；这里写于改动之前，仍是正股收盘价 ÷ ${clause}触发价，写作 ${key}_price_rate（正股价/${clause}触发价）`,
    },
    {
      kind: 'cb',
      names: [`${clause}触发比例`],
      key: `${key}_trigger`,
      told: `「${clause}触发比例」现名「${clause}触发价比率」，含义不变，写作 ${key}_trigger`,
    },
  ]
}

const bars = ['tr', 'atr', 'kdj_k', 'kdj_d', 'kdj_j', 'cci', 'wr', 'mfi', 'obv', 'psy', 'vwap_n']
const ofBars = new RegExp(`(?<![\\p{L}\\p{N}_])(?:(?:${bars.join('|')}) *\\(|atr_\\d+(?![\\p{L}\\p{N}_]))`, 'iu')

/** Notices, shown once, for a formula from before engine 0.5: its bar functions are now correct, so its results may differ. The formula is unchanged. */
export function mendedBars(kind: MarketId, text: string): string[] {
  return markets[kind].hasAdjustmentFactor && ofBars.test(text)
    ? [
        '公式中的 K 线函数（tr、atr、kdj、cci、wr、mfi、obv、psy、vwap_n）与 atr_N 自引擎 0.5 起按复权价计算，以元为单位的折算为当日价格；这里写于改动之前，结果可能与当时不同',
      ]
    : []
}

/** Types of stops that sell during the day, and of weights by a size or a volatility. */
const [intraday, byNumber] = [
  [1, 2, 3, 5],
  [3, 5],
]

/** Notices, shown once, for a rule saved before engine 0.5 whose results may differ. The rule is unchanged. */
export function mendedRule(kind: MarketId, rule: unknown): string[] {
  const { stop_method: stop, hold_method: hold } = rule as {
    stop_method?: { stop_type?: number }
    hold_method?: { hold_weight_type?: number }
  }
  return [
    ...mendedBarsIn(kind, rule),
    ...(intraday.includes(stop?.stop_type ?? 0) ? ['盘中止盈止损卖出的标的，自引擎 0.5 起当日不再买回，结果可能与当时不同'] : []),
    ...(byNumber.includes(hold?.hold_weight_type ?? 0)
      ? ['没有规模或波动率的标的，自引擎 0.5 起按其余标的的平均权重配置，结果可能与当时不同']
      : []),
  ]
}

/** The same of each factor and formula in a stored rule. */
function mendedBarsIn(kind: MarketId, rule: unknown, place = ''): string[] {
  if (typeof rule === 'string') return places.has(place) ? mendedBars(kind, rule) : []
  if (Array.isArray(rule)) return [...new Set(rule.flatMap((each) => mendedBarsIn(kind, each, place)))]
  if (typeof rule !== 'object' || rule === null) return []
  return [...new Set(Object.entries(rule).flatMap(([key, each]) => mendedBarsIn(kind, each, key)))]
}

/** A name by itself: no part of a longer one, no function; spaces within it do not count, nor does letters' case. */
const alone = (name: string) => `(?<![\\p{L}\\p{N}_])${[...name].join(' *')}(?![\\p{L}\\p{N}_])(?! *\\()`
const patterns = renamed.map((one) => ({ ...one, pattern: new RegExp(one.names.map(alone).join('|'), 'giu') }))
/** A formula may give its own meaning to a name. */
const ownMeaning = (names: readonly string[]) => new RegExp(names.map((name) => `${alone(name)} *:=`).join('|'), 'iu')

const clauseNames = [
  ...['call_status', '强赎状态', 'is_call', '强赎状态（细分）', 'redeem_count', '强赎已满足天数', 'redeem_remain_days', '强赎剩余计数'],
  ...['redeem_progress', '强赎进度', 'reset_count', '下修已满足天数', 'reset_remain_days', '下修剩余计数', 'reset_status', '下修状态'],
  ...['put_count', '回售已满足天数', 'last_trade_date', '最后交易日', 'redeem_left_days', '距最后交易日', 'reset_times', '历史下修次数'],
]
const ofClauses = new RegExp(clauseNames.map(alone).join('|'), 'iu')

/** Notices, shown once, for a bond rule or formula that uses clause counts or holds to redemption: engine 0.5 counts and pays differently. */
export function countedAnew(kind: MarketId, rule: unknown): string[] {
  if (!markets[kind].redeemed) return []
  let isCounted = false
  let isPaid = false
  const walk = (value: unknown, place: string): void => {
    if (typeof value === 'string') {
      if (places.has(place) && ofClauses.test(value)) isCounted = true
      if (place === 'call_handling' && value === 'hold_to_redemption') isPaid = true
    } else if (Array.isArray(value)) {
      if (place === 'call_status' && value.length > 0) isCounted = true
      for (const each of value) walk(each, place)
    } else if (typeof value === 'object' && value !== null) for (const [key, each] of Object.entries(value)) walk(each, key)
    else if (place === 'call_remain_days' && typeof value === 'number') isCounted = true
  }
  walk(rule, '')
  return [
    ...(isCounted
      ? [
          '强赎、下修、回售的计数自引擎 0.5 起只数正股有成交的交易日，按未取整的触发价比较；2022 年 8 月起满足强赎条件而未及时公告的，记为公告不强赎（推定）；这里写于改动之前，结果可能与当时不同',
        ]
      : []),
    ...(isPaid ? ['持有到赎回兑付自引擎 0.5 起按赎回价、在兑付日到账；这里写于改动之前，结果可能与当时不同'] : []),
  ]
}

/** What means the same now. */
export interface Kept<T> {
  readonly value: T
  /** Sentences on what was replaced or is computed otherwise; none where nothing is. */
  readonly told: readonly string[]
}

/** A factor, or a formula, of the time before. */
export function keptName(kind: MarketId, text: string): Kept<string> {
  let value = text
  const told: string[] = []
  for (const one of patterns) {
    if (one.kind !== kind || ownMeaning(one.names).test(value)) continue
    if (value.search(one.pattern) < 0) continue
    told.push(one.told)
    if (one.key !== null) value = value.replace(one.pattern, one.key)
  }
  return { value, told }
}

/** Where a stored rule, a run's request or a list of factors names them. */
const places = new Set(['factor_key', 'hold_weight_factor', 'formula', 'canonical'])

/** The same with each factor and formula in it as `keptName` has it: anything that is made of JSON. */
export function keptNames<T>(kind: MarketId, given: T): Kept<T> {
  const told = new Set<string>()
  const walk = (value: unknown, place: string): unknown => {
    if (typeof value === 'string' && places.has(place)) {
      const kept = keptName(kind, value)
      for (const each of kept.told) told.add(each)
      return kept.value
    }
    if (Array.isArray(value)) return value.map((each) => walk(each, place))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, key)]))
  }
  const value = walk(given, '') as T
  return { value: told.size > 0 ? value : given, told: [...told] }
}

/** A rule in the names of now, whichever names it was written in. */
export const keptRule = (kind: MarketId, parameters: Parameters, written: number | undefined): Kept<Parameters> =>
  (written ?? 1) < namesVersion ? keptNames(kind, parameters) : { value: parameters, told: [] }
