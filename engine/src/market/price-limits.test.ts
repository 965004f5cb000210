import { describe, expect, it } from 'vitest'
import { table } from '../../test/fixtures/table.ts'
import { markets } from './index.ts'
import { priceLimitsOf, standingAdjusted, standingRaw } from './price-limits.ts'

const ten = { up: 0.1, down: 0.1 }
const absent = { open: Number.NaN, high: Number.NaN, low: Number.NaN }

describe('a raw price stands at its limit', () => {
  it.each([
    { what: 'at the cent that it rounds to', base: 9.94, close: 10.93, stands: 1 },
    { what: 'not a cent below', base: 9.94, close: 10.92, stands: 0 },
    { what: 'the lower', base: 9.95, close: 8.96, stands: -1 },
    { what: 'not where the day was traded far beyond it: the first of 退市整理期', base: 5, close: 2, stands: 0 },
    { what: 'a tick beyond is rounding', base: 9.94, close: 10.94, stands: 1 },
    { what: 'not where only the open lay beyond it', base: 10, close: 11, open: 11.5, stands: 0 },
    { what: 'nor the low, on either side', base: 10, close: 11, low: 8.5, stands: 0 },
    { what: 'a low of 0 is none', base: 10, close: 11, low: 0, stands: 1 },
  ])('$what', ({ base, close, stands, ...more }) => {
    expect(standingRaw(close, base, ten, { ...absent, ...more, close }, 2)).toBe(stands)
  })
})

describe('an adjusted price stands at its limit', () => {
  const day = (close: number, open: number, high: number, low: number) => ({ open, high, low, close })
  it.each([
    // 9.94 → 10.93 is the limit to the cent, 9.96 % only.
    { what: 'back-adjusted 37.5 times', base: 9.94 * 37.5, bar: day(10.93 * 37.5, 10 * 37.5, 10.93 * 37.5, 9.9 * 37.5), stands: 1 },
    { what: 'back-adjusted five times', base: 9.94 * 5, bar: day(10.93 * 5, 50, 10.93 * 5, 49.5), stands: 1 },
    { what: 'a rise of 4 % is none, however small the price', base: 0.1, bar: day(0.104, 0.1, 0.104, 0.1), stands: 0 },
    { what: 'not below the high of the day', base: 100, bar: day(109.8, 100, 109.9, 100), stands: 0 },
    { what: 'the low of the day, likewise', base: 100, bar: day(90.2, 100, 100, 90.2), stands: -1 },
    { what: 'not above it', base: 100, bar: day(90.2, 100, 100, 90.1), stands: 0 },
    { what: 'not on a day that was traded beyond', base: 100, bar: day(110, 111, 112, 109), stands: 0 },
    { what: 'without high and low by the nearer band', base: 100, bar: { ...absent, close: 109.76 }, stands: 1 },
    { what: 'which is narrower', base: 100, bar: { ...absent, close: 109.74 }, stands: 0 },
  ])('$what', ({ base, bar, stands }) => {
    expect(standingAdjusted(bar.close, base, ten, bar)).toBe(stands)
  })

  it('an open is judged by the nearer band, wherever the day closes', () => {
    expect(standingAdjusted(109.8, 100, ten, day(105, 109.8, 109.8, 104))).toBe(1)
    expect(standingAdjusted(109.72, 100, ten, day(105, 109.72, 109.72, 104))).toBe(0)
  })
})

it('nobody can say where there is nothing to measure a limit from; without limits it does not matter', () => {
  const panel = table(
    `
                AAA  BBB
    2018-01-02  10   10
    2018-01-03  10   14.4
  `,
    { kind: 'stk', securities: { BBB: { board: 'SSE_MAIN', listed: '2018-01-03' } } },
  )
  const standing = (date: string) => {
    const securities = panel.securities.map((one) => (one.code === 'BBB' ? { ...one, listed: date } : one))
    const of = { ...panel, dates: ['2018-01-02', date], securities, listed: panel.listed.slice() }
    return priceLimitsOf(of, markets.stk, { st: null, isAdjusted: false }).standing(1, 1, 14.4, Number.NaN)
  }
  expect(standing('2018-01-03')).toBeNaN()
  expect(standing('2023-04-10')).toBe(0)
})
