import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import type { Database } from '../db/tables.ts'
import { markAbsent } from '../store/catalogue.ts'
import { absentFrom } from '../store/copy-objects.ts'
import { bindObjects, type SnapshotStore } from '../store/snapshot-store.ts'
import type { SnapshotKind } from './manifest.ts'
import { readComplete } from './snapshot.ts'

/**
 * Puts the snapshots that lie as folders in DATA_DIR into a store, the oldest first, so that the next ones share its objects. The folders
 * stay: processes without a store go on reading them.
 * @returns how many, and those whose folder is not whole
 */
export async function copySnapshots(
  { db, dataDir }: { readonly db: Kysely<Database>; readonly dataDir: string },
  store: SnapshotStore,
  signal: AbortSignal,
): Promise<{ readonly copied: number; readonly broken: readonly string[] }> {
  const rows = await db
    .selectFrom('market_snapshot')
    .select(['id', 'kind', 'folder', 'manifest_sha256', 'store_key'])
    .where('damaged_at', 'is', null)
    .orderBy('published_at')
    .orderBy('id')
    .execute()
  const before = new Map<SnapshotKind, string>()
  const broken: string[] = []
  let copied = 0
  for (const { id, kind, folder, manifest_sha256, store_key } of rows) {
    if (signal.aborted) break
    const bound = await db.selectFrom('snapshot_object').select('key').where('snapshot_id', '=', id).execute()
    const absent = await absentFrom(
      store.objects,
      bound.map(({ key }) => key),
    )
    if (store_key !== null && absent.length === 0) {
      before.set(kind, folder)
      continue
    }
    try {
      const path = join(dataDir, 'market', folder)
      const { files } = await readComplete(path, manifest_sha256)
      // Bound to another store: they are put anew.
      for (const key of absent) await markAbsent(db, key)
      const uploaded = await store.upload(path, folder, files, before.get(kind) ?? null)
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('snapshot_object').where('snapshot_id', '=', id).execute()
        await bindObjects(transaction, id, uploaded)
      })
      before.set(kind, folder)
      copied++
    } catch (error) {
      if (!(error instanceof BrokenSnapshot)) throw error
      broken.push(folder)
    }
  }
  return { copied, broken }
}
