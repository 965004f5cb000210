import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { riskSentence } from '../../pages/layout/risk.ts'
import { Conclusion } from './conclusion.tsx'
import { madeReport } from './made-report.ts'

describe('the summary of a backtest', () => {
  const report = madeReport({ days: 300 })
  it.each([
    ['a run', report],
    ['a run that never bought', { ...report, trades: [], trades_total: 0, contributions: [] }],
  ])('%s ends with what it does not promise', (_, given) => {
    const text = renderToStaticMarkup(createElement(Conclusion, { report: given, benchName: '可转债等权' }))
    expect(text.indexOf('年化收益')).toBeGreaterThan(0)
    expect(text).toMatch(new RegExp(`${riskSentence}</p></section>$`))
  })

  it('tells the bad number and the recent one beside the good one, and the verdict', () => {
    const text = renderToStaticMarkup(createElement(Conclusion, { report, benchName: '可转债等权' })).replace(/<[^>]+>/g, '')
    for (const words of ['年化收益', '超额 ', '最大回撤', '夏普比率', '年换手', '近一年', '最难熬的一段亏了', '稳健度'])
      expect(text, words).toContain(words)
  })
})
