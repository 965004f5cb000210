/**
 * What all securities share: the market's return, those of industries and of small against large companies, how dear bonds are,
 * yields and how busy trading is. The paths begin at a fixed day, so the market's past is the same whatever window is asked for.
 */
import { expectedTradingDays } from '../expected-days.ts'
import { Random } from './random.ts'

export interface Climate {
  readonly dates: readonly string[]
  /** Log return of the market a day. */
  readonly market: Float64Array
  /** Log return of each industry besides the market's. */
  readonly industries: readonly Float64Array[]
  /** Log return of a company one standard deviation smaller than the mean, besides the market's. */
  readonly small: Float64Array
  /** Multiplier of a bond's time value, around 1. */
  readonly mood: Float64Array
  /** Yield of the best bonds. */
  readonly baseYield: Float64Array
  /** Multiplier of turnover, around 1. */
  readonly activity: Float64Array
}

interface Regime {
  /** Drift a year, width against the usual, mean length in days. */
  readonly drift: number
  readonly width: number
  readonly days: number
  readonly next: readonly (readonly [string, number])[]
}

const regimes: Readonly<Record<string, Regime>> = {
  calm: {
    drift: 0.14,
    width: 0.75,
    days: 150,
    next: [
      ['bull', 0.35],
      ['range', 0.45],
      ['bear', 0.2],
    ],
  },
  bull: {
    drift: 0.55,
    width: 1.15,
    days: 70,
    next: [
      ['range', 0.4],
      ['bear', 0.35],
      ['crash', 0.25],
    ],
  },
  range: {
    drift: 0.02,
    width: 0.85,
    days: 120,
    next: [
      ['calm', 0.5],
      ['bear', 0.35],
      ['bull', 0.15],
    ],
  },
  bear: {
    drift: -0.26,
    width: 1.15,
    days: 100,
    next: [
      ['range', 0.4],
      ['calm', 0.45],
      ['crash', 0.15],
    ],
  },
  crash: {
    drift: -2.2,
    width: 2.1,
    days: 10,
    next: [
      ['bull', 0.5],
      ['range', 0.5],
    ],
  },
}

const epoch = '2015-01-05'
const usualWidth = 0.014
const industryWidth = 0.008
const smallWidth = 0.0045

export function climateOf(seed: number, from: string, through: string, industries: number): Climate {
  const all = expectedTradingDays(epoch, through)
  const start = all.findIndex((date) => date >= from)
  const days = all.length
  const path = () => new Float64Array(days)
  const [market, small, mood, baseYield, activity] = [path(), path(), path(), path(), path()]

  const random = new Random(seed, 'market')
  let regime = regimes['range']!
  let width = usualWidth
  let logMood = 0
  let logActivity = 0
  let yieldNow = 0.028
  for (let t = 0; t < days; t++) {
    if (random.chance(1 / regime.days)) regime = regimes[random.pick(regime.next)]!
    const shock = width * regime.width * random.shock()
    market[t] = regime.drift / 242 + shock
    // Quiet and wild days come in runs: GARCH(1,1).
    width = Math.sqrt(usualWidth ** 2 * 0.06 + 0.09 * (shock / regime.width) ** 2 + 0.85 * width ** 2)
    small[t] = smallWidth * random.normal()
    logMood = 0.995 * logMood + 0.018 * random.normal() + 0.7 * market[t]!
    mood[t] = Math.exp(logMood)
    yieldNow += 0.004 * (0.027 - yieldNow) + 0.00025 * random.normal()
    baseYield[t] = Math.max(0.012, yieldNow)
    logActivity = 0.97 * logActivity + 0.07 * random.normal() + 1.2 * market[t]!
    activity[t] = Math.exp(logActivity)
  }
  const industryPaths = Array.from({ length: industries }, (_, k) => {
    const own = new Random(seed, 'industry', k)
    return path().map(() => industryWidth * own.normal())
  })
  const cut = (series: Float64Array) => series.slice(start)
  return {
    dates: all.slice(start),
    market: cut(market),
    industries: industryPaths.map(cut),
    small: cut(small),
    mood: cut(mood),
    baseYield: cut(baseYield),
    activity: cut(activity),
  }
}
