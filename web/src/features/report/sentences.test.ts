import { describe, expect, it } from 'vitest'
import { depositCurve, lossSentence } from './sentences.ts'

it.each([
  [null, null, '样本不足，不给出 VaR。'],
  [0, -0.001, '样本太少，或很少有亏损的日子：VaR95 不是亏损。'],
  [-0.02, -0.031, '一百天里大约有五天，单日亏损达到或超过 2.00%；落在这五天里，平均一天亏 3.10%。'],
])('VaR of %s and beyond it %s', (var95, cvar95, sentence) => expect(lossSentence({ var95, cvar95 })).toBe(sentence))

describe('the same money elsewhere', () => {
  it('a deposit begins at one and grows by its rate in 242 days', () => {
    expect(depositCurve(243)[0]).toBe(1)
    expect(depositCurve(243)[242]).toBeCloseTo(1.015, 12)
  })
})
