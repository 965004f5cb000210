import type { QuickBacktestResult } from '@convexa/contract/grid'
import type { Template } from '@convexa/contract/reference'
import { describe, expect, it } from 'vitest'
import { blankParameters, isRunnable } from '../draft.ts'
import { figuresOf, readFigures } from './template-runs.ts'

const template: Template = {
  ...{ key: 'a', kind: 'cb', name: '甲', rule: '', expect: '', fails: '', watch: '' },
  parameters: blankParameters('cb'),
}
const settings = { start_date: '2024-01-02' } as Parameters<typeof figuresOf>[3]
const result = (nav: number[]): QuickBacktestResult => ({
  metrics: { annual_return: 0.1, max_drawdown: -0.2 } as QuickBacktestResult['metrics'],
  curves: { dates: nav.map((_, i) => `day ${i}`), nav, bench: nav },
  ...{ warnings: [], data_version: 'demo-1', elapsed_ms: 5 },
})

describe('the numbers on a template’s card', () => {
  const nav = Array.from({ length: 500 }, (_, i) => 1 + i / 1000)
  const asked = JSON.stringify([template.parameters, settings])
  const figures = { 'cb a': readFigures(result(nav), asked) }

  it('are its own run’s, with a curve of sixty points and the last year', () => {
    const made = figures['cb a']
    expect(made.curve).toHaveLength(60)
    expect([made.curve[0], made.curve.at(-1)]).toEqual([1, 1.499])
    expect(made.recent).toBeCloseTo(1.499 / 1.257 - 1, 12)
    expect(readFigures(result(nav.slice(0, 241)), '').recent).toBeNull()
    expect(readFigures(result([1]), '').curve).toEqual([1])
  })

  it('are told only of these data, this rule and these terms', () => {
    expect(figuresOf({ figures }, 'cb', template, settings, 'demo-1')).toBe(figures['cb a'])
    expect(figuresOf({ figures }, 'cb', template, settings, 'demo-2')).toBeNull()
    expect(figuresOf({ figures }, 'stk', template, settings, 'demo-1')).toBeNull()
    expect(figuresOf({ figures }, 'cb', template, { ...settings, end_date: '2025-01-02' }, 'demo-1')).toBeNull()
    expect(
      figuresOf({ figures }, 'cb', { ...template, parameters: { ...template.parameters, hold_days: 3 } }, settings, 'demo-1'),
    ).toBeNull()
  })

  it('are none where nothing is ranked', () => {
    expect(isRunnable(template)).toBe(true)
    expect(isRunnable({ ...template, parameters: { ...template.parameters, rank_factors: [] } })).toBe(false)
  })
})
