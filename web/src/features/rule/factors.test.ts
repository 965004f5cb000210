import type { FactorMeta } from '@convexa/contract/factor'
import { expect, it } from 'vitest'
import { factorsOf, formulasChanged, ownVersionsIn } from './factors.ts'

const own = (key: string, version: number, formula: string) => ({ factor_type: 1, factor_key: key, version, formula }) as FactorMeta
const factors = (a: number, b: number) => factorsOf([own('custom_b', b, 'close'), own('custom_a', a, 'custom_b * 2')])
const rule = { rank_factors: [{ factor_key: 'custom_a' }] }

it('an answer is old when a formula that it was made with is another, also one that another own factor names', () => {
  const asked = ownVersionsIn(rule, factors(1, 1))
  expect(asked).toBe('custom_a 1,custom_b 1')
  expect(formulasChanged(asked, rule, factors(1, 1))).toBe(false)
  expect(formulasChanged(asked, rule, factors(2, 1))).toBe(true)
  expect(formulasChanged(asked, rule, factors(1, 2))).toBe(true)
  expect(formulasChanged(asked, rule, factorsOf([]))).toBe(true)
})

it('what names none is never old by them, and nothing is while they are on their way', () => {
  const plain = { factor: 'close' }
  expect(formulasChanged(ownVersionsIn(plain, factors(1, 1)), plain, factors(2, 2))).toBe(false)
  expect(formulasChanged('custom_a 1,custom_b 1', rule, factorsOf([], true))).toBe(false)
})
