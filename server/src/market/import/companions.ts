/**
 * Reference tables that lie beside a market file and say more of its securities: names, listing dates, boards, industries, calls.
 * They add; they never change what the market file says.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addDays } from '../calendar.ts'
import type { SnapshotKind } from '../store.ts'
import { openSource, type RawColumn } from './source-file.ts'

/** What is known of a security besides its rows. Dates YYYY-MM-DD. */
export interface Companion {
  readonly name?: string
  readonly stockName?: string
  readonly listed?: string
  readonly boardName?: string
  readonly convertible?: string
  readonly maturity?: string
  readonly maturityPrice?: number
  /** Announcements of a call, ascending. */
  readonly calls?: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

export interface Companions {
  readonly files: readonly string[]
  readonly byCode: ReadonlyMap<string, Companion>
  /** Last day that the list of call announcements covers; null without one. */
  readonly callsUntil: string | null
}

interface Source {
  /** Folder beside the file's own, and the file in it. */
  readonly folder: string
  readonly file: string
  readonly columns: readonly string[]
  read(row: (column: string) => string | number | null): Companion
}

const sources: Partial<Record<SnapshotKind, readonly Source[]>> = {
  cb: [
    {
      folder: 'cb_reference',
      file: 'cb_basic.parquet',
      columns: [
        'ts_code',
        'bond_short_name',
        'stk_short_name',
        'list_date',
        'conv_start_date',
        'maturity_date',
        'maturity_price',
        'issue_size',
      ],
      read: (row) => ({
        ...text('name', row('bond_short_name')),
        ...text('stockName', row('stk_short_name')),
        ...date('listed', row('list_date')),
        ...date('convertible', row('conv_start_date')),
        ...date('maturity', row('maturity_date')),
        ...(typeof row('maturity_price') === 'number' ? { maturityPrice: row('maturity_price') as number } : {}),
        attributes: typeof row('issue_size') === 'number' ? { issue_size: String((row('issue_size') as number) / 1e8) } : {},
      }),
    },
    {
      folder: 'cb_reference',
      file: 'cb_terms.parquet',
      columns: ['ts_code', 'industry', 'maturity_price'],
      read: (row) => ({
        ...(typeof row('maturity_price') === 'number' ? { maturityPrice: row('maturity_price') as number } : {}),
        attributes: text('industry_1', row('industry')),
      }),
    },
    {
      folder: 'cb_reference',
      file: 'cb_call_announcements.parquet',
      columns: ['ts_code', 'ann_date'],
      read: (row) => ({ calls: Object.values(date('day', row('ann_date'))), attributes: {} }),
    },
  ],
  stk: [
    {
      folder: 'a_share_2024_raw_adj',
      file: 'stock_basic.parquet',
      columns: ['ts_code', 'name', 'area', 'industry', 'market', 'list_date', 'act_ent_type'],
      read: (row) => ({
        ...text('name', row('name')),
        ...text('boardName', row('market')),
        ...text('listed', row('list_date')),
        attributes: { ...text('industry_1', row('industry')), ...text('area', row('area')), ...text('orgform', row('act_ent_type')) },
      }),
    },
  ],
}

/** Reads those companions of a market file that are there. A companion that cannot be read is left out: it is a courtesy. */
export async function readCompanions(kind: SnapshotKind, path: string): Promise<Companions> {
  const byCode = new Map<string, Companion>()
  const files: string[] = []
  let callsUntil: string | null = null
  for (const source of sources[kind] ?? []) {
    const places = [join(dirname(path), source.file), join(dirname(path), '..', source.folder, source.file)]
    const found = places.find((place) => existsSync(place))
    if (found === undefined) continue
    const read = await readSource(found, source).catch(() => null)
    if (read === null) continue
    files.push(`${source.folder}/${source.file}`)
    for (const [code, more] of read) {
      const known = byCode.get(code)
      const calls = [...(known?.calls ?? []), ...(more.calls ?? [])].sort()
      byCode.set(code, {
        ...more,
        ...known,
        ...(calls.length > 0 ? { calls } : {}),
        attributes: { ...more.attributes, ...known?.attributes },
      })
      for (const day of more.calls ?? []) if (callsUntil === null || day > callsUntil) callsUntil = day
    }
  }
  return { files, byCode, callsUntil }
}

async function readSource(path: string, source: Source): Promise<[string, Companion][]> {
  const file = await openSource(path)
  if (source.columns.some((column) => !file.columns.includes(column))) return []
  const { rows, columns } = await file.read(source.columns)
  return Array.from({ length: rows }, (_, i) => {
    const cell = (name: string) => cellOf(columns.get(name), i)
    return [String(cell('ts_code')), source.read(cell)]
  })
}

function cellOf(column: RawColumn | undefined, row: number): string | number | null {
  const cell = column?.values[row] ?? null
  return cell === null || cell !== cell ? null : cell
}

function text<K extends string>(key: K, cell: string | number | null): Partial<Record<K, string>> {
  if (typeof cell !== 'string' || cell === '' || cell === '-') return {}
  return { [key]: cell } as Partial<Record<K, string>>
}

/** Days since 1970; spreadsheets write "none" as a day of 1899. */
function date<K extends string>(key: K, cell: string | number | null): Partial<Record<K, string>> {
  if (typeof cell !== 'number' || cell <= 0) return {}
  return { [key]: addDays('1970-01-01', cell) } as Partial<Record<K, string>>
}
