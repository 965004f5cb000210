import { shelf } from './factor-line.ts'
import type { FactorDefinition } from './market.ts'

const risk = shelf('波动')
const liquidity = shelf('流动性')

const days = (standard: number, from = 2): { window: readonly [number, number, number] } => ({ window: [standard, from, 250] })
const index = "mkt('000300', 'pct')"
/** A suspended day keeps the last close, so that windows go on over it. */
const kept = 'h := coalesce(high, close); l := coalesce(low, close); p := coalesce(pre_close, close); '

const trueRange = 'ts_mean(max(h - l, abs(h - p), abs(l - p)), N)'

/** Volatility, risk and liquidity of A shares (domain.md 3.6). */
export const stockRiskFactors: readonly FactorDefinition[] = [
  risk.small('amplitude', '振幅', '(high - low) / pre_close', '(最高价 − 最低价) ÷ 前收盘价'),
  risk.small('amplitude_N', 'N日平均振幅', `${kept}ts_mean((h - l) / p, N)`, 'N 日均值，停牌日为 0', days(20)),
  risk.small(
    'volatility_N',
    'N日年化波动率',
    'ts_std(log(adj_close / ref(adj_close, 1)), N) * 242 ^ 0.5',
    'N 日对数收益率标准差 × √242',
    days(60),
  ),
  risk.small('down_vol_N', 'N日下行波动率', 'ts_downvol(adj_close, N)', 'N 日内为负的对数收益率的标准差 × √242', days(60)),
  risk.small('beta_N', 'N日Beta', `ts_beta(pct_chg, ${index}, N)`, 'N 日涨跌幅对沪深300 涨跌幅的回归斜率', {
    window: [252, 2, 252],
    decimals: 3,
  }),
  risk.small(
    'resid_vol',
    '残差波动率',
    `ts_std(pct_chg, 252) * sqrt((1 - ts_rsq(pct_chg, ${index}, 252)) * 242)`,
    '252 日涨跌幅对沪深300 回归的残差的标准差 × √242',
  ),
  risk.small('skew_N', 'N日偏度', 'ts_skew(pct_chg, N)', 'N 日涨跌幅的偏度', { window: [20, 3, 250], decimals: 3 }),
  risk.small('kurt_N', 'N日峰度', 'ts_kurt(pct_chg, N)', 'N 日涨跌幅的超额峰度', { window: [20, 4, 250], decimals: 3 }),
  risk.large(
    'sharpe_N',
    'N日夏普',
    'ts_mean(pct_chg, N) / ts_std(pct_chg, N) * sqrt(242)',
    'N 日涨跌幅均值 ÷ 标准差 × √242，无风险利率为 0',
    { ...days(60), decimals: 2 },
  ),
  risk.small('max_ret_N', 'N日最大单日涨幅', 'ts_max(pct_chg, N)', 'N 日内最大的单日涨幅', days(20)),
  risk.large('mdd_N', 'N日最大回撤', 'ts_mdd(adj_close, N)', 'N 日内复权收盘价从高点的最大跌幅，为负数', days(60)),
  risk.small(
    'atr_N',
    'N日真实波幅',
    `h := adj_high; l := adj_low; p := coalesce(ref(adj_close, 1), pre_close * adj_factor, adj_close); ${trueRange} / adj_factor`,
    '最高、最低与前收盘价三者间最大差的 N 日均值，停牌日为 0；按复权价，折算为当日的元',
    {
      ...days(14),
      unit: '元',
      decimals: 3,
      otherwise: `h := adj_high; l := adj_low; p := coalesce(ref(adj_close, 1), pre_close, adj_close); ${trueRange}`,
    },
  ),
  liquidity.small('turnover', '换手率', 'vol / (float_share * 100000000)', '成交量 ÷ 流通股本'),
  liquidity.small('turnover_free', '自由流通换手率', 'vol / (free_share * 100000000)', '成交量 ÷ 自由流通股本'),
  liquidity.small('turnover_N', 'N日换手率', 'ts_mean(turnover, N)', 'N 日均值', days(20)),
  liquidity.small('davol_N', 'N日换手比', 'ts_mean(turnover, N) / ts_mean(turnover, 120)', 'N 日平均换手 ÷ 120 日平均换手', {
    ...days(20),
    decimals: 2,
  }),
  liquidity.small('turnover_std_N', 'N日换手波动', 'ts_std(turnover, N)', 'N 日标准差', days(20)),
  liquidity.large('amount_N', 'N日成交额', 'ts_mean(amount, N)', 'N 日均值', { ...days(20), unit: '万元', decimals: 2 }),
  liquidity.small('amount_std_N', 'N日成交额波动', 'ts_std(amount, N)', 'N 日标准差', { ...days(20), unit: '万元', decimals: 2 }),
  liquidity.small('vol_ratio', '量比', 'vol / ref(ts_mean(vol, 5), 1)', '成交量 ÷ 前 5 日均量', { decimals: 2 }),
  liquidity.small('vroc_N', 'N日量变动率', 'vol / ref(vol, N) - 1', '成交量 ÷ N 个交易日前 − 1', days(12, 1)),
  liquidity.large('illiq_N', 'N日非流动性', 'ts_mean(abs(pct_chg) / amount, N)', 'Amihud：|涨跌幅| ÷ 成交额的 N 日均值', {
    ...days(20),
    decimals: 8,
  }),
  liquidity.small(
    'liquidity',
    '流动性风格',
    `m := log(ts_sum(turnover, 21)); q := log(ts_sum(turnover, 63) / 3); y := log(ts_sum(turnover, 252) / 12); cs_zscore(cs_resid(0.35 * m + 0.35 * q + 0.3 * y, ln_mv))`,
    '月、季、年平均月换手的对数按 0.35、0.35、0.3 加权，对对数市值回归的残差，再标准化',
    { decimals: 3 },
  ),
  liquidity.small('pv_corr_N', 'N日量价相关', 'ts_corr(adj_close, vol, N)', '复权收盘价与成交量的 N 日相关系数', {
    window: [20, 3, 250],
    decimals: 3,
  }),
  liquidity.large(
    'wvad',
    '威廉变异离散量',
    'ts_sum(div(close - open, high - low, 0) * vol, 24) / 10000',
    '(收盘 − 开盘) ÷ (最高 − 最低) × 成交量的 24 日和',
    {
      unit: '万股',
      decimals: 2,
    },
  ),
  liquidity.large(
    'money_flow_N',
    'N日资金流量',
    'ts_sum((coalesce(high, close) + coalesce(low, close) + close) / 3 * vol, N) / 10000',
    '典型价 × 成交量的 N 日和',
    {
      ...days(20),
      unit: '万元',
      decimals: 2,
    },
  ),
  liquidity.large('main_inflow_N', 'N日主力净流入', 'ts_sum(main_inflow, N)', '主力净流入额的 N 日和', {
    ...days(5, 1),
    unit: '万元',
    decimals: 2,
  }),
  liquidity.small('margin_ratio', '融资余额占比', 'margin_balance / circ_mv', '融资余额 ÷ 流通市值'),
]
