import type { SecurityOption } from '@convexa/contract/market'
import { expect, it } from 'vitest'
import { textsOf } from './security-texts.ts'

const of = (code: string, industry?: string) => ({ code, industry }) as SecurityOption

it('a text is its place in Chinese order; who has none has none, and a factor is no column of texts', () => {
  const texts = textsOf('stk', [of('1', '银行'), of('2', '传媒'), of('3'), of('4', '银行')])
  expect(texts.words('industry')).toEqual(['传媒', '银行'])
  expect(['1', '2', '3', '4', '5'].map((code) => texts.place(code, 'industry'))).toEqual([1, 0, null, 1, null])
  expect(texts.words('close')).toBe(null)
  expect(texts.words('stock_name')).toBe(null)
})
