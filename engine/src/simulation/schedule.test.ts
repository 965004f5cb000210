import { describe, expect, it } from 'vitest'
import { rebalanceDays, wrongSchedule, wrongSize } from './schedule.ts'

// Wednesday 2024-01-31 … Thursday 2024-02-29 of the exchange's calendar: the new year holiday takes 02-09 … 02-16.
const dates = ['2024-01-31', '2024-02-01', '2024-02-02', '2024-02-05', '2024-02-06', '2024-02-07', '2024-02-08']
  .concat(['2024-02-19', '2024-02-20', '2024-02-21', '2024-02-22', '2024-02-23', '2024-02-26', '2024-02-27', '2024-02-28', '2024-02-29'])
  .concat(['2024-03-01', '2024-03-04'])
const pick = (type: 0 | 1 | 2, value: number, first = 0, last = dates.length - 1) =>
  [...rebalanceDays(dates, first, last, { rebalance_type: type, rebalance_value: value })].map((t) => dates[t].slice(5))

describe('rebalance days', () => {
  it.each([
    { story: 'every 5th from the first day', type: 0, value: 5, days: ['01-31', '02-07', '02-22', '02-29'] },
    { story: 'every first day of a week', type: 1, value: 1, days: ['01-31', '02-05', '02-19', '02-26', '03-04'] },
    { story: 'the fifth day of a week, or its last when a holiday cuts it', type: 1, value: 5, days: ['02-08', '02-23', '03-01'] },
    { story: 'the last day of a week', type: 1, value: -1, days: ['02-02', '02-08', '02-23', '03-01'] },
    { story: 'the second day of a month', type: 2, value: 2, days: ['02-02', '03-04'] },
    { story: 'the last day of a month', type: 2, value: -1, days: ['01-31', '02-29'] },
    { story: 'the last but one', type: 2, value: -2, days: ['02-28'] },
  ] as const)('$story', ({ type, value, days }) => {
    expect(pick(type, value)).toEqual(days)
  })

  it('counts every N from the first day of the range, and places in a week from its beginning', () => {
    expect(pick(0, 5, 1)).toEqual(['02-01', '02-08', '02-23', '03-01'])
    expect(pick(1, 2, 9, 14)).toEqual(['02-27'])
  })

  it('says what is wrong', () => {
    expect(wrongSchedule({ rebalance_type: 0, rebalance_value: 0 })).toContain('轮动周期')
    expect(wrongSchedule({ rebalance_type: 1, rebalance_value: 6 })).toContain('轮动日')
    expect(wrongSchedule({ rebalance_type: 2, rebalance_value: -23 })).toBeNull()
  })

  it('holding too many too often is refused before it is computed', () => {
    expect(wrongSize(500, 2_000)).toBeNull()
    expect(wrongSize(2_000, 2_000)).toBe('持有 2000 只、轮动 2000 次，成交笔数过多，请减少持有只数或降低轮动频率')
  })
})
