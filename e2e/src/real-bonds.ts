import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calls } from '@convexa/contract/calls'
import type { Product } from './product.ts'
import type { Asking } from './seed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Gives a running product a market of bonds that counts as real: made-up prices of codes that no exchange has given out, up to the newest
 * day that has closed, through the same import as anybody's file. What trades on demo data is refused; on these it is not.
 */
export async function importBonds({ dataDir }: Product, ask: Asking, { days = 90, bonds = 24 } = {}): Promise<{ lastDay: string }> {
  const dates = await tradingDays(ask, days)
  const folder = mkdtempSync(join(tmpdir(), 'convexa-bonds-'))
  try {
    const file = join(folder, 'bonds.csv')
    writeFileSync(file, table(dates, bonds))
    await convexa(dataDir, ['import', 'cb', file])
    return { lastDay: dates.at(-1)! }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

const columns = [
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

/** Bonds at 100 to 130 yuan that go quietly up and down, each its own way. */
function table(dates: readonly string[], bonds: number): string {
  const rows = dates.flatMap((date, t) =>
    Array.from({ length: bonds }, (_, i) => {
      const [code, stock] =
        i % 2 ? [`${123901 + (i >> 1)}.SZ`, `${300901 + (i >> 1)}.SZ`] : [`${110901 + (i >> 1)}.SH`, `${600901 + (i >> 1)}.SH`]
      const close = 100 + i * 1.25 + 3 * Math.sin(t / 9 + i)
      const value = close / (1.02 + ((i * 7) % bonds) / bonds)
      const cells = [close, close * 0.999, value / 10, 10, value, (close / value - 1) * 100, 1.5, 3, 5_000, 4 + (i % 7), 3.5]
      return [code, date, `试验转${i + 1}`, stock, 1, 1, ...cells.map((cell) => cell.toFixed(3)), 'AA'].join(',')
    }),
  )
  return `${[columns.join(','), ...rows].join('\n')}\n`
}

/** `convexa …` beside a running product, with what it is told on its input. @throws what it said, when it failed */
export async function convexa(dataDir: string, args: readonly string[], input = ''): Promise<void> {
  const env = { ...process.env, NODE_ENV: '', DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['server/bin/convexa.mjs', ...args], { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')))
  child.stdin.end(input)
  const exit = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (exit !== 0) throw new Error(`convexa ${args.join(' ')}:\n${said}`)
}
