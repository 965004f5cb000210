import { Settings } from '@convexa/contract/backtest'
import { Parameters } from '@convexa/contract/strategy'
import { describe, expect, it } from 'vitest'
import { someSettings } from '../../test/some-draft.ts'
import { parameters, settings } from './rule-shapes.ts'
import type { Shape } from './shapes.ts'

// The pages read a stored rule by small shapes, the server by the contract's schemas: of every key both say the same.

const codes = ['110044.SH']
const rule = {
  version: 1,
  universe: { markets: ['SSE_MAIN'], index_codes: ['000300'], include_codes: codes, exclude_codes: codes, max_per_issuer: 1 },
  exclude: {
    ...{ call_status: ['announced'], call_remain_days: 5, st: true, list_days: 3, suspended: true, ratings_below: 'AA' },
    ...{ yy_ratings_above: '6', org_types: ['民营'], areas: ['上海'], industries: ['银行'] },
  },
  filter_factors: [
    { factor_key: 'close', action: 'exclude', operation: 'gt', value: 130, enable: true },
    { factor_key: 'close', action: 'keep', operation: 'between', value: [90, 130], enable: true },
    { factor_key: 'area', action: 'keep', operation: 'in', value: ['上海'], enable: true },
    { factor_key: 'area', action: 'keep', operation: 'eq', value: '上海', enable: true },
  ],
  rank_factors: [
    { factor_key: 'dblow', prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: 'industry_1', enable: true },
  ],
  rank_method: 'rank',
  hold_method: {
    ...{ hold_range_type: 1, hold_range_start: 1, hold_range_end: 10, hold_weight_type: 4, hold_weight_factor: 'dblow' },
    ...{ hold_max_weight: 1, hold_threshold: 0, empty_slot: 'next' },
  },
  rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
  stop_method: { stop_type: 4, take_profit: 0.1, stop_loss: 0.1, activate: 0.1, drawdown: 0.1, base: 'cost' },
  timing: [{ rule: 'threshold', factor_key: 'close', value: 1, exposure: 0.5 }],
  hold_days: 0,
}
const cost = { buy_rate: 0.001, sell_rate: 0.001, slippage: 0.001, stamp_tax: 0, min_fee: 5 }
const terms = { ...someSettings, cost, oos_start: '2026-01-05' }

type Json = null | boolean | number | string | readonly Json[] | { [key: string]: Json }
type Path = readonly (string | number)[]
const isObject = (value: Json): value is { [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every place in a value, with what stands there. */
function placesOf(value: Json, path: Path = []): [Path, Json][] {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return [[path, value], ...inner.flatMap(([key, one]) => placesOf(one as Json, [...path, key]))]
}
/** A copy with another value at a place; undefined: without it. */
function withAt(value: Json, [key, ...rest]: Path, other: Json | undefined): Json {
  if (key === undefined) return other as Json
  if (Array.isArray(value)) return value.map((one, i) => (i === key ? withAt(one, rest, other) : one))
  const { [key]: there, ...others } = value as { [key: string]: Json }
  return rest.length === 0 && other === undefined ? others : { ...others, [key]: withAt(there as Json, rest, other) }
}
const takes = (shape: Shape<unknown>, value: unknown) => {
  try {
    shape(value)
    return true
  } catch {
    return false
  }
}

const others: readonly Json[] = [null, true, 1.5, 'words', [], {}, [null], ['words'], [1, 2], { a: 1 }]

describe.each([
  ['parameters', rule as unknown as Json, Parameters, parameters],
  ['settings', terms as unknown as Json, Settings, settings],
] as const)('a stored rule’s %s', (_, whole, schema, shape) => {
  it('are read as they were written, keys in their order', () => {
    expect(schema.safeParse(whole).error).toBeUndefined()
    expect(JSON.stringify(shape(whole))).toBe(JSON.stringify(whole))
  })

  it('fit the shape exactly where they fit the contract, whatever stands at any place', () => {
    const apart: string[] = []
    let tried = 0
    for (const [path, there] of placesOf(whole)) {
      const made = others.map((other) => [JSON.stringify(other), withAt(whole, path, other), other] as const)
      const more = isObject(there)
        ? [
            ['a key more', withAt(whole, path, { ...there, later: 1 }), 0] as const,
            ['__proto__', withAt(whole, path, JSON.parse(`{"__proto__":1,${JSON.stringify(there).slice(1)}`)), 0] as const,
          ]
        : []
      for (const [what, value, other] of [...made, ['nothing', withAt(whole, path, undefined), 0] as const, ...more]) {
        tried++
        // Empty inputs are null in storage; the form reports limits.
        const isNumber = typeof there === 'number' && path.at(-1) !== 'version' && !String(path.at(-1)).endsWith('_type')
        const unfilled = other === null && (isNumber || path.at(-1) === 'value')
        const fraction = other === 1.5 && typeof there === 'number' && takes(shape, value)
        const text = typeof other === 'string' && takes(shape, value)
        // The contract has a default for it; records written by the product always contain it.
        const action = path.at(-1) === 'action' && what === 'nothing'
        if (fraction || text || action) continue
        if (takes(shape, value) !== (unfilled || schema.safeParse(value).success)) apart.push(`${path.join('.')} ${what}`)
      }
    }
    expect(apart).toEqual([])
    expect(tried).toBeGreaterThan(100)
  })
})

it('a number that was not filled in is none again', () => {
  const { filter_factors, hold_days } = parameters({
    ...rule,
    hold_days: null,
    filter_factors: [{ ...rule.filter_factors[0], value: null }],
  })
  expect([filter_factors[0]?.value, hold_days]).toEqual([Number.NaN, Number.NaN])
})
