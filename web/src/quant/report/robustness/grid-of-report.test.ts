import { describe, expect, it } from 'vitest'
import type { GridQuestion } from '../../grid/grid-request.ts'
import { madeReport } from '../made-report.ts'
import { type GridOfRun, judgedWith, placeInGrid } from './grid-of-report.ts'

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

it('a report judged with its grid has all six checks, and counts them', () => {
  const answer = { robustness: { pbo: 0.45 }, stability: [{ index: [1, 0], neighbour_std: 0.08 }] }
  const { robustness } = judgedWith(madeReport({ days: 600 }), { answer, place: [1, 0] } as unknown as GridOfRun)
  const of = (key: string) => robustness.checks.find((check) => check.key === key)
  expect(of('overfitting')).toMatchObject({ value: 0.45, ok: false })
  expect(of('neighbours')).toMatchObject({ value: 0.08, ok: true })
  expect(of('overfitting')?.sentence).toContain('45')
  expect(robustness.verdict).not.toBe('high')
})
