import type { Simulation } from './simulation.ts'

/** How many exits for want of marks are named one by one. */
const mostEnds = 10

/** The warnings of positions that ended for want of data; of many the first, and how many more. */
export function endsTold(ends: readonly string[]): string[] {
  if (ends.length <= mostEnds) return [...ends]
  return [...ends.slice(0, mostEnds), `另有 ${ends.length - mostEnds} 次持仓因无行情退出`]
}

/** A run without a single fill is no result: what stood in its way. */
export function whyNothing({ rankings, settings }: Simulation): string {
  if (rankings.size.every((size) => size === 0)) return '每个轮动日都没有可选的标的（全部被剔除或缺少打分因子），全程空仓'
  if (settings.execution === 'ideal') return '没有一笔成交（权重全为零，或选出的标的都无法买入），全程空仓'
  return '没有一笔成交（资金不足以买入一手，或选出的标的都无法买入），全程空仓'
}
