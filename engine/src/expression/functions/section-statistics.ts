/** Statistics and transformations of a group of values. Sums are in the order of codes; equal values have exactly no spread. */
import { orderRow, rankRow } from '../../kernels/index.ts'
import { inverseNormal } from './inverse-normal.ts'
import type { Group, GroupStatistic, GroupTransformation } from './section.ts'
import { quantileOf } from './select.ts'

export const count: GroupStatistic = (group) => group.count

export const sum: GroupStatistic = ({ values, count: many }) => {
  let all = 0
  for (let k = 0; k < many; k++) all += values[k]
  return all
}

/** As differences from the first value. */
export const mean: GroupStatistic = ({ values, count: many }) => {
  const first = values[0]
  let all = 0
  for (let k = 0; k < many; k++) all += values[k] - first
  return first + all / many
}

export const deviation: GroupStatistic = (group) => {
  const { values, count: many } = group
  const middle = mean(group)
  let squares = 0
  for (let k = 0; k < many; k++) squares += (values[k] - middle) * (values[k] - middle)
  return many > 1 ? Math.sqrt(squares / (many - 1) + (squares - squares)) : Number.NaN
}

export const largest: GroupStatistic = ({ values, count: many }) => {
  let best = values[0]
  for (let k = 1; k < many; k++) if (values[k] > best) best = values[k]
  return best
}

export const smallest: GroupStatistic = ({ values, count: many }) => {
  let best = values[0]
  for (let k = 1; k < many; k++) if (values[k] < best) best = values[k]
  return best
}

export const quantile =
  (q: number): GroupStatistic =>
  ({ values, other, count: many }) => {
    other.set(many === values.length ? values : values.subarray(0, many))
    return quantileOf(other, many, q)
  }

export const median = quantile(0.5)

/** 1/n … 1, ties share their average. */
const rank: GroupTransformation = ({ values, results, ranking, count: many }) => {
  rankRow(values, 0, many, null, results, ranking)
  for (let k = 0; k < many; k++) results[k] /= many
}

/** The same; of fewer than `least` nobody has a rank. */
export const rankFrom =
  (least: number): GroupTransformation =>
  (group) => {
    if (group.count < least) group.results.fill(Number.NaN, 0, group.count)
    else rank(group)
  }

/** 1 = the largest, whole numbers; equal values in the order of codes. */
export const order: GroupTransformation = ({ values, results, ranking, count: many }) => {
  orderRow(values, 0, many, null, ranking)
  const places = ranking.order
  let from = 0
  while (from < many) {
    const value = values[places[from]]
    let to = from + 1
    while (to < many && values[places[to]] === value) to++
    for (let k = from; k < to; k++) results[places[k]] = many - to + 1 + (k - from)
    from = to
  }
}

/** 1 for the so many largest, by their order. */
export const top =
  (many: number): GroupTransformation =>
  (group) => {
    order(group)
    for (let k = 0; k < group.count; k++) group.results[k] = Number(group.results[k] <= many)
  }

export const bottom =
  (many: number): GroupTransformation =>
  ({ values, results, ranking, count: all }) => {
    orderRow(values, 0, all, null, ranking)
    for (let k = 0; k < all; k++) results[ranking.order[k]] = Number(k < many)
  }

/** Bins of equal counts, 1 = the smallest values; equal values are parted in the order of codes. */
export const bin =
  (bins: number): GroupTransformation =>
  ({ values, results, ranking, count: many }) => {
    orderRow(values, 0, many, null, ranking)
    for (let k = 0; k < many; k++) results[ranking.order[k]] = Math.ceil(((k + 1) * bins) / many)
  }

export const demean: GroupTransformation = (group) => {
  const middle = mean(group)
  for (let k = 0; k < group.count; k++) group.results[k] = group.values[k] - middle
}

/** Groups of fewer than `least` have none. */
export const zscore =
  (least: number): GroupTransformation =>
  (group) => {
    const middle = mean(group)
    const spread = group.count < least ? Number.NaN : deviation(group)
    for (let k = 0; k < group.count; k++) group.results[k] = (group.values[k] - middle) / spread
  }

export const minmax: GroupTransformation = (group) => {
  const low = smallest(group)
  const width = largest(group) - low
  for (let k = 0; k < group.count; k++) group.results[k] = width === 0 ? 0.5 : (group.values[k] - low) / width
}

export const scale =
  (total: number): GroupTransformation =>
  ({ values, results, count: many }) => {
    let sizes = 0
    for (let k = 0; k < many; k++) sizes += Math.abs(values[k])
    for (let k = 0; k < many; k++) results[k] = (values[k] * total) / sizes + (sizes - sizes)
  }

function clip({ values, results, count: many }: Group, low: number, high: number): void {
  for (let k = 0; k < many; k++) results[k] = Math.min(Math.max(values[k], low), high)
}

export const winsor =
  (low: number, high: number): GroupTransformation =>
  (group) => {
    clip(group, quantile(low)(group), quantile(high)(group))
  }

/** Normal values have their deviation in 1.4826 median distances. */
const distancesInDeviation = 1.4826

export const clipByMedian =
  (k: number): GroupTransformation =>
  (group) => {
    const { values, other, count: many } = group
    const middle = median(group)
    for (let i = 0; i < many; i++) other[i] = Math.abs(values[i] - middle)
    const width = k * distancesInDeviation * quantileOf(other, many, 0.5)
    clip(group, middle - width, middle + width)
  }

export const clipByDeviation =
  (k: number): GroupTransformation =>
  (group) => {
    const middle = mean(group)
    const width = k * deviation(group)
    clip(group, middle - width, middle + width)
  }

/** The normal number whose place is the value's. */
export const normalScore: GroupTransformation = ({ values, results, ranking, count: many }) => {
  rankRow(values, 0, many, null, results, ranking)
  for (let k = 0; k < many; k++) results[k] = inverseNormal((results[k] - 0.5) / many)
}
