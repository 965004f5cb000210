/** Functions of the securities listed on a day, as their definitions say. */
import { normal } from './naive-elementwise.ts'
import { correlation, deviation, mean, median, percentile, quantile } from './naive-statistics.ts'

const valid = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value))

/** Columns of the listed securities of a day, in the order of codes; one result for each. */
type Section = (columns: number[][], numbers: readonly number[], texts: readonly string[], noise?: Noise) => number[]
/** Spoils the inner numbers of what may cancel to nothing. */
type Noise = (value: number) => number

const each =
  (of: (own: number, all: number[], numbers: readonly number[]) => number): Section =>
  ([x], numbers) =>
    x.map((own) => (Number.isNaN(own) ? Number.NaN : of(own, valid(x), numbers)))

/** One number for all; absent where there is no value at all. */
const shared =
  (of: (all: number[], numbers: readonly number[]) => number, empty = Number.NaN): Section =>
  ([x], numbers) =>
    x.map(() => (valid(x).length === 0 ? empty : of(valid(x), numbers)))

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
const limited = (value: number, low: number, high: number) => (value < low ? low : value > high ? high : value)

/** Indices of the valid values, smallest first, equal ones in the order of codes. */
const ascending = (x: readonly number[]) =>
  x
    .map((value, k) => ({ value, k }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.value - b.value || a.k - b.k)
    .map(({ k }) => k)

/** By place among the valid ones, 0 = the first of the given order. */
const placed =
  (isDescending: boolean, of: (place: number, count: number, numbers: readonly number[]) => number): Section =>
  ([x], numbers) => {
    const order = isDescending ? ascending(x.map((value) => -value)) : ascending(x)
    return x.map((value, k) => (Number.isNaN(value) ? Number.NaN : of(order.indexOf(k), order.length, numbers)))
  }

/** The number below which a normal variable is with probability p, by halving. */
function inverseNormal(p: number): number {
  let [low, high] = [-10, 10]
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2
    if (normal(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Rows without an absent value. */
const complete = (columns: readonly number[][]) =>
  columns[0].map((_, k) => k).filter((k) => !columns.some((column) => Number.isNaN(column[k])))

const dot = (a: readonly number[], b: readonly number[]) => sum(a.map((value, k) => value * b[k]))
const without = (a: readonly number[], along: readonly number[]) => {
  const factor = dot(a, along) / dot(along, along)
  return a.map((value, k) => value - factor * along[k])
}

/** What is left of y after each direction, one after the other; a direction that the earlier ones contain says nothing new. */
function residuals(y: readonly number[], regressors: readonly (readonly number[])[]): number[] {
  const directions: number[][] = []
  for (const regressor of regressors) {
    let left = [...regressor]
    for (let pass = 0; pass < 3; pass++) for (const direction of directions) left = without(left, direction)
    if (Math.sqrt(dot(left, left)) > 1e-10 * Math.sqrt(dot(regressor, regressor))) directions.push(left)
  }
  let left = [...y]
  for (let pass = 0; pass < 3; pass++) for (const direction of directions) left = without(left, direction)
  return left
}

const centred = (values: readonly number[]) => values.map((value) => value - mean(values))

/** Least squares over the complete rows, of which there must be more than numbers to fit. */
const regression: Section = (columns, _numbers, _texts, noise = (value) => value) => {
  const rows = complete(columns)
  const told = columns[0].map(() => Number.NaN)
  if (rows.length < columns.length + 1) return told
  const [y, ...regressors] = columns.map((column) => centred(rows.map((k) => column[k])))
  residuals(y, regressors).forEach((value, k) => {
    told[rows[k]] = value + noise(y[k]) - y[k]
  })
  return told
}

/** By texts of groups: on the logarithm of the size and a column of ones for each group. */
export function neutral(x: readonly number[], size: readonly number[], groups: readonly (string | null)[], noise: Noise): number[] {
  const logs = size.map((value) => (value > 0 ? Math.log(value) : Number.NaN))
  const rows = complete([[...x], logs]).filter((k) => groups[k] !== null)
  const dummies = [...new Set(rows.map((k) => groups[k]))].map((group) => rows.map((k) => (groups[k] === group ? 1 : 0)))
  const told = x.map(() => Number.NaN)
  const pick = (column: readonly number[]) => rows.map((k) => column[k])
  if (rows.length > 0) {
    residuals(pick(x), [...dummies, pick(logs)]).forEach((value, k) => {
      told[rows[k]] = value + noise(x[rows[k]]) - x[rows[k]]
    })
  }
  return told
}

const byWord: Record<string, (values: number[]) => number> = {
  mean,
  median,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
}

export const sectionDefinitions: Record<string, Section> = {
  cs_rank: each((own, all) => percentile(all, own)),
  cs_rank_desc: each((own, all) =>
    percentile(
      all.map((value) => -value),
      -own,
    ),
  ),
  cs_order: placed(true, (place) => place + 1),
  cs_mean: shared(mean),
  cs_median: shared(median),
  cs_sum: shared(sum),
  cs_std: shared(deviation),
  cs_max: shared((all) => Math.max(...all)),
  cs_min: shared((all) => Math.min(...all)),
  cs_count: shared((all) => all.length, 0),
  cs_quantile: shared((all, [q]) => quantile(all, q)),
  cs_demean: each((own, all) => own - mean(all)),
  cs_zscore: each((own, all) => (own - mean(all)) / deviation(all)),
  cs_minmax: each((own, all) => {
    const [low, high] = [Math.min(...all), Math.max(...all)]
    return low === high ? 0.5 : (own - low) / (high - low)
  }),
  cs_scale: each((own, all, [a]) => (own * a) / sum(all.map(Math.abs))),
  cs_winsor: each((own, all, [low, high]) =>
    limited(limited(own, quantile(all, low), Number.POSITIVE_INFINITY), Number.NEGATIVE_INFINITY, quantile(all, high)),
  ),
  cs_mad: each((own, all, [k]) => {
    const width = k * 1.4826 * median(all.map((value) => Math.abs(value - median(all))))
    return limited(own, median(all) - width, median(all) + width)
  }),
  cs_sigma: each((own, all, [k]) => {
    const width = k * deviation(all)
    return Number.isNaN(width) ? Number.NaN : limited(own, mean(all) - width, mean(all) + width)
  }),
  cs_bin: placed(false, (place, count, [bins]) => Math.ceil(((place + 1) * bins) / count)),
  cs_top: placed(true, (place, _, [k]) => (place < k ? 1 : 0)),
  cs_bottom: placed(false, (place, _, [k]) => (place < k ? 1 : 0)),
  cs_norm: each((own, all) => inverseNormal(percentile(all, own) - 0.5 / all.length)),
  cs_fill: ([x], _, [word]) => x.map((own) => (Number.isNaN(own) && valid(x).length > 0 ? byWord[word](valid(x)) : own)),
  cs_resid: regression,
  cs_peer_median: ([y, x], [width]) => {
    const there = complete([y, x])
    const told = new Map(there.map((k) => [k, median(there.filter((j) => Math.abs(x[j] - x[k]) <= width).map((j) => y[j]))]))
    return y.map((_, k) => told.get(k) ?? Number.NaN)
  },
  cs_ic: ([x, y]) => {
    const rows = complete([x, y])
    const told =
      rows.length === 0
        ? Number.NaN
        : correlation(
            rows.map((k) => x[k]),
            rows.map((k) => y[k]),
          )
    return x.map(() => told)
  },
}

/** Values of the members of a group; one result for each. */
type OfGroup = (values: number[]) => number[]
const inGroup =
  (section: Section): OfGroup =>
  (values) =>
    section([values], [], [])

export const groupDefinitions: Record<string, OfGroup> = {
  gp_mean: inGroup(sectionDefinitions['cs_mean']),
  gp_median: inGroup(sectionDefinitions['cs_median']),
  gp_sum: inGroup(sectionDefinitions['cs_sum']),
  gp_std: inGroup(sectionDefinitions['cs_std']),
  gp_max: inGroup(sectionDefinitions['cs_max']),
  gp_min: inGroup(sectionDefinitions['cs_min']),
  gp_count: inGroup(sectionDefinitions['cs_count']),
  gp_rank: (values) => (valid(values).length < 3 ? values.map(() => Number.NaN) : sectionDefinitions['cs_rank']([values], [], [])),
  gp_demean: inGroup(sectionDefinitions['cs_demean']),
  gp_zscore: (values) => (valid(values).length < 3 ? values.map(() => Number.NaN) : sectionDefinitions['cs_zscore']([values], [], [])),
  gp_fill: (values) => sectionDefinitions['cs_fill']([values], [], ['median']),
}
