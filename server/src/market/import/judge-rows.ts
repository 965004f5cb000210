/**
 * Judges the rows of an import. A row outside its listing window is not used: it is neither judged nor compared with; a faulty row
 * inside is put in quarantine; points that a preset names are kept and told. More than 0.5 % of the rows inside listing windows refuse the batch.
 */
import { tradingDays } from '../calendar.ts'
import type { SnapshotKind } from '../manifest.ts'
import type { Finding } from '../quality.ts'
import { boardOfStock } from './code.ts'
import type { Mapping } from './mapping.ts'
import type { Preset } from './presets.ts'
import { type Reference, rowChecks, type View } from './row-checks.ts'
import type { Rows } from './rows.ts'

export interface Judged {
  /** 1 = in quarantine. */
  readonly dropped: Uint8Array
  readonly quarantined: number
  /** Rows inside listing windows. */
  readonly inside: number
  readonly findings: Finding[]
}

export const quarantineLimit = 0.005

export interface Judging {
  /** Rows before it are known: they are what the others are compared with, and not judged. */
  readonly from?: number
  /** 1 inside the listing window; null or absent: all rows are. */
  readonly inside?: Uint8Array | null
  readonly reference?: Reference | null
  readonly boardOf?: View['boardOf']
  /** By code: how many rows there are before the first of these. */
  readonly earlier?: ArrayLike<number>
}

export function judgeRows(
  kind: SnapshotKind,
  rows: Rows,
  { adjust }: Pick<Mapping, 'adjust'>,
  preset: Preset | null,
  { from = 0, inside: told, reference = null, boardOf = boardOfStock, earlier }: Judging = {},
): Judged {
  const inside = told ?? new Uint8Array(rows.count).fill(1)
  const dropped = new Uint8Array(rows.count)
  const past = history(rows, inside, earlier)
  const day = calendarPlaces(rows.dates)
  const follows = (row: number) => {
    const last = past.before[row]!
    return last >= 0 && inside[last] === 1 && dropped[last] === 0 && day[rows.date[row]!]! - day[rows.date[last]!]! === 1
  }
  const dateText = (row: number) => rows.dates[rows.date[row]!]!
  const view: View = { rows, kind, adjust, ...past, follows, dateText, reference, boardOf }
  const known = knownPoints(rows, preset)
  const findings: Finding[] = []
  let quarantined = 0
  for (const check of rowChecks) {
    const faulty = check.make(view)
    if (faulty === null) continue
    const tolerated = preset?.tolerate?.[check.key]
    const found: number[] = []
    for (let row = from; row < rows.count; row++) {
      if (dropped[row] === 1 || !(check.everywhere || inside[row] === 1) || !faulty(row)) continue
      if (!check.everywhere && known.has(row)) continue
      found.push(row)
      if (tolerated === undefined) dropped[row] = 1
    }
    if (found.length === 0) continue
    const examples = found.slice(0, 5).map((row) => `${rows.labelOf(row)}（${rows.whereIs(row)}）`)
    if (tolerated === undefined) {
      quarantined += found.length
      findings.push({ check: check.key, level: 'quarantine', count: found.length, text: check.text, examples })
    } else findings.push({ check: check.key, level: 'warning', count: found.length, text: `${check.text}：${tolerated}`, examples })
  }
  if (known.size > 0) {
    const kept = [...known]
    findings.push({
      check: 'known',
      level: 'warning',
      count: kept.length,
      text: '来源中已知有误的点，按原样保留',
      examples: kept.slice(0, 5).map(([row, why]) => `${rows.labelOf(row)} ${why}`),
    })
  }
  let insideRows = 0
  for (let row = from; row < rows.count; row++) insideRows += inside[row]!
  return { dropped, quarantined, inside: insideRows, findings }
}

/** Places of dates on the trading calendar; on a day that is none, or in a year without data, after the day before it in the file. */
function calendarPlaces(dates: readonly string[]): Float64Array {
  const sorted = [...dates].sort()
  const days = tradingDays(sorted[0]!, sorted.at(-1)!)
  const place = new Map(days.map((date, k) => [date, k]))
  let last = -1
  for (const date of sorted) {
    last = place.get(date) ?? last + 1
    place.set(date, last)
  }
  return Float64Array.from(dates, (date) => place.get(date)!)
}

/** By code and date: the row before each row, and how many inside the listing window there are before it. */
function history(rows: Rows, inside: Uint8Array, earlier: ArrayLike<number> = []): { before: Int32Array; age: Int32Array } {
  const order = [...rows.dates.keys()].sort((a, b) => (rows.dates[a]! < rows.dates[b]! ? -1 : 1))
  const rank = new Int32Array(rows.dates.length)
  order.forEach((place, k) => {
    rank[place] = k
  })
  // A counting sort by day; walking the days in order, the last row seen of a code is the one before.
  const starts = new Int32Array(rows.dates.length + 1)
  for (let row = 0; row < rows.count; row++) if (rows.date[row]! >= 0) starts[rank[rows.date[row]!]! + 1]!++
  for (let k = 0; k < rows.dates.length; k++) starts[k + 1]! += starts[k]!
  const sorted = new Int32Array(starts.at(-1) ?? 0)
  const next = starts.slice()
  for (let row = 0; row < rows.count; row++) if (rows.date[row]! >= 0) sorted[next[rank[rows.date[row]!]!]!++] = row
  const before = new Int32Array(rows.count).fill(-1)
  const age = new Int32Array(rows.count)
  const last = new Int32Array(rows.codes.length).fill(-1)
  for (const row of sorted) {
    const code = rows.code[row]!
    if (code < 0) continue
    const previous = last[code]!
    before[row] = previous
    age[row] = previous < 0 ? (earlier[code] ?? 0) : age[previous]! + inside[previous]!
    last[code] = row
  }
  return { before, age }
}

function knownPoints(rows: Rows, preset: Preset | null): Map<number, string> {
  const whys = new Map((preset?.known ?? []).flatMap(({ code, dates, why }) => dates.map((date) => [`${code} ${date}`, why] as const)))
  const points = new Map<number, string>()
  if (whys.size === 0) return points
  const codes = new Set([...whys.keys()].map((key) => key.split(' ')[0]!))
  const watched = rows.codes.map((code) => codes.has(code))
  for (let row = 0; row < rows.count; row++) {
    if (rows.code[row]! < 0 || rows.date[row]! < 0 || !watched[rows.code[row]!]) continue
    const why = whys.get(`${rows.codes[rows.code[row]!]} ${rows.dates[rows.date[row]!]}`)
    if (why !== undefined) points.set(row, why)
  }
  return points
}
