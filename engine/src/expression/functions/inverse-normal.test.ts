import { expect, it } from 'vitest'
import { inverseNormal } from './inverse-normal.ts'
import { normal } from './pricing.ts'

it.each([
  // Published tables of quantiles, to the digits of a double.
  [0.5, 0],
  [0.75, 0.6744897501960817],
  [0.9, 1.2815515655446004],
  [0.975, 1.959963984540054],
  [0.999, 3.090232306167813],
  [1e-10, -6.361340902404056],
])('the quantile of %d is %d', (p, quantile) => {
  expect(Math.abs(inverseNormal(p) - quantile)).toBeLessThan(1e-14)
})

it('undoes the distribution, on both sides alike, through all its pieces', () => {
  for (let k = 1; k < 2_000; k++) {
    const p = k / 2_000
    expect(Math.abs(normal(inverseNormal(p)) - p)).toBeLessThan(1e-14)
    expect(inverseNormal(1 - p)).toBeCloseTo(-inverseNormal(p), 12)
  }
  for (const p of [1e-12, 1e-15]) expect(Math.abs(normal(inverseNormal(p)) / p - 1)).toBeLessThan(1e-9)
})

it('has no number for what is certain', () => {
  expect([inverseNormal(0), inverseNormal(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
})
