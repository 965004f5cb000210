/**
 * Ex-days beside a stock file (除权除息): one row each, what a share pays in cash and how many new shares it gives. They are known by their
 * columns and make a realistic run pay dividends instead of reinvesting them. A share whose adjustment factor moves on a day without a
 * row (a rights issue, a year that the table lacks) keeps to its factor: half of its dividends would be worse than none.
 */
import type { ExDay, Security } from '@convexa/engine'
import type { Arranged } from './arrange.ts'
import { cellsOf, dateOf, filesBeside } from './beside.ts'
import { normalCode } from './code.ts'
import type { SourceFile } from './source-file.ts'

/** A number a share from the first of these columns that is there; `per`: shares that the column speaks of. */
interface Named {
  readonly columns: readonly string[]
  readonly per: number
}

const codes = ['ts_code', 'code', '证券代码', '股票代码', '代码'] as const
const days = ['ex_date', '除权除息日', '除权日', '除息日'] as const
/** Tushare's names, then per ten shares as announcements have it. */
const cash: readonly Named[] = [
  { columns: ['cash_div_tax', '每股派息'], per: 1 },
  { columns: ['每10股派息', '派息比例', '现金分红-现金分红比例'], per: 10 },
]
const shares: readonly Named[] = [
  { columns: ['stk_div', '每股送转'], per: 1 },
  { columns: ['每10股送转', '送转股份-送转总比例'], per: 10 },
]

const oneOf = (names: readonly string[], columns: readonly string[]): string | undefined => names.find((name) => columns.includes(name))
const hasOne = (named: readonly Named[], columns: readonly string[]): boolean => named.some((each) => oneOf(each.columns, columns))

export const isDividends = (columns: readonly string[]): boolean =>
  oneOf(codes, columns) !== undefined && oneOf(days, columns) !== undefined && (hasOne(cash, columns) || hasOne(shares, columns))

export interface ImportedDividends {
  readonly files: readonly SourceFile[]
  /** Rows taken; rows without a day or without anything that is paid; rows of other securities. */
  readonly taken: number
  readonly faulty: number
  readonly foreign: number
  /** Securities whose factor moves on days that no row tells of. */
  readonly uncertain: number
}

/** Puts the ex-days that lie with the imported paths to the securities; null where there are none. */
export async function addDividends(table: Arranged, paths: readonly string[]): Promise<ImportedDividends | null> {
  const files = await filesBeside(paths, 'dividends', isDividends)
  if (files.length === 0) return null
  const places = new Map(table.securities.map(({ code }, i) => [code, i]))
  const byPlace = new Map<number, Map<string, ExDay>>()
  const count = { taken: 0, faulty: 0, foreign: 0, uncertain: 0 }
  for (const file of files) {
    for (const { code, day } of await rowsOf(file)) {
      const place = code === null ? undefined : places.get(code)
      if (code === null || day === null) count.faulty++
      else if (place === undefined) count.foreign++
      else {
        count.taken++
        // A plan that is told twice is paid once.
        const known = byPlace.get(place) ?? new Map<string, ExDay>()
        byPlace.set(place, known.set(`${day.date} ${day.cash} ${day.ratio}`, day))
      }
    }
  }
  for (const [place, known] of byPlace) {
    const exDays = joined([...known.values()])
    if (movesUntold(table, place, exDays)) count.uncertain++
    else table.securities[place] = { ...(table.securities[place] as Security), exDays }
  }
  return { files, ...count }
}

export function dividendsNote({ files, taken, faulty, foreign, uncertain }: ImportedDividends): string {
  const left = [
    faulty > 0 && `${faulty} 行没有除权除息日或没有派息送转，未使用`,
    foreign > 0 && `${foreign} 行不属于行情中的证券`,
    uncertain > 0 && `${uncertain} 只证券的复权因子在没有记录的日子有变动（配股或记录不全），仍按复权因子折算`,
  ].filter((text) => text)
  const from = files.map((file) => file.name).join('、')
  return `已读入分红送转 ${taken} 行（${from}），真实撮合在除权除息日计入现金与股数${left.length > 0 ? `；${left.join('，')}` : ''}。`
}

async function rowsOf(file: SourceFile): Promise<{ code: string | null; day: ExDay | null }[]> {
  const [code, date] = [oneOf(codes, file.columns)!, oneOf(days, file.columns)!]
  const amounts = [...cash, ...shares].flatMap((named) => named.columns)
  const { rows, cell } = await cellsOf(file, [code, date, 'div_proc', ...amounts])
  const number = (named: readonly Named[], row: number): number => {
    for (const { columns, per } of named) {
      const column = oneOf(columns, file.columns)
      const value = column === undefined ? null : cell(column, row)
      if (value !== null && value !== '' && Number.isFinite(Number(value))) return Number(value) / per
    }
    return 0
  }
  const found: { code: string | null; day: ExDay | null }[] = []
  for (let row = 0; row < rows; row++) {
    // Of plans that were proposed and never carried out there is no ex-day.
    const day = dateOf(cell(date, row))
    const paid = { cash: number(cash, row), ratio: number(shares, row) }
    const isPaid = paid.cash >= 0 && paid.ratio >= 0 && paid.cash + paid.ratio > 0
    found.push({ code: normalCode(String(cell(code, row) ?? ''), 'stk'), day: day && isPaid ? { date: day, ...paid } : null })
  }
  return found
}

/** Ascending; what is paid on one day is paid together. */
function joined(all: readonly ExDay[]): ExDay[] {
  const byDate = new Map<string, ExDay>()
  for (const day of all) {
    const known = byDate.get(day.date)
    byDate.set(day.date, known ? { date: day.date, cash: known.cash + day.cash, ratio: known.ratio + day.ratio } : day)
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Rounding of factors moves them by less. */
const leastMove = 0.002

/** The factor moves between two of its days, and no ex-day lies between them. */
function movesUntold({ dates, columns, stride }: Arranged, place: number, exDays: readonly ExDay[]): boolean {
  const factor = columns.get('adj_factor')?.cells
  if (!factor) return false
  let before = -1
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    const now = factor[t * stride + place]!
    if (now !== now) continue
    while (next < exDays.length && before >= 0 && exDays[next]!.date <= dates[before]!) next++
    const isTold = next < exDays.length && exDays[next]!.date <= dates[t]!
    if (before >= 0 && !isTold && Math.abs(now / factor[before * stride + place]! - 1) > leastMove) return true
    before = t
  }
  return false
}
