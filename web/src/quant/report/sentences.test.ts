import { describe, expect, it } from 'vitest'
import { madeReport } from './made-report.ts'
import { comparedWith, depositCurve, lossSentence, plainExcess } from './sentences.ts'

it.each([
  [null, null, '样本不足，不给出 VaR。'],
  [0, -0.001, '样本太少，或很少有亏损的日子：VaR95 不是亏损。'],
  [-0.02, -0.031, '一百天里大约有五天，单日亏损达到或超过 2.00%；落在这五天里，平均一天亏 3.10%。'],
])('VaR of %s and beyond it %s', (var95, cvar95, sentence) => expect(lossSentence({ var95, cvar95 })).toBe(sentence))

it.each([
  [0.2, 0.05, 0.1429, 0.15],
  [0.1, 0.02, 0.0784, null],
  [0.1, -0.1, 0.2222, 0.2],
  [null, 0.05, null, null],
])('an annual return of %s over %s is an excess of %s; subtracted it is told as %s', (own, its, excess, told) => {
  const { metrics, benchmark_metrics } = madeReport({ days: 30 })
  const given = {
    metrics: { ...metrics, annual_return: own, excess_annual: excess },
    benchmark_metrics: { ...benchmark_metrics, annual_return: its },
  }
  if (told === null) expect(plainExcess(given)).toBeNull()
  else expect(plainExcess(given)).toBeCloseTo(told, 9)
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
