import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { YearlyCard } from './periods-card.tsx'

it('a year is told with its volatility, months won and turnover; of one year alone nothing is asked', () => {
  const of = (report: ReturnType<typeof madeReport>) => renderToStaticMarkup(createElement(YearlyCard, { report, onZoom: () => {} }))
  const report = madeReport({ days: 300 })
  const html = of(report)
  expect([...html.matchAll(/<th[^>]*>([^<]+)<\/th>/g)].map(([, name]) => name)).toEqual([
    '年',
    '策略',
    '基准',
    '超额',
    '最大回撤',
    '波动',
    '月胜率',
    '换手',
  ])
  expect(of({ ...report, metrics: { ...report.metrics, total_return: 10.107 } })).toContain('>+1,011%<')
  const asks = '只有一两年特别好，要问：那年市场怎么了。'
  expect(report.yearly.length).toBeGreaterThan(1)
  expect(html).toContain(asks)
  expect(of({ ...report, yearly: report.yearly.slice(0, 1) })).not.toContain(asks)
})
