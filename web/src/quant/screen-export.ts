import type { ScreenResult } from '@convexa/contract/screen'
import { type Factors, shownAs } from './factors.ts'

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** A cell that a spreadsheet would take for a formula is written as text. */
const safe = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text)

/** A factor's name with the unit of its numbers, which are those of the page: `转股溢价率(%)`. */
function headOf(ref: string, factors: Factors): string {
  const { unit } = shownAs(factors.of(ref))
  return unit ? `${factors.nameOf(ref)}(${unit})` : factors.nameOf(ref)
}

/** The ranking as CSV; the first line says what it is, of when, and whether it is demo data. */
export function csvOf(name: string, result: ScreenResult, factors: Factors): string {
  const refs = Object.keys(result.list_items[0]?.values ?? {})
  const lead = [
    name,
    `数据 ${result.data_time}`,
    `版本 ${result.data_version}`,
    ...(result.data_mode === 'demo' ? ['演示数据（模拟生成，非真实行情）'] : []),
  ]
  const cell = (ref: string, value: number | string | null | undefined) => {
    if (typeof value !== 'number') return value ?? ''
    const { scale, decimals } = shownAs(factors.of(ref))
    return String(Number((value * scale).toFixed(Math.max(4, decimals))))
  }
  const rows = result.list_items.map((row) => [
    String(row.rank ?? ''),
    row.code,
    row.name,
    String(row.score ?? ''),
    row.selected ? '入选' : row.reserve ? '候补' : '',
    ...refs.map((ref) => cell(ref, row.values[ref])),
  ])
  const head = ['名次', '代码', '名称', '得分', '名单', ...refs.map((ref) => headOf(ref, factors))]
  return [lead, head, ...rows].map((line) => line.map(safe).join(',')).join('\r\n')
}

/** Saves text as a file; the mark at its start tells Excel that it is UTF-8. */
export function download(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
