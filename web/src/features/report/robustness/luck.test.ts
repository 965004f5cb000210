import { expect, it } from 'vitest'
import { luckRows, rowOfTrials } from './luck.ts'

// product.md 3.8
it.each([
  [5, ['0.69', '0.53', '0.42']],
  [20, ['1.10', '0.85', '0.67']],
  [60, ['1.35', '1.05', '0.83']],
  [200, ['1.60', '1.24', '0.98']],
  [1_000, ['1.88', '1.46', '1.15']],
  [60_000, ['2.47', '1.91', '1.51']],
])('%i trials of the table', (trials, wanted) => {
  expect(luckRows.find((row) => row.trials === trials)?.values.map((value) => value.toFixed(2))).toEqual(wanted)
})

it.each([
  [5, '1.4'],
  [20, '3.6'],
  [60, '5.5'],
  [200, '7.6'],
  [1_000, '10.6'],
])('%i trials need %s years for luck alone to stay below a Sharpe ratio of 1', (trials, years) =>
  expect(luckRows.find((row) => row.trials === trials)?.leastYears.toFixed(1)).toBe(years),
)

it('a run stands in the last row that it has reached', () => {
  expect([1, 5, 38, 1e6].map(rowOfTrials)).toEqual([null, 5, 20, 60_000])
})
