/**
 * Snapshots whose files are missing or changed:
 *
 * 1. a reader meets a file that is not the published one and says so (`suspect`);
 * 2. all files of the snapshot are compared with its manifest, once for however many ask;
 * 3. where one differs the row is marked, and from then on `newestSnapshot` gives the one before it;
 * 4. an operator reads of it on `/status`, in `/metrics` and once a minute in the log, and mends it by `convexa market repair`.
 */

import { access } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import type { DamageWatch } from '../context/damage-watch.ts'
import type { Database } from '../db/tables.ts'
import { StoreError } from '../store/object-store.ts'
import { type SnapshotStore, snapshotStoreOf } from '../store/snapshot-store.ts'
import { readChecked } from './column-file.ts'
import { readManifest } from './manifest.ts'
import { marketFolder, type Snapshot, type SnapshotKind, snapshotPath } from './snapshot.ts'

export interface DamageDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  /**
   * Other machines may have the files that are not here: a folder that is missing as a whole marks nothing then. A file that differs is
   * marked all the same.
   */
  readonly mayBeElsewhere: boolean
  readonly log: (event: string, details: Record<string, unknown>) => void
}

/** A snapshot that was found whole is not read again for so long. */
const againMs = 60_000

export function damageWatch({ db, dataDir, mayBeElsewhere, log }: DamageDeps): DamageWatch {
  const looked = new Map<string, { readonly at: number; readonly done: Promise<void> }>()

  const look = async (id: string): Promise<void> => {
    const row = await db
      .selectFrom('market_snapshot')
      .select(['folder', 'manifest_sha256', 'kind', 'data_version'])
      .where('id', '=', id)
      .where('damaged_at', 'is', null)
      .executeTakeFirst()
    if (!row) return
    const folder = snapshotPath(dataDir, row)
    const store = snapshotStoreOf(dataDir)
    if ((mayBeElsewhere || store) && !(await isThere(folder))) return
    const damage = await damageOf(folder, row.manifest_sha256)
    if (damage === null) return
    if (store && (await isMended(store, row, folder))) return log('market snapshot fetched again', { version: row.data_version, damage })
    await markDamaged(db, id, damage)
    log('market snapshot damaged', { kind: row.kind, version: row.data_version, damage })
  }

  const suspectOne = (id: string): Promise<void> => {
    const before = looked.get(id)
    if (before && performance.now() - before.at < againMs) return before.done
    const done = look(id).catch((error: unknown) => {
      looked.delete(id)
      log('market snapshot not looked at', { id, err: error })
    })
    looked.set(id, { at: performance.now(), done })
    for (const old of [...looked.keys()].slice(0, -16)) looked.delete(old)
    return done
  }

  return {
    async suspect(ids) {
      await Promise.all(ids.map((id) => (id === null ? undefined : suspectOne(id))))
    },
    async suspectError(error) {
      if (!(error instanceof BrokenSnapshot)) return false
      const [folder = ''] = relative(marketFolder(dataDir), error.path).split(sep)
      const row = await db
        .selectFrom('market_snapshot')
        .select('id')
        .where('folder', '=', folder)
        .executeTakeFirst()
        .catch(() => undefined)
      if (row) await suspectOne(row.id)
      return true
    },
  }
}

/** The first file of a snapshot's folder that is missing or not the published one, in words for the operator; null where all are whole. */
export async function damageOf(folder: string, manifestSha256: string): Promise<string | null> {
  try {
    const { files } = await readManifest(folder, manifestSha256)
    // One after the other: a market has hundreds of megabytes.
    for (const [name, entry] of Object.entries(files)) await readChecked(join(folder, name), new Uint8Array(entry.bytes), entry)
    return null
  } catch (error) {
    if (error instanceof BrokenSnapshot) return error.message
    // The disk cannot read it back (EIO): what is there is lost.
    if ((error as NodeJS.ErrnoException).code === 'EIO') return (error as Error).message
    throw error
  }
}

/** A snapshot that nobody may read any more. */
export async function markDamaged(db: Kysely<Database>, id: string, damage: string): Promise<void> {
  await db
    .updateTable('market_snapshot')
    .set({ damaged_at: sql<Date>`now()`, damage })
    .where('id', '=', id)
    .where('damaged_at', 'is', null)
    .execute()
}

export async function clearDamage(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('market_snapshot').set({ damaged_at: null, damage: null }).where('id', '=', id).execute()
}

/** Whether one of these snapshots is marked: what is bound to it cannot be computed from another one. */
export async function isDamaged(db: Kysely<Database>, ids: readonly (string | null)[]): Promise<boolean> {
  const known = ids.filter((id) => id !== null)
  if (known.length === 0) return false
  const row = await db
    .selectFrom('market_snapshot')
    .select('id')
    .where('id', 'in', known)
    .where('damaged_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a newer snapshot of the kind is marked: this one is used in its place. */
export async function isBehindDamaged(
  db: Kysely<Database>,
  { kind, publishedAt }: Pick<Snapshot, 'kind' | 'publishedAt'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('market_snapshot')
    .select('id')
    .where('kind', '=', kind)
    .where('published_at', '>', publishedAt)
    .where('damaged_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A damaged snapshot that would be in use were it whole. */
export interface DamagedSnapshot {
  readonly id: string
  readonly kind: SnapshotKind
  readonly dataVersion: string
  readonly folder: string
  readonly manifestSha256: string
  readonly lastDate: string
  readonly damagedAt: Date
  readonly damage: string
}

/** All snapshots of a kind that are marked, newest first. */
export const damagedSnapshots = (db: Kysely<Database>, kind: SnapshotKind) =>
  db
    .selectFrom('market_snapshot')
    .select(['id', 'data_mode', 'data_version', 'folder', 'manifest_sha256'])
    .where('kind', '=', kind)
    .where('damaged_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .execute()

/**
 * Damaged snapshots that are newer than the newest whole one of their kind, which is used in their place where there is one. Newest first.
 */
export async function damagedInUse(db: Kysely<Database>): Promise<DamagedSnapshot[]> {
  const rows = await db
    .selectFrom('market_snapshot as m')
    .select(['id', 'kind', 'data_version', 'folder', 'manifest_sha256', 'damaged_at', 'damage'])
    .select(sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last_date'))
    .where('damaged_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('market_snapshot as newer')
            .select('newer.id')
            .whereRef('newer.kind', '=', 'm.kind')
            .where('newer.damaged_at', 'is', null)
            .whereRef('newer.published_at', '>', 'm.published_at')
            // Demo indices stand beside the real ones and never for them.
            .where(sql<boolean>`(newer.kind <> 'index' or (newer.data_mode = 'demo') = (m.data_mode = 'demo'))`),
        ),
      ),
    )
    .orderBy('published_at', 'desc')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, dataVersion: row.data_version, folder: row.folder, manifestSha256: row.manifest_sha256 },
    ...{ lastDate: row.last_date, damagedAt: row.damaged_at!, damage: row.damage ?? '' },
  }))
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  )

/** What is here is a copy: it is thrown away and fetched again. false: the stored one is wrong as well. */
async function isMended(
  store: SnapshotStore,
  { folder: name, manifest_sha256 }: { folder: string; manifest_sha256: string },
  folder: string,
): Promise<boolean> {
  try {
    await store.ensureLocal(name, true)
    return (await damageOf(folder, manifest_sha256)) === null
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // A store that cannot be reached says nothing of the copy in it.
    return error.kind !== 'different'
  }
}
