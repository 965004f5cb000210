import type { Report } from '@convexa/contract/backtest'
import { csv, type SheetCell } from '../../ui/table/sheet.ts'

/** `双低10只_2022-08-01_2026-11-19_a91c_演示`: what a saved file is called, without its ending. */
export function fileNameOf(report: Report, part = ''): string {
  const { start_date, end_date } = report.metrics
  const name = report.name.replace(/[\s\\/:*?"<>|]+/g, '') || '回测'
  return [name, start_date, end_date, report.params_hash.slice(0, 4), part, report.data_mode === 'demo' ? '演示' : '']
    .filter(Boolean)
    .join('_')
}

/** CSV for spreadsheets; of demo data the first line says so. */
export function csvOf(report: Report, heads: readonly string[], rows: readonly (readonly SheetCell[])[]): string {
  const first = report.data_mode === 'demo' ? [['演示数据，模拟生成，非真实行情，不能用于交易']] : []
  return csv([...first, heads, ...rows])
}
