import { describe, expect, it } from 'vitest'
import type { GridQuestion } from '../../grid/grid-request.ts'
import { placeInGrid } from './grid-of-report.ts'

const rule = { rank_factors: [{ factor_key: 'dblow', weight: 1 }], hold_method: { hold_range_end: 10 } }
const settings = { start_date: '2022-01-04', end_date: '2026-11-20', cost: { buy_rate: 0.001 } }
const axes = [
  { path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [5, 10, 20] },
  { path: 'settings.cost.buy_rate', label: '成本', values: [0.001, 0.002] },
]
const grid = { body: { parameters: rule, settings, axes } } as unknown as Pick<GridQuestion, 'body'>
const place = (run: object) => placeInGrid(run as Parameters<typeof placeInGrid>[0], grid)

describe('a run is found in the grid it came from', () => {
  it('by the values on the axes', () => {
    expect(place({ parameters: { ...rule, hold_method: { hold_range_end: 20 } }, settings })).toEqual([2, 0])
  })
  it('also when the server added what the grid left out', () => {
    expect(place({ parameters: { ...rule, version: 1 }, settings: { ...settings, oos_start: '2026-01-05', adjust: 'raw' } })).toEqual([
      1, 0,
    ])
  })
  it('not with a value between the cells, another factor, or another range', () => {
    expect(place({ parameters: { ...rule, hold_method: { hold_range_end: 12 } }, settings })).toBeNull()
    expect(place({ parameters: { ...rule, rank_factors: [{ factor_key: 'conv_prem', weight: 1 }] }, settings })).toBeNull()
    expect(place({ parameters: rule, settings: { ...settings, start_date: '2023-01-03' } })).toBeNull()
  })
  it('and a group, which has no rule of its own, never', () => expect(place({ settings })).toBeNull())
})
