/** Functions of the days before, as their definitions say: over the members of one window, or over a security's whole history. */
import {
  correlation,
  covariance,
  deviation,
  line,
  mean,
  median,
  percentile,
  places,
  quantile,
  sampleMoments,
  variance,
} from './naive-statistics.ts'

/** Of today's value and that of so many days ago. */
export const backDefinitions: Record<string, (today: number, then: number) => number> = {
  ref: (_today, then) => then,
  delta: (today, then) => today - then,
  pct: (today, then) => (then > 0 ? today / then - 1 : Number.NaN),
  log_ret: (today, then) => Math.log(today / then),
}

/** A valid day of a window: today has age 0; one value for each series. */
interface Member {
  readonly age: number
  readonly values: readonly number[]
}

/** `noise` spoils the inner numbers of what may cancel to nothing. */
type Noise = (value: number) => number
type Rolling = (members: readonly Member[], today: readonly number[], numbers: readonly number[], noise: Noise) => number

const ofValues =
  (of: (values: number[], today: number, numbers: readonly number[]) => number): Rolling =>
  (members, [today], numbers) =>
    of(
      members.map(({ values }) => values[0]),
      today,
      numbers,
    )

const ofPairs =
  (of: (first: number[], second: number[], today: readonly number[], noise: Noise) => number): Rolling =>
  (members, today, _numbers, noise) =>
    of(
      members.map(({ values }) => values[0]),
      members.map(({ values }) => values[1]),
      today,
      noise,
    )

/** Values against their places in the window: 1 = the oldest day of the whole window. */
const onPlaces =
  (of: (values: number[], placesOfDays: number[], window: number, noise: Noise) => number): Rolling =>
  (members, _today, [window], noise) =>
    of(
      members.map(({ values }) => values[0]),
      members.map(({ age }) => window - age),
      window,
      noise,
    )

const truths = (values: number[]) => values.map((value) => (value !== 0 ? 1 : 0))
const ageOf =
  (extreme: (...values: number[]) => number): Rolling =>
  (members) => {
    const best = extreme(...members.map(({ values }) => values[0]))
    return Math.min(...members.filter(({ values }) => values[0] === best).map(({ age }) => age))
  }

/** Members come newest first. */
function drawdown(values: number[]): number {
  const inOrder = [...values].reverse()
  const falls = inOrder.map((value, k) => value / Math.max(...inOrder.slice(0, k + 1)) - 1)
  return inOrder[0] <= 0 ? Number.NaN : Math.min(...falls)
}

export const rollingDefinitions: Record<string, Rolling> = {
  ts_sum: ofValues((values) => values.reduce((sum, value) => sum + value, 0)),
  ts_mean: ofValues(mean),
  ts_std: ofValues(deviation),
  STD: ofValues((values) => Math.sqrt(variance(values, 0))),
  ts_var: ofValues((values) => variance(values)),
  ts_min: ofValues((values) => Math.min(...values)),
  ts_max: ofValues((values) => Math.max(...values)),
  ts_rank: ofValues((values, today) => percentile(values, today)),
  ts_argmax: ageOf(Math.max),
  ts_argmin: ageOf(Math.min),
  ts_median: ofValues(median),
  ts_quantile: ofValues((values, _today, [, q]) => quantile(values, q)),
  ts_prod: ofValues((values) => values.reduce((product, value) => product * value, 1)),
  ts_skew: ofValues((values) => sampleMoments(values).skew),
  ts_kurt: ofValues((values) => sampleMoments(values).kurt),
  ts_zscore: ofValues((values, today) => (today - mean(values)) / deviation(values)),
  ts_minmax: ofValues((values, today) => (today - Math.min(...values)) / (Math.max(...values) - Math.min(...values))),
  ts_mad: ofValues((values) => median(values.map((value) => Math.abs(value - median(values))))),
  avedev: ofValues((values) => mean(values.map((value) => Math.abs(value - mean(values))))),
  ts_mdd: ofValues(drawdown),
  ts_ir: ofValues((values) => mean(values) / deviation(values)),
  ts_count: ofValues((values) => truths(values).filter((value) => value === 1).length),
  ts_all: ofValues((values) => Math.min(...truths(values))),
  ts_any: ofValues((values) => Math.max(...truths(values))),
  ts_ffill: (members) => [...members].sort((a, b) => a.age - b.age)[0].values[0],
  ts_corr: ofPairs(correlation),
  ts_cov: ofPairs(covariance),
  ts_rank_corr: ofPairs((x, y) => correlation(places(x), places(y))),
  ts_beta: ofPairs((y, x) => line(x, y).slope),
  ts_alpha: ofPairs((y, x, _, noise) => mean(y) - noise(line(x, y).slope) * mean(x)),
  ts_resid: ofPairs(
    (y, x, today, noise) => today[0] - mean(y) - noise(line(x, y).slope) * (today[1] - mean(x)) + noise(today[0]) - today[0],
  ),
  ts_rsq: ofPairs((y, x) => correlation(x, y) ** 2),
  ts_slope: onPlaces((values, days) => line(days, values).slope),
  // The day whose weight is 0 (the older of two) leaves its rounding, however large it is.
  ts_forecast: onPlaces((values, days, window, noise) => mean(values) + noise(line(days, values).slope) * (window - mean(days))),
  ts_halflife: (members, _today, [, half]) => {
    const weights = members.map(({ age }) => 2 ** (-age / half))
    return members.reduce((sum, { values }, k) => sum + weights[k] * values[0], 0) / weights.reduce((sum, weight) => sum + weight, 0)
  },
  ts_decay: onPlaces((values, days) => days.reduce((sum, day, k) => sum + day * values[k], 0) / days.reduce((sum, day) => sum + day, 0)),
}

/** How many valid days suffice where `mp` is not the whole window by itself. */
export const leastDays: Record<string, number> = { ts_ffill: 1 }

/** s ← s + alpha · (x − s) from the first valid value on. */
function smooth(values: readonly number[], alphaAt: (k: number) => number, from: number): number[] {
  let state = Number.NaN
  let seen = 0
  return values.map((value, k) => {
    if (Number.isNaN(value) || Number.isNaN(alphaAt(k))) return Number.NaN
    state = Number.isNaN(state) ? value : (1 - alphaAt(k)) * state + alphaAt(k) * value
    seen++
    return seen >= from ? state : Number.NaN
  })
}

/** Where a condition was last true, up to each day; −1 = never. */
const lastTrue = (tests: readonly number[]) =>
  tests.map((_, k) => tests.slice(0, k + 1).findLastIndex((test) => test !== 0 && !Number.isNaN(test)))

/** Of all values of a security since its listing, for each day. */
export const historyDefinitions: Record<string, (columns: number[][], numbers: readonly number[]) => number[]> = {
  ema: ([x], [n]) => smooth(x, () => 2 / (n + 1), n),
  sma: ([x], [n, m]) => smooth(x, () => Math.min(1, m / n), n),
  dma: ([x, a]) => smooth(x, (k) => (a[k] > 0 && a[k] <= 1 ? a[k] : Number.NaN), 1),
  bars_last: ([test]) => lastTrue(test).map((last, k) => (last < 0 ? Number.NaN : k - last)),
  value_when: ([test, x]) => lastTrue(test).map((last) => (last < 0 ? Number.NaN : x[last])),
  bars_streak: ([test]) =>
    test.map((now, k) => {
      if (Number.isNaN(now)) return Number.NaN
      const broken = test.slice(0, k + 1).findLastIndex((each) => each === 0 || Number.isNaN(each))
      return k - broken
    }),
  // Written by hand for the test only: the sum of what is there.
  running_total: ([x]) => x.map((_, k) => x.slice(0, k + 1).reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)),
}
