import {
  accruedNow,
  announced,
  couponNow,
  dateOf,
  daysToLastDay,
  daysUntil,
  type Fact,
  lastDay,
  promise,
  revisions,
  since,
  term,
  written,
} from '../bond/facts.ts'
import { callStateTexts, callStatuses, type Field, ratings, resetStateTexts } from './market.ts'

type Stored = [
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  store: 'f64' | 'f32',
  /** 1 = stays while the bond does not trade. */
  carry: 0 | 1,
  category: string,
  prefer: 'small' | 'large',
  description: string,
  more?: Partial<Field>,
]

/** A number of the underlying share, and what it is in the stock market. */
const ofStock = (field?: string, per?: number): Partial<Field> => ({
  ofStock: { ...(field !== undefined && { field }), ...(per !== undefined && { per }) },
})

/** Columns of the store. */
const stored: Stored[] = [
  ['close', '收盘价', '元', 3, 'f64', 1, '价格', 'small', '收盘价，全价'],
  ['open', '开盘价', '元', 3, 'f64', 0, '价格', 'small', '开盘价'],
  ['high', '最高价', '元', 3, 'f64', 0, '价格', 'small', '最高价'],
  ['low', '最低价', '元', 3, 'f64', 0, '价格', 'small', '最低价'],
  ['pre_close', '前收盘价', '元', 3, 'f64', 0, '价格', 'small', '交易所前收盘价，上市首日为发行价'],
  ['vol', '成交量', '手', 0, 'f32', 0, '流动性', 'large', '成交量，1 手为 10 张；停牌日为 0', { ofTrades: true }],
  ['amount', '成交额', '万元', 2, 'f64', 0, '流动性', 'large', '成交额；停牌日为 0', { ofTrades: true }],
  ['turnover', '换手率', null, 4, 'f64', 0, '流动性', 'small', '成交额 ÷ 剩余市值；停牌日为 0', { ofTrades: true }],
  ['conv_price', '转股价格', '元', 3, 'f64', 1, '股性', 'small', '当日有效的转股价格'],
  ['close_stk', '正股收盘价', '元', 2, 'f64', 1, '正股', 'small', '正股收盘价，未复权', ofStock('close')],
  ['conv_value', '转股价值', '元', 3, 'f64', 1, '股性', 'large', '100 ÷ 转股价格 × 正股收盘价'],
  ['conv_prem', '转股溢价率', null, 4, 'f64', 1, '溢价', 'small', '收盘价 ÷ 转股价值 − 1'],
  ['ytm', '到期收益率', null, 4, 'f64', 1, '债性', 'large', '税前，按年复利'],
  ['pure_value', '纯债价值', '元', 3, 'f64', 1, '债性', 'large', '按同评级收益率折现的债券价值', { realtime: false }],
  ['remain_size', '剩余规模', '亿元', 3, 'f64', 1, '规模', 'small', '未转股面值'],
  ['left_years', '剩余年限', '年', 3, 'f64', 1, '债性', 'small', '(转股截止日 − 当日 + 1) ÷ 365'],
  ['rating', '评级', null, 0, 'f64', 1, '债性', 'small', '最新外部评级', { values: ratings }],
  ['is_st_stk', '正股 ST', null, 0, 'f32', 1, '正股', 'small', '1 为 ST 或 *ST', ofStock('is_st')],
  ['pre_close_stk', '正股前收盘价', '元', 2, 'f64', 0, '正股', 'small', '交易所前收盘价，已除权', ofStock('pre_close')],
  [
    'adj_factor_stk',
    '正股复权因子',
    null,
    6,
    'f64',
    1,
    '正股',
    'small',
    '累计复权因子，收盘价 × 因子为后复权价',
    { ...ofStock('adj_factor'), stays: true },
  ],
  ['vol_stk', '正股成交量', '手', 0, 'f32', 0, '正股', 'large', '正股成交量，1 手为 100 股', { ...ofStock('vol', 100), ofTrades: true }],
  ['amount_stk', '正股成交额', '万元', 2, 'f32', 0, '正股', 'large', '正股成交额', { ...ofStock('amount'), ofTrades: true }],
  ['total_mv', '正股总市值', '亿元', 2, 'f32', 1, '正股', 'small', '正股总市值', ofStock('total_mv')],
  ['circ_mv', '正股流通市值', '亿元', 2, 'f32', 1, '正股', 'small', '正股流通市值', ofStock('circ_mv')],
  ['pb', '正股市净率', null, 2, 'f32', 1, '正股', 'small', '正股市净率', { ...ofStock('pb'), positive: true }],
  ['pe_ttm', '正股市盈率 TTM', null, 2, 'f32', 1, '正股', 'small', '亏损时缺失', { ...ofStock('pe_ttm'), positive: true }],
  ['ps_ttm', '正股市销率 TTM', null, 2, 'f32', 1, '正股', 'small', '总市值 ÷ 近四季营业收入', { ...ofStock('ps_ttm'), positive: true }],
  ['dv_ratio', '正股股息率', null, 4, 'f32', 1, '正股', 'large', '上一年现金分红 ÷ 总市值', ofStock('dv_ratio')],
  [
    'volatility_stk',
    '正股年化波动率',
    null,
    4,
    'f32',
    1,
    '波动',
    'large',
    '近一年（242 个交易日）对数收益率标准差 × √242',
    { ...ofStock(), realtime: false },
  ],
  ['debt_to_assets', '正股资产负债率', null, 4, 'f32', 1, '正股', 'small', '最新已公告报告期的负债 ÷ 资产', ofStock()],
  ['roe_ttm', '正股净资产收益率 TTM', null, 4, 'f32', 1, '正股', 'large', '近四季净利润 ÷ 净资产，自公告次日起', ofStock()],
  ['roa_ttm', '正股总资产收益率 TTM', null, 4, 'f32', 1, '正股', 'large', '近四季净利润 ÷ 总资产，自公告次日起', ofStock()],
  ['or_yoy', '正股营收同比', null, 4, 'f32', 1, '正股', 'large', '近四季营业收入的同比增速，自公告次日起', ofStock()],
  ['netprofit_yoy', '正股净利同比', null, 4, 'f32', 1, '正股', 'large', '近四季归母净利润的同比增速，自公告次日起', ofStock()],
  ['grossprofit_margin', '正股毛利率', null, 4, 'f32', 1, '正股', 'large', '近四季毛利率，自公告次日起', ofStock()],
  ['ocf_to_or', '正股经营现金收入比', null, 4, 'f32', 1, '正股', 'large', '近四季经营现金流 ÷ 营业收入，自公告次日起', ofStock()],
  ['money_funds', '正股货币资金', '亿元', 2, 'f32', 1, '正股', 'large', '最新已公告报告期的货币资金', ofStock()],
  ['pledge_ratio', '大股东质押比例', null, 4, 'f32', 1, '正股', 'small', '控股股东质押股数 ÷ 其持股数', ofStock()],
  ['yy_rating', 'YY评级', null, 0, 'f32', 1, '信用', 'small', '第三方评级，1 最好、10 最差'],
  ['fund_hold_ratio', '基金持有比例', null, 4, 'f32', 1, '信用', 'large', '公募基金持有面值 ÷ 剩余规模，按季公布'],
  ['popularity_ranking', '人气排名', null, 0, 'f32', 0, '流动性', 'small', '行情网站的关注度名次'],
  ['theory_zl', '郑-林模型理论价', '元', 3, 'f64', 1, '期权', 'large', '结构化模型的理论价', { realtime: false }],
  ['theory_mc', '蒙特卡洛理论价', '元', 3, 'f64', 1, '期权', 'large', '含强赎、回售、下修条款的模拟理论价', { realtime: false }],
]

type Made = [
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  category: string,
  prefer: 'small' | 'large',
  description: string,
  more: Partial<Field>,
]

const always = { derived: true, realtime: false } as const
const ifAbsent = { derived: 'if_absent', realtime: false } as const
const fact = (of: Fact): Partial<Field> => ({ fact: of })
const trigger = (clause: 'redeem' | 'reset' | 'put') => fact(term((terms) => terms[clause]?.trigger))
const days = (clause: 'redeem' | 'reset' | 'put') => fact(term((terms) => terms[clause]?.days))
const window = (clause: 'redeem' | 'reset' | 'put') => fact(term((terms) => terms[clause]?.window))
const calls = ['redeem', 'redeem_execution', 'maturity'] as const
const dated = (date: string | undefined) => (date === undefined ? null : written(date))
const years = (from: string | null, to: string | null) =>
  from === null || to === null ? null : Math.round((written(to) - written(from)) / 10_000)

/** Worked out on the days that are asked for: columns of the clauses' counters, and what terms and announcements say. */
// biome-ignore format: a table reads best with a field a line
const made: Made[] = [
  ['listed_days', '上市天数', '天', 0, '状态', 'large', '自然日，上市首日为 1', { derived: true }],
  ['suspension', '停牌', null, 0, '状态', 'small', '1 为当日没有成交', { derived: true }],
  ['adj_close_stk', '正股复权收盘价', '元', 4, '正股', 'small', '正股收盘价 × 复权因子；没有复权因子的数据即收盘价', { derived: true }],
  ['limit_stk', '正股涨跌停', null, 0, '正股', 'small', '1 涨停、−1 跌停、0 其他，按当日适用的涨跌幅限制', { derived: true }],
  ['risk_free', '无风险利率', null, 4, '期权', 'small', '行情序列 risk_free（小数）当日的值，没有时为 2.5%', { series: { code: 'risk_free', otherwise: 0.025 } }],
  ['issue_size', '发行规模', '亿元', 3, '规模', 'small', '发行时的面值', fact(term((terms) => terms.issueSize))],
  ['maturity', '期限', '年', 0, '条款', 'small', '起息日至到期日', fact(term(({ valueDate, maturityDate }) => years(valueDate, maturityDate)))],
  ['left_days', '剩余天数', '天', 0, '债性', 'small', '转股截止日 − 当日 + 1，自然日', fact(daysUntil(({ conversionEnd, maturityDate }) => conversionEnd ?? maturityDate, 1))],
  ['left_conv_start_days', '距转股起始', '天', 0, '条款', 'small', '转股起始日 − 当日，自然日；已进入转股期为负或 0', fact(daysUntil((terms) => terms.conversionStart))],
  ['convertible_now', '是否转股期', null, 0, '条款', 'large', '1 为已进入转股期', fact(since((terms) => terms.conversionStart))],
  ['coupon_cur', '当期票息', null, 4, '债性', 'large', '当前计息年度的票面利率', fact(couponNow)],
  ['accrued', '应计利息', '元', 4, '债性', 'large', '当期票息 × 自上一付息日的天数 ÷ 365，每百元面值', fact(accruedNow)],
  ['maturity_price', '到期赎回价', '元', 2, '债性', 'large', '含最后一期利息', fact(term((terms) => terms.maturityPrice))],
  ['has_guarantee', '担保', null, 0, '信用', 'large', '1 为有担保', fact(term(({ guaranteed }) => (guaranteed === null ? null : Number(guaranteed))))],
  ['list_date', '上市日', '日期', 0, '条款', 'small', '上市首日', fact(dateOf(({ listed }) => listed))],
  ['value_date', '起息日', '日期', 0, '条款', 'small', '计息起始日', fact(dateOf(({ terms }) => terms?.valueDate))],
  ['conv_start_date', '转股起始日', '日期', 0, '条款', 'small', '可以转股的首日', fact(dateOf(({ terms }) => terms?.conversionStart))],
  ['conv_end_date', '转股截止日', '日期', 0, '条款', 'small', '可以转股的末日', fact(dateOf(({ terms }) => terms?.conversionEnd))],
  ['maturity_date', '到期日', '日期', 0, '条款', 'small', '到期兑付日', fact(dateOf(({ terms }) => terms?.maturityDate))],
  ['conv_stop_date', '停止转股日', '日期', 0, '强赎', 'small', '强赎或到期公告的最后转股日，自公告次一交易日起', fact(announced(calls, ({ lastConversion }) => dated(lastConversion)))],
  ['is_call', '强赎状态（细分）', null, 0, '强赎', 'small', '未到转股期、计数中、临近触发（差 5 天以内）、已满足、公告不强赎、提示（60 天内没有下文的不再计）、已公告、实施、到期赎回；公告自次一交易日起计。2022 年 8 月起满足条件而次一交易日仍未公告的，为公告不强赎（推定），为期三个月；公告列表没有覆盖的日子，满 30 个交易日后才推定。条款未知的缺失', { ...always, values: callStateTexts }],
  ['call_status', '强赎状态', null, 0, '强赎', 'small', '按公告日的强赎进度', { ...ifAbsent, values: callStatuses }],
  ['redeem_trigger', '强赎触发价比率', null, 4, '强赎', 'small', '条款：强赎触发价 ÷ 转股价格，多为 130%', trigger('redeem')],
  ['redeem_need', '强赎需满足天数', '日', 0, '强赎', 'small', '条款：窗口内需满足的天数', days('redeem')],
  ['redeem_window', '强赎窗口', '日', 0, '强赎', 'small', '条款：计数的交易日窗口', window('redeem')],
  ['redeem_count', '强赎已满足天数', '日', 0, '强赎', 'small', '正股最近有成交的窗口日中、转股期内收盘价不低于当日触发价（不取整）的日数；正股停牌日不算。公告不强赎或推定不强赎后清零，期满后重新计数', always],
  ['redeem_price', '强赎价', '元', 3, '强赎', 'large', '公告的赎回价格（含税），自公告次一交易日起', fact(announced(calls, ({ price }) => price ?? null))],
  ['redeem_reg_date', '赎回登记日', '日期', 0, '强赎', 'small', '自公告次一交易日起', fact(announced(calls, ({ registration }) => dated(registration)))],
  ['last_trade_date', '最后交易日', '日期', 0, '强赎', 'small', '公告写明的，或按赎回登记日、最后转股日和交易所规则推算的，自能够知道的次一交易日起；各日为当日所知', fact(lastDay)],
  ['last_conv_date', '最后转股日', '日期', 0, '强赎', 'small', '自公告次一交易日起', fact(announced(calls, ({ lastConversion }) => dated(lastConversion)))],
  ['redeem_left_days', '距最后交易日', '日', 0, '强赎', 'small', '交易日数，按交易日历；日历还没有的日子按周一至周五估计', fact(daysToLastDay)],
  ['no_redeem_until', '不强赎承诺到期', '日期', 0, '强赎', 'large', '公告了的不强赎承诺的最后一天，没有写明期限的按六个月（假定）；推定的不在内', fact(promise('no_redeem'))],
  ['reset_trigger', '下修触发价比率', null, 4, '下修', 'large', '条款：下修触发价 ÷ 转股价格', trigger('reset')],
  ['reset_need', '下修需满足天数', '日', 0, '下修', 'small', '条款：窗口内需满足的天数', days('reset')],
  ['reset_window', '下修窗口', '日', 0, '下修', 'small', '条款：计数的交易日窗口', window('reset')],
  ['reset_count', '下修已满足天数', '日', 0, '下修', 'large', '正股最近有成交的窗口日中收盘价低于当日触发价（不取整）的日数；正股停牌日不算。下修或公告不下修后重新计数', always],
  ['reset_status', '下修状态', null, 0, '下修', 'large', '计数中、临近触发（差 5 天以内）、已满足、公告不下修、提议下修（60 天内没有结果的不再计）；公告自次一交易日起计', { ...always, values: resetStateTexts }],
  ['reset_times', '历史下修次数', '次', 0, '下修', 'large', '已生效的转股价下修', fact(revisions)],
  ['no_reset_until', '不下修承诺到期', '日期', 0, '下修', 'small', '有效的不下修承诺的最后一天，没有写明期限的按六个月（假定）', fact(promise('no_reset'))],
  ['put_trigger', '回售触发价比率', null, 4, '回售', 'large', '条款：回售触发价 ÷ 转股价格', trigger('put')],
  ['put_need', '回售需满足天数', '日', 0, '回售', 'small', '条款：需连续满足的天数', days('put')],
  ['put_count', '回售已满足天数', '日', 0, '回售', 'large', '回售期内正股收盘价连续低于触发价（不取整）的交易日数；正股停牌日不算。下修后重新计数', always],
  ['put_start_date', '回售起始日', '日期', 0, '回售', 'small', '回售期首日', fact(dateOf(({ terms }) => terms?.put?.from))],
  ['left_put_days', '距回售天数', '天', 0, '回售', 'small', '回售起始日 − 当日，自然日；已进入回售期为负或 0', fact(daysUntil((terms) => terms.put?.from))],
]

/** Fields of 可转债. Ratios are fractions, 成交额 万元, sizes 亿元, volume 手 (10 张). */
export const convertibleBondFields: readonly Field[] = [
  ...stored.map(([key, label, unit, decimals, store, carry, category, prefer, description, more]): Field => {
    return { key, label, unit, decimals, store, carry: carry === 1, category, prefer, description, ...more }
  }),
  ...made.map(([key, label, unit, decimals, category, prefer, description, more]): Field => {
    return { key, label, unit, decimals, store: 'f64', carry: false, category, prefer, description, ...more }
  }),
]
