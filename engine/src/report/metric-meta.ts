import type { MetricKey, Report } from '@convexa/contract'

type Row = [key: MetricKey | 'days', label: string, formula: string, note: string]

const rows: Row[] = [
  ['total_return', '累计收益', '期末净值 ÷ 1 − 1', '扣除全部交易成本之后'],
  ['annual_return', '年化收益', '(1 + 累计收益)^(242 ÷ 交易日数) − 1', '每年按 242 个交易日；不足 20 个交易日不年化'],
  ['max_drawdown', '最大回撤', 'min(净值 ÷ 历史最高净值 − 1)', '历史最高包含起始本金；按每日收盘'],
  ['recovery_days', '修复天数', '从最低点回到前高的交易日数', '尚未修复时缺失'],
  ['volatility', '年化波动', '日收益标准差 × √242', '样本标准差'],
  ['downside_volatility', '下行波动', '为负的日收益的标准差 × √242', '样本标准差，只取下跌日'],
  ['sharpe', '夏普比率', '日收益均值 ÷ 日收益标准差 × √242', '无风险利率取 0'],
  ['sortino', '索提诺比率', '日收益均值 ÷ 为负的日收益的标准差 × √242', '无风险利率取 0'],
  ['calmar', '卡玛比率', '年化收益 ÷ |最大回撤|', '没有回撤时缺失'],
  ['win_rate', '日胜率', '上涨天数 ÷ 交易日数', '收益为 0 的日子不算胜'],
  ['profit_loss_ratio', '盈亏比', '上涨日平均收益 ÷ |下跌日平均收益|', '按日计算，不是按笔'],
  ['month_win_rate', '月胜率', '上涨月数 ÷ 月数', '首尾不完整的月份也计入'],
  ['var95', 'VaR 95%', '日收益的 5% 分位数', '历史法，线性插值；负数表示亏损'],
  ['cvar95', 'CVaR 95%', '不高于 VaR 的日收益的均值', '最差 5% 日子的平均亏损'],
  ['skew', '偏度', '日收益的三阶标准矩', '无偏估计'],
  ['kurtosis', '峰度', '日收益的四阶标准矩 − 3', '超额峰度，无偏估计'],
  ['ulcer_index', '溃疡指数', '√(每日回撤平方的均值)', '同时衡量回撤的深度与长度'],
  ['longest_drawdown_days', '最长回撤天数', '净值低于前高的最长交易日数', '从前高算到收复或期末'],
  ['worst_day', '最大单日跌幅', 'min(日收益)', '按收盘净值'],
  ['turnover', '日均换手', '(买入额 + 卖出额) ÷ 2 ÷ 交易前权益 的日均值', '没有交易的日子按 0 计入'],
  ['turnover_annual', '年换手', '日均换手 × 242', '12 表示一年换手 12 倍'],
  ['avg_holdings', '平均持仓数', '每日收盘持仓只数的均值', ''],
  ['avg_holding_days', '平均持有天数', '已清仓持仓从买入到清仓的交易日数的均值', '没有清仓时缺失'],
  ['trades', '成交笔数', '买入与卖出的成交笔数', '调整仓位也计入'],
  ['fees', '费用合计', '佣金、印花税与过户费之和', '单位元；滑点计在成交价里，不在其中'],
  ['excess_annual', '年化超额', '(策略净值 ÷ 基准净值)^(242 ÷ 交易日数) − 1', '相对净值的年化，不是两个年化收益之差'],
  ['excess_max_drawdown', '超额最大回撤', '策略净值 ÷ 基准净值 的最大回撤', ''],
  ['information_ratio', '信息比率', '日超额均值 ÷ 日超额标准差 × √242', '日超额 = 策略日收益 − 基准日收益'],
  ['tracking_error', '跟踪误差', '日超额标准差 × √242', ''],
  ['alpha', 'Alpha', '(日收益均值 − Beta × 基准日收益均值) × 242', '无风险利率取 0'],
  ['beta', 'Beta', '策略与基准日收益的协方差 ÷ 基准日收益的方差', ''],
  ['correlation', '相关系数', '策略与基准日收益的相关系数', ''],
  ['recent_1y', '近一年', '最近 242 个交易日的收益', '不足 242 个交易日时缺失'],
  ['days', '交易日数', '回测区间的交易日数', ''],
]

/** Label, formula and note of every metric, as the pop-overs of the report show them. */
export const metricMeta: Report['metric_meta'] = Object.fromEntries(
  rows.map(([key, label, formula, note]) => [key, { label, formula, note }]),
)
