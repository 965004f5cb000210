import { Parameters } from '@convexa/contract'
import { marketIds } from '@convexa/contract/enums/market'
import { markets } from '@convexa/engine'
import { expect, test } from 'vitest'
import { templatesOf } from './templates.ts'

const every = (kind: (typeof marketIds)[number]) => new Set(markets[kind].fields.map(({ key }) => key))

test('a market with every field offers every template, in words and valid by the contract', () => {
  const all = marketIds.flatMap((kind) => templatesOf(kind, every(kind)))
  expect(all.map(({ key }) => key)).toEqual([
    'cb_double_low',
    'cb_low_premium',
    'cb_small_cheap',
    'cb_high_ytm',
    'cb_three_low',
    'cb_reset',
    'cb_call_avoidance',
    'stk_small_cap',
    'stk_pb_roe',
    'stk_dividend_low_vol',
    'stk_low_turnover_reversal',
    'stk_quality_growth',
    'stk_reversal_5',
  ])
  for (const { parameters, kind: _kind, key: _key, ...words } of all) {
    expect(Parameters.safeParse(parameters).error).toBeUndefined()
    for (const text of Object.values(words)) expect(text).toMatch(/[\u4e00-\u9fff]|PB-ROE/)
  }
})

test('what the data lack is left out: exclusions are dropped, templates that need it are not offered', () => {
  const [doubleLow, ...rest] = templatesOf('cb', new Set(['close', 'conv_prem']))
  expect(rest.map(({ key }) => key)).toEqual(['cb_low_premium'])
  expect(doubleLow?.parameters.exclude).toMatchObject({ call_status: [], st: false })
  expect(doubleLow?.parameters.filter_factors).toEqual([])
  expect(templatesOf('stk', new Set(['close'])).map(({ key }) => key)).toEqual(['stk_reversal_5'])
  expect(templatesOf('cb', null)).toEqual([])
})
