import { describe, expect, it } from 'vitest'
import { columnName, workbookFiles } from './xlsx.ts'

describe('a workbook', () => {
  it('has a sheet for each table: numbers as numbers, texts as texts, nothing for what is absent', () => {
    const files = workbookFiles([
      {
        name: '年度',
        rows: [
          ['年', '收益(%)'],
          ['2025', 10.5],
          ['2026*', null],
          ['=1+1', Number.NaN],
        ],
      },
      { name: '说明/其他', rows: [['A & B <C>', '"x"'], ['乙']], headRows: 2 },
    ])
    expect(Object.keys(files)).toContain('xl/worksheets/sheet2.xml')
    expect(files['xl/workbook.xml']).toContain('<sheet name="年度" sheetId="1"')
    expect(files['xl/workbook.xml']).toContain('<sheet name="说明其他" sheetId="2"')
    const sheet = files['xl/worksheets/sheet1.xml'] ?? ''
    expect(sheet).toContain('<c r="B2"><v>10.5</v></c>')
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr">')
    // A text that looks like a formula stays a text; what is absent has no cell.
    expect(sheet).toContain('<c r="A4" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>')
    expect(sheet).not.toMatch(/r="B3"|r="B4"|<f>/)
    expect(files['xl/worksheets/sheet2.xml']).toContain('A &amp; B &lt;C&gt;')
    expect(files['xl/worksheets/sheet2.xml']).toMatch(/ySplit="2".*r="A2" s="1"/)
  })
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %i is %s', (index, name) => expect(columnName(index)).toBe(name))
})
