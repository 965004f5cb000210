/**
 * Sizes and valuations of shares whose own have not come yet (providers.md 10.1): sizes are made of the day's close and the share counts of
 * the day before, multiples follow the adjusted close. What was absent stays absent. The part `valuations` of the day says that they are made.
 */
import type { DayTable } from '../rows.ts'

/** A row with none of them has come without its valuation as a whole. */
const given = ['total_mv', 'circ_mv', 'total_share', 'float_share'] as const
/** By the adjusted close: as it, or against it. */
const multiples = { pe: 1, pe_ttm: 1, pb: 1, ps: 1, ps_ttm: 1, dv_ratio: -1, dv_ttm: -1 } as const
const shareCounts = { total_share: 'total_mv', float_share: 'circ_mv' } as const
/** Fields that are read of the day before. */
export const valuationFields: readonly string[] = [...given, 'free_share', ...Object.keys(multiples)]
/** Shares in one of the unit of share counts (亿股). */
const shares = 1e8

/** A value of the day before; NaN where there is none, or one that says nothing. */
type Before = (key: string, row: number) => number

const isGiven = ({ columns }: Pick<DayTable, 'columns'>, key: string, row: number): boolean => (columns.get(key)?.[row] ?? Number.NaN) > 0

/** Whether the source of a row gave it no `total_mv`: then its valuation is open, whatever else came. */
export const lacksValuation = (table: Pick<DayTable, 'columns'>, row: number): boolean => !isGiven(table, 'total_mv', row)

/** Whether what a row lacks follows from what it has: its own share count times its close is no estimate. */
const lacksProduct = (table: DayTable, row: number): boolean => !isGiven(table, 'circ_mv', row) && isGiven(table, 'float_share', row)

/** By how much the adjusted close moved: 1.02 after a rise of 2 %. */
export interface Moves {
  readonly before: Before
  readonly ratio: (row: number) => number
}

/** The columns with what is made for the rows that lack it, cell by cell. */
export function withValuations(
  past: { readonly dates: readonly string[]; readonly fields: ReadonlySet<string> },
  table: DayTable,
  { before, ratio }: Moves,
): Map<string, Float64Array> {
  const columns = new Map(table.columns)
  const rows = table.codes.flatMap((_, row) => (lacksValuation(table, row) || lacksProduct(table, row) ? [row] : []))
  if (rows.length === 0 || past.dates.length === 0) return columns
  const known = (key: string, row: number) => {
    const value = before(key, row)
    return value > 0 ? value : Number.NaN
  }
  // What its source leaves out of a row that it gives may not exist: a loss has no price to earnings.
  const isBare = (row: number) => given.every((key) => !isGiven(table, key, row))
  const fill = (key: string, of: (row: number) => number) => {
    if (!past.fields.has(key) && !columns.has(key)) return
    const cells = Float64Array.from(columns.get(key) ?? new Float64Array(table.codes.length).fill(Number.NaN))
    for (const row of rows) {
      const value = cells[row] === cells[row] ? cells[row]! : of(row)
      cells[row] = Number.isFinite(value) ? value : Number.NaN
    }
    columns.set(key, cells)
  }
  const cell = (key: string, row: number) => columns.get(key)?.[row] ?? Number.NaN
  for (const [count, size] of Object.entries(shareCounts)) {
    fill(count, (row) => (lacksValuation(table, row) ? known(count, row) : Number.NaN))
    fill(size, (row) => {
      const made = cell('close', row) * cell(count, row)
      return made === made || !lacksValuation(table, row) ? made : known(size, row) * ratio(row)
    })
  }
  fill('free_share', (row) => (lacksValuation(table, row) ? known('free_share', row) : Number.NaN))
  for (const [key, power] of Object.entries(multiples))
    fill(key, (row) => (isBare(row) ? known(key, row) * ratio(row) ** power : Number.NaN))
  fill('turnover', (row) => cell('vol', row) / (cell('float_share', row) * shares))
  fill('turnover_free', (row) => cell('vol', row) / (cell('free_share', row) * shares))
  return columns
}
