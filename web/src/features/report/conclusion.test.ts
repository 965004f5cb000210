import { judged } from '@convexa/engine/report'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { riskSentence } from '../legal/risk-sentence.ts'
import { Conclusion } from './conclusion.tsx'

describe('the summary of a backtest', () => {
  const report = madeReport({ days: 300 })
  it.each([
    ['a run', report],
    ['a run that never bought', { ...report, trades: [], trades_total: 0, contributions: [] }],
  ])('%s ends with what it does not promise', (_, given) => {
    const text = renderToStaticMarkup(createElement(Conclusion, { report: given }))
    expect(text.indexOf('年化收益')).toBeGreaterThan(0)
    expect(text).toMatch(new RegExp(`${riskSentence}</p></section>$`))
  })

  it('says beside the yearly return what interest it leaves out', () => {
    const textOf = (given: typeof report) => renderToStaticMarkup(createElement(Conclusion, { report: given })).replace(/<[^>]+>/g, '')
    expect(textOf({ ...report, left_out_interest: 0.0042 })).toMatch(/年化收益.*未计利息，约 \+0\.4%\/年.*最大回撤/)
    expect(textOf({ ...report, left_out_interest: null })).toMatch(/年化收益.*未计利息(?!，).*最大回撤/)
    expect(textOf(report)).not.toContain('利息')
  })

  it('tells the bad number and the recent one beside the good one, and both answers', () => {
    const text = renderToStaticMarkup(createElement(Conclusion, { report: judged(report) })).replace(/<[^>]+>/g, '')
    for (const words of [
      '年化收益',
      '最大回撤',
      '夏普比率',
      '年换手',
      '近一年',
      '最难熬的一段亏了',
      '跑赢了吗',
      '靠谱吗',
      '策略已扣交易成本，基准未扣',
    ])
      expect(text, words).toContain(words)
  })
})
