import type { Panel } from '../../src/panel/panel.ts'

/** A number a day from a security's listing up to a day, oldest first. What is absent is NaN. */
export type Days = readonly number[]

/** So many days ago. */
export const ago = (x: Days, days: number): number => x[x.length - 1 - days] ?? Number.NaN
export const today = (x: Days): number => ago(x, 0)

/** A statistic of the last n days, all of which must be there. */
export function over(n: number, statistic: (...windows: number[][]) => number, ...series: Days[]): number {
  const windows = series.map((x) => x.slice(-n))
  return windows.every((window) => window.length === n && !window.some(Number.isNaN)) ? statistic(...windows) : Number.NaN
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const highest = (values: readonly number[]): number => Math.max(...values)
export const lowest = (values: readonly number[]): number => Math.min(...values)

/** Day by day. */
export const each = (of: (...values: number[]) => number, ...series: Days[]): Days =>
  (series[0] as Days).map((_, t) => of(...series.map((x) => x[t] as number)))

export const before = (x: Days, days = 1): Days => x.map((_, t) => x[t - days] ?? Number.NaN)
export const change = (x: Days): Days => each((now, was) => now / was - 1, x, before(x))
export const logChange = (x: Days): Days => each((now, was) => Math.log(now / was), x, before(x))

/** y ← y + alpha · (x − y) from the first value on, shown from the n-th on. */
function smoothed(x: Days, alpha: number, n: number): Days {
  let state = Number.NaN
  let count = 0
  return x.map((value) => {
    if (Number.isNaN(value)) return Number.NaN
    state = Number.isNaN(state) ? value : state + alpha * (value - state)
    count++
    return count >= n ? state : Number.NaN
  })
}
export const ema = (x: Days, n: number): Days => smoothed(x, 2 / (n + 1), n)
/** SMA(x, n, 1) of 通达信. */
export const sma = (x: Days, n: number): Days => smoothed(x, 1 / n, n)

/** The fields of a security up to a day. */
export type Past = (key: string) => Days

/** A security on a day of a panel: undefined while it is not listed. */
export function pastOf({ columns, listed, stride }: Panel, i: number, day: number): Past | undefined {
  if (listed[day * stride + i] === 0) return undefined
  const days = Array.from({ length: day + 1 }, (_, t) => t * stride + i).filter((at) => listed[at] === 1)
  return (key) => days.map((at) => columns.get(key)?.[at] ?? Number.NaN)
}

/** The n-th weekday after a day. */
export function weekdayAfter(date: string, n: number): string {
  let day = Date.parse(date)
  for (let left = n; left > 0; ) {
    day += 86_400_000
    if (new Date(day).getUTCDay() % 6 !== 0) left--
  }
  return new Date(day).toISOString().slice(0, 10)
}

/** The values of a row, those of another where it has none. */
export const kept = (x: Days, otherwise: Days) => each((value, other) => (Number.isNaN(value) ? other : value), x, otherwise)
