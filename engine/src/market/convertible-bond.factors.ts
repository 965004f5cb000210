import type { FactorDefinition } from './market.ts'

type Row = [
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  category: string,
  prefer: 'small' | 'large',
  formula: string,
  description: string,
  more?: Partial<FactorDefinition>,
]

/** `N` in a key and its formula is the window: `bias_N` is asked for as `bias_20`. */
const over = (standard: number, min = 2): Partial<FactorDefinition> => ({ window: { default: standard, min, max: 250 } })
/** Of the day's close only. */
const daily: Partial<FactorDefinition> = { realtime: false }

/** Time to the end of the option: the day itself no longer counts. */
const option = 't := left_years - 1 / 365; s := volatility_stk; r := risk_free;'
/** Density of the normal distribution at d1 of Black and Scholes. */
const density = `${option} d := (log(conv_value / 100) + (r + s ^ 2 / 2) * t) / (s * sqrt(t)); f := exp(0 - d ^ 2 / 2) / 2.5066282746310002;`
/**
 * Least squares of ln(premium) on the conversion value. The few bonds far in the money flatten the line, and premiums near 0 have
 * logarithms without bound: fitted over conversion values below 130 and premiums above 1 %, not called, listed for more than three days.
 */
const fitted =
  'ok := conv_value < 130 and conv_prem > 0.01 and call_status < 3 and coalesce(listed_days, 99) > 3; x := where(ok, conv_value); y := where(ok, log(conv_prem));' +
  ' dx := x - cs_mean(x); b := cs_mean(dx * (y - cs_mean(y))) / cs_mean(dx ^ 2); exp(cs_mean(y) + b * (conv_value - cs_mean(x)))'
/**
 * The bond floor, `FLOOR` in the table: none where the price implies a default, also where the data bring a floor of their own. Data
 * that do not say what a bond pays cannot say what its price implies.
 */
const withFloor = (formula: string): Pick<FactorDefinition, 'formula' | 'otherwise'> =>
  formula.includes('FLOOR')
    ? {
        formula: formula.replaceAll('FLOOR', 'where(coalesce(default_priced, 0) < 1, pure_value)'),
        otherwise: formula.replaceAll('FLOOR', 'pure_value'),
      }
    : { formula }

// biome-ignore format: a table reads best with a factor a line
const rows: Row[] = [
  // 2.2 price, size, premium
  ['pre_close', '前收盘价', '元', 3, '价格', 'small', 'ref(close, 1)', '数据没有交易所前收盘价时取前一交易日收盘价'],
  ['pct_chg', '涨跌幅', null, 4, '价格', 'small', 'close / coalesce(pre_close, ref(close, 1)) - 1', '收盘价 ÷ 前收盘价 − 1'],
  ['open_pct_chg', '开盘涨跌幅', null, 4, '价格', 'small', 'open / pre_close - 1', '开盘价 ÷ 前收盘价 − 1'],
  ['high_pct_chg', '最高涨跌幅', null, 4, '价格', 'small', 'high / pre_close - 1', '最高价 ÷ 前收盘价 − 1'],
  ['low_pct_chg', '最低涨跌幅', null, 4, '价格', 'small', 'low / pre_close - 1', '最低价 ÷ 前收盘价 − 1'],
  ['amplitude', '振幅', null, 4, '波动', 'small', '(high - low) / pre_close', '(最高价 − 最低价) ÷ 前收盘价'],
  ['intraday_pct', '日内涨跌幅', null, 4, '价格', 'small', 'close / open - 1', '收盘价 ÷ 开盘价 − 1'],
  ['vwap', '成交均价', '元', 3, '价格', 'small', 'amount * 10000 / (vol * 10)', '成交额 ÷ 成交张数'],
  ['close_to_vwap', '收盘均价比', null, 4, '价格', 'small', 'close / vwap - 1', '收盘价 ÷ 成交均价 − 1'],
  ['turnover', '换手率', null, 4, '流动性', 'small', 'amount / (remain_cap * 10000)', '成交额 ÷ 剩余市值'],
  ['remain_cap', '剩余市值', '亿元', 3, '规模', 'small', 'remain_size * close / 100', '剩余规模 × 收盘价 ÷ 100'],
  ['remain_ratio', '剩余比例', null, 4, '规模', 'small', 'remain_size / issue_size', '剩余规模 ÷ 发行规模'],
  ['converted_ratio', '已转股比例', null, 4, '规模', 'large', '1 - remain_size / issue_size', '1 − 剩余规模 ÷ 发行规模；回售和回购不区分'],
  ['conv_value', '转股价值', '元', 3, '股性', 'large', '100 / conv_price * close_stk', '100 ÷ 转股价格 × 正股收盘价'],
  ['conv_prem', '转股溢价率', null, 4, '溢价', 'small', 'close / conv_value - 1', '收盘价 ÷ 转股价值 − 1'],
  ['dblow', '双低', null, 3, '溢价', 'small', 'close + 100 * conv_prem', '收盘价 + 100 × 转股溢价率'],
  ['dblow_new', '新式双低', null, 3, '溢价', 'small', 'cs_rank(close) + cs_rank(conv_prem)', '收盘价与转股溢价率的截面百分位名次之和'],
  ['three_low', '三低', null, 3, '规模', 'small', 'close * (1 + conv_prem) * remain_size', '收盘价 × (1 + 转股溢价率) × 剩余规模'],
  ['cap_mv_rate', '转债市占比', null, 4, '规模', 'small', 'remain_cap / total_mv', '剩余市值 ÷ 正股总市值'],
  ['cap_circ_rate', '转债流通市值比', null, 4, '规模', 'small', 'remain_cap / circ_mv', '剩余市值 ÷ 正股流通市值'],
  ['dilution', '转股稀释率', null, 4, '规模', 'small', 'remain_size / conv_price / (total_mv / close_stk)', '剩余规模 ÷ 转股价格 ÷ 正股总股本'],
  ['list_days', '上市天数', '天', 0, '状态', 'large', 'listed_days', '同 listed_days：自然日，上市首日为 1'],
  ['left_years', '剩余年限', '年', 3, '债性', 'small', 'left_days / 365', '(转股截止日 − 当日 + 1) ÷ 365'],
  ['limit', '涨跌停', null, 0, '状态', 'small', "flag('limit_up') - flag('limit_down')", '1 收于涨停、−1 收于跌停、0 其他；2022-08-01 起才有涨跌幅限制'],
  ['redeem_short_size', '规模不足 3000 万', null, 0, '强赎', 'small', 'if(remain_size < 0.3, 1, 0)', '剩余规模低于 3000 万元为 1：可以强赎'],
  // 2.3 bond floor, option, theory
  ['default_priced', '价格隐含违约', null, 0, '信用', 'small', "if(ytm > yield_curve(left_years, 'worst'), 1, 0)", '收盘价隐含的到期收益率高于当日收益率表最低一档评级为 1：市场按违约定价。为 1 时同评级收益率、纯债价值及用到它的因子（纯债溢价率、理论价值、理论偏离度、隐含波动率、久期、凸性、债底距离等）缺失，不会排成最被低估', daily],
  ['rating_yield', '同评级收益率（估算）', null, 4, '债性', 'small', 'where(coalesce(default_priced, 0) < 1, yield_curve(left_years))', '估算：按评级与剩余年限取当日的收益率表，期限之间线性插值。内置表为历年年末的企业债收益率（近似值），自当日起用至下一年末，最低到 CC；以代码 yield_评级_年限（如 yield_aa+_3）导入的指数序列优先。价格隐含违约的缺失', { ...daily, otherwise: 'yield_curve(left_years)' }],
  ['pure_value', '纯债价值', '元', 3, '债性', 'large', 'bond_value(rating_yield)', '剩余票息和到期赎回价按同评级收益率（估算）折现之和；价格隐含违约的缺失', daily],
  ['bond_prem', '纯债溢价率', null, 4, '债性', 'small', 'close / FLOOR - 1', '收盘价 ÷ 纯债价值 − 1；价格隐含违约的缺失'],
  ['ytm', '到期收益率', null, 4, '债性', 'large', 'bond_yield(close)', '使剩余票息和到期赎回价的现值等于收盘价的年化收益率，税前，按年复利'],
  ['ytm_tax', '税后到期收益率', null, 4, '债性', 'large', "bond_yield(close, 'tax')", '同到期收益率，票息和到期赎回价超出 100 元的部分扣 20% 税'],
  ['put_yield', '回售收益率', null, 4, '回售', 'large', "bond_yield(close, 'put')", '持有到首个回售日、收到 100 元加应计利息的年化收益率；进入回售期后缺失'],
  ['duration', '久期', '年', 3, '债性', 'small', 'bond_duration(bond_yield(FLOOR))', '纯债现金流在纯债价值隐含收益率下的麦考利久期', daily],
  ['convexity', '凸性', null, 3, '债性', 'large', 'bond_convexity(bond_yield(FLOOR))', '纯债现金流在纯债价值隐含收益率下的凸性', daily],
  ['option_value', '期权价值', '元', 3, '期权', 'large', `${option} bs_call(conv_value, 100, t, s, r)`, 'Black-Scholes 看涨期权：标的为转股价值，行权价 100，波动率为正股年化波动率'],
  ['theory_value', '理论价值', '元', 3, '期权', 'large', 'FLOOR + option_value', '纯债价值 + 期权价值；价格隐含违约的缺失'],
  ['theory_bias', '理论偏离度', null, 4, '期权', 'large', '1 - theory_value / close', '1 − 理论价值 ÷ 收盘价'],
  ['theory_conv_prem', '理论溢价率', null, 4, '溢价', 'small', fitted, 'A × e^(b × 转股价值)；A、b 每日对 ln(转股溢价率) 作最小二乘拟合，样本为转股价值低于 130 元、转股溢价率高于 1%、未公告强赎、上市超过 3 天的转债；随转股价值单调递减，按它排序等同于按转股价值排序'],
  ['mod_conv_prem', '修正溢价率', null, 4, '溢价', 'small', 'conv_prem - theory_conv_prem', '转股溢价率 − 理论溢价率'],
  ['iv', '隐含波动率', null, 4, '期权', 'small', `${option} bs_iv(close - FLOOR, conv_value, 100, t, r)`, '使纯债价值 + 期权价值等于收盘价的波动率；收盘价低于下限或价格隐含违约的缺失'],
  ['hv_N', '正股N日历史波动率', null, 4, '期权', 'large', 'ts_vol(adj_close_stk, N)', '正股对数收益率标准差 × √242', { ...over(60), ...daily }],
  ['iv_hv', '隐波历史波比', null, 4, '期权', 'small', 'iv / hv_60 - 1', '隐含波动率 ÷ 正股 60 日历史波动率 − 1'],
  ['delta', 'Delta', null, 3, '期权', 'large', `${option} bs_delta(conv_value, 100, t, s, r)`, '转股价值变动 1 元时期权价值的变动'],
  ['gamma', 'Gamma', null, 5, '期权', 'large', `${density} f / (conv_value * s * sqrt(t))`, '转股价值变动 1 元时 Delta 的变动'],
  ['vega', 'Vega', '元', 4, '期权', 'large', `${density} conv_value * f * sqrt(t) / 100`, '波动率变动 1 个百分点时期权价值的变动'],
  ['theta', 'Theta', '元', 4, '期权', 'large', `${density} 0 - (conv_value * f * s / (2 * sqrt(t)) + r * 100 * exp(0 - r * t) * bs_delta(conv_value, 100, t, s, r - s ^ 2)) / 365`, '经过一个自然日期权价值的变动'],
  ['elasticity', '弹性', null, 3, '期权', 'large', 'delta * conv_value / close', 'Delta × 转股价值 ÷ 收盘价'],
  ['premium_pctile_N', '溢价率N日分位', null, 4, '历史', 'small', 'ts_rank(conv_prem, N)', '转股溢价率在自身 N 日中的分位', { ...over(250), ...daily }],
  ['prem_gap_peer', '同平价溢价差', null, 4, '溢价', 'small', 'conv_prem - cs_peer_median(conv_prem, conv_value, 5)', '转股溢价率 − 转股价值相差 5 元以内的转债（含自身）的中位数'],
  ['floor_gap', '债底距离', null, 4, '债性', 'small', "1 - fmax(FLOOR, bond_value(rating_yield, 'put')) / close", '1 − 纯债价值与回售现值中的较大者 ÷ 收盘价'],
  // 2.4 clauses
  ['redeem_trigger_price', '强赎触发价', '元', 2, '强赎', 'small', 'round(conv_price * redeem_trigger + 0.00000001, 2)', '转股价格 × 强赎触发价比率，四舍五入到分'],
  ['redeem_price_rate', '正股价/强赎触发价', null, 4, '强赎', 'small', 'close_stk / redeem_trigger_price', '正股收盘价 ÷ 强赎触发价'],
  ['redeem_remain_days', '强赎剩余计数', '日', 0, '强赎', 'large', 'max(0, redeem_need - redeem_count)', '还需满足的天数', daily],
  ['redeem_progress', '强赎进度', null, 4, '强赎', 'small', 'redeem_count / redeem_need', '已满足天数 ÷ 需满足天数', daily],
  ['reset_trigger_price', '下修触发价', '元', 2, '下修', 'large', 'round(conv_price * reset_trigger + 0.00000001, 2)', '转股价格 × 下修触发价比率，四舍五入到分'],
  ['reset_price_rate', '正股价/下修触发价', null, 4, '下修', 'small', 'close_stk / reset_trigger_price', '正股收盘价 ÷ 下修触发价'],
  ['reset_remain_days', '下修剩余计数', '日', 0, '下修', 'small', 'max(0, reset_need - reset_count)', '还需满足的天数', daily],
  ['reset_floor', '下修底价', '元', 2, '下修', 'small', 'max(ts_sum(amount_stk, 20) / ts_sum(vol_stk, 20), amount_stk / vol_stk) * 100', '正股 20 日成交均价与当日成交均价中的较大者；未计每股净资产', daily],
  ['reset_conv_value', '下修到底后转股价值', '元', 3, '下修', 'large', '100 / max(reset_floor, close_stk) * close_stk', '100 ÷ (下修底价与正股收盘价中的较大者) × 正股收盘价', daily],
  ['put_trigger_price', '回售触发价', '元', 2, '回售', 'large', 'round(conv_price * put_trigger + 0.00000001, 2)', '转股价格 × 回售触发价比率，四舍五入到分'],
  ['put_price_rate', '正股价/回售触发价', null, 4, '回售', 'small', 'close_stk / put_trigger_price', '正股收盘价 ÷ 回售触发价'],
  ['left_put_years', '距回售年限', '年', 3, '回售', 'small', 'left_put_days / 365', '(回售起始日 − 当日) ÷ 365；已进入回售期为负或 0'],
  ['put_price', '回售价', '元', 3, '回售', 'large', 'where(put_need > 0, 100 + accrued)', '100 + 应计利息；没有回售条款的缺失'],
  ['maturity_gap', '到期赎回差', null, 4, '债性', 'large', 'maturity_price / close - 1', '到期赎回价 ÷ 收盘价 − 1'],
  ['maturity_put_price', '到期回售价', '元', 3, '债性', 'large', 'if(coalesce(left_put_days, 1) <= 0, put_price, maturity_price)', '已进入回售期的为回售价，其余为到期赎回价'],
  // 2.5 technical
  ['pct_chg_N', 'N日涨跌幅', null, 4, '历史', 'small', 'close / ref(close, N) - 1', '收盘价 ÷ N 个交易日前收盘价 − 1', over(5, 1)],
  ['close_ma_N', 'N日均价', '元', 3, '历史', 'small', 'ts_mean(close, N)', 'N 日收盘价均值', over(20)],
  ['bias_N', 'N日乖离率', null, 4, '历史', 'small', 'close / ts_mean(close, N) - 1', '收盘价 ÷ N 日均价 − 1', over(5)],
  ['vol_N', 'N日成交量', '手', 0, '历史', 'large', 'ts_mean(vol, N)', 'N 日均值', over(5)],
  ['amount_N', 'N日成交额', '万元', 2, '历史', 'large', 'ts_mean(amount, N)', 'N 日均值', over(5)],
  ['turnover_N', 'N日换手率', null, 4, '历史', 'small', 'ts_mean(turnover, N)', 'N 日均值', over(5)],
  ['volatility', '年化波动率', null, 4, '波动', 'small', 'ts_std(log(close / ref(close, 1)), 244, 2) * 242 ^ 0.5', '近一年（244 个交易日）对数收益率标准差 × √242；上市不足一年的按已有的收益率，至少 2 个。其他窗口用 N日波动率（如 volatility_60）', daily],
  ['volatility_N', 'N日波动率', null, 4, '历史', 'small', 'ts_std(log(close / ref(close, 1)), N) * 242 ^ 0.5', 'N 日对数收益率标准差 × √242', { ...over(60), ...daily }],
  ['alpha_pct_chg_N', 'N日超额涨跌幅', null, 4, '历史', 'small', 'pct_chg_N - pct_chg_N_stk', 'N 日涨跌幅 − 正股 N 日涨跌幅', over(5, 1)],
  ['max_N', 'N日最高价', '元', 3, '历史', 'small', 'ts_max(coalesce(high, close), N)', 'N 日最高价的最大值，停牌日按收盘价', over(20)],
  ['min_N', 'N日最低价', '元', 3, '历史', 'small', 'ts_min(coalesce(low, close), N)', 'N 日最低价的最小值，停牌日按收盘价', over(20)],
  ['hh_dist_N', '距N日高点', null, 4, '历史', 'small', 'close / ts_max(coalesce(high, close), N) - 1', '收盘价 ÷ N 日最高价 − 1', over(20)],
  ['ll_dist_N', '距N日低点', null, 4, '历史', 'small', 'close / ts_min(coalesce(low, close), N) - 1', '收盘价 ÷ N 日最低价 − 1', over(20)],
  ['mdd_N', 'N日最大回撤', null, 4, '历史', 'large', 'ts_mdd(close, N)', 'N 日内收盘价自高点的最大跌幅，为负数', { ...over(60), ...daily }],
  ['rsi_N', 'N日RSI', null, 2, '历史', 'small', 'rsi(close, N)', '涨幅均值 ÷ 涨跌幅绝对值均值 × 100，均值为 SMA(N, 1)', { ...over(6), ...daily }],
  ['macd', 'MACD', '元', 4, '历史', 'small', 'macd(close)', '2 × (DIF − DEA)，参数 12、26、9', { ...daily, type: 2 }],
  ['macd_dif', 'MACD DIF', '元', 4, '历史', 'small', 'macd_dif(close)', '12 日与 26 日指数均线之差', { ...daily, type: 2 }],
  ['macd_dea', 'MACD DEA', '元', 4, '历史', 'small', 'macd_dea(close)', 'DIF 的 9 日指数均线', { ...daily, type: 2 }],
  ['boll_pos_N', 'N日布林位置', null, 3, '历史', 'small', '(close - ts_mean(close, N)) / (2 * STD(close, N))', '(收盘价 − 中轨) ÷ (2 × 标准差)，1 为上轨', { ...over(20), ...daily }],
  ['vol_ratio_N', 'N日量比', null, 2, '历史', 'small', 'vol / ref(ts_mean(vol, N), 1)', '成交量 ÷ 前 N 日均量', over(5)],
  ['amount_std_N', 'N日成交额波动', null, 3, '历史', 'small', 'ts_std(amount, N) / ts_mean(amount, N)', 'N 日成交额标准差 ÷ 均值', { ...over(20), ...daily }],
  ['illiq_N', 'N日非流动性', null, 6, '历史', 'large', 'ts_mean(abs(pct_chg) / amount, N)', 'Amihud：|涨跌幅| ÷ 成交额的 N 日均值', { ...over(20), ...daily }],
  ['skew_N', 'N日偏度', null, 3, '历史', 'small', 'ts_skew(pct_chg, N)', '日涨跌幅的偏度', { ...over(20, 3), ...daily }],
  ['kurt_N', 'N日峰度', null, 3, '历史', 'small', 'ts_kurt(pct_chg, N)', '日涨跌幅的超额峰度', { ...over(20, 4), ...daily }],
  ['up_days_N', 'N日上涨天数', '日', 0, '历史', 'small', 'ts_sum(if(pct_chg > 0, 1, 0), N)', 'N 日内上涨的天数', { ...over(10), ...daily }],
  ['pv_corr_N', 'N日量价相关', null, 3, '历史', 'small', 'ts_corr(close, vol, N)', '收盘价与成交量的相关系数', { ...over(20), ...daily }],
  ['beta_stk_N', 'N日对正股Beta', null, 3, '历史', 'large', 'ts_beta(pct(close, 1), pct(adj_close_stk, 1), N)', '转债与正股（复权）收盘价的日变化率回归的斜率，上市首日不计', { ...over(60), ...daily }],
  ['corr_stk_N', 'N日与正股相关', null, 3, '历史', 'large', 'ts_corr(pct(close, 1), pct(adj_close_stk, 1), N)', '转债与正股（复权）收盘价的日变化率的相关系数，上市首日不计', { ...over(60), ...daily }],
  ['idio_vol_N', 'N日残差波动', null, 4, '历史', 'small', 'x := pct(adj_close_stk, 1); y := pct(close, 1); sqrt(ts_var(y, N) * (1 - ts_rsq(y, x, N)) * (N - 1) / (N - 2))', '转债对正股收盘价日变化率回归残差的标准差，上市首日不计', { ...over(60, 3), ...daily }],
  ['prem_chg_N', 'N日溢价率变动', null, 4, '历史', 'small', 'conv_prem - ref(conv_prem, N)', '转股溢价率之差', over(5, 1)],
  ['dblow_chg_N', 'N日双低变动', null, 3, '历史', 'small', 'dblow - ref(dblow, N)', '双低之差', over(5, 1)],
  ['size_chg_N', 'N日规模变动', null, 4, '历史', 'small', 'remain_size / ref(remain_size, N) - 1', '剩余规模变动率', { ...over(20, 1), ...daily }],
  // 2.6 the underlying stock
  ['pct_chg_stk', '正股涨跌幅', null, 4, '正股', 'small', 'adj_close_stk / ref(adj_close_stk, 1) - 1', '按复权价；没有复权因子的数据按收盘价'],
  ['pct_chg_N_stk', '正股N日涨跌幅', null, 4, '历史', 'small', 'adj_close_stk / ref(adj_close_stk, N) - 1', '按复权价；没有复权因子的数据按收盘价', over(5, 1)],
  ['ma_N_stk', '正股N日均价', '元', 3, '历史', 'small', 'close_stk / adj_close_stk * ts_mean(adj_close_stk, N)', 'N 日复权收盘价均值，折算到当日价格', over(20)],
  ['bias_N_stk', '正股N日乖离率', null, 4, '历史', 'small', 'adj_close_stk / ts_mean(adj_close_stk, N) - 1', '正股复权收盘价 ÷ N 日均价 − 1', over(5)],
  ['rsi_N_stk', '正股N日RSI', null, 2, '历史', 'small', 'rsi(adj_close_stk, N)', '正股复权收盘价的 RSI', over(6)],
  ['turnover_stk', '正股换手率', null, 4, '正股', 'small', 'amount_stk / (circ_mv * 10000)', '正股成交额 ÷ 流通市值'],
  ['volatility_stk', '正股年化波动率', null, 4, '波动', 'large', 'ts_vol(adj_close_stk, 242)', '242 日对数收益率标准差 × √242，含转债上市前的正股行情', daily],
  ['limit_streak_stk', '正股连板数', '日', 0, '正股', 'large', 'bars_streak(limit_stk == 1)', '连续收于涨停的交易日数'],
  ['net_debt_cover', '偿债覆盖', null, 4, '正股', 'large', 'money_funds / remain_size', '正股货币资金 ÷ 剩余规模'],
  ['pb_reset_ok', '可下修', null, 0, '正股', 'large', 'if(pb > 1, 1, 0)', '正股市净率大于 1 为 1'],
  ['price_stk_low', '面值退市风险', null, 0, '正股', 'small', 'if(close_stk < 1.5, 1, 0)', '正股收盘价低于 1.5 元为 1'],
]

/** Built-in factors of 可转债, one line each (keys and formulas: domain.md 2). */
export const convertibleBondFactors: readonly FactorDefinition[] = rows.map(
  ([key, label, unit, decimals, category, prefer, formula, description, more]) => ({
    key,
    label,
    unit,
    decimals,
    category,
    type: more?.window ? 2 : category === '强赎' ? 3 : 0,
    prefer,
    ...withFloor(formula),
    realtime: true,
    description,
    ...more,
  }),
)
