import type { Report } from '@convexa/contract'
import { type Metric, metrics } from '@convexa/contract/enums/metric'
import { metricFormulas } from '@convexa/contract/enums/metric-formula'
import { valuesOf } from '@convexa/contract/enums/table'

/** What a number is taken for and is not, and how others count it; '' where there is nothing to say. */
const notes: Record<Metric, string> = {
  total_return: '扣除全部成本之后。',
  annual_return: '按每年 242 个交易日折算；少于 20 个交易日不年化。',
  max_drawdown: '期初本金也算作一个高点。历史上的最大回撤不是将来的上限。',
  recovery_days: '尚未重回前高时不显示。',
  volatility: '样本标准差（自由度 n − 1）。',
  downside_volatility: '只看下跌的日子。',
  sharpe: '无风险利率按 0 计。有的软件用 250 或 252 天，数字会略有不同。',
  sortino: '无风险利率与目标收益按 0 计，标准差只取收益为负的日子（自由度 n − 1）。有的软件用全部日子的下行偏差作分母，数字会不同。',
  calmar: '区间越长，最大回撤往往越大。',
  win_rate: '收益为零的日子不算胜。',
  profit_loss_ratio: '要与胜率一起看。',
  month_win_rate: '首尾不足一月的也计入。',
  var95: '一百天里约有五天比它更差。',
  cvar95: '最差的那些日子平均亏多少。',
  skew: '负值表示大跌比大涨多见。',
  kurtosis: '正值表示极端日子比正态分布多。',
  ulcer_index: '回撤越深、越久，数值越大。',
  longest_drawdown_days: '期末仍未修复的按期末计。',
  worst_day: '',
  turnover: '单边口径。',
  turnover_annual: '以倍数表示，换手越高成本越要紧。',
  avg_holdings: '',
  avg_holding_days: '期末仍持有的不计入。',
  trades: '',
  fees: '滑点计在成交价里，不在其中。',
  days: '',
  excess_annual: '由相对净值计算，不等于两个年化相减。',
  excess_max_drawdown: '跑输基准最多的一段。',
  information_ratio: '',
  tracking_error: '',
  alpha: '无风险利率按 0 计。',
  beta: '',
  correlation: '',
  recent_1y: '区间不足一年时不显示。',
}

/** What each number of a report means; it goes with the report, which other programs read too. */
export const metricMeta: Report['metric_meta'] = Object.fromEntries(
  valuesOf(metrics).map((key) => [key, { label: metrics[key].label, formula: metricFormulas[key], note: notes[key] }]),
)
