/** Places the kept rows in a grid of days and securities, and finds listing windows, days of trading and last days. */
import { markets, type Security } from '@convexa/engine'
import { pinyin } from 'pinyin-pro'
import type { SnapshotKind } from '../manifest.ts'
import { isOfStock, type StoredColumn, strideFor } from '../store.ts'
import { boardOfBond, boardOfStock } from './code.ts'
import type { Preset } from './presets.ts'
import type { Rows } from './rows.ts'

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

/**
 * Of a row outside the listing window (`inside`: 1 inside, null = all are) only the numbers of the underlying share are kept: what a
 * vendor writes of the security before it was listed or after it left is no price.
 */
export function arrange(
  kind: SnapshotKind,
  rows: Rows,
  { inside, dropped }: { readonly inside: Uint8Array | null; readonly dropped: Uint8Array },
  preset: Preset | null,
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

  const columns = new Map<string, StoredColumn>()
  for (const { field } of rows.readings) {
    const values = rows.fields.get(field.key)!
    const column = (field.store === 'f32' ? new Float32Array(cells) : new Float64Array(cells)).fill(Number.NaN)
    const isUsed = inside === null || isOfStock(kind, field.key) ? null : inside
    for (let row = 0; row < rows.count; row++) if (at[row]! >= 0 && isUsed?.[row] !== 0) column[at[row]!] = values[row]!
    columns.set(field.key, { store: field.store, cells: column, origin: 'file' })
  }

  const close = rows.fields.get('close')
  const isPhantom = phantomBars(kind, rows)
  const traded = new Uint8Array(cells)
  const marked = new Uint8Array(cells)
  for (let row = 0; row < rows.count; row++) {
    const cell = at[row]!
    if (cell < 0) continue
    if (inside !== null && inside[row] === 0) continue
    marked[cell] = 1
    const isQuoted = rows.traded === null ? close === undefined || close[row] === close[row] : rows.traded[row] === 1
    if (isQuoted && !isPhantom(row)) traded[cell] = 1
  }
  // A security without a row one day inside its window is suspended, not gone. Bonds end with their rows, other securities do not.
  const ends = kind !== 'index' && (rows.listed !== null || markets[kind].redeemed)
  const windows = codes.map((_, i) => windowOf(marked, i, stride, dates.length, ends))
  const listed = new Uint8Array(cells)
  windows.forEach(({ first, last }, i) => {
    for (let t = first; t <= last; t++) listed[t * stride + i] = 1
  })
  for (let cell = 0; cell < cells; cell++) if (listed[cell] === 0) traded[cell] = 0

  const textOf = (key: string, place: number): string | undefined => rows.texts.get(key)?.[place]
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
    const over = ever && ends && last < dates.length - 1
    return {
      code,
      name,
      pinyin: initials(name),
      board: kind === 'cb' ? boardOfBond(code, stockCode) : boardOfStock(code),
      // A security that is there on the file's first day was listed before it.
      listed: ever && first > 0 ? dates[first]! : null,
      delisted: over ? dates[last + 1]! : null,
      lastDay: over ? lastTraded(traded, i, stride, first, last, dates) : null,
      lastDayKnown: null,
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

/** Initials of a name, lower case: 格力转债 → glzz. */
export function initials(name: string): string {
  return pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function ascending(texts: readonly string[], seen: Uint8Array): [string[], Int32Array] {
  const sorted = texts.filter((_, place) => seen[place] === 1).sort()
  const rank = new Map(sorted.map((text, k) => [text, k]))
  return [sorted, Int32Array.from(texts, (text) => rank.get(text) ?? -1)]
}

function windowOf(marked: Uint8Array, i: number, stride: number, days: number, ends: boolean): { first: number; last: number } {
  let first = 0
  while (first < days && marked[first * stride + i] === 0) first++
  let last = days - 1
  if (ends) while (last >= 0 && marked[last * stride + i] === 0) last--
  return { first, last }
}

/** Which rows repeat the price before on a day without a trade, as some files write suspensions: nobody can trade at it, whatever a flag says. */
function phantomBars(kind: SnapshotKind, { fields }: Rows): (row: number) => boolean {
  const [volume, amount] = ['vol', 'amount'].map((key) => fields.get(key))
  if (kind === 'index') return () => false
  if (volume === undefined) return (row) => amount?.[row] === 0
  // Less than what a source rounds volumes to has an amount all the same.
  return (row) => volume[row] === 0 && !(amount && amount[row]! > 0)
}

function lastTraded(traded: Uint8Array, i: number, stride: number, first: number, last: number, dates: readonly string[]): string | null {
  for (let t = last; t >= first; t--) if (traded[t * stride + i] === 1) return dates[t]!
  return null
}
