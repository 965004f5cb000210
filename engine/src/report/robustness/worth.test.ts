import { describe, expect, it } from 'vitest'
import { type Chance, chance } from '../../../test/fixtures/chance.ts'
import { normal } from '../../expression/functions/pricing.ts'
import { neweyWestT, type Reference, worthOf } from './worth.ts'

const series = (days: number, of: (day: number) => number) => Float64Array.from({ length: days }, (_, day) => of(day))
const reference = (values: Float64Array, key = 'cb_ew'): Reference => ({ key, label: key, values })
/** A rule with these daily log excesses over a reference that does not move. */
const rule = (excess: Float64Array) => {
  let sum = 0
  return worthOf(
    excess.map((one) => Math.exp((sum += one))),
    [reference(new Float64Array(excess.length).fill(1))],
  )
}
const gaussian = ({ next }: Chance) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

describe('t of the mean excess', () => {
  // statsmodels 0.15.0, OLS(e, ones).fit(cov_type='HAC', cov_kwds={'maxlags': L, 'use_correction': False}).
  it.each([
    [500, (i: number) => 0.01 * Math.sin(1.7 * i) + 0.0004 * Math.cos(i / 9) + 0.0003, 1.820341884065],
    [242, (i: number) => 0.004 * Math.sin((i * i) / 7) + 0.001 * Math.cos(i / 5) + 0.0007, 6.0428064865867],
    [1_210, (i: number) => 0.006 * Math.sin(2.3 * i) + 0.002 * Math.sin(i / 3) - 0.0001, -0.97920091927001],
    [2_000, (i: number) => 0.02 * Math.cos(0.9 * i * i) + 0.0005, 0.83930145033974],
    [1_000, (i: number) => (i % 7 < 3 ? 0.01 : -0.008) + 0.0002 * Math.sin(i / 40), -11.117217021963],
  ])('of %i days is that of statsmodels', (days, of, t) => expect(Math.abs(neweyWestT(series(days, of)) / t - 1)).toBeLessThan(1e-10))

  it('is that of its definition, written out', () => {
    const { next } = chance(5)
    const values = series(300, () => next() - 0.48)
    const mean = values.reduce((sum, one) => sum + one, 0) / 300
    const gamma = (lag: number) => {
      const products = Array.from(values.subarray(lag), (one, day) => (one - mean) * (values[day] as number) - (one - mean) * mean)
      return products.reduce((sum, one) => sum + one, 0) / 300
    }
    const variance = gamma(0) + 2 * [1, 2, 3, 4, 5].reduce((sum, lag) => sum + (1 - lag / 6) * gamma(lag), 0)
    expect(neweyWestT(values)).toBeCloseTo(mean / Math.sqrt(variance / 300), 10)
  })

  it('there is none where nothing varies', () =>
    expect(rule(new Float64Array(300).fill(0.001))).toMatchObject({ t: null, state: 'unclear' }))
})

describe('the share of resampled histories with an excess', () => {
  /** Day by day, without prefix sums. */
  function countAbove(excess: Float64Array): number {
    const { next } = chance(20_240_817)
    let above = 0
    for (let sample = 0; sample < 1_000; sample++) {
      let sum = 0
      for (let day = 0; day < excess.length; ) {
        const from = Math.floor(next() * excess.length)
        for (let k = 0; k < 20 && day < excess.length; k++, day++) sum += excess[(from + k) % excess.length] as number
      }
      if (sum > 0) above++
    }
    return above
  }

  it.each([242, 500, 1_210])('of %i days is counted', (days) => {
    const seeded = chance(days)
    const excess = series(days, () => 0.006 * gaussian(seeded) + 0.0002)
    expect(rule(excess)?.share_above).toBe(countAbove(excess) / 1_000)
  })

  it('of independent normal days is near what their t says', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const seeded = chance(seed)
      const told = rule(series(1_210, () => 0.006 * gaussian(seeded) + 0.0001 * (seed - 4)))
      expect(Math.abs((told?.share_above as number) - normal(told?.t as number)), `seed ${seed}`).toBeLessThan(0.08)
    }
  })
})

it('a rule that is as good as the market is seldom said to beat it, one that is much better mostly', () => {
  const yes = (annual: number, runs: number) => {
    let count = 0
    for (let seed = 0; seed < runs; seed++) {
      const seeded = chance(1_000 + seed)
      const told = rule(series(1_210, () => (0.09 / Math.sqrt(242)) * gaussian(seeded) + Math.log(1 + annual) / 242))
      if (told?.state === 'yes') count++
    }
    return count / runs
  }
  expect(yes(0, 400)).toBeLessThanOrEqual(0.09)
  expect(yes(0.1, 120)).toBeGreaterThanOrEqual(0.65)
  expect(yes(-0.03, 120)).toBeLessThanOrEqual(0.03)
})

describe('what a run is held against', () => {
  const rising = (annual: number, days = 484) => series(days, (day) => (1 + annual) ** ((day + 1) / 242))

  it('is the reference that was harder to beat', () => {
    const against = (bench: number, market: number) =>
      worthOf(rising(0.1), [reference(rising(bench), '000300'), reference(rising(market), 'cb_ew')])?.against.key
    expect([against(0.02, 0.08), against(0.08, 0.02)]).toEqual(['cb_ew', '000300'])
  })

  it('is none with a missing value; without any there is no answer', () => {
    const broken = rising(0.3)
    broken[100] = Number.NaN
    expect(worthOf(rising(0.1), [reference(broken, '000300'), reference(rising(0.02))])?.against.key).toBe('cb_ew')
    expect(worthOf(rising(0.1), [reference(broken)])).toBeNull()
    expect(worthOf(broken, [reference(rising(0.1))])).toBeNull()
  })

  it.each([
    [
      'under a year nothing is annual',
      rising(0.5, 241),
      { state: 'short', excess_annual: null, share_above: null, interval: null, t: null },
    ],
    ['where all was lost nothing was won', rising(0.5).fill(0, 400), { state: 'no', excess_annual: -1, share_above: 0, t: null }],
    ['where the market did as well there is no excess', rising(0), { state: 'no' }],
  ])('%s', (_, nav, told) => expect(worthOf(nav, [reference(rising(0, nav.length))])).toMatchObject(told))

  it('the last year is told apart', () => {
    const nav = series(484, (day) => (day < 242 ? 1.3 ** ((day + 1) / 242) : 1.3 * 0.9 ** ((day - 241) / 242)))
    const told = worthOf(nav, [reference(series(484, () => 1))])
    expect(told?.excess_annual).toBeCloseTo(Math.sqrt(1.3 * 0.9) - 1, 12)
    expect(told?.recent_excess).toBeCloseTo(-0.1, 12)
  })
})
