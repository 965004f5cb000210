import { describe, expect, test } from 'vitest'
import { parameters } from '../../test/fixtures/requests.ts'
import { combinedList, correlations, type Member, together } from './combine.ts'

/** Daily net values of 2026-03-02 and the days after it, weekends counted too: only their order and months matter. */
const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 2, 2 + i)).toISOString().slice(0, 10))
const curve = (ofDay: (day: number) => number) => ({ dates: days, nav: days.map((_, day) => ofDay(day)) })
const upDown = (step: number) => curve((day) => 1 + step * (day % 2))

const member = (id: string, weight: number, codes: Record<string, number>, nav: Member['glance_nav'] = upDown(0.1)): Member => ({
  id,
  name: id,
  weight,
  detail: parameters('cb', 'close', 5, 1),
  glance: {
    ...{ as_of: '2026-04-10', data_mode: 'demo', data_version: 'v', ret_1d: 0, ret_20d: 0, ret_1y: 0.1, max_drawdown_1y: -0.1 },
    ...{ sparkline: [], diff: { added: [], removed: [] }, call_risk: [] },
    list_items: Object.entries(codes).map(([code, share], i) => ({ code, name: code, rank: i + 1, weight: share })),
  },
  glance_nav: nav,
})
const without = (one: Member): Member => ({ ...one, glance: null, glance_nav: null })

describe('the combined list', () => {
  const members = [member('x', 0.6, { a: 0.5, b: 0.5 }), member('y', 0.4, { b: 0.5, c: 0.5 }), without(member('z', 0, { d: 1 }))]

  test('has a security of several members once, with their weights together', () => {
    expect(combinedList(members, 'merge')).toEqual([
      { code: 'b', name: 'b', weight: 0.5, from: ['x', 'y'] },
      { code: 'a', name: 'a', weight: 0.3, from: ['x'] },
      { code: 'c', name: 'c', weight: 0.2, from: ['y'] },
    ])
  })

  test('or once for each of them', () => {
    expect(combinedList(members, 'separate').map(({ code, from, weight }) => `${code} ${from} ${weight}`)).toEqual([
      'a x 0.3',
      'b x 0.3',
      'b y 0.2',
      'c y 0.2',
    ])
  })
})

test.each<[string, Member['glance_nav'], number | null]>([
  ['the same curve', upDown(0.1), 1],
  ['the opposite one', curve((day) => 1.1 / (1 + 0.1 * (day % 2))), -1],
  ['one that never moves', curve(() => 1), null],
  ['none', null, null],
  ['one of too few days', { dates: days.slice(0, 20), nav: days.slice(0, 20).map((_, day) => 1 + (day % 2)) }, null],
])('a member with %s goes together with the other by %s', (_name, nav, expected) => {
  const { matrix } = correlations([member('x', 0.5, {}), member('y', 0.5, {}, nav)], 'never')
  const [[, found]] = matrix as [[number, number | null]]
  if (expected === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(expected, 12)
  expect(matrix[1]![0]).toBe(found)
})

describe('the net value of a group', () => {
  const steady = curve((day) => 1 + 0.01 * day)
  const flat = curve(() => 1)
  const members = [member('x', 0.5, { a: 1 }, steady), member('y', 0.5, { a: 1 }, flat)]
  const last = days.length - 1

  test('never put back to its shares is the weighted sum', () => {
    expect(together(members, { rebalance: 'never', duplicate: 'merge' })?.ret_1y).toBeCloseTo(0.5 * 0.01 * last, 12)
  })

  test('put back on the first day of a month goes on from equal shares', () => {
    // 30 days in March, of which the last is day 29; then half of what there is goes on.
    const march = 1 + 0.5 * 0.01 * 29
    const expected = march * (0.5 * ((1 + 0.01 * last) / (1 + 0.01 * 29)) + 0.5) - 1
    expect(together(members, { rebalance: 'monthly', duplicate: 'merge' })?.ret_1y).toBeCloseTo(expected, 12)
  })

  test('is not told while a member has no glance', () => {
    expect(together([members[0]!, without(members[1]!)], { rebalance: 'never', duplicate: 'merge' })).toBeNull()
  })
})
