import { expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { monthBest } from './month-best.ts'

it('the three that gained most in a month, none that lost, none of the rest together', () => {
  const report = {
    ...madeReport({ days: 30 }),
    contributions: ['A', 'B', 'C', 'D'].map((code) => ({ code, name: `甲${code}`, pnl: 0, share: 0, days: 1, trades: 1 })),
    daily_contribution: {
      codes: ['A', 'B', 'C', 'D', ''],
      days: [
        { date: '2024-01-31', code_index: [0], value: [9] },
        { date: '2024-02-01', code_index: [0, 1, 2, 3, 4], value: [0.01, 0.02, -0.01, 0.001, 0.5] },
        { date: '2024-02-02', code_index: [0, 2], value: [0.02, 0.005] },
      ],
    },
  }
  expect(monthBest(report, '2024-02')).toEqual([
    { name: '甲A', share: 0.03 },
    { name: '甲B', share: 0.02 },
    { name: '甲D', share: 0.001 },
  ])
  expect(monthBest(report, '2024-03')).toEqual([])
})
