/**
 * Statements beside a market file: tables of income, balance sheet, cash flow and indicators, one row a publication. They are known by
 * their columns (Tushare's names), may lie in the folder that is imported or in `statements` beside the file, and only add: what cannot
 * be placed is counted and left out.
 */
import { bookOf, dayNumber, isQuarterEnd, type ReportBook, type Security, type Statement } from '@convexa/engine'
import { cellsOf, dateOf, filesBeside } from './beside.ts'
import { normalCode } from './code.ts'
import type { SourceFile } from './source-file.ts'

/** An item from the columns of a file: their sum, where one of them is there, in our unit. */
interface Source {
  readonly columns: readonly string[]
  /** What one of ours is in theirs; statements are in yuan, ours in 亿. */
  readonly scale?: number
  readonly texts?: (text: string) => number
}

const sources: Readonly<Record<string, Source>> = {
  revenue: { columns: ['revenue'] },
  oper_cost: { columns: ['oper_cost'] },
  sell_exp: { columns: ['sell_exp'] },
  admin_exp: { columns: ['admin_exp'] },
  fin_exp: { columns: ['fin_exp'] },
  rd_exp: { columns: ['rd_exp'] },
  int_exp: { columns: ['fin_exp_int_exp'] },
  operate_profit: { columns: ['operate_profit'] },
  total_profit: { columns: ['total_profit'] },
  n_income: { columns: ['n_income'] },
  np_parent: { columns: ['n_income_attr_p'] },
  np_dt: { columns: ['profit_dedt'] },
  ocf: { columns: ['n_cashflow_act'] },
  dep_amort: { columns: ['depr_fa_coga_dpba', 'amort_intang_assets', 'lt_amort_deferred_exp'] },
  total_assets: { columns: ['total_assets'] },
  total_liab: { columns: ['total_liab'] },
  equity_parent: { columns: ['total_hldr_eqy_exc_min_int'] },
  money_cap: { columns: ['money_cap'] },
  receivables: { columns: ['accounts_receiv'] },
  inventories: { columns: ['inventories'] },
  goodwill: { columns: ['goodwill'] },
  total_cur_assets: { columns: ['total_cur_assets'] },
  total_cur_liab: { columns: ['total_cur_liab'] },
  interest_debt: { columns: ['st_borr', 'lt_borr', 'bond_payable', 'non_cur_liab_due_1y'] },
  share_capital: { columns: ['total_share'] },
  holder_num: { columns: ['holder_num'], scale: 1 },
  audit_opinion: { columns: ['audit_result'], texts: (text) => Number(text.includes('标准无保留')) },
}
/** Columns that hold an item, of any of the four tables. */
export const itemColumns: ReadonlySet<string> = new Set(Object.values(sources).flatMap(({ columns }) => columns))
const about = ['ts_code', 'end_date', 'ann_date', 'f_ann_date', 'report_type', 'update_flag'] as const
/** 合并报表，调整后与调整前的合并报表；单季与母公司报表不用。 */
export const consolidated: readonly string[] = ['1', '4', '5']

export const isStatements = (columns: readonly string[]): boolean =>
  !columns.includes('trade_date') &&
  ['ts_code', 'end_date', 'ann_date'].every((column) => columns.includes(column)) &&
  columns.some((column) => itemColumns.has(column))

export interface ImportedStatements {
  readonly book: ReportBook
  readonly files: readonly SourceFile[]
  /** Rows taken; rows left out for want of a day or a quarter; rows of securities that the market file does not have. */
  readonly taken: number
  readonly faulty: number
  readonly foreign: number
}

/** The statements that lie with the imported paths; null where there are none. A bond has those of its company. */
export async function readStatements(
  kind: 'cb' | 'stk',
  paths: readonly string[],
  securities: readonly Security[],
): Promise<ImportedStatements | null> {
  const files = await filesBeside(paths, 'statements', isStatements)
  if (files.length === 0) return null
  const byCompany = new Map<string, Statement[]>()
  const companies = new Set(securities.map((security) => companyOf(kind, security)))
  const count = { taken: 0, faulty: 0, foreign: 0 }
  for (const file of files) {
    for (const { code, statement } of await rowsOf(file)) {
      if (code === null || statement === null) count.faulty++
      else if (!companies.has(code)) count.foreign++
      else {
        count.taken++
        const list = byCompany.get(code)
        if (list) list.push(statement)
        else byCompany.set(code, [statement])
      }
    }
  }
  if (count.taken === 0) return null
  const lists = securities.map((security) => byCompany.get(companyOf(kind, security) ?? '') ?? [])
  return { book: bookOf(lists, dayNumber), files, ...count }
}

const companyOf = (kind: 'cb' | 'stk', { code, stockCode }: Security): string | undefined => (kind === 'stk' ? code : stockCode)

/** A row of a table; null: it does not say. */
export interface StatementCells {
  readonly code: string | null
  readonly period: string | null
  readonly published: string | null
  readonly items: Readonly<Record<string, number>>
}

async function rowsOf(file: SourceFile): Promise<{ code: string | null; statement: Statement | null }[]> {
  return (await statementCells(file)).map(({ code, period, published, items }) => {
    const isPlaced = period !== null && published !== null && isQuarterEnd(period) && published > period
    return { code, statement: isPlaced && Object.keys(items).length > 0 ? { period, published, items } : null }
  })
}

/** The rows of consolidated statements; of two of one day the corrected one comes later. */
export async function statementCells(file: SourceFile): Promise<StatementCells[]> {
  const { rows, cell } = await cellsOf(file, [...about, ...itemColumns])
  const found: (StatementCells & { readonly update: number })[] = []
  for (let row = 0; row < rows; row++) {
    const type = cell('report_type', row)
    if (type !== null && !consolidated.includes(String(type))) continue
    found.push({
      code: normalCode(String(cell('ts_code', row) ?? ''), 'stk'),
      period: dateOf(cell('end_date', row)),
      published: dateOf(cell('f_ann_date', row)) ?? dateOf(cell('ann_date', row)),
      items: itemsOf((column) => cell(column, row)),
      update: Number(cell('update_flag', row) ?? 0),
    })
  }
  return found.sort((a, b) => a.update - b.update)
}

/** The items of one row, in the units of the market's reports (engine/src/market/stock.reports.ts). */
export function itemsOf(cell: (column: string) => string | number | null): Record<string, number> {
  const items: Record<string, number> = {}
  for (const [item, { columns, scale = 1e8, texts }] of Object.entries(sources)) {
    const cells = columns.map(cell).filter((value) => value !== null && value !== '')
    if (cells.length === 0) continue
    const value = texts ? texts(String(cells[0])) : cells.reduce((sum: number, each) => sum + Number(each), 0) / scale
    if (Number.isFinite(value)) items[item] = value
  }
  return items
}
