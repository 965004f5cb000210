import { describe, expect, it } from 'vitest'
import { firstDay, outsideWords, periodEnds, snapped, stepDay } from '../rule/trading-days.ts'
import { boxOf, type HistoryDay, leadsOf } from './after.ts'

const range = { start: '2018-01-02', end: '2026-11-20' }
const shut = new Set([
  '2024-02-10',
  '2024-02-11',
  '2024-02-12',
  '2024-02-13',
  '2024-02-14',
  '2024-02-15',
  '2024-02-16',
  '2024-02-17',
  '2024-02-18',
])
const closed = (date: string) => shut.has(date)

describe('days of trade', () => {
  it.each([
    ['2024-02-12', '2024-02-09', true],
    ['2024-02-09', '2024-02-09', false],
    ['2030-01-01', '2026-11-20', true],
    ['2001-01-01', '2018-01-02', true],
  ])('%s is looked at on %s', (date, day, moved) => expect(snapped(date, range, closed)).toEqual({ date: day, moved }))

  it.each([
    ['2024-02-09', 1, '2024-02-19'],
    ['2024-02-19', -1, '2024-02-09'],
    ['2018-01-02', -1, null],
    ['2026-11-20', 1, null],
  ] as const)('from %s by %i to %s', (date, step, day) => expect(stepDay(date, step, range, closed)).toBe(day))

  it('beyond the data there is nothing, and that is said', () => {
    expect(outsideWords('2017-12-29', range)).toBe('该日期没有数据（数据从 2018-01-02 开始）')
    expect(outsideWords('2027-01-04', range)).toBe('该日期没有数据（数据到 2026-11-20 为止）')
    expect(outsideWords('2024-02-12', range)).toBeNull()
  })

  it('at first one is looked at whose 20 trading days after are known', () => {
    expect(firstDay(range)).toBe('2026-10-16')
    expect(firstDay({ start: '2026-11-02', end: '2026-11-20' })).toBe('2026-11-02')
  })

  it('ends of months and quarters, newest first, that of now left out', () => {
    expect(periodEnds('2024-03-15', 3, 1, range.start)).toEqual(['2024-02-29', '2024-01-31', '2023-12-31'])
    expect(periodEnds('2024-03-15', 2, 3, range.start)).toEqual(['2023-12-31', '2023-09-30'])
    expect(periodEnds('2018-03-15', 12, 1, range.start)).toEqual(['2018-02-28', '2018-01-31'])
  })
})

it('a box has its quartiles between values', () => {
  expect(boxOf([4, null, 1, 2, 3])).toMatchObject({ low: 1, quarter: 1.75, median: 2.5, threeQuarters: 3.25, high: 4, count: 4 })
  expect(boxOf([null])).toBeNull()
})

it('days are counted by whether the list was ahead of its pool', () => {
  const day = (list_mean: number | null, pool_mean: number) =>
    ({ forward: [{ horizon: 5, list_mean, pool_mean, per_code: {} }] }) as unknown as HistoryDay
  const leads = leadsOf([day(0.03, 0.01), day(0, 0.01), day(null, 0.01)], 5)
  expect(leads).toMatchObject({ known: 2, ahead: 1 })
  expect(leads.mean).toBeCloseTo(0.005)
})
