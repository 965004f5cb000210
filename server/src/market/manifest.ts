/** What a snapshot's folder says of itself: its manifest, the names of its files, its version. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataMode, MarketId } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { byMarket, marketIds, markets } from '@convexa/contract/enums/market'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { flushFolder } from '../base/flush-folder.ts'
import { readRemote } from '../store/snapshot-store.ts'
import { type FileEntry, missing, type Store, writeFlushed } from './column-file.ts'

/** A market, or the set of index series that serve as benchmarks. */
export type SnapshotKind = MarketId | 'index'
export const snapshotKinds: readonly SnapshotKind[] = [...marketIds, 'index']
export const snapshotLabels: Readonly<Record<SnapshotKind, string>> = { ...byMarket((id) => markets[id].label), index: '指数' }
/** How prices are stated: as traded, or forward or backward adjusted for dividends and splits. */
export type Adjust = 'raw' | 'qfq' | 'hfq'

/** Where the values of a column come from: read as they are, worked out at import, estimated with the stated rule. */
export type Origin = 'file' | 'reference' | 'derived' | 'estimated' | 'model'

export interface ManifestField {
  readonly key: string
  readonly store: 'f64' | 'f32'
  readonly origin: Origin
  readonly note?: string
  /** First and last day with a value inside a listing window, and the share of the listed cells that have one. */
  readonly first: string
  readonly last: string
  readonly coverage: number
  /** Trading days for which a given cell counts after its own: the files have the given ones (`hold.ts`). */
  readonly holds?: number
  /** How many of the listed cells have a value; not in older snapshots. */
  readonly values?: number
}

export interface ManifestYear {
  readonly year: string
  readonly row: number
  readonly rows: number
}

/** Days of a column: the first, and the one behind the last. */
export interface Days {
  readonly from: number
  readonly to: number
}

export interface Manifest {
  readonly format: 1
  readonly kind: SnapshotKind
  readonly data_mode: DataMode
  readonly data_version: string
  readonly adjust: Adjust
  readonly first_date: string
  readonly last_date: string
  readonly rows: number
  readonly securities: number
  readonly stride: number
  readonly years: readonly ManifestYear[]
  /**
   * Fields of the securities themselves have no values outside listing windows. Where a manifest does not say so (those of older
   * importers), they are made absent there as they are loaded.
   */
  readonly listed_only?: true
  /** Cells inside listing windows; not in older snapshots. */
  readonly listed_cells?: number
  /** Members of the last day; not in older snapshots (`membersOf`). */
  readonly members?: Members
  readonly fields: readonly ManifestField[]
  /** Fields that the securities themselves say (terms, announcements); none in older snapshots. */
  readonly facts?: readonly string[]
  /** Texts and dates that the securities have (`statedKeys`); older snapshots do not say. */
  readonly told?: readonly string[]
  readonly benchmarks: readonly string[]
  /** How many versions of statements there are, and the items that they state; nothing where there are none. */
  readonly reports?: { readonly versions: number; readonly items: readonly string[] }
  /** Shares without a row on so many trading days at the end of what was imported have left; not in older snapshots. */
  readonly ends_after?: number
  readonly source: Source
  /** Which rules decided at import (`importer`); not in snapshots of older importers, also where later files went upon them. */
  readonly importer?: number
  /** How the files are read (`import/mapping.ts`): an update is read alike. */
  readonly mapping?: Readonly<Record<string, unknown>>
  /** Fields that the files have and that are not used, since they are not what they are called. */
  readonly unused?: readonly string[]
  /** By code: what was put aside behind the last row that was kept. The rows that come next are compared across it. */
  readonly aside?: Readonly<Record<string, Aside>>
  /** By code: how the factors that files give become those that are stored. */
  readonly factors?: Readonly<Record<string, FactorState>>
  /** First and last day of each list of calls that was read, those that overlap as one; not in older snapshots. */
  readonly call_lists?: readonly (readonly [from: string, until: string])[]
  readonly files: Readonly<Record<string, FileEntry>>
}

/**
 * Version of the importer, raised when it decides otherwise than before on the same file. Where only a new import can mend it, snapshots of
 * a lower version or without one get a warning (data.md 3.8).
 */
export const importer = 2

/** The first importer that counted clauses by the days on which the share traded. */
const countsTradedDays = 2

/** Whether "met" in its call statuses was counted by other rules, and is counted anew as it is loaded. */
export const isCountedAnew = ({ kind, importer: by }: Pick<Manifest, 'kind' | 'importer'>): boolean =>
  kind !== 'index' && markets[kind].redeemed && (by ?? 0) < countsTradedDays

/** What an import knows of a security's adjustment factors besides the cells. */
export interface FactorState {
  /** What files give times the scale is the factor, from a day on; before the first of them as it is given. Ascending. */
  readonly scales?: readonly (readonly [from: string, scale: number])[]
  /** From this day on the files give nothing: the cells are worked out, anew when a later file says more. */
  readonly open?: string
  /** Of prices that stay adjusted, whose factors are not stored: the factor of the first row. */
  readonly first?: number
}

/** What only a new import can mend, for the operator; null where the importer of now decided (data.md 3.8). Demo markets are made anew. */
export function olderImporterNote({ kind, data_mode, importer: by }: Pick<Manifest, 'kind' | 'data_mode' | 'importer'>): string | null {
  if ((by ?? 0) >= importer || isSynthetic(data_mode)) return null
  return `行情由旧版本导入，建议重新导入：./convexa import ${kind} <文件或文件夹>`
}

/** Rows of a security that were put aside behind its last kept one. */
export interface Aside {
  /** Day of the first of them. */
  readonly since: string
  readonly days: number
  /** One of them was put aside for a step of its level. */
  readonly level: boolean
}

/** Securities inside their listing windows on a day, and those that are in the data though they have left the market. */
export interface Members {
  readonly listed: number
  readonly delisted: number
}

/** Where a snapshot's data come from, for `market` and for the page. */
export interface Source {
  /** `demo`, a preset's name or `mapping`. */
  readonly preset: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

/** Reads a snapshot's manifest; with `sha256`, refuses one that is not the published one. */
export async function readManifest(folder: string, sha256?: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path).catch(async (error: unknown) => (await readRemote(path)) ?? missing(error, 'missing manifest', folder))
  if (sha256 !== undefined && sha256Of(text) !== sha256) throw new BrokenSnapshot('manifest is not the published one', folder)
  const manifest = parsed(text, folder)
  if (manifest.format !== 1) throw new BrokenSnapshot(`unknown format ${manifest.format}`, folder)
  return manifest
}

function parsed(text: Buffer, folder: string): Manifest {
  try {
    return JSON.parse(text.toString()) as Manifest
  } catch {
    throw new BrokenSnapshot('unreadable manifest', folder)
  }
}

/** The last file of a folder: then it is whole. Returns its SHA-256. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  await writeFlushed(join(folder, 'manifest.json'), text)
  await flushFolder(folder)
  return sha256Of(text)
}

export function entryOf(manifest: Manifest, name: string): FileEntry {
  const entry = manifest.files[name]
  if (entry === undefined) throw new BrokenSnapshot('not in the manifest', name)
  return entry
}

export const columnFile = (key: string, year: Pick<ManifestYear, 'year'>, store: Store): string => `${key}.${year.year}.${store}`
export const reportAxes = ['starts', 'quarters', 'published'] as const
export const reportFile = (item: string): string => `reports.${item}.f64`

/** Says market, last day and content: the same data have the same version wherever and whenever they are imported. For how long given cells count is of the content too. */
export function versionOf(
  kind: SnapshotKind,
  lastDate: string,
  { mode, adjust, fields }: { mode: DataMode; adjust: Adjust; fields: readonly ManifestField[] },
  files: Readonly<Record<string, FileEntry>>,
): string {
  const hash = createHash('sha256').update(`${adjust}\n`)
  for (const name of Object.keys(files).sort()) hash.update(`${name} ${files[name]!.bytes} ${files[name]!.crc32}\n`)
  for (const { key, holds } of fields) if (holds !== undefined) hash.update(`${key} holds ${holds}\n`)
  const mark = mode === 'demo' ? 'demo-' : ''
  return `${mark}${kind}-${lastDate.replaceAll('-', '')}-${hash.digest('hex').slice(0, 8)}`
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
