import { describe, expect, test } from 'vitest'
import type { GlanceNav } from '../db/tables/stored-glance.ts'
import { similarTo } from './similar.ts'

const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 2, 2 + i)).toISOString().slice(0, 10))
const codes = ['a', 'b', 'c', 'd', 'e', 'f']
/** Net values that go up and down by `step`, the same list on each day (or as `of` says). */
const held = (of: (day: number) => string | null, step = 0.1): GlanceNav => ({
  dates: days,
  nav: days.map((_, day) => 1 + step * (day % 2)),
  codes,
  held: days.map(
    (_, day) =>
      of(day)
        ?.split('')
        .map((code) => codes.indexOf(code)) ?? null,
  ),
})
const other = (id: string, glance_nav: GlanceNav | null) => ({ id, name: id, glance_nav })
const own = held(() => 'abcd')

describe('strategies that hold much the same', () => {
  test('are told by the mean of the days’ shares, the most alike first, with how their values go together', () => {
    const found = similarTo(own, [
      other(
        'half',
        held(() => 'cdef', -0.1),
      ),
      other(
        'same',
        held(() => 'abcd'),
      ),
      // Five days of eight the same, three with nothing in common.
      other(
        'now and then',
        held((day) => (day % 8 < 5 ? 'abcd' : 'ef')),
      ),
    ])
    expect(found.map(({ strategy_id, days }) => [strategy_id, days])).toEqual([
      ['same', 40],
      ['now and then', 40],
      ['half', 40],
    ])
    for (const [i, share] of [1, 5 / 8, 2 / 6].entries()) expect(found[i]!.overlap).toBeCloseTo(share, 12)
    expect(found[0]!.correlation).toBeCloseTo(1, 12)
    expect(found[2]!.correlation).toBeLessThan(-0.99)
  })

  test('are not told where they share little, say too little, or say nothing', () => {
    const few = held(() => 'abcd')
    const cut = { ...few, dates: few.dates.slice(0, 9), nav: few.nav.slice(0, 9), held: few.held!.slice(0, 9) }
    const { codes: _codes, held: _held, ...old } = few
    const unlike = [
      other('nobody’s', null),
      other(
        'nothing',
        held(() => 'ef'),
      ),
      other('nine days', cut),
      other('older engine', old),
    ]
    expect(similarTo(own, unlike)).toEqual([])
  })

  test('long lists are compared on the days that both tell', () => {
    const every = (n: number) => held((day) => (day % n === 0 ? 'abcd' : null))
    expect(similarTo(every(2), [other('fourth', every(4))])).toMatchObject([{ overlap: 1, days: 10 }])
  })
})
