import type { FactorMeta } from '@convexa/contract/factor'
import type { FilterFactor } from '@convexa/contract/strategy'
import { expect, it } from 'vitest'
import { factorsOf } from '../rule/factors.ts'
import { doubtfulValue } from './condition-sense.ts'
import { isLong } from './condition-value.tsx'

const factor = (factor_key: string, unit: string | null, decimals: number) => ({ factor_key, factor_name: factor_key, unit, decimals })
const factors = factorsOf([factor('close', '元', 3), factor('conv_prem', null, 4), factor('maturity', '日期', 0)] as FactorMeta[])
const row = (factor_key: string, value: FilterFactor['value'], operation: FilterFactor['operation'] = 'gt'): FilterFactor => ({
  ...{ factor_key, value, operation },
  action: 'exclude',
  enable: true,
})

it.each([
  ['a price', row('close', 130), null],
  ['a fraction', row('conv_prem', 0.3), null],
  ['two fractions', row('conv_prem', [-0.5, 3], 'between'), null],
  ['a fraction with digits too many', row('conv_prem', 12_345.67), '1,234,567% 相当于 12,346 倍，请核对是否多输了数字'],
  ['one of two', row('conv_prem', [0, 3000], 'between'), '300,000% 相当于 3,000 倍，请核对是否多输了数字'],
  ['a percentile is bounded by its own rule', row('conv_prem', 5000, 'gt_rank'), null],
  ['a date', row('maturity', 20_261_120), null],
  ['half a date', row('maturity', 202_611), '日期要写满 8 位，如 20261120'],
  ['a day that is none', row('maturity', 20_260_230), '日期要写满 8 位，如 20261120'],
  ['a factor that is not known', row('nobody', 1e9), null],
])('%s', (_, condition, words) => {
  expect(doubtfulValue(condition, factors.of(condition.factor_key))).toBe(words)
})

it('a number of seven digits is long, two of four too; usual ones stay on the line', () => {
  expect([row('close', 130), row('close', 1_234.5), row('close', [100, 150], 'between')].map((each) => isLong(each, factors))).toEqual([
    false,
    false,
    false,
  ])
  expect([row('close', 123_456_789), row('close', [1_234_567, 2_345_678], 'between')].map((each) => isLong(each, factors))).toEqual([
    true,
    true,
  ])
})
