/**
 * Statements beside a market file: tables of income, balance sheet, cash flow and indicators, one row a publication. They are known by
 * their columns (Tushare's names), may lie in the folder that is imported or in `statements` beside the file, and only add: what cannot
 * be placed is counted and left out.
 */
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { dayNumber, isQuarterEnd, type Security, type Statement, type StatementHistory, statementHistoryOf } from '@convexa/engine'
import { readCode } from './cells/code.ts'
import { readNumber, readPlainNumber } from './cells/number.ts'
import { asItIs } from './cells/unit.ts'
import { type Cell, cellsOf, companionFiles, type DayCell, placeOf } from './companion-files.ts'
import { isOnCalendar } from './day-range.ts'
import { publicationsOf, type Said, type Standing, standingOf } from './publications.ts'
import type { SourceFile } from './source-file.ts'

/** An item from the columns of a file: their sum, where one of them is there, in our unit. */
interface Source {
  readonly columns: readonly string[]
  /** What one of ours is in theirs; statements are in yuan, ours in 亿. */
  readonly scale?: number
  /** Of their numbers. */
  readonly unit?: '股' | '户'
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
  share_capital: { columns: ['total_share'], unit: '股' },
  holder_num: { columns: ['holder_num'], scale: 1, unit: '户' },
  audit_opinion: { columns: ['audit_result'], texts: (text) => Number(text.includes('标准无保留')) },
}
/** Columns that hold an item, of any of the four tables. */
export const itemColumns: ReadonlySet<string> = new Set(Object.values(sources).flatMap(({ columns }) => columns))
const about = ['ts_code', 'end_date', 'ann_date', 'f_ann_date', 'report_type', 'update_flag'] as const
/** Days on which something was published. */
const publishedIn: ReadonlySet<string> = new Set(['ann_date', 'f_ann_date'])

export const isStatements = (columns: readonly string[]): boolean =>
  !columns.includes('trade_date') &&
  ['ts_code', 'end_date', 'ann_date'].every((column) => columns.includes(column)) &&
  columns.some((column) => itemColumns.has(column))

export interface ImportedStatements {
  /** null: not one row could be taken. */
  readonly book: StatementHistory | null
  readonly files: readonly SourceFile[]
  /** Rows taken; rows left out for want of a day or a quarter; rows of securities that the market file does not have. */
  readonly taken: number
  readonly faulty: number
  readonly foreign: number
  /** Rows of a quarter alone or of the parent company. */
  readonly others: number
  /** Items of which rows of one publication say different numbers, which are left out. */
  readonly unsure: readonly string[]
  /** Rows left out because a day or a number in them cannot be read, and one of them. */
  readonly unreadable: number
  readonly example: string
}

/**
 * The statements that lie with the imported paths; null where there are none. A bond has those of its company.
 * @param renames by former code of a share the one of now: tables and bonds may name either
 */
export async function readStatements(
  kind: MarketId,
  paths: readonly string[],
  securities: readonly Security[],
  renames: ReadonlyMap<string, string>,
): Promise<ImportedStatements | null> {
  const files = await companionFiles(paths, 'statements', isStatements)
  if (files.length === 0) return null
  const said: (Said & { readonly standing: Standing })[] = []
  const now = new Map([...renames, ...nowOf(securities)])
  const company = (security: Security) => {
    const code = companyOf(kind, security)
    return now.get(code ?? '') ?? code
  }
  const companies = new Set(securities.map(company))
  const count = { taken: 0, faulty: 0, foreign: 0, others: 0, unreadable: 0, example: '' }
  for (const file of files) {
    const { rows, others } = await statementCells(file)
    count.others += others
    for (const { code: sourceCode, period, published, items, standing, unreadable } of rows) {
      const code = sourceCode === null ? null : (now.get(sourceCode) ?? sourceCode)
      const isPlaced = period !== null && published !== null && isQuarterEnd(period) && published > period
      if (unreadable !== null) {
        count.unreadable++
        count.example ||= unreadable
      } else if (code === null || !isPlaced || Object.keys(items).length === 0) count.faulty++
      else if (!companies.has(code)) count.foreign++
      else {
        count.taken++
        said.push({ code, period, published, items, standing })
      }
    }
  }
  if (count.taken === 0) return { book: null, files, ...count, unsure: [] }
  const { publications, unsure } = publicationsOf(said)
  const byCompany = new Map<string, Statement[]>()
  for (const { code, ...statement } of publications.toSorted(byDayAndPeriod)) {
    const known = byCompany.get(code)
    if (known) known.push(statement)
    else byCompany.set(code, [statement])
  }
  const lists = securities.map((security) => byCompany.get(company(security) ?? '') ?? [])
  return { book: statementHistoryOf(lists, dayNumber), files, ...count, unsure }
}

const byDayAndPeriod = (a: Said, b: Said): number =>
  a.published < b.published || (a.published === b.published && a.period < b.period) ? -1 : 1

export function statementsNote({ files, taken, faulty, foreign, others, unsure, unreadable, example }: ImportedStatements): string {
  const left = [
    unreadable > 0 && `${unreadable} 行的日期或数字无法识别，未使用（${example}）`,
    unsure.length > 0 && `${unsure.length} 项数字在同一次公告里有不同的写法，分不出先后，未使用（${unsure[0]}）`,
    faulty > 0 && `${faulty} 行没有公告日或不是季度末，未使用`,
    others > 0 && `${others} 行不是合并报表（report_type），未使用`,
    foreign > 0 && `${foreign} 行不属于行情中的证券`,
  ].filter((text) => text)
  const from = files.map((file) => file.name).join('、')
  return `已读入财务报表 ${taken} 行（${from}），自公告次日起可见${left.length > 0 ? `；${left.join('，')}` : ''}。`
}

/** The statements that are stored with those of a file, as if one file had both. */
export function mergedReports(stored: StatementHistory, now: StatementHistory): StatementHistory {
  const keys = [...new Set([...stored.items.keys(), ...now.items.keys()])].sort()
  const starts = new Int32Array(stored.starts.length)
  const versions: { quarter: number; published: number; at: readonly [stored: number, now: number] }[] = []
  for (let i = 0; i + 1 < starts.length; i++) {
    const own = new Map<string, (typeof versions)[number]>()
    const add = (book: StatementHistory, v: number, at: (before: readonly [number, number]) => readonly [number, number]) => {
      const [quarter, published] = [book.quarters[v]!, book.published[v]!]
      const key = `${published} ${quarter}`
      own.set(key, { quarter, published, at: at(own.get(key)?.at ?? [-1, -1]) })
    }
    for (let v = stored.starts[i]!; v < stored.starts[i + 1]!; v++) add(stored, v, ([, other]) => [v, other])
    for (let v = now.starts[i]!; v < now.starts[i + 1]!; v++) add(now, v, ([other]) => [other, v])
    versions.push(...[...own.values()].sort((a, b) => a.published - b.published || a.quarter - b.quarter))
    starts[i + 1] = versions.length
  }
  const numberOf = (key: string, [before, after]: readonly [number, number]) => {
    const statedNumber = now.items.get(key)?.[after] ?? Number.NaN
    return statedNumber === statedNumber ? statedNumber : (stored.items.get(key)?.[before] ?? Number.NaN)
  }
  return {
    starts,
    quarters: Int32Array.from(versions, ({ quarter }) => quarter),
    published: Int32Array.from(versions, ({ published }) => published),
    items: new Map(keys.map((key) => [key, Float64Array.from(versions, ({ at }) => numberOf(key, at))])),
  }
}

/** By former code the code of now. */
const nowOf = (securities: readonly Security[]): Map<string, string> =>
  new Map(securities.flatMap(({ code, formerCodes = [] }) => formerCodes.map((former) => [former, code] as const)))

const companyOf = (kind: MarketId, { code, stockCode }: Security): string | undefined => (markets[kind].hasIssuerStock ? stockCode : code)

/** A row of a table; null: it does not say. */
export interface StatementCells {
  readonly code: string | null
  readonly period: string | null
  readonly published: string | null
  readonly items: Readonly<Record<string, number>>
  readonly standing: Standing
  /** Where a day or a number stands that cannot be read: the row is not used, for nothing takes the place of what is there. */
  readonly unreadable: string | null
}

/** The rows of consolidated statements, and how many are of others. */
export async function statementCells(file: SourceFile): Promise<{ readonly rows: readonly StatementCells[]; readonly others: number }> {
  const isPossible = (column: string, day: string) => !publishedIn.has(column) || isOnCalendar(day)
  const { rows, cell, day } = await cellsOf(file, [...about, ...itemColumns], isPossible)
  const found: StatementCells[] = []
  let others = 0
  for (let row = 0; row < rows; row++) {
    const [type, flag] = [readPlainNumber(cell('report_type', row)), cell('update_flag', row)]
    const standing = standingOf(type, flag)
    if (standing === 'other') {
      others++
      continue
    }
    const [period, first, announced] = [day('end_date', row), day('f_ann_date', row), day('ann_date', row)]
    const wrong = [...unreadDay('end_date', period), ...unreadDay('f_ann_date', first), ...unreadDay('ann_date', announced)]
    if (standing === null) wrong.push(type === null ? ['report_type', String(cell('report_type', row))] : ['update_flag', String(flag)])
    const items = itemsOf(
      (column) => cell(column, row),
      (column) => wrong.push([column, String(cell(column, row))]),
    )
    found.push({
      code: readCode(cell('ts_code', row), 'stk'),
      period: period.day,
      // Only a day that is not there has another in its place.
      published: first.unreadable === null ? (first.day ?? announced.day) : null,
      items,
      standing: standing ?? unmarked,
      unreadable: wrong[0] ? placeOf(file, row, ...wrong[0]) : null,
    })
  }
  return { rows: found, others }
}

/** Of a row that says nothing of it. */
const unmarked: Standing = { isReplaced: false, version: 0 }

const unreadDay = (column: string, { unreadable }: DayCell): [column: string, text: string][] =>
  unreadable === null ? [] : [[column, unreadable]]

/**
 * The items of one row, in the units of the market's reports (engine/src/market/stock.statement-items.ts).
 * @param unreadable told of each column whose cell is no number
 */
export function itemsOf(
  cell: (column: string) => ReturnType<Cell>,
  unreadable: (column: string) => void = () => {},
): Record<string, number> {
  const items: Record<string, number> = {}
  for (const [item, { columns, scale = 1e8, unit = '元总额', texts }] of Object.entries(sources)) {
    const given = columns.filter((column) => cell(column) !== null && cell(column) !== '')
    if (given.length === 0) continue
    const quantity = { ...asItIs, unit: { field: unit, column: unit === '元总额' ? '元' : unit } }
    let value = texts ? texts(String(cell(given[0]!))) : 0
    if (!texts) {
      for (const column of given) {
        const number = readNumber(cell(column), quantity)
        if (number === null) unreadable(column)
        value += number ?? Number.NaN
      }
      value /= scale
    }
    if (Number.isFinite(value)) items[item] = value
  }
  return items
}
