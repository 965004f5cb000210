import type { FactorMeta } from '@convexa/contract/factor'
import { expect, it } from 'vitest'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { blankParameters, newRank } from './draft.ts'
import { draftName } from './draft-name.ts'
import { factorsOf } from './factors.ts'

const factors = factorsOf([
  { factor_key: 'dblow', factor_name: '双低' } as FactorMeta,
  { factor_key: 'conv_prem', factor_name: '转股溢价率' } as FactorMeta,
])
const template: Draft = {
  name: '经典双低',
  edited: false,
  parameters: blankParameters('cb'),
  settings: { end_date: '2026-11-20' } as Draft['settings'],
  range: 'default',
}
const edited = (change: (draft: Draft) => Draft, draft: Draft = template): string => {
  const { set, edit } = useStrategies.getState()
  set('cb', draft)
  edit('cb', change)
  const now = useStrategies.getState().drafts.cb
  return now ? draftName(now, factors) : ''
}
const another = (draft: Draft): Draft => ({
  ...draft,
  parameters: { ...draft.parameters, rank_factors: [newRank('conv_prem', 'small')] },
})

it('a template has its name, whatever it is run with', () => {
  expect(draftName(template, factors)).toBe('经典双低')
  expect(edited((draft) => ({ ...draft, settings: { ...draft.settings, initial_capital: 1 } }))).toBe('经典双低')
})

it('a rule that is a template no more is called by what it ranks by', () => {
  expect(edited(another)).toBe('转股溢价率 · 10 只')
  expect(edited((draft) => ({ ...draft, range: null }), { ...another(template), ruleEdited: true })).toBe('转股溢价率 · 10 只')
})

it('a saved strategy keeps its name while it is edited', () =>
  expect(edited(another, { ...template, name: '我的', saved: { id: '1', version: 1 } })).toBe('我的'))

it('while the factors are on their way nothing is called by their keys', () =>
  expect(draftName({ ...another(template), ruleEdited: true }, factorsOf([], true))).toBe('经典双低'))
