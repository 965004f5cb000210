import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '@convexa/contract/calls'
import type { Asking } from './asking.ts'
import { convexa } from './command-line.ts'
import type { Product } from './product.ts'

/**
 * Gives a running product a market of bonds that counts as real: made-up prices of codes that no exchange has given out, up to the newest
 * day that has closed, through the same import as anybody's file. What trades on demo data is refused; on these it is not.
 * `without`: so many of the last days are left out, to be appended or to come from a source.
 */
export async function importBonds({ dataDir }: Product, ask: Asking, { days = 90, bonds = 24, without = 0 } = {}): Promise<RealBonds> {
  const dates = await tradingDays(ask, days)
  const rows = table(dates, bonds)
  const own = rows.slice(0, (days - without) * bonds)
  const fileOf = (lines: readonly string[]) => `${[columns.join(','), ...lines].join('\n')}\n`
  const put = async (how: 'import' | 'update', lines: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'convexa-bonds-'))
    try {
      const file = join(folder, 'bonds.csv')
      writeFileSync(file, fileOf(lines))
      await convexa(dataDir, [how, 'cb', file])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  await put('import', own)
  return {
    dates,
    lastDay: dates.at(-1)!,
    dayBefore: dates.at(-2)!,
    append: () => put('update', rows.slice(-bonds)),
    fileOf: (day, edit = (cells) => cells) => {
      const at = dates.indexOf(day) * bonds
      return fileOf(rows.slice(at, at + bonds).map((line, i) => edit(line.split(','), i).join(',')))
    },
  }
}

export interface RealBonds {
  readonly dates: readonly string[]
  readonly lastDay: string
  readonly dayBefore: string
  /** Brings the last day behind the others. */
  append(): Promise<void>
  /** A day's rows as the text of a file, edited: the cells of a row in the order of `columns`. */
  fileOf(day: string, edit?: (cells: string[], bond: number) => string[]): string
}

/** The last trading days that have closed in Shanghai, by the product's own calendar. */
async function tradingDays(ask: Asking, wanted: number): Promise<string[]> {
  const shanghai = new Date(Date.now() + 8 * 3_600_000)
  const closedToday = shanghai.toISOString().slice(11) >= '15:00:00'
  const year = shanghai.getUTCFullYear()
  const closed = new Set<string>()
  for (const one of [year - 1, year]) {
    for (const day of await ask(calls.reference.closedDates, { params: { year: one } })) closed.add(day)
  }
  const dates: string[] = []
  for (let back = closedToday ? 0 : 1; dates.length < wanted; back++) {
    const day = new Date(shanghai.getTime() - back * 86_400_000)
    const date = day.toISOString().slice(0, 10)
    if (day.getUTCDay() % 6 !== 0 && !closed.has(date)) dates.unshift(date)
  }
  return dates
}

export const columns = [
  'ts_code',
  'trade_date',
  'bond_short_name',
  'stk_cd',
  'is_listed',
  'is_traded',
  'close',
  'open',
  'stock_price',
  'conv_price',
  'conv_value',
  'conv_prem_pct',
  'ytm_pct',
  'turnover_pct',
  'amount_wan',
  'remain_yi',
  'left_years',
  'rating',
]

/** One stands above its trigger price on its last days, which count towards a call. */
const nearItsCall = { bond: 8, close: 131.5, days: 11 }
/** One becomes cheap on the last day: a rule that looks for such lists it anew. */
const newcomer = { bond: 9, premium: 0.15 }

/** Bonds at 100 to 130 yuan that go quietly up and down, each its own way, day by day. */
function table(dates: readonly string[], bonds: number): string[] {
  return dates.flatMap((date, t) =>
    Array.from({ length: bonds }, (_, i) => {
      const [code, stock] =
        i % 2 ? [`${123901 + (i >> 1)}.SZ`, `${300901 + (i >> 1)}.SZ`] : [`${110901 + (i >> 1)}.SH`, `${600901 + (i >> 1)}.SH`]
      const isNear = i === nearItsCall.bond
      const close = isNear ? nearItsCall.close : 100 + i * 1.25 + 3 * Math.sin(t / 9 + i)
      const usual = 0.02 + ((i * 7) % bonds) / bonds
      const isNew = i === newcomer.bond && t === dates.length - 1
      const premium = isNear ? (t < dates.length - nearItsCall.days ? 0.03 : 0.005) : isNew ? newcomer.premium : usual
      const value = close / (1 + premium)
      const cells = [close, close * 0.999, value / 10, 10, value, (close / value - 1) * 100, 1.5, 3, 5_000, 4 + (i % 7), 3.5]
      return [code, date, `试验转${i + 1}`, stock, 1, 1, ...cells.map((cell) => cell.toFixed(3)), 'AA'].join(',')
    }),
  )
}
