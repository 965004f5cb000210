import { describe, expect, it } from 'vitest'
import { madeReport } from './made-report.ts'
import { comparedWith, depositCurve, outOfSampleSentence } from './sentences.ts'

describe('out of sample, said plainly', () => {
  it.each([
    [1.4, 1.47, '样本外夏普 1.40，样本内 1.47，与样本内相当。'],
    [0.79, 1.47, '样本外夏普 0.79，样本内 1.47，是样本内的 54%，打了折扣。'],
    [0.3, 1.47, '样本外夏普 0.30，样本内 1.47，不到样本内的一半：过去的规律可能已经不在。'],
    [-0.5, 1.47, '样本外夏普 −0.50，样本内 1.47，不到样本内的一半：过去的规律可能已经不在。'],
    [0.4, -0.2, '样本外夏普 0.40，样本内 −0.20，样本内本就没有赚到。'],
    [-0.9, -0.2, '样本外夏普 −0.90，样本内 −0.20，比样本内更差。'],
    [null, 1.47, '样本内外的交易日太少，还不能比较。'],
  ])('%s against %s', (own, before, sentence) => {
    expect(outOfSampleSentence(own, before)).toBe(sentence)
  })
})

describe('the same money elsewhere', () => {
  const words = (report: ReturnType<typeof madeReport>) =>
    comparedWith(report, '沪深300')
      .map((piece) => (typeof piece === 'string' ? piece : piece.strong))
      .join('')
  it('stands in the rule, the benchmark, the market and the bank', () => {
    const report = madeReport({ days: 485 })
    report.curves = { ...report.curves, nav: [...report.curves.nav.slice(0, -1), 1.5], bench: [...report.curves.bench.slice(0, -1), 1.2] }
    report.settings = { ...report.settings, capital: 10 }
    expect(words(report)).toBe('同样的 10 万元，期末账面：策略 15 万元，沪深300 12 万元，存定期（假设年利 1.50%） 10.3 万元。')
    report.curves = { ...report.curves, market: report.curves.bench.map(() => 1.1) }
    expect(words(report)).toContain('全市场等权 11 万元')
  })
  it('a deposit begins at one and grows by its rate in 242 days', () => {
    expect(depositCurve(243)[0]).toBe(1)
    expect(depositCurve(243)[242]).toBeCloseTo(1.015, 12)
  })
})
