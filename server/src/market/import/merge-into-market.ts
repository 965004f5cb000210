/**
 * Merges a file into the newest snapshot: rows of new days are appended, rows of known days take the place of what was there, everything
 * else stays. What is known of the securities besides their rows (terms, announcements, industries, ex-days, statements) stays too, where
 * no table beside the file says it anew.
 *
 * The stored cells become rows again and go the way of an import with those of the file, so that listing windows, last days, calls and
 * market series are worked out of all of them together, as they would be of one file that has them all.
 */
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { type BondTerms, type KnownLastDay, lastDaysOf, type Security, type StatementHistory, withLastDay } from '@convexa/engine'
import { type Manifest, readManifest, type SnapshotKind } from '../manifest.ts'
import { readColumn, readDates, readMask, readMissingDays, readReports, readSecurities } from '../read-store.ts'
import { type Snapshot, snapshotPath } from '../snapshot.ts'
import { isOfStock, type MissingDays } from '../store.ts'
import type { Arranged } from './arrange.ts'
import { hasUsualClause } from './bond-calls.ts'
import { type Companion, type Companions, isCovered, joinedCompanion, joinedLists, proposalListsOf, spansOf } from './companions.ts'
import { factorColumns } from './factors.ts'
import { fieldsOf, type Reading, readingOf } from './mapping.ts'
import type { Dated, Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'

export interface Stored {
  readonly snapshot: Snapshot
  readonly manifest: Manifest
  readonly dates: readonly string[]
  readonly securities: readonly Security[]
  readonly columns: ReadonlyMap<string, Float64Array>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  readonly reports: StatementHistory | null
  readonly missingDays: MissingDays
}

/** What is loaded, as far as it came from files. */
export async function readStored(dataDir: string, snapshot: Snapshot): Promise<Stored> {
  if (isSynthetic(snapshot.dataMode)) throw new ImportFileError('demo', '现在是演示行情，不能在它之上更新；请用 import 导入完整的行情文件')
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder, snapshot.manifestSha256)
  const columns = new Map<string, Float64Array>()
  for (const field of manifest.fields) {
    if (field.origin === 'file') columns.set(field.key, await readColumn(folder, manifest, field))
  }
  return {
    snapshot,
    manifest,
    dates: await readDates(folder, manifest),
    securities: await readSecurities(folder, manifest),
    columns,
    listed: await readMask(folder, manifest, 'listed'),
    traded: await readMask(folder, manifest, 'traded'),
    reports: await readReports(folder, manifest, () => true),
    missingDays: await readMissingDays(folder, manifest),
  }
}

/** Rows, and of each whether it lies inside its listing window (null: all do). */
export interface Placed {
  readonly rows: Rows
  readonly inside: Uint8Array | null
}

export interface Joined extends Placed {
  /** The first row of the file; those before it are stored. */
  readonly from: number
  /** By stored row whose factor is worked out anew: the factor that it had. */
  readonly reopened: ReadonlyMap<number, number>
}

/** The stored cells and the file's rows as rows of one table; of a cell that both have there are two. */
export function joinRows(stored: Stored, { rows, inside }: Placed): Joined {
  const { manifest, dates, listed, traded, columns } = stored
  const { stride } = manifest
  const places = lists(rows, stored)
  const kept = storedCells(stored, rows.listed !== null)
  const from = kept.length
  const count = from + rows.count
  const place = <A extends Int32Array | Uint8Array | Float64Array>(all: A, before: (cell: number) => number, now: ArrayLike<number>): A => {
    for (const [k, cell] of kept.entries()) all[k] = before(cell)
    for (let row = 0; row < rows.count; row++) all[from + row] = now[row]!
    return all
  }
  const moved = (of: Int32Array, to: readonly number[]) => Int32Array.from(of, (at) => (at < 0 ? -1 : to[at]!))
  const cellOf = knownCells(stored, rows)
  const fields = new Map<string, Float64Array>()
  for (const key of new Set([...columns.keys(), ...rows.fields.keys()])) {
    const column = columns.get(key)
    // What the file does not read stays as it was, of the rows that it has too.
    const own = rows.fields.get(key) ?? Float64Array.from(cellOf, (cell) => (cell < 0 ? Number.NaN : column![cell]!))
    fields.set(
      key,
      place(new Float64Array(count), (cell) => column?.[cell] ?? Number.NaN, own),
    )
  }
  const reopened = reopenFactors(stored, fields, kept)
  const firstFactor = firstFactorOf(stored, kept)
  const factorOf = (cell: number) => firstFactor.get(cell) ?? Number.NaN
  const unusedFactors =
    rows.unusedFactors || firstFactor.size > 0
      ? place(new Float64Array(count), factorOf, rows.unusedFactors ?? Float64Array.from(cellOf, factorOf))
      : undefined
  const flags = (mask: Uint8Array, of: Uint8Array | null, otherwise: (row: number) => number) =>
    place(new Uint8Array(count), (cell) => mask[cell]!, of ?? Uint8Array.from({ length: rows.count }, (_, row) => otherwise(row)))
  const close = rows.fields.get('close')
  const merged: Rows = {
    count,
    code: place(new Int32Array(count), (cell) => places.codeOf[cell % stride]!, moved(rows.code, places.codes)),
    date: place(new Int32Array(count), (cell) => places.dateOf[Math.floor(cell / stride)]!, moved(rows.date, places.dates)),
    codes: places.allCodes,
    dates: places.allDates,
    fields,
    ...(unusedFactors && { unusedFactors }),
    readings: [...rows.readings, ...unread(manifest.kind, stored, rows)],
    // Without flags in the file a share that is not there on a day is suspended, as it is in an import.
    listed: rows.listed && flags(listed, rows.listed, () => 1),
    traded: flags(traded, rows.traded, (row) => Number(close === undefined || close[row] === close[row])),
    unreadable: new Map([...rows.unreadable].map(([row, fault]) => [from + row, fault])),
    findings: [],
    texts: textsOf(rows, stored, places),
    whereIs: (row) => (row < from ? dates[Math.floor(kept[row]! / stride)]! : rows.whereIs(row - from)),
    labelOf: (row) =>
      row < from ? `${stored.securities[kept[row]! % stride]!.code} ${dates[Math.floor(kept[row]! / stride)]}` : rows.labelOf(row - from),
  }
  const isAllInside = inside === null && kept.every((cell) => listed[cell] === 1)
  return { rows: merged, inside: isAllInside ? null : flags(listed, inside, () => 1), from, reopened }
}

/** Cells with a number; where files say who is listed, all that are. */
function storedCells({ manifest, dates, securities, listed, columns }: Stored, hasFlags: boolean): number[] {
  const { kind, stride } = manifest
  const [own, ofStocks]: [Float64Array[], Float64Array[]] = [[], []]
  for (const [key, column] of columns) (isOfStock(kind, key) ? ofStocks : own).push(column)
  const has = (column: Float64Array, cell: number) => column[cell] === column[cell]
  const isRow = (cell: number) =>
    // Outside of listing windows there are the numbers of underlying shares.
    ofStocks.some((column) => has(column, cell)) || (listed[cell] === 1 && (hasFlags || own.some((column) => has(column, cell))))
  const kept: number[] = []
  for (let t = 0; t < dates.length; t++) {
    for (let cell = t * stride; cell < t * stride + securities.length; cell++) if (isRow(cell)) kept.push(cell)
  }
  return kept
}

/** By row of the file: the stored cell of its code and day, −1 where there is none. */
function knownCells({ manifest, dates, securities }: Stored, rows: Rows): Int32Array {
  const dayOf = new Map(dates.map((date, t) => [date, t]))
  const placeOf = new Map(securities.map(({ code }, i) => [code, i]))
  const days = rows.dates.map((date) => dayOf.get(date) ?? -1)
  const codes = rows.codes.map((code) => placeOf.get(code) ?? -1)
  return Int32Array.from({ length: rows.count }, (_, row) => {
    const [t, i] = [days[rows.date[row]!] ?? -1, codes[rows.code[row]!] ?? -1]
    return t < 0 || i < 0 ? -1 : t * manifest.stride + i
  })
}

/** By cell of a security's first row: its factor, where prices stay adjusted. */
function firstFactorOf({ manifest, securities }: Stored, kept: readonly number[]): ReadonlyMap<number, number> {
  const factors = new Map<number, number>()
  const waiting = new Map(
    securities.flatMap(({ code }, i) => (manifest.factors?.[code]?.first === undefined ? [] : [[i, manifest.factors[code].first]])),
  )
  for (const cell of waiting.size > 0 ? kept : []) {
    const factor = waiting.get(cell % manifest.stride)
    if (factor === undefined) continue
    factors.set(cell, factor)
    waiting.delete(cell % manifest.stride)
  }
  return factors
}

/** Factors behind the last given one are worked out anew, now that more may be given. Returns what they were, by row. */
function reopenFactors(
  { manifest, dates, securities }: Stored,
  fields: ReadonlyMap<string, Float64Array>,
  kept: readonly number[],
): Map<number, number> {
  const reopened = new Map<number, number>()
  const cells = fields.get(factorColumns(manifest.kind)?.factor ?? '')
  const open = securities.map(({ code }) => manifest.factors?.[code]?.open)
  if (!cells || open.every((day) => day === undefined)) return reopened
  for (const [row, cell] of kept.entries()) {
    const day = open[cell % manifest.stride]
    if (day === undefined || dates[Math.floor(cell / manifest.stride)]! < day) continue
    reopened.set(row, cells[row]!)
    cells[row] = Number.NaN
  }
  return reopened
}

/** What the file changes, for the report. */
export interface Changes {
  /** Days that were not there, and rows of days that were. */
  readonly days: readonly string[]
  readonly rows: number
  /** Numbers of known rows that are others now. */
  readonly numbers: number
}

/** @param dropped by row of the file: 1 = not used */
export function changesOf(stored: Stored, rows: Rows, dropped: Uint8Array): Changes {
  const cellOf = knownCells(stored, rows)
  const known = new Set(stored.dates)
  let [count, numbers] = [0, 0]
  for (let row = 0; row < rows.count; row++) {
    const cell = cellOf[row]!
    if (cell < 0 || dropped[row] === 1) continue
    count++
    for (const [key, column] of stored.columns) {
      const now = rows.fields.get(key)
      if (now && !Object.is(now[row], column[cell]) && !(Math.abs(now[row]! - column[cell]!) <= 1e-6 * Math.abs(column[cell]!))) numbers++
    }
  }
  return { days: [...new Set(rows.dates)].filter((date) => !known.has(date)).sort(), rows: count, numbers }
}

/** Columns of the store that the file does not read: those of days from the sources. */
const unread = (kind: SnapshotKind, { columns, manifest }: Stored, { fields }: Rows): Reading[] =>
  fieldsOf(kind)
    .filter(({ key }) => columns.has(key) && !fields.has(key))
    .map((field) => {
      const holds = manifest.fields.find(({ key }) => key === field.key)?.holds
      return { ...readingOf(field, field.key), ...(holds !== undefined && { holds }) }
    })

interface Places {
  readonly allCodes: string[]
  readonly allDates: string[]
  /** By stored security and day, and by place in the file's own lists: the place in the lists of all. */
  readonly codeOf: readonly number[]
  readonly dateOf: readonly number[]
  readonly codes: readonly number[]
  readonly dates: readonly number[]
}

function lists(rows: Rows, { dates, securities }: Stored): Places {
  const allCodes = securities.map(({ code }) => code)
  const allDates = [...dates]
  const added = (all: string[], more: readonly string[]) => {
    const at = new Map(all.map((text, place) => [text, place]))
    return more.map((text) => {
      const found = at.get(text) ?? all.push(text) - 1
      at.set(text, found)
      return found
    })
  }
  const codes = added(allCodes, rows.codes)
  return {
    codes,
    dates: added(allDates, rows.dates),
    codeOf: securities.map((_, i) => i),
    dateOf: dates.map((_, t) => t),
    allCodes,
    allDates,
  }
}

/** The text of the newest day: a file of old rows that are corrected brings no old name back. */
function textsOf(rows: Rows, stored: Stored, { allCodes, codes }: Places): Rows['texts'] {
  const texts = new Map<string, (Dated | undefined)[]>()
  const put = (key: string, place: number, text: Dated | undefined) => {
    if (text === undefined) return
    const known = texts.get(key) ?? Array<Dated | undefined>(allCodes.length).fill(undefined)
    const before = known[place]
    if (before === undefined || text.date >= before.date) known[place] = text
    texts.set(key, known)
  }
  for (const [i, { name, stockCode, stockName, attributes }] of stored.securities.entries()) {
    const date = lastRowOf(stored, i)
    const known = { name, stock_code: stockCode, stock_name: stockName, ...attributes }
    for (const [key, text] of Object.entries(known)) put(key, i, text === undefined ? undefined : { text, date })
  }
  for (const [key, known] of rows.texts) for (const [place, text] of known.entries()) put(key, codes[place]!, text)
  return texts
}

/** The day of a stored security's last row. */
function lastRowOf({ dates, columns, manifest: { stride } }: Stored, i: number): string {
  const close = columns.get('close')
  const row = close ? dates.findLastIndex((_, t) => close[t * stride + i] === close[t * stride + i]) : dates.length - 1
  return dates[row] ?? ''
}

/**
 * What the store knows of the securities besides their rows, as tables beside the file would say it; what they say now comes first. A list
 * adds to the announcements of the bonds that it names. Those of before that lie on days which it covers are stated by it: a bond that it
 * names has none there but its own.
 */
export function companionsWith({ securities, manifest }: Stored, now: Companions): Companions {
  const byCode = new Map<string, Companion>()
  const stored: string[] = []
  const lists = { calls: now.callLists, proposals: proposalListsOf(now.byCode) }
  // Where all have the usual clause no table told any: it is none that a new bond lacks.
  const areUsual = securities.every(({ terms }) => !terms || hasUsualClause(terms))
  for (const { code, name, stockName, listed, terms, redemptionDay, announcements = [], attributes } of securities) {
    const said = now.byCode.get(code)
    const daysOf = (kind: string) => announcements.filter((each) => each.kind === kind).map(({ date }) => date)
    const staying = (key: 'calls' | 'proposals', days: readonly string[]) =>
      said?.[key]?.length ? days.filter((day) => !isCovered(lists[key], day)) : days
    const calls = daysOf('redeem')
    stored.push(...calls)
    const before: Companion = {
      name,
      ...(stockName !== undefined && { stockName }),
      ...(listed !== null && { listed }),
      ...(terms && { terms: areUsual ? withoutClause(terms) : terms }),
      ...(redemptionDay !== undefined && { redemptionDay }),
      calls: staying('calls', calls),
      notices: Object.fromEntries(announcements.flatMap(({ date, kind, ...notice }) => (kind === 'redeem' ? [[date, notice]] : []))),
      proposals: staying('proposals', daysOf('reset_proposal')),
      others: announcements.filter(({ kind }) => kind !== 'redeem' && kind !== 'reset_proposal'),
      attributes,
    }
    byCode.set(code, said ? joinedCompanion(said, before) : before)
  }
  for (const [code, companion] of now.byCode) if (!byCode.has(code)) byCode.set(code, companion)
  return { ...now, byCode, callLists: joinedLists([...(manifest.call_lists ?? spansOf(stored)), ...now.callLists]) }
}

const withoutClause = ({ redeem: _, ...terms }: BondTerms): Partial<BondTerms> => terms

/** What only the store knows of a security is put back: its board, its dated facts, its ex-days, that it has left, when its end was public. */
export function withStored(table: Arranged, stored: Stored): void {
  const { securities } = table
  const known = new Map(stored.securities.map((security) => [security.code, security]))
  for (const [i, security] of securities.entries()) {
    const before = known.get(security.code)
    if (!before) continue
    const { delisted, lastDay } = isGone(before, i, table) ? before : security
    const sameEnd = before.lastDay !== null && before.lastDay === lastDay
    // A last day that only the rows showed is none where rows follow it: it was never public.
    const lastDays = before.lastDays ? withEntriesBefore(before.lastDays, lastDaysOf(security)) : []
    securities[i] = {
      ...security,
      delisted,
      lastDay,
      board: before.board,
      listed: before.listed ?? security.listed,
      ...(before.dated && { dated: before.dated }),
      ...(before.exDays && { exDays: before.exDays }),
      ...(lastDays.length > 0 && { lastDayKnown: lastDays[0]!.known, lastDays }),
      ...(sameEnd && {
        lastDayKnown: before.lastDayKnown,
        ...(before.lastDays && { lastDays: before.lastDays }),
        redemptionPrice: before.redemptionPrice,
        ...(before.exitReason && { exitReason: before.exitReason }),
      }),
    }
  }
}

/** What was known of a last day stays known of its days, and what is found now stands behind it. */
function withEntriesBefore(before: readonly KnownLastDay[], now: readonly KnownLastDay[]): readonly KnownLastDay[] {
  const last = before.at(-1)
  if (last === undefined) return now
  return now.filter(({ known }) => known > last.known).reduce(withLastDay, before)
}

/** Whether a security that had left has no row since, in a market whose files do not say who leaves; then it is not suspended. */
function isGone({ delisted, lastDay }: Security, i: number, { dates, stride, securities, listed, traded }: Arranged): boolean {
  if ((delisted === null && lastDay === null) || securities[i]?.delisted !== null) return false
  // A bond whose last day has passed is over, whenever it is delisted.
  const isOver = (date: string) => (delisted === null ? date > lastDay! : date >= delisted)
  const cells = dates.flatMap((date, t) => (isOver(date) ? [t * stride + i] : []))
  if (cells.some((cell) => traded[cell] === 1)) return false
  for (const cell of cells) listed[cell] = 0
  return true
}

/** The stored statements in the order of the securities of now. */
export function reportsFor({ securities, reports }: Stored, now: readonly Security[]): StatementHistory | null {
  if (!reports) return null
  const at = new Map(securities.map(({ code }, i) => [code, i]))
  // A new bond has the statements of its company, which the store has with an older one.
  const ofCompany = new Map(securities.flatMap(({ stockCode }, i) => (stockCode === undefined ? [] : [[stockCode, i] as const])))
  const versions: number[] = []
  const starts = Int32Array.from({ length: now.length + 1 }, (_, k) => {
    const start = versions.length
    const i = k < now.length ? (at.get(now[k]!.code) ?? ofCompany.get(now[k]!.stockCode ?? '')) : undefined
    if (i !== undefined) for (let v = reports.starts[i]!; v < reports.starts[i + 1]!; v++) versions.push(v)
    return start
  })
  return {
    starts,
    quarters: Int32Array.from(versions, (v) => reports.quarters[v]!),
    published: Int32Array.from(versions, (v) => reports.published[v]!),
    items: new Map([...reports.items].map(([key, values]) => [key, Float64Array.from(versions, (v) => values[v]!)])),
  }
}
