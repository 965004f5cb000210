import type { Report, ReportCore } from '@convexa/contract/report'
import { saveXlsx } from '../../../ui/table/xlsx.ts'
import { workbookOf } from './workbook.ts'

/** Hands all tables of a report to the browser as a file; `name` without the ending. */
export const saveWorkbook = (name: string, report: ReportCore & Pick<Report, 'trades'>, benchName: string, unit: string): Promise<void> =>
  saveXlsx(name, workbookOf(report, benchName, unit))
