import type { Settings } from '@convexa/contract/backtest'
import { fills } from '@convexa/contract/enums/fill'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { type HoldWeight, holdWeights } from '@convexa/contract/enums/hold-weight'
import type { MarketRow } from '@convexa/contract/enums/market'
import { operandsOf, operators } from '@convexa/contract/enums/operator'
import { defaultRankMethod, rankMethods } from '@convexa/contract/enums/rank-method'
import { periodOf, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { hasStop, stopTypes } from '@convexa/contract/enums/stop-type'
import { labelOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { leastCash } from '@convexa/engine/screen'
import { count, plain } from '../../base/format.ts'
import { type Factors, shownAs } from './factors.ts'
import { costParts, shareWords } from './rule-text.ts'

/** A sentence in pieces: what is `strong` is a number to notice. */
export type Piece = string | { strong: string }
export const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('')

function rhythm(method: Parameters['rebalance_method']): string {
  const { rebalance_type: type, rebalance_value: value } = method
  if (periodOf(method) === null) return value === 1 ? '每个交易日收盘' : `每 ${value} 个交易日收盘`
  return `每${rebalanceTypes[type].short}${value < 0 ? `倒数第 ${-value}` : `第 ${value}`} 个交易日收盘`
}

/** `按名次加权`: a weighting as part of a sentence. */
const weighted: Record<HoldWeight, (label: string) => string> = {
  1: (label) => label,
  2: (label) => `${label}加权`,
  3: (label) => `${label}加权`,
  4: (label) => `${label}加权`,
  5: (label) => `按${label}加权`,
}

/** The strategy in one sentence; `pool` is how many are ranked, where it is known. */
export function summaryOf(
  parameters: Parameters,
  settings: Settings | null,
  factors: Factors,
  pool: number | null,
  market: Pick<MarketRow, 'id' | 'dutied'>,
): Piece[] {
  const { hold_method: hold, universe, hold_days: days } = parameters
  const ranks = parameters.rank_factors.filter((row) => row.enable && row.weight > 0)
  const weighting = weighted[hold.hold_weight_type](labelOf(holdWeights, hold.hold_weight_type, market.id))
  const method = parameters.rank_method === defaultRankMethod ? '' : `（${labelOf(rankMethods, parameters.rank_method)}）`
  const names = ranks.map((row) => `「${factors.nameOf(row.factor_key)}」`)
  const order =
    ranks.length === 1
      ? `按${names[0]}从${ranks[0]?.prefer === 'small' ? '小到大' : '大到小'}`
      : `按${names.slice(0, -1).join('、')}与${names.at(-1)}加权排名${method}`
  const places = isFraction(hold) ? { strong: shareWords(hold) } : { strong: String(hold.hold_range_end - hold.hold_range_start + 1) }
  const skipped = !isFraction(hold) && hold.hold_range_start > 1 ? `第 ${hold.hold_range_start} 名起` : ''
  const from: Piece[] = pool === null ? ['，在条件后的标的里'] : ['，在 ', { strong: count(pool) }, ' 只里']
  const pieces: Piece[] = [rhythm(parameters.rebalance_method), ...from]
  pieces.push(ranks.length === 0 ? '（还没有打分因子）' : order, `取${skipped} `, places)
  pieces.push(isFraction(hold) ? ` 名次区间${weighting}持有` : ` 只${weighting}持有`)
  const more: string[] = []
  if (universe.max_per_issuer) more.push(`同一正股最多 ${universe.max_per_issuer} 只`)
  if (hold.hold_threshold > 0) more.push(bufferWords(hold))
  if (hold.hold_max_weight < 1) more.push(capWords(hold))
  if (hasStop(parameters.stop_method.stop_type)) more.push(labelOf(stopTypes, parameters.stop_method.stop_type))
  if (parameters.timing?.some(({ rule }) => timingRules[rule].value !== null)) more.push('按择时规则调整仓位')
  if (days > 0) more.push(`最短持有 ${days} 日`)
  if (settings) {
    more.push(costParts(settings, market.dutied).join('、'))
    if (fills[settings.fill].delay > 0) more.push(`${labelOf(fills, settings.fill)}成交`)
  }
  return [...pieces, more.length > 0 ? `；${more.join('，')}。` : '。']
}

/** `跌出前 15 名才换`: where the holding begins behind the first place or counts shares, `缓冲 5 名`. */
function bufferWords(hold: Parameters['hold_method']): string {
  const { hold_range_start: start, hold_range_end: end, hold_threshold: buffer } = hold
  return isFraction(hold) || start > 1 ? `缓冲 ${buffer} 名` : `跌出前 ${end + buffer} 名才换`
}

/** `单只不超过 1%，至少 90% 留作现金` */
function capWords(hold: Parameters['hold_method']): string {
  const left = leastCash(hold, null)
  return [`单只不超过 ${share(hold.hold_max_weight)}`, left > 0 ? `至少 ${share(left)} 留作现金` : ''].filter(Boolean).join('，')
}

/** A share of the money: `0.5%`. */
export const share = (value: number): string => `${plain(Number((value * 100).toPrecision(4)))}%`

/** A filter row in words: `收盘价 大于 150元`. */
export function filterText(row: FilterFactor, factors: Factors): string {
  const { scale, unit } = shownAs(factors.of(row.factor_key))
  const one = (value: number | string) => (typeof value === 'number' ? `${plain(value * scale)}${unit}` : value)
  const rank = operandsOf(row.operation) === 'share'
  const value = Array.isArray(row.value)
    ? row.value.map(one).join('–')
    : rank && typeof row.value === 'number'
      ? `${plain(row.value * 100)}%`
      : one(row.value)
  return [factors.nameOf(row.factor_key), labelOf(operators, row.operation), operandsOf(row.operation) === 'none' ? '' : value]
    .filter(Boolean)
    .join(' ')
}
