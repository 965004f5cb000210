import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Given, placeGrants } from './subscription.ts'

const day = 86_400_000
const from = Date.UTC(2024, 1, 28, 15, 59, 59)

const given = (rows: [grantedAt: number, days: number, revokedAt?: number][]): Given[] =>
  rows.map(([at, days, revoked], i) => ({
    id: String(i),
    days,
    grantedAt: from + at * day,
    revokedAt: revoked === undefined ? null : from + revoked * day,
  }))
const placed = (rows: Parameters<typeof given>[0]) =>
  placeGrants(given(rows)).map(({ startsAt, endsAt }) => [(startsAt - from) / day, (endsAt - from) / day])

describe('days that were given', () => {
  test.each<[string, Parameters<typeof given>[0], [number, number][]]>([
    ['begin now, over a leap day and midnight in Shanghai as ever 24 hours each', [[0, 30]], [[0, 30]]],
    [
      'are added at the end while some are left',
      [
        [0, 30],
        [10, 30],
      ],
      [
        [0, 30],
        [30, 60],
      ],
    ],
    [
      'begin anew after a gap',
      [
        [0, 30],
        [40, 7],
      ],
      [
        [0, 30],
        [40, 47],
      ],
    ],
    [
      'at the very end go on without a gap',
      [
        [0, 30],
        [30, 1],
      ],
      [
        [0, 30],
        [30, 31],
      ],
    ],
    [
      'and taken back end then; those behind move up, no day of theirs is lost',
      [
        [0, 30, 10],
        [5, 30],
      ],
      [
        [0, 10],
        [10, 40],
      ],
    ],
    [
      'and taken back before they began are none',
      [
        [0, 30],
        [5, 30, 6],
        [7, 10],
      ],
      [
        [0, 30],
        [30, 30],
        [30, 40],
      ],
    ],
    [
      'and taken back after they ended stay as they were',
      [
        [0, 30, 50],
        [31, 1],
      ],
      [
        [0, 30],
        [31, 32],
      ],
    ],
  ])('%s', (_name, rows, expected) => {
    expect(placed(rows)).toEqual(expected)
  })

  test('lie one after the other, whole unless taken back, whatever happens', () => {
    const history = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 366 }), fc.option(fc.integer({ min: 0, max: 800 }))), {
        maxLength: 8,
      })
      .map((rows) => rows.sort(([a], [b]) => a - b).map(([at, days, back]) => [at, days, ...(back === null ? [] : [at + back])]))
    fc.assert(
      fc.property(history, (rows) => {
        const all = given(rows as [number, number, number?][])
        const places = placeGrants(all)
        let end = Number.NEGATIVE_INFINITY
        for (const [i, { startsAt, endsAt }] of places.entries()) {
          const { grantedAt, days, revokedAt } = all[i]!
          if (startsAt !== Math.max(grantedAt, end)) return false
          const length = endsAt - startsAt
          if (revokedAt === null ? length !== days * day : length < 0 || length > days * day || endsAt > Math.max(startsAt, revokedAt))
            return false
          // Given one more, nothing moves.
          end = endsAt
        }
        return JSON.stringify(placeGrants(all.slice(0, -1))) === JSON.stringify(places.slice(0, -1))
      }),
      { numRuns: Number(process.env['GRANT_HISTORIES'] ?? 10_000), seed: 20261122 },
    )
  })
})
