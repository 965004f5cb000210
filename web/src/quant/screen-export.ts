import type { ScreenResult } from '@convexa/contract/screen'
import type { Factors } from './factors.ts'

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** A cell that a spreadsheet would take for a formula is written as text. */
const safe = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text)

/** The ranking as CSV; the first line says what it is, of when, and whether it is demo data. */
export function csvOf(name: string, result: ScreenResult, factors: Factors): string {
  const refs = Object.keys(result.list_items[0]?.values ?? {})
  const lead = [
    name,
    `数据 ${result.data_time}`,
    `版本 ${result.data_version}`,
    ...(result.data_mode === 'demo' ? ['演示数据（模拟生成，非真实行情）'] : []),
  ]
  const rows = result.list_items.map((row) => [
    String(row.rank ?? ''),
    row.code,
    row.name,
    String(row.score ?? ''),
    row.selected ? '入选' : row.reserve ? '候补' : '',
    ...refs.map((ref) => String(row.values[ref] ?? '')),
  ])
  const head = ['名次', '代码', '名称', '得分', '名单', ...refs.map((ref) => factors.nameOf(ref))]
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
