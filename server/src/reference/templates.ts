import type { CallStatus, FilterFactor, MarketId, Parameters, RankFactor, Template } from '@convexa/contract'
import { markets, needsOf } from '@convexa/engine'

/** Ready rules of product.md 4.2, for the fields that the loaded market has; none where `available` is null, no data. Keys are stable: links and tests name them. */
export function templatesOf(kind: MarketId, available: ReadonlySet<string> | null): Template[] {
  if (available === null) return []
  return drafts[kind].flatMap(({ rule, expect, fails, watch, key, name, ...draft }) => {
    const parameters = parametersOf(kind, draft, available)
    // What the data cannot support is not offered at all.
    const asRun = parameters.rank_factors.length > 0 ? parameters : { ...parameters, rank_factors: [score('close', 'small')] }
    if (!needsOf(markets[kind], available, asRun, null).ok) return []
    return [{ key, kind, name, rule, expect, fails, watch, parameters }]
  })
}

interface Draft extends Omit<Template, 'kind' | 'parameters'> {
  /** None: a set of exclusions that is laid on whatever rule there is. */
  readonly rank: readonly RankFactor[]
  /** Rows that make the template what it is. */
  readonly filter?: readonly FilterFactor[]
  /** Rows that are left out where the data lack their field. */
  readonly filterIfKnown?: readonly FilterFactor[]
  readonly callStatus?: readonly CallStatus[]
  readonly ratingsBelow?: string
  readonly listDays?: number
  readonly hold: number
  readonly rebalance: Parameters['rebalance_method']
}

const row = (factor_key: string, action: FilterFactor['action'], operation: FilterFactor['operation'], value: number): FilterFactor => ({
  factor_key,
  action,
  operation,
  value,
  enable: true,
})
const score = (factor_key: string, prefer: RankFactor['prefer'], weight = 1): RankFactor => ({
  factor_key,
  prefer,
  weight,
  missing_process: 'exclude',
  neutralization: null,
  enable: true,
})
const announcedCalls: readonly CallStatus[] = ['announced', 'executing', 'maturity']
const everyDays = (days: number): Parameters['rebalance_method'] => ({ rebalance_type: 0, rebalance_value: days })
const firstDayOfMonth: Parameters['rebalance_method'] = { rebalance_type: 2, rebalance_value: 1 }

/** Exclusions that only one kind of security knows, and the field that says whether a security is ST. */
const own: Record<MarketId, { st: string; universe: Partial<Parameters['universe']>; callStatus: boolean }> = {
  cb: { st: 'is_st_stk', universe: { max_per_issuer: 1 }, callStatus: true },
  stk: { st: 'is_st', universe: {}, callStatus: false },
}

function parametersOf(kind: MarketId, draft: Omit<Draft, Text>, available: ReadonlySet<string>): Parameters {
  const { st, universe, callStatus } = own[kind]
  const optional = (draft.filterIfKnown ?? []).filter(({ factor_key }) => available.has(factor_key))
  return {
    version: 1,
    universe: { markets: [], exclude_codes: [], ...universe },
    exclude: {
      ...(callStatus && { call_status: available.has('call_status') ? [...(draft.callStatus ?? announcedCalls)] : [] }),
      st: available.has(st),
      list_days: draft.listDays ?? 3,
      suspended: true,
      ...(draft.ratingsBelow && available.has('rating') && { ratings_below: draft.ratingsBelow }),
      org_types: [],
      areas: [],
      industries: [],
    },
    filter_factors: [...(draft.filter ?? []), ...optional],
    rank_factors: [...draft.rank],
    rank_method: 'rank',
    hold_method: {
      hold_range_type: 1,
      hold_range_start: 1,
      hold_range_end: draft.hold,
      hold_weight_type: 1,
      hold_max_weight: 0.2,
      hold_threshold: 0,
      empty_slot: 'next',
    },
    rebalance_method: draft.rebalance,
    stop_method: { stop_type: 0 },
    hold_days: 0,
  }
}
type Text = 'key' | 'name' | 'rule' | 'expect' | 'fails' | 'watch'

const convertibleBonds: readonly Draft[] = [
  {
    key: 'cb_double_low',
    name: '经典双低',
    rule: '剔除已公告强赎、低评级与规模过小的转债，按「双低 = 价格 + 溢价率 × 100」从小到大取 10 只等权，每 5 个交易日轮动。',
    expect: '持仓价格多在百元上下，涨跌温和，回撤小于正股。',
    fails: '信用风险集中暴露时，低价转债会一起下跌；股市快速上涨时跑不过低溢价。',
    watch: '低价券占比、评级分布、剩余规模。',
    rank: [score('dblow', 'small')],
    filterIfKnown: [row('remain_size', 'exclude', 'lt', 0.5)],
    ratingsBelow: 'A+',
    hold: 10,
    rebalance: everyDays(5),
  },
  {
    key: 'cb_low_premium',
    name: '低溢价',
    rule: '按转股溢价率从小到大取 10 只等权，每个交易日轮动。',
    expect: '走势接近正股，弹性大，换手也大。',
    fails: '正股普遍下跌，或强赎集中出现时损失较大。',
    watch: '强赎计数、换手率与交易成本。',
    rank: [score('conv_prem', 'small')],
    hold: 10,
    rebalance: everyDays(1),
  },
  {
    key: 'cb_small_cheap',
    name: '小盘低价',
    rule: '剔除剩余规模 3 亿元以上的转债，按价格与剩余规模的名次之和取 20 只等权，每 5 个交易日轮动。',
    expect: '偶有大涨，收益集中在少数几只，能容纳的资金有限。',
    fails: '小盘流动性骤降，或小规模转债被强赎时。',
    watch: '容量、单券贡献、成交额。',
    rank: [score('close', 'small'), score('remain_size', 'small')],
    filter: [row('remain_size', 'exclude', 'gt', 3)],
    hold: 20,
    rebalance: everyDays(5),
  },
  {
    key: 'cb_high_ytm',
    name: '高到期收益率',
    rule: '只留到期收益率为正、剩余年限 3 年以内的转债，按到期收益率从大到小取 20 只等权，每 10 个交易日轮动。',
    expect: '更像债券，平静时期回撤小。',
    fails: '发行人违约，或长期停留在面值以下。',
    watch: '评级、到期分布、发行人信用。',
    rank: [score('ytm', 'large')],
    filter: [row('ytm', 'keep', 'gt', 0), row('left_years', 'exclude', 'ge', 3)],
    hold: 20,
    rebalance: everyDays(10),
  },
  {
    key: 'cb_three_low',
    name: '三低',
    rule: '按价格、转股溢价率、剩余规模三项名次之和取 10 只等权，每 5 个交易日轮动。',
    expect: '介于双低与小盘低价之间。',
    fails: '信用风险与小盘流动性风险可能同时出现。',
    watch: '持仓集中度、剩余规模。',
    rank: [score('close', 'small'), score('conv_prem', 'small'), score('remain_size', 'small')],
    ratingsBelow: 'A+',
    hold: 10,
    rebalance: everyDays(5),
  },
  {
    key: 'cb_reset',
    name: '下修博弈',
    rule: '剔除正股市净率不高于 1（难以下修）与已承诺不下修的转债，按正股价离下修触发价的远近与到期收益率两项名次之和取 20 只等权，每 10 个交易日轮动。',
    expect: '由事件驱动，收益集中在少数几次下修，平时平淡。',
    fails: '公司不提议下修、股东大会否决，或转股价已到下修底价。',
    watch: '下修公告、股东大会结果、承诺不下修的期限。',
    rank: [score('reset_price_rate', 'small'), score('ytm', 'large')],
    filter: [row('pb', 'exclude', 'le', 1)],
    filterIfKnown: [row('no_reset_until', 'keep', 'is_null', 0)],
    hold: 20,
    rebalance: everyDays(10),
  },
  {
    key: 'cb_call_avoidance',
    name: '强赎回避包',
    rule: '只有剔除条件，不排名：剔除已满足强赎条件、提示或公告强赎与到期赎回的转债，以及再满足 3 个交易日就触发强赎的转债。使用时叠加到当前策略上。',
    expect: '持仓里不再有随时可能强赎的转债，高价、高换手的品种会变少。',
    fails: '强势上涨行情里会错过一部分正股驱动的上涨。',
    watch: '被它剔除的只数、强赎公告。',
    rank: [],
    filter: [row('redeem_remain_days', 'exclude', 'le', 3)],
    callStatus: ['met', 'notice', ...announcedCalls],
    hold: 10,
    rebalance: everyDays(5),
  },
]

const stocks: readonly Draft[] = [
  {
    key: 'stk_small_cap',
    name: '小市值',
    rule: '剔除 ST、上市一年以内与亏损的股票，按总市值从小到大取 20 只等权，每 5 个交易日轮动。',
    expect: '小盘风格占优时弹性大。',
    fails: '微盘股流动性危机；资金稍大就难以成交。',
    watch: '容量、微盘指数走势、单只成交额。',
    rank: [score('total_mv', 'small')],
    filterIfKnown: [row('pe_ttm', 'exclude', 'is_null', 0)],
    listDays: 365,
    hold: 20,
    rebalance: everyDays(5),
  },
  {
    key: 'stk_pb_roe',
    name: 'PB-ROE 价值',
    rule: '市净率越小越好、净资产收益率越大越好，两项名次相加取 20 只等权，每月第 1 个交易日轮动。',
    expect: '换手低，见效慢，价值风格占优时较好。',
    fails: '成长风格占优的年份会长时间跑输。',
    watch: '行业集中度。',
    rank: [score('pb', 'small'), score('roe_ttm', 'large')],
    filter: [row('pb', 'exclude', 'le', 0)],
    hold: 20,
    rebalance: firstDayOfMonth,
  },
  {
    key: 'stk_dividend_low_vol',
    name: '红利低波',
    rule: '股息率越大越好、250 日波动率越小越好，两项名次相加取 20 只等权，每月第 1 个交易日轮动。',
    expect: '防御性强，回撤小于大盘。',
    fails: '牛市里明显跑输。',
    watch: '股息能否持续、行业集中度。',
    rank: [score('dv_ratio', 'large'), score('volatility_250', 'small')],
    hold: 20,
    rebalance: firstDayOfMonth,
  },
  {
    key: 'stk_low_turnover_reversal',
    name: '低换手反转',
    rule: '20 日涨幅越小越好、20 日换手率越小越好，两项名次相加取 20 只等权，每 5 个交易日轮动。',
    expect: '赚取超跌后的反弹。',
    fails: '单边趋势行情；换手较高，成本侵蚀明显。',
    watch: '交易成本、持仓是否过于冷门。',
    rank: [score('pct_chg_20', 'small'), score('turnover_20', 'small')],
    hold: 20,
    rebalance: everyDays(5),
  },
  {
    key: 'stk_quality_growth',
    name: '质量成长',
    rule: '净资产收益率与营收增速越大越好、资产负债率越小越好，三项名次相加取 20 只等权，每月第 1 个交易日轮动。',
    expect: '盈利稳定增长的公司，长期跟随业绩。',
    fails: '价值风格占优，或估值整体收缩时。',
    watch: '财报公布时点、估值水平。',
    rank: [score('roe_ttm', 'large'), score('or_yoy', 'large'), score('debt_to_assets', 'small')],
    hold: 20,
    rebalance: firstDayOfMonth,
  },
  {
    key: 'stk_reversal_5',
    name: '短期反转',
    rule: '按 5 日涨幅从小到大取 50 只等权，每 5 个交易日轮动；只需要收盘价。',
    expect: '捕捉一周内跌得过急的股票的反弹，持仓分散。',
    fails: '持续下跌的趋势行情；换手高，成本是成败关键。',
    watch: '换手率、单边成本。',
    rank: [score('pct_chg_5', 'small')],
    hold: 50,
    rebalance: everyDays(5),
  },
]

const drafts: Record<MarketId, readonly Draft[]> = { cb: convertibleBonds, stk: stocks }
