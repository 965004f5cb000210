import { expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { lastKnown, lowest } from '../../ui/chart/series.ts'
import { monthReturns, relative, underwater, wantsLog } from './series.ts'
import { spanRows } from './spans.ts'

it('under water: the starting capital is the first peak', () => {
  expect(underwater([0.9, 1.2, null, 0.6])).toEqual([0.9 - 1, 0, null, 0.6 / 1.2 - 1])
})

it('relative to the benchmark is the one ÷ the other, with what the first day cost', () => {
  expect(relative([0.998, 1.1, 1.2], [1, 1.05, 0.9])).toEqual([0.998, 1.1 / 1.05, 1.2 / 0.9])
  expect(relative([1, 1.1], [null, 2])).toEqual([null, 0.55])
  expect(relative([1, 2], [null, null])).toEqual([null, null])
})

it('the lowest and the last that are there', () => {
  expect(lowest([null, -0.1, -0.3, null])).toBe(2)
  expect(lowest([null])).toBe(-1)
  expect(lastKnown([1, 2, null])).toBe(1)
})

it.each([
  [[1, 3.1], true],
  [[1, 2.9], false],
  [[], false],
  [[null, 1], false],
])('%j wants a log axis: %s', (nav, wants) => expect(wantsLog(nav)).toBe(wants))

it('months of a growing curve, the last one open', () => {
  const dates = ['2024-01-30', '2024-01-31', '2024-02-01']
  expect(monthReturns(dates, [1.1, 1.2, 1.5], [1, 1, null])).toEqual([
    { month: '2024-01', nav: 1.2 - 1, bench: 0, open: false },
    { month: '2024-02', nav: 1.5 / 1.2 - 1, bench: null, open: true },
  ])
})

const dates = ['d1', 'd2', 'd3', 'd4', 'd5']
const held = (...days: [string, number[]][]) => ({
  codes: ['a', 'b'],
  names: ['甲', '乙'],
  days: days.map(([date, code_index]) => ({ date, code_index, weight: code_index.map(() => 1 / code_index.length) })),
})

it('spans of holdings: gaps part them, days without trades go on, the longest held first', () => {
  const rows = spanRows(dates, held(['d1', [0]], ['d2', [0, 1]], ['d4', [1]], ['d5', [0]]), [], 0)
  expect(rows.map(({ name, days, spans }) => [name, days, spans.map(({ from, to, weight }) => [from, to, weight])])).toEqual([
    [
      '甲',
      4,
      [
        [0, 2, 2 / 3],
        [4, 4, 1],
      ],
    ], // prettier-ignore
    ['乙', 3, [[1, 3, 2 / 3]]],
  ])
})

it('a security that two members of a group hold apart is held once, with both weights', () => {
  expect(spanRows(dates, held(['d1', [0, 0]], ['d2', [0, 0]], ['d3', [0, 1]], ['d4', [1]]), [], 0)).toMatchObject([
    { name: '甲', days: 3, spans: [{ from: 0, to: 2, bought: 0, weight: 2.5 / 3 }] },
    { name: '乙', days: 3, spans: [{ from: 2, to: 4, bought: 2 }] },
  ])
})

it('spans from a later day on', () => {
  expect(spanRows(dates, held(['d1', [0]]), [], 3)).toMatchObject([
    { name: '甲', days: 2, spans: [{ from: 3, to: 4, bought: 0, weight: 1 }] },
  ])
})

it('an end that two members of a group meet on a day is one', () => {
  const [sale] = madeReport({ days: 400 }).trades.filter(({ reason }) => reason === 'called')
  if (!sale) throw new Error('no forced end')
  const [row] = spanRows(
    [sale.date],
    { codes: [sale.code], names: ['甲'], days: [{ date: sale.date, code_index: [0], weight: [1] }] },
    [sale, sale],
    0,
  )
  expect(row?.marks).toEqual([{ at: 0, reason: 'called' }])
})

it('forced ends are marked, ordinary ones are not', () => {
  const report = madeReport({ days: 400 })
  const rows = spanRows(report.curves.dates, report.holdings, report.trades, 0)
  const reasons = new Set(rows.flatMap((row) => row.marks.map((mark) => mark.reason)))
  expect([...reasons].toSorted()).toEqual(['called', 'excluded'])
})
