import type { InformationCoefficient } from '@convexa/contract'
import { yearDays } from '../base/calendar.ts'
import { orNull } from '../base/round.ts'
import { deviation, mean } from '../report/moments.ts'

/** Coefficients of many dates, NaN where a date has none. */
export function informationOf(dates: readonly string[], values: readonly number[], horizon: number): InformationCoefficient {
  const known = values.filter((value) => value === value)
  const [average, spread] = [mean(known), deviation(known)]
  // Windows of neighbouring dates overlap: only every horizon-th is a new piece of evidence, the first of all.
  const independent = Math.ceil(known.length / horizon)
  const icir = average / spread
  const share = (is: (value: number) => boolean) => (known.length === 0 ? null : known.filter(is).length / known.length)
  return {
    dates: [...dates],
    values: values.map(orNull),
    mean: orNull(average),
    std: orNull(spread),
    icir: orNull(icir),
    icir_annual: orNull(icir * Math.sqrt(yearDays / horizon)),
    t: orNull(icir * Math.sqrt(independent)),
    win_rate: share((value) => value > 0),
    abs_above_002: share((value) => Math.abs(value) > 0.02),
  }
}

/** Mean by calendar month. */
export function monthlyMeans(dates: readonly string[], values: readonly number[]): { year: number; month: number; value: number }[] {
  const months = new Map<string, number[]>()
  dates.forEach((date, k) => {
    if (values[k] !== values[k]) return
    const key = date.slice(0, 7)
    const known = months.get(key)
    if (known) known.push(values[k])
    else months.set(key, [values[k]])
  })
  return [...months].map(([key, known]) => ({ year: Number(key.slice(0, 4)), month: Number(key.slice(5)), value: mean(known) }))
}

/** Where a sequence of (days, strength) first falls to half of its first, in proportion between two points; null where it never does. */
export function halfLifeOf(points: readonly { days: number; strength: number }[]): number | null {
  const half = Math.abs(points[0]?.strength ?? Number.NaN) / 2
  if (!(half > 0)) return null
  for (let k = 1; k < points.length; k++) {
    const [before, now] = [points[k - 1], points[k]]
    // A coefficient that has turned its sign is gone altogether.
    const strength = Math.max(0, now.strength * Math.sign(points[0].strength))
    if (!(strength <= half)) continue
    const above = before.strength * Math.sign(points[0].strength)
    return before.days + ((above - half) / (above - strength)) * (now.days - before.days)
  }
  return null
}
