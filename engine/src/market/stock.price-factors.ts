import { shelf } from './factor-line.ts'
import type { FactorDefinition } from './market.ts'

const price = shelf('价格')
const momentum = shelf('动量')
const technical = shelf('技术', { decimals: 2 })

/** 1 … 250 trading days; `from` where one day says nothing. */
const days = (standard: number, from = 2): { window: readonly [number, number, number] } => ({ window: [standard, from, 250] })

const rsv = '(adj_close - ts_min(adj_low, 9)) / (ts_max(adj_high, 9) - ts_min(adj_low, 9)) * 100'
const typical = 'p := (adj_high + adj_low + adj_close) / 3; '
const before = 'c := ref(adj_close, 1); '
/** Adjusted prices that differ by less than half a tick (0.01 yuan) of the raw price are the same. */
const halfTick = 'least := 0.005 * adj_factor; '

/** 后复权; the price itself where the data have no adjustment factor. A suspended day keeps the last close, so that windows go on over it. */
const adjusted = (key: string, label: string) => {
  const kept = `coalesce(${key}, close)`
  const description = `${label} × 复权因子，停牌日按收盘价；没有复权因子的数据即${label}`
  return price.small(`adj_${key}`, `复权${label}`, `${kept} * adj_factor`, description, { unit: '元', otherwise: kept })
}

const ofVolumes = (up: string, down: string) =>
  `u := ts_sum(if(s ${up}, vol, 0), N); d := ts_sum(if(s ${down}, vol, 0), N); e := ts_sum(vol, N) - u - d; (2 * u + e) / (2 * d + e) * 100`

/** Prices, momentum and technical factors of A shares (domain.md 3.5). Prices over time are adjusted ones (后复权). */
export const stockPriceFactors: readonly FactorDefinition[] = [
  adjusted('open', '开盘价'),
  adjusted('high', '最高价'),
  adjusted('low', '最低价'),
  price.small('pct_chg', '涨跌幅', 'adj_close / ref(adj_close, 1) - 1', '复权收盘价 ÷ 前一交易日 − 1'),
  price.small('gap', '跳空', 'open / pre_close - 1', '开盘价 ÷ 前收盘价 − 1'),
  price.small('intraday_pct', '日内涨跌幅', 'close / open - 1', '收盘价 ÷ 开盘价 − 1'),
  price.small('vwap', '成交均价', 'amount * 10000 / vol', '成交额 ÷ 成交股数', { unit: '元', decimals: 3 }),
  momentum.small('pct_chg_N', 'N日涨跌幅', 'adj_close / ref(adj_close, N) - 1', '复权收盘价 ÷ N 个交易日前 − 1', days(20, 1)),
  momentum.large('mom_12_1', '12-1动量', 'ref(adj_close, 21) / ref(adj_close, 252) - 1', '252 日前至 21 日前的涨幅'),
  momentum.large(
    'rel_strength',
    '相对强弱',
    "ref(ts_halflife(log(1 + pct_chg) - log(1 + mkt('stk_ew', 'pct')), 504, 126), 21)",
    '相对全市场等权的对数超额收益，504 日、半衰期 126 日的加权平均，滞后 21 日',
    { decimals: 6 },
  ),
  momentum.small('bias_N', 'N日乖离率', 'adj_close / ts_mean(adj_close, N) - 1', '复权收盘价 ÷ N 日均价 − 1', days(20)),
  momentum.large('ma_ratio_N', 'N日均线比', 'ts_mean(adj_close, N) / adj_close', 'N 日均价 ÷ 复权收盘价', days(20)),
  momentum.large('ema_ratio_N', 'N日指数均线比', 'ema(adj_close, N) / adj_close', 'N 日指数均价 ÷ 复权收盘价', days(20)),
  momentum.small(
    'price_pos_N',
    'N日价格位置',
    '(adj_close - ts_min(adj_close, N)) / (ts_max(adj_close, N) - ts_min(adj_close, N))',
    '(收盘 − 最低) ÷ (最高 − 最低)，按 N 日复权收盘价',
    days(250),
  ),
  momentum.large('hh_dist_N', '距N日高点', 'adj_close / ts_max(adj_high, N) - 1', '复权收盘价 ÷ N 日最高价 − 1；没有最高价时按收盘价', {
    ...days(60),
    otherwise: 'adj_close / ts_max(adj_close, N) - 1',
  }),
  momentum.small('price_1m', '一月均价偏离', 'adj_close / ts_mean(adj_close, 21) - 1', '复权收盘价 ÷ 21 日均价 − 1'),
  momentum.small('price_3m', '三月均价偏离', 'adj_close / ts_mean(adj_close, 61) - 1', '复权收盘价 ÷ 61 日均价 − 1'),
  momentum.small('price_1y', '一年均价偏离', 'adj_close / ts_mean(adj_close, 250) - 1', '复权收盘价 ÷ 250 日均价 − 1'),
  momentum.large('plrc_N', 'N日回归系数', 'ts_slope(adj_close, N) / ts_mean(adj_close, N)', '复权收盘价 ÷ 其 N 日均值对 1 … N 的回归斜率', {
    ...days(12),
    decimals: 6,
  }),
  momentum.small(
    'up_days_N',
    'N日上涨天数',
    `${halfTick}ts_sum(if(diff(adj_close, ref(adj_close, 1)) > least, 1, 0), N)`,
    'N 日内上涨的天数',
    {
      ...days(10),
      unit: '日',
      decimals: 0,
      otherwise: 'ts_sum(if(diff(adj_close, ref(adj_close, 1)) > 0, 1, 0), N)',
    },
  ),
  technical.small('close_ma_N', 'N日均价', 'ts_mean(adj_close, N)', 'N 日复权收盘价均值', { ...days(20), unit: '元', decimals: 4 }),
  technical.large('macd_hist', 'MACD 柱', 'macd(adj_close, 12, 26, 9)', '2 × (DIF − DEA)，12/26/9，按复权收盘价', {
    unit: '元',
    decimals: 4,
  }),
  technical.small('rsi_N', 'N日RSI', 'rsi(adj_close, N)', '上涨幅度的平滑值 ÷ 涨跌幅度的平滑值 × 100', days(14)),
  technical.small('kdj_k', 'KDJ-K', `sma(${rsv}, 3, 1)`, '9/3/3，按复权价'),
  technical.small('kdj_d', 'KDJ-D', `sma(sma(${rsv}, 3, 1), 3, 1)`, '9/3/3，按复权价'),
  technical.small('kdj_j', 'KDJ-J', `k := sma(${rsv}, 3, 1); 3 * k - 2 * sma(k, 3, 1)`, '3K − 2D'),
  technical.small(
    'cci_N',
    'N日CCI',
    `${typical}(p - ts_mean(p, N)) / (0.015 * AVEDEV(p, N))`,
    '典型价与 N 日均值之差 ÷ (0.015 × 平均绝对偏差)',
    days(14),
  ),
  technical.large(
    'wr_N',
    'N日威廉指标',
    '(ts_max(adj_high, N) - adj_close) / (ts_max(adj_high, N) - ts_min(adj_low, N)) * 100',
    '(N 日最高 − 收盘) ÷ (N 日最高 − 最低) × 100',
    days(10),
  ),
  technical.small('mfi_N', 'N日资金流量指标', 'mfi(N)', '典型价上涨日的成交金额占比 × 100', days(14)),
  technical.large('trix_N', 'N日TRIX', 't := ema(ema(ema(adj_close, N), N), N); t / ref(t, 1) - 1', '三重指数均价的日变化率', {
    ...days(12),
    decimals: 6,
  }),
  technical.small('mass', '梅斯线', 'r := ema(adj_high - adj_low, 9); ts_sum(r / ema(r, 9), 25)', '9 日振幅均值与其再均值之比的 25 日和'),
  technical.small(
    'cr_N',
    'N日CR',
    `m := ref((adj_high + adj_low + adj_close) / 3, 1); ts_sum(max(0, diff(adj_high, m)), N) / ts_sum(max(0, diff(m, adj_low)), N) * 100`,
    '最高价超过前日中价之和 ÷ 前日中价超过最低价之和 × 100',
    days(20),
  ),
  technical.small('psy_N', 'N日心理线', 'psy(N)', 'N 日内上涨天数的百分比', days(12)),
  technical.small(
    'ar_N',
    'N日人气指标',
    'ts_sum(adj_high - adj_open, N) / ts_sum(adj_open - adj_low, N) * 100',
    '(最高 − 开盘)之和 ÷ (开盘 − 最低)之和 × 100',
    days(26),
  ),
  technical.small(
    'br_N',
    'N日意愿指标',
    `${before}ts_sum(max(0, diff(adj_high, c)), N) / ts_sum(max(0, diff(c, adj_low)), N) * 100`,
    '最高价超过前收之和 ÷ 前收超过最低价之和 × 100',
    days(26),
  ),
  technical.small(
    'vr_N',
    'N日成交量比率',
    `${before}${halfTick}s := diff(adj_close, c); ${ofVolumes('> least', '< -least')}`,
    '(上涨日量 × 2 + 平盘日量) ÷ (下跌日量 × 2 + 平盘日量) × 100',
    { ...days(26), otherwise: `${before}s := diff(adj_close, c); ${ofVolumes('> 0', '< 0')}` },
  ),
  technical.small('boll_up', '布林上轨比', '(ts_mean(adj_close, 20) + 2 * STD(adj_close, 20)) / adj_close', '20 日布林上轨 ÷ 复权收盘价', {
    decimals: 4,
  }),
  technical.small(
    'boll_down',
    '布林下轨比',
    '(ts_mean(adj_close, 20) - 2 * STD(adj_close, 20)) / adj_close',
    '20 日布林下轨 ÷ 复权收盘价',
    {
      decimals: 4,
    },
  ),
  technical.small(
    'boll_pos',
    '布林位置',
    '(adj_close - ts_mean(adj_close, 20)) / (2 * STD(adj_close, 20))',
    '(收盘 − 中轨) ÷ 两倍标准差，上轨为 1，下轨为 −1',
    {
      decimals: 3,
    },
  ),
  technical.large('aroon_up', '阿隆上升', '(25 - ts_argmax(adj_high, 26)) / 25 * 100', '(25 − 距 25 日最高价的天数) ÷ 25 × 100'),
  technical.small('aroon_down', '阿隆下降', '(25 - ts_argmin(adj_low, 26)) / 25 * 100', '(25 − 距 25 日最低价的天数) ÷ 25 × 100'),
  technical.large('bull_power', '多头力道', '(adj_high - ema(adj_close, 13)) / adj_close', '(最高价 − 13 日指数均价) ÷ 收盘价', {
    decimals: 4,
  }),
  technical.large('bear_power', '空头力道', '(adj_low - ema(adj_close, 13)) / adj_close', '(最低价 − 13 日指数均价) ÷ 收盘价', {
    decimals: 4,
  }),
  technical.small('limit_streak', '连板数', 'limit_streak()', '连续收于涨停的天数', { unit: '日', decimals: 0 }),
  technical.large(
    'days_since_limit',
    '距最近涨停天数',
    "bars_last(flag('limit_up'))",
    '距上一次收于涨停的交易日数，当日涨停为 0，从未涨停则缺失',
    {
      unit: '日',
      decimals: 0,
    },
  ),
]
