import type { SecurityOption } from '@convexa/contract/market'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Factors } from '../rule/factors.ts'
import { ClauseFacts, DefaultPriced } from './security-facts.tsx'
import { textsOf } from './security-texts.ts'

const of = (code: string, industry?: string) => ({ code, industry }) as SecurityOption

it('a text is its place in Chinese order; who has none has none, and a factor is no column of texts', () => {
  const texts = textsOf('stk', [of('1', '银行'), of('2', '传媒'), of('3'), of('4', '银行')])
  expect(texts.words('industry')).toEqual(['传媒', '银行'])
  expect(['1', '2', '3', '4', '5'].map((code) => texts.place(code, 'industry'))).toEqual([1, 0, null, 1, null])
  expect(texts.words('close')).toBe(null)
  expect(texts.words('stock_name')).toBe(null)
})

it('a bond whose price implies a default says why its floor is absent; others say nothing', () => {
  const noteOf = (value: number | null) =>
    renderToStaticMarkup(
      createElement(DefaultPriced, { values: [{ factor_key: 'default_priced', value, percentile: null, rank: null, population: 1 }] }),
    )
  expect(noteOf(1)).toMatch(/市场按违约定价.*纯债价值.*缺失/)
  expect([noteOf(0), noteOf(null)]).toEqual(['', ''])
})

it('a clause that nobody could read is told as unknown', () => {
  const factors = { of: () => null, nameOf: (ref: string) => ref } as unknown as Factors
  const value = (factor_key: string, days: number | null) => ({ factor_key, value: days, percentile: null, rank: null, population: 1 })
  const told = (...values: ReturnType<typeof value>[]) => renderToStaticMarkup(createElement(ClauseFacts, { values, factors }))
  expect(told(value('redeem_need', null))).toContain('<dt>强赎条款</dt><dd>条款未知</dd>')
  expect(told(value('redeem_need', 15), value('put_need', null))).toMatch(/^(?!.*强赎条款).*<dt>回售条款<\/dt><dd>没有条款或条款未知<\/dd>/)
})
