import type { Report } from '@convexa/contract/backtest'

/** `双低10只_2022-08-01_2026-11-19_a91c_演示`: what a saved file is called, without its ending. */
export function fileNameOf(report: Report, part = ''): string {
  const { start_date, end_date } = report.metrics
  const name = report.name.replace(/[\s\\/:*?"<>|]+/g, '') || '回测'
  return [name, start_date, end_date, report.params_hash.slice(0, 4), part, report.data_mode === 'demo' ? '演示' : '']
    .filter(Boolean)
    .join('_')
}

/** Hands a text to the browser as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken its own hold of the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const quoted = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  // A cell that begins like a formula would be run by a spreadsheet.
  const safe = typeof value === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV for spreadsheets: with the mark that tells them UTF-8, and in demo mode a first line that says so. */
export function csvOf(report: Report, heads: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const first = report.data_mode === 'demo' ? [['演示数据，模拟生成，非真实行情，不能用于交易']] : []
  return `\uFEFF${[...first, heads, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`
}
