import type { CallStatus } from '@convexa/contract/strategy'

/** What the builder's rows say; the server's options say which of them there are. */
export const callStatusWords: Record<CallStatus, string> = {
  none: '无强赎',
  met: '已满足强赎条件',
  notice: '公告提示强赎',
  announced: '已公告强赎',
  executing: '公告实施强赎',
  maturity: '公告到期赎回',
}

/** External ratings, best first. */
export const ratings = ['AAA', 'AA+', 'AA', 'AA-', 'A+', 'A', 'A-', 'BBB+', 'BBB', 'BBB-'] as const

export const weightWords: Record<number, string> = { 1: '等权', 2: '按名次', 3: '按规模', 4: '按因子', 5: '波动率倒数' }
export const stopWords: Record<number, string> = {
  0: '不启用',
  1: '盘中止盈',
  2: '盘中止损',
  3: '盘中止盈止损',
  4: '收盘止盈止损',
  5: '移动止盈',
}
export const missingWords: Record<string, string> = {
  exclude: '剔除',
  forward_fill: '前值填充',
  market_mean: '池内均值',
  market_median: '中位数',
  market_min: '最小',
  market_max: '最大',
  worst: '最差名次',
}
/** In both markets; the builder has the market's own labels. */
export const neutralWords: Record<string, string> = { size: '规模', stock_size: '正股市值', industry: '行业', size_industry: '市值与行业' }
export const rankMethodWords: Record<string, string> = { rank: '排名加权', zscore: 'Z 分加权', percentile: '分位加权' }
export const fillWords: Record<string, string> = { close: '收盘价', next_open: '次日开盘', next_close: '次日收盘', next_vwap: '次日均价' }
export const executionWords: Record<string, string> = { realistic: '真实撮合', ideal: '理想撮合' }
export const callHandlingWords: Record<string, string> = {
  t_minus_1_close: '最后交易日前一日收盘卖出',
  last_day_close: '最后交易日收盘卖出',
  hold_to_redemption: '持有至赎回',
}
export const adjustWords: Record<string, string> = { raw: '不复权（含分红送转）', qfq: '数据已前复权', hfq: '数据已后复权' }

/** Choices of a table of words. */
export const choicesOf = <V extends string>(words: Record<V, string>): { value: V; label: string }[] =>
  (Object.entries(words) as [V, string][]).map(([value, label]) => ({ value, label }))
