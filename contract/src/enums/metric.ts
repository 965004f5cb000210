import type { Row } from './table.ts'

export interface MetricRow extends Row {
  /** Written behind the number; fractions are written as per cents. */
  readonly unit: '%' | '倍' | '日' | '元' | ''
  readonly decimals: number
  /** A return: written with its sign, and coloured. */
  readonly signed: boolean
  /** Which of two runs has the better number; null: neither. */
  readonly better: 'high' | 'low' | null
}

/** The numbers of a run (domain.md 5.9), in the order of the wire. */
export const metrics = {
  total_return: {
    label: '累计收益',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  annual_return: {
    label: '年化收益',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  max_drawdown: {
    label: '最大回撤',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  recovery_days: {
    label: '修复天数',
    unit: '日',
    decimals: 0,
    signed: false,
    better: 'low',
  },
  volatility: {
    label: '年化波动',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'low',
  },
  downside_volatility: {
    label: '下行波动',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'low',
  },
  sharpe: {
    label: '夏普比率',
    short: '夏普',
    unit: '',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  sortino: {
    label: '索提诺比率',
    unit: '',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  calmar: {
    label: '卡玛比率',
    short: '卡玛',
    unit: '',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  win_rate: {
    label: '日胜率',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  profit_loss_ratio: {
    label: '盈亏比',
    unit: '',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  month_win_rate: {
    label: '月胜率',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  var95: {
    label: 'VaR95',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  cvar95: {
    label: 'CVaR95',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  skew: {
    label: '偏度',
    unit: '',
    decimals: 2,
    signed: false,
    better: null,
  },
  kurtosis: {
    label: '峰度',
    unit: '',
    decimals: 2,
    signed: false,
    better: null,
  },
  ulcer_index: {
    label: '溃疡指数',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'low',
  },
  longest_drawdown_days: {
    label: '最长回撤天数',
    unit: '日',
    decimals: 0,
    signed: false,
    better: 'low',
  },
  worst_day: { label: '最大单日跌幅', unit: '%', decimals: 2, signed: true, better: 'high' },
  turnover: {
    label: '日均换手',
    unit: '%',
    decimals: 2,
    signed: false,
    better: 'low',
  },
  turnover_annual: {
    label: '年换手',
    unit: '倍',
    decimals: 1,
    signed: false,
    better: 'low',
  },
  avg_holdings: { label: '平均持仓数', unit: '', decimals: 1, signed: false, better: null },
  avg_holding_days: {
    label: '平均持有天数',
    unit: '日',
    decimals: 1,
    signed: false,
    better: null,
  },
  trades: { label: '成交笔数', unit: '', decimals: 0, signed: false, better: null },
  fees: {
    label: '费用合计',
    unit: '元',
    decimals: 0,
    signed: false,
    better: 'low',
  },
  days: { label: '交易日数', unit: '日', decimals: 0, signed: false, better: null },
  excess_annual: {
    label: '超额年化',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  excess_max_drawdown: {
    label: '超额最大回撤',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  information_ratio: {
    label: '信息比率',
    unit: '',
    decimals: 2,
    signed: false,
    better: 'high',
  },
  tracking_error: { label: '跟踪误差', unit: '%', decimals: 2, signed: false, better: null },
  alpha: {
    label: 'Alpha',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
  beta: { label: 'Beta', unit: '', decimals: 2, signed: false, better: null },
  correlation: { label: '与基准相关', unit: '', decimals: 2, signed: false, better: null },
  recent_1y: {
    label: '近一年',
    unit: '%',
    decimals: 2,
    signed: true,
    better: 'high',
  },
} as const satisfies Record<string, MetricRow>
export type Metric = keyof typeof metrics

export const metricLabel = (key: Metric): string => metrics[key].label
