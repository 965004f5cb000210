import type { FactorMeta } from '@convexa/contract/factor'
import type { Parameters } from '@convexa/contract/strategy'
import { expect, it } from 'vitest'
import { factorsOf } from '../rule/factors.ts'
import { excludedWords } from './excluded-text.ts'

const factor = (key: string, name: string, unit: string | null, decimals: number) =>
  ({ factor_key: key, factor_name: name, unit, decimals }) as FactorMeta
const factors = factorsOf([factor('remain_size', '剩余规模', '亿元', 2), factor('conv_prem', '转股溢价率', null, 4)])
const row = (factor_key: string, value: number, action: 'exclude' | 'keep') =>
  ({ factor_key, action, operation: 'lt', value, enable: true }) as const
const parameters = { filter_factors: [row('remain_size', 8, 'exclude'), row('conv_prem', 0.3, 'keep')] } as unknown as Parameters
const funnel = ['exclude.st', 'filter.0', 'filter.1'].map((step) => ({ step, label: 'ST 或 *ST', before: 0, after: 0 }))

it.each([
  ['a condition has its factor’s unit', 1, 2.7219, { why: '剔除：剩余规模 小于 8亿元', value: '2.72亿元' }],
  ['a fraction is told in per cent', 2, 0.4512, { why: '仅保留：转股溢价率 小于 30%', value: '45.12%' }],
  ['a rule of the universe is told as it is', 0, null, { why: '规则', value: '—' }],
])('%s', (_, rule_index, value, words) => {
  expect(excludedWords({ code: '1', name: '', rule: '规则', rule_index, value }, funnel, parameters, factors)).toEqual(words)
})
