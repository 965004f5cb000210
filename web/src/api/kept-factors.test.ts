// isolated: stubs globals
import type { FactorMeta } from '@convexa/contract/factor'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepFactors, keptFactors } from './kept-factors.ts'

const factor = (factor_key: string, factor_type: FactorMeta['factor_type']): FactorMeta => ({
  ...{ factor_key, factor_type, factor_name: factor_key, category: '行情', description: '', unit: null, decimals: 2 },
  ...{ prefer_default: 'small', realtime: true, available: true, coverage: null },
})
const shelf = new Map<string, string>()

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-19T23:30:00Z') })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, text: string) => shelf.set(key, text),
  })
})
afterEach(() => {
  shelf.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('the list is kept with its day in Shanghai, without what is a person’s own', () => {
  keepFactors('cb', [factor('close', 0), factor('custom_1', 1), factor('bias_N', 2)])
  expect(keptFactors('cb')).toBeNull()
  vi.runAllTimers()
  expect(keptFactors('cb')).toEqual({ on: '2026-11-20', factors: [factor('close', 0), factor('bias_N', 2)] })
  expect(keptFactors('stk')).toBeNull()
})

it('what is no list is no list, and what is no factor is left out of one', () => {
  shelf.set('factors:cb', '{"on": 3}')
  expect(keptFactors('cb')).toBeNull()
  shelf.set('factors:cb', JSON.stringify({ on: '2026-11-20', factors: [null, { factor_key: 'close' }, factor('dblow', 0)] }))
  expect(keptFactors('cb')?.factors).toEqual([factor('dblow', 0)])
})
