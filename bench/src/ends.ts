/**
 * What imports of the shared market files find of beginnings and ends (decisions/0148): ends of bonds by reason, bonds taken for called over cuts
 * of the file at each month's end, listings and late starters of shares. `--cuts` makes the cuts, about a minute.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Arranged, addCompanions, arrange } from '../../server/src/market/import/arrange.ts'
import { addBondCalls, addBondTerms } from '../../server/src/market/import/bond-calls.ts'
import { type Companions, readCompanions } from '../../server/src/market/import/companions.ts'
import { withoutEndedRows } from '../../server/src/market/import/ended-rows.ts'
import { windowsOf } from '../../server/src/market/import/list-windows.ts'
import { usualEndsAfter } from '../../server/src/market/import/mapping.ts'
import { type Preset, presets } from '../../server/src/market/import/presets.ts'
import { readRows } from '../../server/src/market/import/read-rows.ts'
import type { Rows } from '../../server/src/market/import/rows.ts'
import { openSource } from '../../server/src/market/import/source-file.ts'
import { judgeSpans } from '../../server/src/market/import/span-checks.ts'

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const alone: Companions = { files: [], byCode: new Map(), unreadable: [], unused: [], findings: [], callLists: [] }
/** Trading days within which a bond that was taken for called must end. */
const soon = 40
const takenAway = 10

const presetOf = (name: string): Preset => presets.find((preset) => preset.name === name)!
const path = (of: string): string => join(shared, of)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function rowsOf(preset: Preset, file: string, hasFlags: boolean): Promise<Rows> {
  const { listed: _, traded: __, ...plain } = preset.mapping
  return readRows(preset.kind, [await openSource(path(file))], hasFlags ? preset.mapping : plain, preset, () => {})
}

function bonds(rows: Rows, beside: Companions, dropped: Uint8Array = new Uint8Array(rows.count)): { table: Arranged; notes: string[] } {
  const told = windowsOf(rows, (code) => beside.byCode.get(code))
  const { inside } = withoutEndedRows('cb', { rows, inside: told.inside }, beside.byCode)
  const table = arrange('cb', rows, { inside, dropped }, null, { endsAfter: usualEndsAfter, about: beside.byCode })
  addCompanions(table, beside)
  addBondTerms(table, beside)
  return { table, notes: addBondCalls(table, beside) }
}

const announced = 3
/** Places of bonds that are called on some day, as far as the table knows. */
function called({ columns, stride, dates, securities }: Arranged): number[] {
  const cells = columns.get('call_status')!.cells
  return securities.flatMap((_, i) => (dates.some((__, t) => cells[t * stride + i] === announced) ? [i] : []))
}

/** The file up to a day, without the last row of ten bonds that have one on it. */
function cut(rows: Rows, day: string): Uint8Array {
  const dropped = Uint8Array.from({ length: rows.count }, (_, row) => Number(rows.dates[rows.date[row]!]! > day))
  const last = Array.from(dropped.keys()).filter((row) => rows.dates[rows.date[row]!] === day)
  const step = Math.max(1, Math.floor(last.length / takenAway))
  for (const row of last.filter((_, k) => k % step === 0).slice(0, takenAway)) dropped[row] = 1
  return dropped
}

async function cuts(beside: Companions): Promise<string> {
  const rows = await rowsOf(presetOf('cb-panel'), 'cb_daily_2017_2023/cb_daily.parquet', false)
  const { dates, securities } = bonds(rows, beside).table
  const end = new Map(securities.map(({ code, lastDay }) => [code, lastDay === null ? Number.POSITIVE_INFINITY : dates.indexOf(lastDay)]))
  const months = dates.filter((day, t) => dates[t + 1]?.slice(0, 7) !== day.slice(0, 7))
  let wrong = 0
  for (const month of months) {
    const { table } = bonds(rows, beside, cut(rows, month))
    const at = dates.indexOf(table.dates.at(-1)!)
    wrong += called(table).filter((i) => end.get(table.securities[i]!.code)! > at + soon).length
  }
  return `${months.length} cuts: ${wrong} bonds called that the whole file does not see end within ${soon} trading days (goal: 0)`
}

if (!existsSync(shared)) print(`The real market files are not in ${shared}.`)
else {
  const beside = await readCompanions('cb', path('cb_daily_2017_2023/cb_daily.parquet'))
  const flagged = await rowsOf(presetOf('cb-panel'), 'cb_daily_2017_2023/cb_daily.parquet', true)
  print(`with flags and lists: ${bonds(flagged, beside).notes[0]}`)
  if (process.argv.includes('--cuts')) {
    print(`without flags, with lists, ${await cuts(beside)}`)
    print(`without flags and lists, ${await cuts(alone)}`)
  }
  for (const [name, file] of [
    ['stk-tushare', 'a_share_2024_raw_adj/daily_raw_adj.parquet'],
    ['stk-baostock', 'csi300_baostock_2020_2025/daily.parquet'],
  ] as const) {
    const rows = await rowsOf(presetOf(name), file, true)
    const table = arrange('stk', rows, { inside: null, dropped: new Uint8Array(rows.count) }, null, {
      endsAfter: usualEndsAfter,
      about: new Map(),
    })
    const listings = table.securities.flatMap(({ code, listed }) => (listed === null ? [] : [code]))
    print(`${file}, without a list: ${listings.length} listings ${listings.slice(0, 10).join(' ')}`)
    const found = judgeSpans(table, { endsAfter: usualEndsAfter, hasListedFlags: false, isChosen: false, about: new Map() })
    for (const { check, count, examples } of found) print(`  ${check} ${count}: ${examples.join('、')}`)
  }
}
