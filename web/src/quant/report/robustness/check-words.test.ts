import type { RobustnessCheck } from '@convexa/contract/report'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../made-report.ts'
import { checkCounts, checkWords, verdictSentence, verdictWord } from './check-words.ts'

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
  it('where there is no grid, it does not send anybody to one', () => {
    const words = checkWords(check('overfitting', null, 0.3, null), false)
    expect(words.sentence).toContain('股票没有参数网格')
    expect(words.todo).not.toContain('到参数网格')
  })
  it('a threshold of zero stands at the left end, and nothing leaves the line', () => {
    expect(checkWords(check('luck', 1.4, 0, true)).meter).toEqual({ at: 1, bar: 0 })
    expect(checkWords(check('out_of_sample', -2, 0.5, false)).meter).toEqual({ at: 0, bar: 0.6 })
  })
})

it('the verdict names what passed, what failed and what is open, and never advises to buy', () => {
  const robustness = {
    ...madeReport({ days: 60 }).robustness,
    verdict: 'middle' as const,
    checks: [check('luck', 1, 0.5, true), check('deflated', 0.9, 0.95, false), check('overfitting', null, 0.3, null)],
  }
  expect(checkCounts(robustness)).toEqual({ all: 3, judged: 2, passed: 1 })
  expect(verdictSentence(robustness)).toBe('运气门槛通过，缩水夏普未通过，过拟合概率还不能判断。结果可以参考，不足以单独作为依据。')
})

it('of a run too short for any check there is no verdict', () => {
  const robustness = { ...madeReport({ days: 60 }).robustness, verdict: 'low' as const, checks: [check('luck', null, null, null)] }
  expect(verdictWord(robustness)).toBe('无法判断')
  expect(verdictSentence(robustness)).not.toContain('凑出来')
  expect(verdictWord({ ...robustness, checks: [check('luck', 1, 2, false)] })).toBe('低')
})
