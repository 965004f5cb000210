import type { FactorMeta } from '@convexa/contract/factor'
import { expect, it } from 'vitest'
import { factorEntry, groupEntry, strategyEntry } from './own-entries.ts'

const factor = (given: Partial<FactorMeta>): FactorMeta =>
  ({ factor_key: 'dblow', factor_name: '双低', factor_type: 0, category: '价格', ...given }) as FactorMeta

it.each([
  [
    'a strategy to its page',
    strategyEntry('cb', { id: '1', strategy_name: '双低10', tags: ['小规模'] }),
    '/strategy/cb/1',
    '可转债 · 小规模',
  ],
  [
    'a group to its page',
    groupEntry('stk', { id: '2', group_name: '稳健', members: [] }),
    '/strategy/stk/group/2',
    '股票策略组 · 0 个成员',
  ],
  ['a built-in factor to its bins', factorEntry('cb', factor({})), '/rotation/convertible-bond/binning?factor=dblow', '可转债 · 价格'],
  [
    'one with a window with its usual one',
    factorEntry('stk', factor({ factor_key: 'bias_N', window: { default: 20, min: 5, max: 60 } })),
    '/rotation/stock/binning?factor=bias_20',
    '股票 · 价格',
  ],
  [
    'an own factor to its editor',
    factorEntry('cb', factor({ factor_type: 1, id: '7' })),
    '/customized-factors?kind=cb&id=7',
    '可转债 · 自定义',
  ],
])('%s', (_, entry, to, note) => expect([entry.to, entry.note]).toEqual([to, note]))
