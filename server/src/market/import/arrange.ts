/** Places the kept rows in a grid of days and securities, and finds listing windows, days of trading and last days. */

import { boards } from '@convexa/contract/enums/board'
import { markets, type Security } from '@convexa/engine'
import { pinyin } from 'pinyin-pro'
import { isValueOf } from '../cell-filling.ts'
import { holdForward, noneGiven, placesOf } from '../hold.ts'
import type { SnapshotKind } from '../manifest.ts'
import { marketOf, rulesOf } from '../market-rules.ts'
import { isOfStock, type StoredColumn, strideFor } from '../store.ts'
import { boardOfBond, boardOfStock } from './code.ts'
import { type Companion, type Companions, overFrom } from './companions.ts'
import { factorColumns } from './factors.ts'
import { firstRowsOf, hasOwnNumber } from './first-rows.ts'
import type { Preset } from './presets.ts'
import type { Rows } from './rows.ts'
import { tradedIn } from './traded-rows.ts'

/** A table before its market series. */
export interface Arranged {
  readonly kind: SnapshotKind
  readonly dates: readonly string[]
  readonly securities: Security[]
  readonly stride: number
  readonly columns: Map<string, StoredColumn>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
}

/** What is known of the securities besides the rows. */
export interface Known {
  /** Shares without a row on so many trading days at the end of the data have left. */
  readonly endsAfter: number
  /** What tables beside the file say, by code. */
  readonly about: ReadonlyMap<string, Companion>
}

/** The same of bonds, which end with their rows: a bond that is missing on the last days of a file may only be suspended, or left out. */
const bondEndsAfter = 10

/**
 * Of a row outside the listing window (`inside`: 1 inside, null = all are) only the numbers of the underlying share are kept: what a
 * vendor writes of the security before it was listed or after it left is no price.
 */
export function arrange(
  kind: SnapshotKind,
  rows: Rows,
  { inside, dropped }: { readonly inside: Uint8Array | null; readonly dropped: Uint8Array },
  preset: Preset | null,
  { endsAfter, about }: Known,
): Arranged {
  const seenDate = new Uint8Array(rows.dates.length)
  const seenCode = new Uint8Array(rows.codes.length)
  for (let row = 0; row < rows.count; row++) {
    if (dropped[row] === 1) continue
    seenDate[rows.date[row]!] = 1
    seenCode[rows.code[row]!] = 1
  }
  const [dates, dayOf] = ascending(rows.dates, seenDate)
  const [codes, placeOf] = ascending(rows.codes, seenCode)
  const stride = strideFor(codes.length)
  const cells = dates.length * stride
  const at = new Int32Array(rows.count).fill(-1)
  for (let row = 0; row < rows.count; row++) {
    if (dropped[row] === 0) at[row] = dayOf[rows.date[row]!]! * stride + placeOf[rows.code[row]!]!
  }

  const insideAt = inside === null ? at : at.map((cell, row) => (inside[row] === 0 ? -1 : cell))
  const columns = new Map<string, StoredColumn>()
  for (const { field } of rows.readings) {
    const values = rows.fields.get(field.key)!
    const column = (field.store === 'f32' ? new Float32Array(cells) : new Float64Array(cells)).fill(Number.NaN)
    const places = isOfStock(kind, field.key) ? at : insideAt
    for (let row = 0; row < rows.count; row++) if (places[row]! >= 0) column[places[row]!] = values[row]!
    columns.set(field.key, { store: field.store, cells: column, origin: 'file' })
  }

  const [isTraded, hasOwn] = [tradedIn(rows), hasOwnNumber(kind, rows)]
  const traded = new Uint8Array(cells)
  const marked = new Uint8Array(cells)
  for (let row = 0; row < rows.count; row++) {
    const cell = insideAt[row]!
    if (cell < 0) continue
    if (rows.listed === null && !hasOwn(row)) continue
    marked[cell] = 1
    if (isTraded(row)) traded[cell] = 1
  }
  const missing = codes.map((code) => daysUntilGone(kind, rows, endsAfter, overFrom(about.get(code) ?? {}), dates.at(-1)!))
  const firstRows = firstRowsOf(kind, rows, { inside, dropped }, about)
  const windows = codes.map((_, i) => windowOf(marked, i, stride, dates.length, missing[i]!))
  const listed = new Uint8Array(cells)
  windows.forEach(({ first, last }, i) => {
    for (let t = first; t <= last; t++) listed[t * stride + i] = 1
  })
  for (let cell = 0; cell < cells; cell++) if (listed[cell] === 0) traded[cell] = 0

  for (const { field, holds } of rows.readings) {
    const column = columns.get(field.key)!
    // Factors between days of change were worked out with the rows.
    if (holds === undefined || field.key === factorColumns(kind)?.factor) continue
    const given = column.cells.slice()
    const deps = { listed, stride, places: placesOf(dates), isValue: isValueOf(kind, field.key) }
    const filled = holdForward(column.cells, deps, holds, noneGiven(stride), 0, dates.length)
    columns.set(field.key, { ...column, givenOnChange: { holds, given, ...filled } })
  }

  const textOf = (key: string, place: number): string | undefined => rows.texts.get(key)?.[place]?.text
  const sourcePlace = new Map(rows.codes.map((code, place) => [code, place]))
  const nameOfSeries = new Map(Object.values(preset?.codes ?? {}).map(({ code, name }) => [code, name]))
  const attributeKeys = [...rows.texts.keys()].filter((key) => key !== 'name' && key !== 'stock_code' && key !== 'stock_name')
  const securities = codes.map((code, i): Security => {
    const place = sourcePlace.get(code)!
    const { first, last } = windows[i]!
    const name = textOf('name', place) ?? nameOfSeries.get(code) ?? code
    const stockCode = textOf('stock_code', place)
    const stockName = textOf('stock_name', place)
    const ever = last >= 0
    const over = last < dates.length - 1 && ever
    return {
      code,
      name,
      pinyin: initials(name),
      board: (rulesOf(kind)?.boardOf ?? boardOfStock)(code, stockCode),
      listed: ever && firstRows[place] === 'listing' ? dates[first]! : null,
      delisted: over ? dates[last + 1]! : null,
      lastDay: over ? lastTraded(traded, i, stride, first, last, dates) : null,
      lastDayKnown: null,
      // Why a bond left follows from its calls (`bond-calls.ts`).
      ...(over &&
        marketOf(kind)?.redeemed === false && {
          exitReason: rows.listed !== null || about.get(code)?.delisted !== undefined ? ('delisted' as const) : ('unknown' as const),
        }),
      redemptionPrice: null,
      issuer: stockCode ?? code,
      ...(stockCode === undefined ? {} : { stockCode }),
      ...(stockName === undefined ? {} : { stockName }),
      attributes: Object.fromEntries(
        attributeKeys.flatMap((key) => (textOf(key, place) === undefined ? [] : [[key, textOf(key, place)!]])),
      ),
    }
  })
  return { kind, dates, securities, stride, columns, listed, traded }
}

/** Boards that a list of securities names; 主板 is one of two exchanges, which its code tells. */
const boardsByName = new Map((['STAR', 'CHINEXT', 'BSE'] as const).map((board) => [boards[board].label as string, board]))

/** Adds what the companions know; what the file itself says stays. */
export function addCompanions(table: Arranged, { byCode }: Pick<Companions, 'byCode'>): void {
  table.securities.forEach((security, i) => {
    const more = byCode.get(security.code)
    if (more === undefined) return
    const name = security.name === security.code ? (more.name ?? security.name) : security.name
    const stockName = security.stockName ?? more.stockName
    const board = boardsByName.get(more.boardName ?? '')
    table.securities[i] = {
      ...security,
      name,
      pinyin: name === security.name ? security.pinyin : initials(name),
      board: board ?? (marketOf(table.kind)?.hasIssuerStock ? boardOfBond(security.code, security.stockCode) : security.board),
      listed: security.listed ?? more.listed ?? null,
      ...(stockName === undefined ? {} : { stockName }),
      attributes: { ...more.attributes, ...security.attributes },
    }
  })
}

/** Initials of a name, lower case: 格力转债 → glzz. */
export function initials(name: string): string {
  return pinyin(name.normalize('NFKC'), { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function ascending(texts: readonly string[], seen: Uint8Array): [string[], Int32Array] {
  const sorted = texts.filter((_, place) => seen[place] === 1).sort()
  const rank = new Map(sorted.map((text, k) => [text, k]))
  return [sorted, Int32Array.from(texts, (text) => rank.get(text) ?? -1)]
}

/**
 * From so many days without a row at the end of the data on a security has left; on fewer it is suspended. A security with a later day of
 * delisting has not left, however long it has no rows.
 */
function daysUntilGone(kind: SnapshotKind, rows: Rows, endsAfter: number, delisted: string | undefined, lastDate: string): number {
  if (kind === 'index') return Number.POSITIVE_INFINITY
  if (rows.listed !== null) return 1
  if (delisted !== undefined) return delisted <= lastDate ? 1 : Number.POSITIVE_INFINITY
  return markets[kind].redeemed ? bondEndsAfter : endsAfter
}

/** First and last day of a listing, as places of days; `last` is −1 where there is no row at all. */
function windowOf(marked: Uint8Array, i: number, stride: number, days: number, missing: number): { first: number; last: number } {
  let first = 0
  while (first < days && marked[first * stride + i] === 0) first++
  let last = days - 1
  while (last >= 0 && marked[last * stride + i] === 0) last--
  return { first, last: last >= 0 && days - 1 - last < missing ? days - 1 : last }
}

function lastTraded(traded: Uint8Array, i: number, stride: number, first: number, last: number, dates: readonly string[]): string | null {
  for (let t = last; t >= first; t--) if (traded[t * stride + i] === 1) return dates[t]!
  return null
}
