import { describe, expect, it } from 'vitest'
import type { Column } from './column.ts'
import { textOf } from './column.ts'
import { csv, machineText, tsv } from './sheet.ts'

describe('a table for a spreadsheet', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-cmd', "'-cmd"],
    ['＝1+1', "'＝1+1"],
    ['＋cmd', "'＋cmd"],
    ['－2+3', "'－2+3"],
    ['＠SUM(1)', "'＠SUM(1)"],
    ['\0=1+1', "'\0=1+1"],
    ['+0.50%', '+0.50%'],
    ['-1,234.5', '-1234.5'],
    ['−1,234,567.50%', '-1234567.50%'],
    ['−3.20% ~ −1.10%', "'-3.20% ~ -1.10%"],
    ['—', ''],
    ['前 1,000 名', '"前 1,000 名"'],
    ['600000,600036', '"600000,600036"'],
    ['"引号", 逗号', '"""引号"", 逗号"'],
    ['两\n行', '"两\n行"'],
  ])('%s is written %s', (cell, written) => expect(csv([[cell]])).toBe(`\uFEFF${written}\r\n`))

  it('writes numbers as they are and nothing for what is missing', () => {
    expect(csv([[-1.5, null, undefined, Number.NaN, 0]])).toBe('\uFEFF-1.5,,,,0\r\n')
  })

  it('of the clipboard has tabs between cells and none within', () => {
    expect(
      tsv([
        ['代码', '名称'],
        ['900001.DM', '演\t示\n一'],
        ['=A1', 2],
      ]),
    ).toBe("代码\t名称\n900001.DM\t演 示 一\n'=A1\t2")
  })
})

it.each([
  ['收益 −13.34%，换手 1,234.50 倍', '收益 -13.34%，换手 1234.50 倍'],
  ['−0.5\u00a0%', '-0.5 %'],
  ['代码 600000,600036 与 5,10,20', '代码 600000,600036 与 5,10,20'],
  ['12,345,678.9', '12345678.9'],
  ['新进 − 移出', '新进 − 移出'],
])('%s leaves the page as %s', (shown, left) => expect(machineText(shown)).toBe(left))

describe('the text of a cell', () => {
  const column = (given: Partial<Column<number | null>>): Column<number | null> => ({
    key: 'a',
    label: 'a',
    width: 1,
    cell: () => null,
    ...given,
  })
  it.each([
    ['a plain minus', column({ cell: () => '−0.70' }), '-0.70'],
    ['every minus plain', column({ cell: () => '−3.2 ~ −1.1' }), '-3.2 ~ -1.1'],
    ['without groups of digits', column({ cell: () => '1,111.96' }), '1111.96'],
    ['nothing of what is missing', column({ cell: () => '—' }), ''],
    ['its own text before its look', column({ cell: () => '看', text: () => '文' }), '文'],
    ['its sort value where the cell is drawn', column({ sortBy: (row) => row }), '5'],
  ])('is %s', (_, given, expected) => expect(textOf(given, 5)).toBe(expected))
})
