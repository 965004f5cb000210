import { describe, expect, it } from 'vitest'
import { madeReport } from '../made-report.ts'
import { workbookOf } from './workbook.ts'

const report = madeReport({ days: 300 })
const parts = workbookOf(report, '可转债等权', '张')
const of = (name: string) => parts.find((part) => part.name === name)?.rows ?? []

describe('a report as a workbook', () => {
  it('begins with what it is, that it is made up, and that it promises nothing', () => {
    expect(parts.map(({ name }) => name)).toEqual(['摘要', '指标', '每日净值', '年度', '月度', '回撤', '交易', '贡献', '稳健性'])
    const lines = of('摘要').map((row) => row.join(' '))
    expect(lines.some((line) => line.includes('演示数据，模拟生成'))).toBe(true)
    expect(lines.some((line) => line.includes('不代表未来收益'))).toBe(true)
  })
  it('has every day and every trade, each row as wide as its heads', () => {
    expect(of('每日净值')).toHaveLength(301)
    expect(of('交易')).toHaveLength(report.trades.length + 1)
    for (const { rows } of parts) for (const row of rows) expect(row.length).toBeLessThanOrEqual(rows[0]?.length as number)
  })
  it('writes returns as per cent and what is absent as nothing', () => {
    const annual = of('指标').find(([name]) => name === '年化收益(%)')
    expect(annual?.[1]).toBeCloseTo((report.metrics.annual_return as number) * 100, 3)
    expect(of('指标').find(([name]) => name === 'Alpha(%)')?.[2]).toBeNull()
  })
})
