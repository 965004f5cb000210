/** Statistics of gathered days. Deviations are from the mean, so equal values have exactly no spread. */
import type { Members, Statistic } from './gather.ts'

/** A spread smaller than this, against 1 + |mean|, is none: correlations with it are absent. */
export const noSpread = 1e-12

const mean = ({ count, x }: Members): number => meanOf(x, count)

function meanOf(values: Float64Array, count: number): number {
  const first = values[0]
  let sum = 0
  for (let k = 0; k < count; k++) sum += values[k] - first
  return first + sum / count
}

/** Σ (a − mean of a)(b − mean of b) */
function products(a: Float64Array, meanOfA: number, b: Float64Array, meanOfB: number, count: number): number {
  let sum = 0
  for (let k = 0; k < count; k++) sum += (a[k] - meanOfA) * (b[k] - meanOfB)
  return sum
}

export const variance =
  (degrees: number): Statistic =>
  (members) => {
    const middle = mean(members)
    return members.count > degrees ? products(members.x, middle, members.x, middle, members.count) / (members.count - degrees) : Number.NaN
  }

export const deviation = (degrees: number): Statistic => {
  const of = variance(degrees)
  return (members, x, y) => Math.sqrt(of(members, x, y))
}

/** The gathered values in ascending order; few are put in place one by one. */
function sort({ x, count, sorted }: Members): Float64Array {
  if (count > 40) {
    sorted.set(x.subarray(0, count))
    sorted.subarray(0, count).sort()
    return sorted
  }
  for (let k = 0; k < count; k++) {
    const value = x[k]
    let at = k
    for (; at > 0 && sorted[at - 1] > value; at--) sorted[at] = sorted[at - 1]
    sorted[at] = value
  }
  return sorted
}

/** Linear between the two neighbours. */
export function quantileOfSorted(sorted: Float64Array, count: number, q: number): number {
  const place = (count - 1) * q
  const below = Math.floor(place)
  const low = sorted[below]
  return below + 1 < count ? low + (sorted[below + 1] - low) * (place - below) : low
}

export const quantile =
  (q: number): Statistic =>
  (members) =>
    quantileOfSorted(sort(members), members.count, q)

const median = quantile(0.5)

/** Median of the distances from the median. */
export const medianDeviation: Statistic = (members) => {
  const middle = median(members, 0, 0)
  const { x, count } = members
  for (let k = 0; k < count; k++) x[k] = Math.abs(x[k] - middle)
  return median(members, 0, 0)
}

/** Mean of the distances from the mean. */
export const meanDeviation: Statistic = (members) => {
  const middle = mean(members)
  let sum = 0
  for (let k = 0; k < members.count; k++) sum += Math.abs(members.x[k] - middle)
  return sum / members.count
}

/** Weights of the days by their age, today's first: they halve every `half` days. */
export const halvingWeights = (window: number, half: number): Float64Array =>
  Float64Array.from({ length: window }, (_, age) => 0.5 ** (age / half))

export const halflife =
  (weightOfAge: Float64Array): Statistic =>
  ({ count, x, place, window }) => {
    let sum = 0
    let weights = 0
    for (let k = 0; k < count; k++) {
      const weight = weightOfAge[window - place[k]]
      sum += weight * x[k]
      weights += weight
    }
    return sum / weights
  }

export const product: Statistic = ({ x, count }) => {
  let all = 1
  for (let k = 0; k < count; k++) all *= x[k]
  return all
}

/** Mean third and fourth powers of the deviations in units of their own spread; a spread of rounding errors counts as none. */
function moments({ x, count }: Members): { three: number; four: number } | null {
  const middle = meanOf(x, count)
  const spread = Math.sqrt(products(x, middle, x, middle, count) / count)
  if (!(spread < Number.POSITIVE_INFINITY && spread >= noSpread * (1 + Math.abs(middle)))) return null
  const part = 1 / spread
  let three = 0
  let four = 0
  for (let k = 0; k < count; k++) {
    const d = (x[k] - middle) * part
    three += d * d * d
    four += d * d * d * d
  }
  return { three: three / count, four: four / count }
}

const isSpread = (variance: number, mean: number) =>
  variance < Number.POSITIVE_INFINITY && Math.sqrt(variance) >= noSpread * (1 + Math.abs(mean))

/** Bias-corrected, as pandas has it. */
export const skewness: Statistic = (members) => {
  const n = members.count
  const sums = moments(members)
  if (n < 3 || !sums) return Number.NaN
  return (Math.sqrt(n * (n - 1)) / (n - 2)) * sums.three
}

/** Excess kurtosis, bias-corrected, as pandas has it. */
export const kurtosis: Statistic = (members) => {
  const n = members.count
  const sums = moments(members)
  if (n < 4 || !sums) return Number.NaN
  return ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * sums.four - 3 * (n - 1))
}

/** Days since the extreme; of equal ones the latest. */
export const daysSince =
  (isBetter: (a: number, b: number) => boolean): Statistic =>
  ({ x, place, count, window }) => {
    let best = 0
    for (let k = 1; k < count; k++) if (!isBetter(x[best], x[k])) best = k
    return window - place[best]
  }

/** The deepest fall from a peak before it, as a negative fraction; absent where a peak is not above 0. */
export const drawdown: Statistic = ({ x, count }) => {
  let peak = x[0]
  let worst = 0
  for (let k = 0; k < count; k++) {
    peak = Math.max(peak, x[k])
    if (!(peak > 0)) return Number.NaN
    worst = Math.min(worst, x[k] / peak - 1)
  }
  return worst
}

/** What the formulas of correlation and regression are made of: the pairs' means and sums of products about them. */
interface PairSums {
  readonly count: number
  readonly meanOfX: number
  readonly meanOfY: number
  readonly xx: number
  readonly xy: number
  readonly yy: number
}

const sums = { count: 0, meanOfX: 0, meanOfY: 0, xx: 0, xy: 0, yy: 0 }

function pairSums({ x, y, count }: Members): PairSums {
  sums.count = count
  sums.meanOfX = meanOf(x, count)
  sums.meanOfY = meanOf(y, count)
  sums.xx = products(x, sums.meanOfX, x, sums.meanOfX, count)
  sums.xy = products(x, sums.meanOfX, y, sums.meanOfY, count)
  sums.yy = products(y, sums.meanOfY, y, sums.meanOfY, count)
  return sums
}

/** A statistic of pairs by their sums; today's values may be absent. */
type OfPairs = (sums: PairSums, x: number, y: number) => number

const hasSpread = (squares: number, count: number, mean: number) => isSpread(squares / (count - 1), mean)

const covariance: OfPairs = ({ count, xy }) => (count > 1 ? xy / (count - 1) : Number.NaN)

const correlation: OfPairs = ({ count, meanOfX, meanOfY, xx, xy, yy }) =>
  hasSpread(xx, count, meanOfX) && hasSpread(yy, count, meanOfY)
    ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)))
    : Number.NaN

// Least squares y = a + b·x.
const beta: OfPairs = ({ count, meanOfX, xx, xy }) => (hasSpread(xx, count, meanOfX) ? xy / xx : Number.NaN)
const alpha: OfPairs = (pairs, x, y) => pairs.meanOfY - beta(pairs, x, y) * pairs.meanOfX
const residual: OfPairs = (pairs, x, y) => y - pairs.meanOfY - beta(pairs, x, y) * (x - pairs.meanOfX)
const explained: OfPairs = (pairs, x, y) => correlation(pairs, x, y) ** 2

const pairStatistics = { covariance, correlation, beta, alpha, residual, explained }
export type PairStatistic = keyof typeof pairStatistics

export function ofPairs(name: PairStatistic): Statistic {
  const of = pairStatistics[name]
  return (members, x, y) => of(pairSums(members), x, y)
}

/** Correlation of the places of the values: equal ones share their average place. Sums of places are whole numbers, none is rounded. */
export const rankCorrelation: Statistic = ({ x, y, sorted: a, other: b, count }) => {
  pointsOf(x, a, count)
  pointsOf(y, b, count)
  let sumOfA = 0
  let sumOfB = 0
  let aa = 0
  let ab = 0
  let bb = 0
  for (let k = 0; k < count; k++) {
    sumOfA += a[k]
    sumOfB += b[k]
    aa += a[k] * a[k]
    ab += a[k] * b[k]
    bb += b[k] * b[k]
  }
  const xx = count * aa - sumOfA * sumOfA
  const yy = count * bb - sumOfB * sumOfB
  if (xx === 0 || yy === 0) return Number.NaN
  return Math.max(-1, Math.min(1, (count * ab - sumOfA * sumOfB) / Math.sqrt(xx) / Math.sqrt(yy)))
}

/** For every smaller one 2 points, for every equal one 1. */
function pointsOf(values: Float64Array, places: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) {
    const value = values[k]
    let points = 0
    for (let j = 0; j < count; j++) points += Number(values[j] < value) + Number(values[j] <= value)
    places[k] = points
  }
}

/** Least squares on the places of the days. */
export const slope: Statistic = ({ x, place, count }) => {
  const middle = meanOf(place, count)
  const squares = products(place, middle, place, middle, count)
  return count > 1 ? products(place, middle, x, meanOf(x, count), count) / squares : Number.NaN
}

/** The fitted value of today. */
export const forecast: Statistic = (members, x, y) =>
  mean(members) + slope(members, x, y) * (members.window - meanOf(members.place, members.count))

/** Weighted by place: today counts n times. */
export const decay: Statistic = ({ x, place, count }) => {
  let sum = 0
  let weights = 0
  const first = x[0]
  for (let k = 0; k < count; k++) {
    sum += (x[k] - first) * place[k]
    weights += place[k]
  }
  return first + sum / weights
}
