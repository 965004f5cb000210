import type { MetricKey } from '@convexa/contract/metrics'

// What each number means to somebody who meets it for the first time, and how it is misread. The formulas and notes come with the report.

interface MetricWords {
  meaning: string
  /** How it is misread. */
  mistake?: string
  /** Why another program may say another number. */
  elsewhere?: string
}

const yearDays = '有的软件按 250、252 或 365 天折算。'

export const metricWords: Record<MetricKey, MetricWords> = {
  total_return: { meaning: '从头到尾一共赚了或亏了多少。', mistake: '区间不同的两个累计收益不能比大小。' },
  annual_return: {
    meaning: '把整段收益折成每年多少，按复利。',
    mistake: '它是平均下来的结果，不是每年都能有的收益。',
    elsewhere: `${yearDays}也有用日历天数的。`,
  },
  max_drawdown: {
    meaning: '从最高点往下，账面最多缩水过多少。',
    mistake: '它是过去最坏的一次，将来可以更坏。',
    elsewhere: '用周线或月线算会更浅，看不到中间的低点。',
  },
  recovery_days: { meaning: '从最大回撤的低点爬回原来的高点，花了多少个交易日。', mistake: '不含下跌的那一段；没有爬回来就没有这个数。' },
  volatility: { meaning: '每天的收益起伏有多大，折成一年。', mistake: '大涨也算波动，它不等于亏损。', elsewhere: yearDays },
  downside_volatility: {
    meaning: '只看下跌的日子，起伏有多大。',
    mistake: '下跌的日子很少时，它不稳定。',
    elsewhere: '有的软件以 0 为中心、把上涨的日子记作 0，数字会更小。',
  },
  sharpe: {
    meaning: '每承担一份波动，换来多少收益。',
    mistake: '试得多了总有一次很高；要和运气门槛一起看。',
    elsewhere: `${yearDays}扣掉无风险利率的会更低。`,
  },
  sortino: {
    meaning: '和夏普一样，只是分母只取收益为负的日子的波动。',
    mistake: '不能和夏普直接比大小。',
    elsewhere: `${yearDays}有的用全部日子的下行偏差（相对 0）作分母，会高一些或低一些；扣掉无风险利率的会更低。`,
  },
  calmar: { meaning: '每年的收益相当于最大回撤的几倍。', mistake: '区间越长，回撤往往越深，它会越低。', elsewhere: '有的只看最近三年。' },
  win_rate: { meaning: '赚钱的交易日占多少。', mistake: '胜率高而每次亏得多，照样会亏。' },
  profit_loss_ratio: { meaning: '赚钱的日子平均赚的，是亏钱的日子平均亏的几倍。', mistake: '单看它没有意义，要和胜率一起看。' },
  month_win_rate: { meaning: '赚钱的月份占多少。', mistake: '首尾不满一个月的也各算一个月。' },
  var95: {
    meaning: '一百天里最差的五天，至少亏这么多。',
    mistake: '它不是最多会亏多少。',
    elsewhere: '按正态分布推算的会和这里的历史分位不同。',
  },
  cvar95: { meaning: '落在最差的那百分之五里，平均一天亏多少。', mistake: '样本少时由少数几天决定。' },
  skew: { meaning: '大涨与大跌哪个更多见：负的是大跌更多见。', mistake: '几天的极端值就能把它带偏。' },
  kurtosis: { meaning: '极端的日子比正态分布多多少。', mistake: '这里减去了 3；不减的软件会大 3。' },
  ulcer_index: { meaning: '把回撤的深和久合在一起看，有多难熬。', mistake: '它没有单位上的直观含义，只用来比较。' },
  longest_drawdown_days: { meaning: '最长的一次，多少个交易日没有回到前高。', mistake: '和最深的回撤不一定是同一次。' },
  worst_day: { meaning: '最差的一天亏了多少。', mistake: '隔夜的跳空也在里面，盘中止损躲不开它。' },
  turnover: { meaning: '平均每天换掉多少比例的仓位。', mistake: '买卖合计的一半；有的软件不减半。' },
  turnover_annual: { meaning: '一年里整个组合换了几遍。', mistake: '换得越勤，实盘与回测差得越多。', elsewhere: '双边口径的会大一倍。' },
  avg_holdings: { meaning: '平均每天拿着几只。' },
  avg_holding_days: { meaning: '一只从买到卖，平均拿了几个交易日。', mistake: '期末还拿着的没有算进去。' },
  trades: { meaning: '买入与卖出一共成交了多少笔。', mistake: '调仓时加一点、减一点也各算一笔。' },
  fees: { meaning: '付出去的佣金与税费。', mistake: '滑点不在里面，它在成交价里。' },
  excess_annual: {
    meaning: '和基准比，每年多赚了多少。',
    mistake: '不等于两个年化相减；这里用策略净值 ÷ 基准净值的曲线。',
    elsewhere: '直接相减的软件，数字会不同。',
  },
  excess_max_drawdown: { meaning: '跑输基准最多的一段，落后了多少。', mistake: '基准大跌时它可以很小，账面照样在亏。' },
  information_ratio: { meaning: '每承担一份与基准的偏离，换来多少超额。', mistake: '基准选得不合适，它没有意义。', elsewhere: yearDays },
  tracking_error: { meaning: '每天与基准差多少，折成一年的波动。', mistake: '低不代表好，只说明像基准。' },
  alpha: {
    meaning: '去掉跟着基准涨跌的部分，每年还多出多少。',
    mistake: '它依赖 Beta，Beta 变了它也变。',
    elsewhere: '扣掉无风险利率的会不同。',
  },
  beta: { meaning: '基准涨跌 1%，策略平均跟着动多少。', mistake: '它是整段的平均，牛熊里可以差很多。' },
  correlation: { meaning: '和基准同涨同跌的程度，1 是完全一致。', mistake: '相关低不等于风险低。' },
  recent_1y: { meaning: '最近 242 个交易日赚了多少。', mistake: '它决定不了将来，但能看出规律还在不在。' },
}
