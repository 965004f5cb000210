import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ReportCore } from '@convexa/contract/report'
import { fileWord } from '../../base/file-word.ts'
import { csv, type SheetCell } from '../../ui/table/sheet.ts'

export const demoNotice = '演示数据，模拟生成，非真实行情，不能用于交易'
/** What the file that leaves the page says of itself. */
export const riskNotice = '历史回测不代表未来收益；仅供研究，不构成投资建议。'

/** `双低10只_2022-08-01_2026-11-19_a91c_演示`: what a saved file is called, without its ending. */
export function fileNameOf(report: ReportCore, part = ''): string {
  const { start_date, end_date } = report.metrics
  return [
    fileWord(report.name) || '回测',
    start_date,
    end_date,
    report.params_hash.slice(0, 4),
    part,
    isSynthetic(report.data_mode) ? '演示' : '',
  ]
    .filter(Boolean)
    .join('_')
}

/** CSV for spreadsheets; of demo data the first line says so, `notes` have lines of their own after it. */
export function csvOf(report: ReportCore, heads: readonly string[], rows: readonly (readonly SheetCell[])[], ...notes: string[]): string {
  const first = isSynthetic(report.data_mode) ? [demoNotice] : []
  return csv([...[...first, ...notes].map((line) => [line]), heads, ...rows])
}

/** The lines above a saved picture. */
export function captionOf(report: ReportCore, title: string, ...terms: readonly string[]): string[] {
  const { start_date, end_date } = report.metrics
  const demo = isSynthetic(report.data_mode) ? ['演示数据，非真实行情'] : []
  return [`${report.name} · ${title}`, [`${start_date} ~ ${end_date}`, ...terms, ...demo].join(' · ')]
}

/** A fraction as per cent for a spreadsheet, free of binary dust. */
export const asPercent = (fraction: number | null | undefined): number | null =>
  fraction === null || fraction === undefined ? null : Number((fraction * 100).toFixed(4))
