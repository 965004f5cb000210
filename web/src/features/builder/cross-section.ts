import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import { operandsOf } from '@convexa/contract/enums/operator'
import type { FilterFactor } from '@convexa/contract/strategy'
import { useQueries, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useSite } from '../../api/site.ts'

export type FactorColumn = readonly (number | null)[]

/** The server takes this many factors in one cross-section. */
const atMost = 20

/** Today's values of some factors over the whole market; nothing while they are on their way or cannot be had. */
export function useFactorColumns(kind: MarketId, refs: readonly string[], on = true): ReadonlyMap<string, FactorColumn> {
  const version = useSite().data_version[kind]
  const keys = [...new Set(refs)].sort().slice(0, atMost)
  const { data } = useQuery({
    queryKey: ['factor-columns', kind, version, keys],
    queryFn: async ({ signal }) => {
      const section = await call(calls[kind].realtimeFactors, { query: { with_values: '1', keys } }, { signal })
      return new Map(section.columns?.map((ref, index) => [ref, section.values?.[index] ?? []]))
    },
    enabled: on && keys.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? none
}
/** Today's values of the factors that are looked at, out of a long list: whole blocks of it are asked for, each once. */
export function useBlockColumns(kind: MarketId, list: readonly string[], shown: readonly string[]): ReadonlyMap<string, FactorColumn> {
  const version = useSite().data_version[kind]
  const places = new Map(list.map((ref, index) => [ref, index]))
  const blocks = [...new Set(shown.flatMap((ref) => Math.floor((places.get(ref) ?? 0) / atMost)))]
  return useQueries({
    queries: blocks.map((block) => {
      const keys = list.slice(block * atMost, (block + 1) * atMost)
      return {
        queryKey: ['factor-columns', kind, version, keys],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const section = await call(calls[kind].realtimeFactors, { query: { with_values: '1', keys } }, { signal })
          return new Map(section.columns?.map((ref, index) => [ref, section.values?.[index] ?? []]))
        },
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
      }
    }),
    combine: together,
  })
}
const together = (answers: readonly { data: ReadonlyMap<string, FactorColumn> | undefined }[]): ReadonlyMap<string, FactorColumn> =>
  new Map(answers.flatMap(({ data }) => (data ? [...data] : [])))

const none: ReadonlyMap<string, FactorColumn> = new Map()

const numbersIn = (column: FactorColumn): number[] => column.filter((value) => value !== null)

export interface Histogram {
  low: number
  high: number
  counts: readonly number[]
}

/** How values are spread, the outermost hundredth of each side in the outer bars: a few wild ones flatten nothing. */
export function histogramOf(column: FactorColumn, bars = 32): Histogram | null {
  const sorted = numbersIn(column).sort((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] as number
  const [low, high] = [at(0.01), at(0.99)]
  const counts = new Array<number>(bars).fill(0)
  for (const value of sorted) {
    const place = high > low ? Math.floor(((value - low) / (high - low)) * bars) : 0
    const bar = Math.min(bars - 1, Math.max(0, place))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  return { low, high, counts }
}

/** Where a condition cuts, in values; none of one that has no number. */
export function cutsOf({ operation, value }: Pick<FilterFactor, 'operation' | 'value'>, column: FactorColumn): number[] {
  const operands = operandsOf(operation)
  if (operands === 'range') return Array.isArray(value) ? value.filter((one): one is number => Number.isFinite(one)) : []
  if (typeof value !== 'number' || !Number.isFinite(value)) return []
  if (operands !== 'share') return operands === 'none' ? [] : [value]
  const sorted = numbersIn(column).sort((a, b) => a - b)
  const cut = sorted[Math.round((sorted.length - 1) * Math.min(1, Math.max(0, value)))]
  return cut === undefined ? [] : [cut]
}

/** Whether a value satisfies a condition that cuts there. Lists of words and absence are no comparison of numbers. */
const satisfies: Record<FilterFactor['operation'], (value: number, cuts: readonly number[]) => boolean> = {
  gt: (value, [cut = 0]) => value > cut,
  gt_rank: (value, [cut = 0]) => value > cut,
  ge: (value, [cut = 0]) => value >= cut,
  lt: (value, [cut = 0]) => value < cut,
  lt_rank: (value, [cut = 0]) => value < cut,
  le: (value, [cut = 0]) => value <= cut,
  eq: (value, [cut = 0]) => value === cut,
  ne: (value, [cut = 0]) => value !== cut,
  between: (value, [low = 0, high = 0]) => value >= low && value <= high,
  in: () => false,
  is_null: () => false,
}

/** How many of the market's securities a condition is true of by itself, and how many have no value. */
export function meetsOf(
  row: Pick<FilterFactor, 'operation' | 'value'>,
  column: FactorColumn,
): { meets: number; of: number; absent: number } {
  const cuts = cutsOf(row, column)
  const values = numbersIn(column)
  const test = satisfies[row.operation]
  const absent = column.length - values.length
  if (operandsOf(row.operation) === 'none') return { meets: absent, of: column.length, absent }
  return { meets: cuts.length > 0 ? values.filter((value) => test(value, cuts)).length : 0, of: column.length, absent }
}

/** From this on two factors say nearly the same. */
const nearlySame = 0.9

export interface Likeness {
  ref: string
  rho: number
}

/** By factor the one before or after it that it is most alike, where two say nearly the same. */
export function likenessesOf(refs: readonly string[], columns: ReadonlyMap<string, FactorColumn>): ReadonlyMap<string, Likeness> {
  const found = new Map<string, Likeness>()
  for (const [i, one] of refs.entries()) {
    for (const other of refs.slice(0, i)) {
      const [a, b] = [columns.get(one), columns.get(other)]
      const rho = a && b && one !== other ? rankCorrelation(a, b) : null
      if (rho === null || Math.abs(rho) <= nearlySame) continue
      if (Math.abs(rho) > Math.abs(found.get(one)?.rho ?? 0)) found.set(one, { ref: other, rho })
    }
  }
  return found
}

/** Spearman's ρ over securities that have both values; null of fewer than ten. */
export function rankCorrelation(a: FactorColumn, b: FactorColumn): number | null {
  const there = a.flatMap((value, i) => (value === null || b[i] == null ? [] : [i]))
  if (there.length < 10) return null
  const [x, y] = [a, b].map((column) => ranksOf(there.map((i) => column[i] as number))) as [number[], number[]]
  const mean = (there.length + 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  x.forEach((rank, i) => {
    const [dx, dy] = [rank - mean, (y[i] ?? mean) - mean]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  })
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null
}

/** 1 = smallest; equal values share their mean. */
function ranksOf(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to + 1 < order.length && values[order[to + 1] as number] === values[order[from] as number]) to++
    for (let k = from; k <= to; k++) ranks[order[k] as number] = (from + to) / 2 + 1
    from = to + 1
  }
  return ranks
}
