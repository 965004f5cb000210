import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersMistake, sumOf, toHundred, weightsOf } from './shares.ts'

const members = (...shares: (number | null)[]) => shares.map((share, i) => ({ id: `${i}`, name: `策略${i}`, share }))
const shares = (rows: readonly { share: number | null }[]) => rows.map(({ share }) => share)

describe('shares of a group', () => {
  it.each([
    ['in the proportion they have', [40, 30, 25], [42.1, 31.58, 26.32]],
    ['equal where none was given', [null, null, null], [33.34, 33.33, 33.33]],
    ['as they are where they are right', [60, 40], [60, 40]],
    ['above a hundred too', [100, 100, 200], [25, 25, 50]],
  ])('are made a hundred %s', (_, given, made) => expect(shares(toHundred(members(...given)))).toEqual(made))

  it('sum to a hundred, whatever they were', () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { minLength: 2, maxLength: 20 }), (given) => {
        expect(sumOf(toHundred(members(...given)))).toBe(100)
      }),
    ))

  it.each([
    [[100], '成员至少 2 个'],
    [Array.from({ length: 21 }, () => 100 / 21), '成员最多 20 个'],
    [[100, 0], '每个成员的资金占比须大于 0'],
    [[50, null], '每个成员的资金占比须大于 0'],
    [[100, Number.NaN], '每个成员的资金占比须大于 0'],
    [[40, 30, 25], '资金占比合计须为 100%（当前 95%）'],
    [[33.34, 33.33, 33.33], null],
    [[0.1, 99.9], null],
  ])('%j: %s', (given, mistake) => expect(membersMistake(members(...given))).toBe(mistake))

  it('go out as fractions', () =>
    expect(weightsOf(members(60.5, 39.5))).toEqual([
      { strategy_id: '0', weight: 0.605 },
      { strategy_id: '1', weight: 0.395 },
    ]))
})
