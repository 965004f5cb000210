import type { RobustnessCheck } from '@convexa/contract/robustness'
import { describe, expect, it } from 'vitest'
import { checkWords } from './check-text.ts'

const check = (key: RobustnessCheck['key'], value: number | null, threshold: number | null, ok: boolean | null): RobustnessCheck => ({
  key,
  label: key,
  value,
  threshold,
  ok,
  sentence: '说明',
})

describe('a check as it is shown', () => {
  it.each([
    ['luck', 0.92, 1.04, false, '0.92', '门槛 1.04'],
    ['deflated', 0.9149, 0.95, false, '91.5%', '标准 ≥ 95%'],
    ['overfitting', 0.38, 0.3, false, '38.0%', '标准 ≤ 30%'],
    ['extremes', 0.73, 0.6, true, '73.0%', '标准 ≥ 60%'],
  ] as const)('%s', (key, value, threshold, ok, text, bar) => {
    expect(checkWords(check(key, value, threshold, ok))).toMatchObject({ value: text, bar })
  })
  it('what could not be made has no number, no line, and says what is missing', () => {
    const words = checkWords(check('overfitting', null, 0.3, null))
    expect(words).toMatchObject({ value: '—', meter: null })
    expect(words.todo).toContain('参数网格')
  })
  it('a threshold of zero stands at the left end, and nothing leaves the line', () => {
    expect(checkWords(check('luck', 1.4, 0, true)).meter).toEqual({ at: 1, bar: 0 })
    expect(checkWords(check('out_of_sample', -2, 0.5, false)).meter).toEqual({ at: 0, bar: 0.6 })
  })
})
