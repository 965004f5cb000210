import { expect, it } from 'vitest'
import { xlsxOf } from './xlsx.ts'

const inflated = async (packed: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()

/** CRC-32 of a text as the browser's gzip writes it behind the data. */
async function crc32(text: string): Promise<number> {
  const zipped = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  return new DataView(zipped).getUint32(zipped.byteLength - 8, true)
}

/** The files of an archive by its directory, read by the browser's own inflate: text, date and CRC-32 of each. */
async function unzipped(blob: Blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const view = new DataView(bytes.buffer)
  const end = bytes.length - 22
  expect(view.getUint32(end, true)).toBe(0x06054b50)
  const files: Record<string, { text: string; date: number; sum: number }> = {}
  let at = view.getUint32(end + 16, true)
  for (let n = 0; n < view.getUint16(end + 10, true); n++) {
    expect(view.getUint32(at, true)).toBe(0x02014b50)
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const local = view.getUint32(at + 42, true)
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const text = await inflated(bytes.subarray(from, from + view.getUint32(at + 20, true)))
    files[name] = { text, date: view.getUint16(at + 14, true), sum: view.getUint32(at + 16, true) }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

it('a workbook is packed by a worker of our own address, every file of it readable and dated with the first day of the format', async () => {
  const rows = Array.from({ length: 500 }, (_, i) => [`演示转债${i}`, i, i / 3])
  const files = await unzipped(await xlsxOf([{ name: '名单', rows: [['名称', '序号', '值'], ...rows] }]))
  expect(Object.keys(files).sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  expect(files['xl/worksheets/sheet1.xml']?.text).toContain('演示转债499')
  for (const { text, date, sum } of Object.values(files)) {
    expect(date).toBe(0x21)
    expect(sum).toBe(await crc32(text))
  }
  const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('zip-worker'))
  expect(loaded.map(({ name }) => new URL(name).origin)).toEqual([window.location.origin])
})

it('equal tables make equal bytes', async () => {
  const made = async () => new Uint8Array(await (await xlsxOf([{ name: '名单', rows: [['名称'], ['演示转债']] }])).arrayBuffer())
  expect(await made()).toEqual(await made())
})

it('the page answers while a large workbook is packed', async () => {
  const rows = Array.from({ length: 5_500 }, (_, i) => Array.from({ length: 20 }, (_, column) => i * 1.1 + column))
  let over = false
  let turns = 0
  const packed = xlsxOf([{ name: '名单', rows: [['a'], ...rows] }]).then(() => {
    over = true
  })
  // The text of the sheet is written in the first turn; then the page has its turns until the archive comes back.
  while (!over && turns < 10_000) {
    await new Promise((resolve) => setTimeout(resolve))
    turns += 1
  }
  await packed
  expect(turns).toBeGreaterThan(3)
})
