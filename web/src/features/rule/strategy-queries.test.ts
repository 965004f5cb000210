import { expect, it } from 'vitest'
import { figuresAgainMs } from './strategy-queries.ts'

it('figures that stand still are looked at again: the session begins while somebody looks on', () => {
  expect(figuresAgainMs({ data_mode: 'platform', realtime: true })).toBeLessThanOrEqual(5_000)
  for (const data_mode of ['platform', 'imported'] as const)
    expect(figuresAgainMs({ data_mode, realtime: false })).toBeLessThanOrEqual(60_000)
  expect(figuresAgainMs({ data_mode: 'demo', realtime: false })).toBe(false)
})
