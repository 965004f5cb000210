import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../../test/made-report.ts'
import { tradesCsv } from '../trades-csv.ts'
import { workbookOf } from './workbook.ts'

const report = madeReport({ days: 300 })
const parts = workbookOf(report, '可转债等权', '张')
const of = (name: string) => parts.find((part) => part.name === name)?.rows ?? []

describe('a report as a workbook', () => {
  it('begins with what it is, that it is made up, and that it promises nothing', () => {
    expect(parts.map(({ name }) => name)).toEqual(['摘要', '指标', '每日净值', '年度', '月度', '回撤', '交易', '贡献', '靠谱吗'])
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
  it('of a run that bought nothing tells no more than the page: the counts', () => {
    const idle = workbookOf({ ...report, trades: [], trades_total: 0, contributions: [] }, '可转债等权', '张')
    const rows = (name: string) => idle.find((part) => part.name === name)?.rows ?? []
    expect(
      rows('指标')
        .find(([name]) => name === '年化收益(%)')
        ?.slice(1, 4),
    ).toEqual([null, expect.any(Number), null])
    expect(rows('指标').find(([name]) => name === '成交笔数')?.[1]).toBe(report.metrics.trades)
    expect(rows('靠谱吗')).toHaveLength(1)
    expect(rows('摘要').some(([name]) => name === '结论')).toBe(false)
  })
  it('says where the trades are not all of them, and so does the CSV', () => {
    const some = { ...report, trades_total: 12_345 }
    const words = `共 12,345 笔，仅列最近 ${report.trades.length} 笔`
    expect(workbookOf(some, '可转债等权', '张')[0]?.rows).toContainEqual(['交易', words])
    expect(tradesCsv(some, some.trades).split('\r\n')[1]).toContain(words)
    expect(tradesCsv(report, report.trades)).not.toContain('仅列最近')
  })
})
