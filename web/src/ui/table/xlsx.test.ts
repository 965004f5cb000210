import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { columnName, xlsxOf } from './xlsx.ts'
import { crc32 } from './zip.ts'

/** The files of an archive, by its directory: name → text; every sum is checked. */
async function unzipped(blob: Blob): Promise<Map<string, string>> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const view = new DataView(bytes.buffer)
  const end = bytes.length - 22
  expect(view.getUint32(end, true)).toBe(0x06054b50)
  const files = new Map<string, string>()
  let at = view.getUint32(end + 16, true)
  for (let n = 0; n < view.getUint16(end + 10, true); n++) {
    expect(view.getUint32(at, true)).toBe(0x02014b50)
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const local = view.getUint32(at + 42, true)
    expect(view.getUint32(local, true)).toBe(0x04034b50)
    const from = local + 30 + view.getUint16(local + 26, true)
    const content = new Uint8Array(inflateRawSync(bytes.subarray(from, from + view.getUint32(at + 20, true))))
    expect(content.length).toBe(view.getUint32(at + 24, true))
    expect(crc32(content)).toBe(view.getUint32(at + 16, true))
    files.set(name, new TextDecoder().decode(content))
    at += 46 + nameLength
  }
  return files
}

describe('a workbook', () => {
  it('has a sheet for each table: numbers as numbers, texts as texts, nothing for what is absent', async () => {
    const files = await unzipped(
      await xlsxOf([
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
      ]),
    )
    expect([...files.keys()]).toContain('xl/worksheets/sheet2.xml')
    expect(files.get('xl/workbook.xml')).toContain('<sheet name="年度" sheetId="1"')
    expect(files.get('xl/workbook.xml')).toContain('<sheet name="说明其他" sheetId="2"')
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
    expect(sheet).toContain('<c r="B2"><v>10.5</v></c>')
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr">')
    // A text that looks like a formula stays a text; what is absent has no cell.
    expect(sheet).toContain('<c r="A4" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>')
    expect(sheet).not.toMatch(/r="B3"|r="B4"|<f>/)
    expect(files.get('xl/worksheets/sheet2.xml')).toContain('A &amp; B &lt;C&gt;')
    expect(files.get('xl/worksheets/sheet2.xml')).toMatch(/ySplit="2".*r="A2" s="1"/)
  })
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %i is %s', (index, name) => expect(columnName(index)).toBe(name))
  it('the sum of a text is as everybody computes it', () => expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926))
})
