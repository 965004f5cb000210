import type { StrategySummary } from '@convexa/contract/saved-strategy'
import { expect, test } from 'vitest'
import { overlaid } from './overlaid.ts'

const of = (name: string, sparkline: number[], sparkline_dates?: string[]) => ({
  id: name,
  strategy_name: name,
  glance: { sparkline, ...(sparkline_dates && { sparkline_dates }) } as StrategySummary,
})

test('curves begin at 1 and meet on the days that any of them has', () => {
  expect(overlaid([of('a', [2, 3], ['2024-01-02', '2024-01-04']), of('b', [1, 0.5], ['2024-01-03', '2024-01-04'])])).toEqual({
    dates: ['2024-01-02', '2024-01-03', '2024-01-04'],
    lines: [
      { id: 'a', name: 'a', values: [1, null, 1.5] },
      { id: 'b', name: 'b', values: [null, 1, 0.5] },
    ],
    without: [],
  })
})

test.each([
  ['no glance', { ...of('a', []), glance: null }],
  ['a curve from before days were told', of('a', [1, 2])],
  ['a single day', of('a', [1], ['2024-01-02'])],
])('%s: named, not drawn', (_, one) => {
  expect(overlaid([one])).toEqual({ dates: [], lines: [], without: ['a'] })
})
