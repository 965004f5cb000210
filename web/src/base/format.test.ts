import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupDigits } from './digit-grouping.ts'
import {
  count,
  duration,
  exact,
  fixed,
  missing,
  money,
  percent,
  plain,
  quantity,
  signed,
  signedCount,
  signedPercent,
  tone,
} from './format.ts'

describe('numbers on the screen', () => {
  it.each([
    [fixed(-0.7, 2), '−0.70'],
    [fixed(119.5444, 3), '119.544'],
    [fixed(-0.0004, 2), '0.00'],
    [fixed(-0, 2), '0.00'],
    [fixed(1.005, 2), '1.01'],
    [fixed(-1.005, 2), '−1.01'],
    [fixed(12345.6), '12345.60'],
    [fixed(null), '—'],
    [fixed(Number.NaN), '—'],
    [fixed(Number.POSITIVE_INFINITY), '—'],
    [signed(0.004, 2), '0.00'],
    [signed(0.005, 2), '+0.01'],
    [percent(0.1841), '18.41%'],
    [percent(0.285, 1), '28.5%'],
    [percent(123.456, 1), '12,345.6%'],
    [signedPercent(-12.345), '−1,234.50%'],
    [signedPercent(0.1334), '+13.34%'],
    [signedPercent(-0.18561), '−18.56%'],
    [signedPercent(0.00001), '0.00%'],
    [signedPercent(-0.00001), '0.00%'],
    [signedPercent(undefined), '—'],
    [money(8900), '8,900.00 元'],
    [money(-1_234_567), '−123.46 万元'],
    [money(321_000_000), '3.21 亿元'],
    [money(11_119_600), '1,111.96 万元'],
    [money(9999.99), '9,999.99 元'],
    [money(9999.996), '1.00 万元'],
    [money(99_999_999.99), '1.00 亿元'],
    [money(-0.001), '0.00 元'],
    [count(1336), '1,336'],
    [signedCount(2966.4), '+2,966'],
    [signedCount(-0.4), '0'],
    [quantity(1200), '1,200'],
    [quantity(12.345), '12.35'],
    [exact(0.123456789, 'percent'), '12.3456789%'],
    [exact(-112.34449999), '−112.34449999'],
    [exact(null), undefined],
    [plain(0.1 + 0.2), '0.3'],
    [plain(150), '150'],
    [duration(0.31), '0.3 秒'],
    [duration(59.96), '1 分 0 秒'],
    [duration(119.7), '2 分 0 秒'],
    [duration(72), '1 分 12 秒'],
  ])('%s is %s', (shown, expected) => expect(shown).toBe(expected))

  it('colours only what is not zero once rounded', () => {
    expect([tone(0.01), tone(-0.01), tone(0.00001), tone(null)]).toEqual(['up', 'down', 'flat', 'flat'])
    expect([tone(0.0004, 3), tone(0.0005, 3), tone(-0.0005, 3)]).toEqual(['flat', 'up', 'down'])
  })
})

describe('any number at all', () => {
  const any = fc.double()
  const decimals = fc.integer({ min: 0, max: 6 })
  const writers = [fixed, signed, percent, signedPercent]
  const others = [money, count, signedCount, quantity]
  const known = fc.double({ noNaN: true, noDefaultInfinity: true })

  it('is written in digits, never as NaN, with an exponent or a hyphen', () => {
    fc.assert(
      fc.property(any, decimals, (value, places) => {
        for (const text of [...writers.map((one) => one(value, places)), ...others.map((one) => one(value))])
          expect(text).toMatch(Number.isFinite(value) ? /^[+−]?[\d,]+(\.\d+)?%?( [万亿]?元)?$/ : /^—$/)
      }),
    )
  })

  it('carries no sign when its digits are all zero, and its colour is that of its sign', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), decimals, (value, places) => {
        for (const text of writers.map((one) => one(value, places))) if (!/[1-9]/.test(text)) expect(text).toMatch(/^[\d.]+%?$/)
        const sign = signedPercent(value, places)[0]
        expect(tone(value, places + 2)).toBe(sign === '+' ? 'up' : sign === '−' ? 'down' : 'flat')
      }),
    )
  })

  it('is off by half of the last place at most, and the same but for the sign below zero', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), decimals, (value, places) => {
        const back = Number(fixed(value, places).replace('−', '-'))
        expect(Math.abs(back - value)).toBeLessThanOrEqual(0.5 * 10 ** -places + Math.abs(value) * 1e-15)
        expect(fixed(-value, places).replace('−', '')).toBe(fixed(value, places).replace('−', ''))
      }),
    )
  })

  it('of yuan has at most four digits before the point below ten thousand 亿', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9e13, max: 9e13 }), (cents) => {
        const [digits] = money(cents / 100)
          .replace(/[−,]/g, '')
          .split('.')
        expect(digits?.length).toBeLessThanOrEqual(4)
      }),
    )
  })

  it('has all its known digits behind it', () => {
    fc.assert(
      fc.property(known, (value) => {
        expect(exact(value)).not.toMatch(/e|-|—/)
      }),
    )
    expect(exact(Number.NaN)).toBeUndefined()
    expect(missing).toBe('—')
  })
})

it('digits stand in threes until somebody wants them plain', () => {
  groupDigits(false)
  expect([count(1_234_567), money(12_345_678), quantity(1_200), signedCount(-2_966), fixed(1234.5)]).toEqual([
    '1234567',
    '1234.57 万元',
    '1200',
    '−2966',
    '1234.50',
  ])
  groupDigits(true)
  expect([count(1_234_567), money(12_345_678)]).toEqual(['1,234,567', '1,234.57 万元'])
})
