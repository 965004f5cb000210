import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { Quality } from './quality.ts'
import type { Snapshot, SnapshotKind } from './snapshot.ts'

/** `percent` never falls; `text` is a Chinese sentence for a terminal or a page. */
export interface ImportProgress {
  readonly stage: 'read' | 'check' | 'arrange' | 'write' | 'publish'
  readonly percent: number
  readonly text: string
}

export interface ImportRequest {
  readonly kind: SnapshotKind
  /** Files or folders. */
  readonly paths: readonly string[]
  /** A preset's name; chosen by the columns when neither it nor a mapping is given. */
  readonly preset?: string
  /** Path of a mapping file (JSON). */
  readonly mapping?: string
  readonly dataDir: string
  readonly db: Kysely<Database>
  readonly onProgress?: (progress: ImportProgress) => void
}

/** `ok: false`: nothing was published, the old snapshot stays. `text` is the whole report in Chinese, line by line. */
export type ImportReport =
  | { readonly ok: true; readonly snapshot: Snapshot; readonly unchanged: boolean; readonly quality: Quality; readonly text: string }
  | { readonly ok: false; readonly snapshot: null; readonly unchanged: false; readonly quality: Quality | null; readonly text: string }

/** Imports a market file: read, check, arrange, write aside, publish. A bad file changes nothing. */
export async function importMarket(_request: ImportRequest): Promise<ImportReport> {
  throw new Error('not built yet')
}
