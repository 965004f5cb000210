import { expect, it } from 'vitest'
import { weekdays } from '../../../test/made-report.ts'
import { rotationDay } from './rotation-day.ts'

// Weekdays from Monday 2024-01-01.
const dates = weekdays('2024-01-01', 60)
const on = (date: string, rebalance_type: 0 | 1 | 2, rebalance_value: number) =>
  rotationDay(dates, dates.indexOf(date), { rebalance_type, rebalance_value })

it.each([
  ['every day', '2024-01-10', 0, 1, '2024-01-10'],
  ['every 5 days, counted from the first', '2024-01-10', 0, 5, '2024-01-08'],
  ['the second day of a week, after it', '2024-01-17', 1, 2, '2024-01-16'],
  ['the second day of a week, before it', '2024-01-22', 1, 2, '2024-01-16'],
  ['the last day of a week', '2024-01-17', 1, -1, '2024-01-12'],
  ['the first day of a month', '2024-02-20', 2, 1, '2024-02-01'],
  ['not told within the first month', '2024-01-10', 2, 1, null],
  ['not told within the last week, from its end', '2024-03-22', 1, -1, null],
] as const)('%s', (_, date, type, value, rotation) => expect(on(date, type, value)).toBe(rotation))
