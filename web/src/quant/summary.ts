import type { Settings } from '@convexa/contract/backtest'
import { fills } from '@convexa/contract/enums/fill'
import { type HoldWeight, holdWeights } from '@convexa/contract/enums/hold-weight'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { stopTypes } from '@convexa/contract/enums/stop-type'
import { labelOf } from '@convexa/contract/enums/table'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { leastCash, operationWords } from '@convexa/engine/screen'
import type { ShownMarket } from '../market/market-context.tsx'
import { count, plain } from '../ui/format.ts'
import { type Factors, shownAs } from './factors.ts'
import { costParts, shareWords } from './report/rule-words.ts'

/** A sentence in pieces: what is `strong` is a number to notice. */
export type Piece = string | { strong: string }
export const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('')

const weekWords = ['', '每周第', '每月第']

function rhythm({ rebalance_type: type, rebalance_value: value }: Parameters['rebalance_method']): string {
  if (type === 0) return value === 1 ? '每个交易日收盘' : `每 ${value} 个交易日收盘`
  const place = value < 0 ? `倒数第 ${-value} ` : ` ${value} `
  return `${value < 0 ? weekWords[type]?.replace('第', '') : weekWords[type]}${place}个交易日收盘`
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
  market: Pick<ShownMarket, 'kind' | 'dutied'>,
): Piece[] {
  const { hold_method: hold, universe, hold_days: days } = parameters
  const ranks = parameters.rank_factors.filter((row) => row.enable && row.weight > 0)
  const weighting = weighted[hold.hold_weight_type](labelOf(holdWeights, hold.hold_weight_type, market.kind))
  const method = parameters.rank_method === 'rank' ? '' : `（${labelOf(rankMethods, parameters.rank_method)}）`
  const names = ranks.map((row) => `「${factors.nameOf(row.factor_key)}」`)
  const order =
    ranks.length === 1
      ? `按${names[0]}从${ranks[0]?.prefer === 'small' ? '小到大' : '大到小'}`
      : `按${names.slice(0, -1).join('、')}与${names.at(-1)}加权排名${method}`
  const places =
    hold.hold_range_type === 2 ? { strong: shareWords(hold) } : { strong: String(hold.hold_range_end - hold.hold_range_start + 1) }
  const skipped = hold.hold_range_type === 1 && hold.hold_range_start > 1 ? `第 ${hold.hold_range_start} 名起` : ''
  const from: Piece[] = pool === null ? ['，在条件后的标的里'] : ['，在 ', { strong: count(pool) }, ' 只里']
  const pieces: Piece[] = [rhythm(parameters.rebalance_method), ...from]
  pieces.push(ranks.length === 0 ? '（还没有打分因子）' : order, `取${skipped} `, places)
  pieces.push(hold.hold_range_type === 2 ? ` 名次区间${weighting}持有` : ` 只${weighting}持有`)
  const more: string[] = []
  if (universe.max_per_issuer) more.push(`同一正股最多 ${universe.max_per_issuer} 只`)
  if (hold.hold_threshold > 0) more.push(`排名差 ${hold.hold_threshold} 才换`)
  if (hold.hold_max_weight < 1) more.push(capWords(hold))
  if (parameters.stop_method.stop_type !== 0) more.push(labelOf(stopTypes, parameters.stop_method.stop_type))
  if (parameters.timing?.some(({ rule }) => rule !== 'none')) more.push('按择时规则调整仓位')
  if (days > 0) more.push(`最短持有 ${days} 日`)
  if (settings) {
    more.push(costParts(settings, market.dutied).join('、'))
    if (settings.fill !== 'close') more.push(`${labelOf(fills, settings.fill)}成交`)
  }
  return [...pieces, more.length > 0 ? `；${more.join('，')}。` : '。']
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
  const rank = row.operation === 'gt_rank' || row.operation === 'lt_rank'
  const value = Array.isArray(row.value)
    ? row.value.map(one).join('–')
    : rank && typeof row.value === 'number'
      ? `${plain(row.value * 100)}%`
      : one(row.value)
  return [factors.nameOf(row.factor_key), operationWords[row.operation], row.operation === 'is_null' ? '' : value].filter(Boolean).join(' ')
}
