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
})
