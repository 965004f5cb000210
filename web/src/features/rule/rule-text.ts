import type { Settings } from '@convexa/contract/backtest'
import { executions } from '@convexa/contract/enums/execution'
import { isFraction, thresholdLabel } from '@convexa/contract/enums/hold-range'
import { periodOf, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import type { Parameters } from '@convexa/contract/strategy'
import { missing, percent, plain } from '../../base/format.ts'

// The few words of a rule that stand in one line under a run's or a report's name.

/** 0.10% but 0.025% and 0.0085%: all digits of a rate, two at least. */
const short = (rate: number) => percent(rate, Math.max(2, plain(rate * 100).split('.')[1]?.length ?? 0))

/**
 * What trading costs, nothing left out: `单边成本 0.10%` where the rate is all of it, else `佣金 0.025%（最低 5 元）`, `滑点 0.1%`,
 * `另计印花税`. `brief` for a narrow head.
 */
export function costParts({ cost, execution }: Pick<Settings, 'cost' | 'execution'>, dutied: boolean, brief = false): string[] {
  const { buy_rate: buy, sell_rate: sell, slippage = 0, min_fee: least = 0, stamp_tax: tax } = cost
  // A rate that was given is charged wherever it is run, the legal one where the run is realistic.
  const duty = tax === undefined ? dutied && !executions[execution].frictionless : tax > 0
  const whole = slippage === 0 && least === 0 && !duty
  const rate = buy === sell ? short(buy) : `买 ${short(buy)} 卖 ${short(sell)}`
  const name = whole ? (buy === sell ? '单边成本' : '成本') : '佣金'
  return [
    `${name} ${rate}${least > 0 && !brief ? `（最低 ${plain(least)} 元）` : ''}`,
    ...(slippage > 0 ? [`滑点 ${plain(slippage * 100)}%`] : []),
    ...(duty ? [brief ? '印花税' : '另计印花税'] : []),
  ]
}

export const costWords = (settings: Pick<Settings, 'cost' | 'execution'>, dutied: boolean): string =>
  costParts(settings, dutied).join(' · ').replaceAll('） ·', '）·')

/** `每 5 交易日`, `每周第 1 个交易日`, `每月倒数第 1 个交易日`. */
export const rebalanceWords = (method: Parameters['rebalance_method']): string => {
  const { rebalance_type, rebalance_value } = method
  const place = rebalance_value < 0 ? `倒数第 ${-rebalance_value} 个` : `第 ${rebalance_value} 个`
  if (periodOf(method) === null) return `每 ${rebalance_value} 交易日`
  return `每${rebalanceTypes[rebalance_type].short}${place}交易日`
}

/** `0–10%`, `0–2.5%`: of a range that is a part of the list. */
export const shareWords = ({
  hold_range_start: from,
  hold_range_end: to,
}: Pick<Parameters['hold_method'], 'hold_range_start' | 'hold_range_end'>): string =>
  `${plain(from * 100) || missing}–${plain(to * 100) || missing}%`

/** `持有前 10 名，缓冲名次 5`, `持有第 3–10 名`, `持有前 0–10%`. */
export function holdWords(hold: Parameters['hold_method']): string {
  const { hold_range_start: from, hold_range_end: to, hold_threshold: buffer } = hold
  const places = from === 1 ? `前 ${to} 名` : `第 ${from}–${to} 名`
  return `持有${isFraction(hold) ? `前 ${shareWords(hold)}` : places}${buffer > 0 ? `，${thresholdLabel} ${buffer}` : ''}`
}
