import type { Parameters } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { filterBy, parameters } from '../../test/fixtures/parameters.ts'
import { markets } from '../market/index.ts'
import { needsOf } from './needs.ts'

const { cb } = markets
const every = new Set(cb.fields.map(({ key }) => key))
const problemOf = (of: Parameters) => {
  const needs = needsOf(cb, every, of, null)
  return needs.ok ? null : needs.problem
}
const method = (type: 0 | 1 | 2, value: number) => parameters({ rebalance_method: { rebalance_type: type, rebalance_value: value } })

describe('what cannot be computed is known before anything is loaded', () => {
  it.each([
    [0, 0],
    [0, -5],
    [1, 0],
    [1, 6],
    [1, 250],
    [2, 0],
    [2, 24],
    [2, 250],
  ] as const)('a rebalance method of type %i with %i', (type, value) => {
    expect(problemOf(method(type, value))).toMatchObject({ code: 40000, message: expect.stringMatching(/轮动(周期|日)需为/) })
  })

  it.each([
    [0, 250],
    [1, -5],
    [2, 23],
    [2, -23],
  ] as const)('a rebalance method of type %i with %i is one', (type, value) => {
    expect(problemOf(method(type, value))).toBeNull()
  })

  it.each([
    ['gt_rank', 2, false],
    ['lt_rank', -1, false],
    ['gt_rank', 0, true],
    ['lt_rank', 1, true],
  ] as const)('a percentile %s %d is one: %s', (operation, value, right) => {
    const problem = problemOf(parameters({ filter_factors: [filterBy('close', operation, value)] }))
    expect(problem?.message ?? null).toBe(right ? null : '请求参数有误：第 1 个条件（收盘价）的分位需为 0 至 1')
  })

  it('a holding that ends before it starts', () => {
    expect(problemOf(parameters({ hold_method: { hold_range_start: 5, hold_range_end: 1 } }))).toMatchObject({ code: 40000 })
  })

  it('a holding from a place before the first', () => {
    expect(problemOf(parameters({ hold_method: { hold_range_start: 0, hold_range_end: 10 } }))).toMatchObject({ code: 40000 })
  })

  it.each([
    ['AA-', null],
    ['Q', '请求参数有误：没有评级「Q」'],
  ])('a rating %s below which bonds leave', (ratings_below, message) => {
    expect(problemOf(parameters({ exclude: { ratings_below } }))?.message ?? null).toBe(message)
  })
})
