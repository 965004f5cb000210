import type { Parameters } from '@convexa/contract/strategy'
import { percent } from '../../ui/format.ts'
import { percentDecimals } from '../summary.ts'

// The few words of a rule that stand in one line under a run's or a report's name.

const short = (fraction: number) => percent(fraction, percentDecimals(fraction))

/** `单边成本 0.10%`, or both sides where they differ. */
export const costWords = (buy: number, sell: number): string =>
  buy === sell ? `单边成本 ${short(buy)}` : `成本 买 ${short(buy)} 卖 ${short(sell)}`

/** `每 5 交易日`, `每周第 1 个交易日`, `每月倒数第 1 个交易日`. */
export const rebalanceWords = ({ rebalance_type, rebalance_value }: Parameters['rebalance_method']): string => {
  const place = rebalance_value < 0 ? `倒数第 ${-rebalance_value} 个` : `第 ${rebalance_value} 个`
  if (rebalance_type === 0) return `每 ${rebalance_value} 交易日`
  return `每${rebalance_type === 1 ? '周' : '月'}${place}交易日`
}

/** `持有名次 1–10，排名差 5`, `持有前 0%–10%`. */
export function holdWords(hold: Parameters['hold_method']): string {
  const places =
    hold.hold_range_type === 1
      ? `名次 ${hold.hold_range_start}–${hold.hold_range_end}`
      : `前 ${percent(hold.hold_range_start, 0)}–${percent(hold.hold_range_end, 0)}`
  return `持有${places}${hold.hold_threshold > 0 ? `，排名差 ${hold.hold_threshold}` : ''}`
}
