import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { openStore } from './open-store.ts'
import { type SnapshotStore, snapshotStore, useSnapshotStore } from './snapshot-store.ts'

/** The store of a process and its end. */
export interface OpenSnapshotStore extends SnapshotStore {
  close(): void
}

/** From now on this process has its snapshots in the store that `STORE_URL` names; null: it is not set, and the data folder is all there is. */
export async function openSnapshotStore(
  { store, cache, dataDir }: Pick<Config, 'store' | 'cache' | 'dataDir'>,
  db: Kysely<Database>,
): Promise<OpenSnapshotStore | null> {
  if (!store) return null
  const objects = await openStore(store)
  const opened = snapshotStore({ db, objects, marketFolder: join(cache.folder, 'market') })
  const leave = useSnapshotStore(dataDir, opened)
  return {
    ...opened,
    close() {
      leave()
      objects.close()
    },
  }
}
