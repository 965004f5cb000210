import type { BinningResult } from '@convexa/contract/binning'
import { binMethods } from '@convexa/contract/enums/bin-method'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { percent } from '../../base/format.ts'
import { newRank } from '../rule/draft.ts'
import type { BinningQuestion } from './binning-form.ts'

/** Below this a bin says little (product.md 2.17). */
export const fewMembers = 20

/** The draft with the factor among its scores; the same draft when it is there already. */
export function asRank(parameters: Parameters, factor: string, direction: 'small' | 'large'): Parameters {
  const known = parameters.rank_factors.findIndex((row) => row.factor_key === factor)
  if (known < 0) return { ...parameters, rank_factors: [...parameters.rank_factors, newRank(factor, direction)] }
  return {
    ...parameters,
    rank_factors: parameters.rank_factors.map((row, i) => (i === known ? { ...row, prefer: direction, enable: true } : row)),
  }
}

export interface Cut {
  filter: FilterFactor
  /** `分位高于 80%`. */
  words: string
}

/** From this share on equal values lie in more than one bin, so that no bin is a condition (domain.md 6.2). */
const mostCut = 0.05

/**
 * Leaves out the worst bin: the end that the factor's own direction puts last. Of categories there is no end, of bins that cut through equal
 * values none that a condition could mean, and one that never had members leaves nobody out.
 */
export function worstCut(
  { bins, direction, cut_share }: Pick<BinningResult, 'bins' | 'direction' | 'cut_share'>,
  { body }: BinningQuestion,
): Cut | null {
  if (binMethods[body.method].equal === 'value' || bins.length < 2 || cut_share > mostCut) return null
  if (!(((direction === 'small' ? bins.at(-1) : bins[0])?.avg_count ?? 0) > 0)) return null
  const share = Number((1 / bins.length).toFixed(4))
  const above = direction === 'small'
  const value = above ? Number((1 - share).toFixed(4)) : share
  return {
    words: `分位${above ? '高' : '低'}于 ${Number((value * 100).toFixed(1))}%`,
    filter: { factor_key: body.factor, action: 'exclude', operation: above ? 'gt_rank' : 'lt_rank', value, enable: true },
  }
}

/** The draft with the condition; one of the same kind is replaced. */
export function asFilter(parameters: Parameters, filter: FilterFactor): Parameters {
  const same = (row: FilterFactor) =>
    row.factor_key === filter.factor_key && row.operation === filter.operation && row.action === filter.action
  return { ...parameters, filter_factors: [...parameters.filter_factors.filter((row) => !same(row)), filter] }
}

/** Least members of a bin on average. */
export const leastCount = ({ bins }: Pick<BinningResult, 'bins'>): number =>
  bins.length === 0 ? 0 : Math.min(...bins.map(({ avg_count }) => avg_count))

/** `79.0%的证券同值跨箱，不作判断`: bins cut through equal values are not held against each other. null where they may be. */
export const cutWords = ({ cut_share, monotonicity }: Pick<BinningResult, 'cut_share' | 'monotonicity'>): string | null =>
  cut_share > 0 && monotonicity === null ? `${percent(cut_share, 1)}的证券同值跨箱，不作判断` : null

/** Warnings that no other part of the page says. */
export const otherWarnings = ({ warnings }: Pick<BinningResult, 'warnings'>): string[] =>
  warnings.filter((text) => !text.startsWith('每箱平均只有'))

/** `每箱平均只有 12 只，结论不可靠`; null when there are enough. */
export function guardWords(result: Pick<BinningResult, 'bins'>): string | null {
  const least = Math.round(leastCount(result))
  return least < fewMembers ? `每箱平均只有 ${least} 只，结论不可靠` : null
}

/** Running sum of what is known. */
export function cumulated(values: readonly (number | null)[]): (number | null)[] {
  let sum = 0
  return values.map((value) => (value === null ? null : (sum += value)))
}

/** Rows of years with twelve months and the year's mean over its months. */
export function yearsOf(months: BinningResult['ic_monthly']): { name: string; values: (number | null)[] }[] {
  const years = new Map<number, (number | null)[]>()
  for (const { year, month, value } of months) {
    const row = years.get(year) ?? Array.from({ length: 12 }, () => null)
    row[month - 1] = value
    years.set(year, row)
  }
  return [...years].map(([year, values]) => {
    const known = values.filter((value) => value !== null)
    return { name: String(year), values: [...values, known.reduce((sum, value) => sum + value, 0) / known.length] }
  })
}

/** Every bin's shade of one hue: the first the strongest, the last still a line that is seen. */
export function shadesOf(colour: string, ground: string, count: number): string[] {
  const [from, to] = [rgb(colour), rgb(ground)]
  return Array.from({ length: count }, (_, i) => {
    const share = count < 2 ? 0 : (i / (count - 1)) * 0.55
    return `#${from
      .map((part, k) =>
        Math.round(part + ((to[k] ?? 0) - part) * share)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
  })
}

const rgb = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
