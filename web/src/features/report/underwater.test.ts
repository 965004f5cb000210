import { expect, it } from 'vitest'
import { underwaterMonths } from './underwater.ts'

const dates = ['2024-01-30', '2024-01-31', '2024-02-01', '2024-02-02', '2024-03-01', '2024-04-01', '2024-05-06']

it.each([
  // Any day of a month is enough, and what is shown as 10 % is 10 %.
  { depth: 0.1, drawdown: [0, -0.1, 0, -0.12, -0.05, -0.2, 0], told: { months: 3, share: 3 / 5, longest: 2 } },
  { depth: 0.2, drawdown: [0, -0.1, 0, -0.12, -0.05, -0.2, 0], told: { months: 1, share: 1 / 5, longest: 1 } },
  { depth: 0.05, drawdown: [null, null, -0.05, 0, -0.05, -0.06, -0.07], told: { months: 4, share: 4 / 5, longest: 4 } },
  { depth: 0.3, drawdown: [0, 0, 0, 0, 0, 0, 0], told: { months: 0, share: 0, longest: 0 } },
])('months with a loss of $depth or more', ({ depth, drawdown, told }) => expect(underwaterMonths(dates, drawdown, depth)).toEqual(told))

it('of no days there are none', () => expect(underwaterMonths([], [], 0.1)).toEqual({ months: 0, share: 0, longest: 0 }))
