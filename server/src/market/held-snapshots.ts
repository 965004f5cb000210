/** Which snapshots a worker has whole. The apis ask it about these, and take a new one up when a worker has it. */

import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import type { DamageWatch } from '../context/damage-watch.ts'
import type { Database } from '../db/tables.ts'
import { StoreError } from '../store/object-store.ts'
import { newestOfAll } from './current-snapshot.ts'
import { localFolder, mostKept, newestSnapshots, readComplete, type Snapshot, snapshotById, snapshotPath } from './snapshot.ts'

export interface HeldSnapshots {
  /** The folder of a snapshot on this machine, looked at anew unless it is held; null: it is not here, or not whole. */
  ensureLocal(snapshotId: string): Promise<string | null>
  /** Looks which of the newest are here, and writes it down. */
  look(): Promise<readonly Held[]>
  /** What was read of these snapshots was wrong: they are looked at anew. */
  doubt(ids: readonly (string | null)[]): Promise<void>
}

/** The newest snapshot of a kind, and the newest of that kind that is here. */
interface Held {
  readonly newest: Snapshot
  readonly here: Snapshot | null
}

export interface HoldDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  /** Row of the worker in the table `process`. */
  readonly processId: string
  readonly damage: DamageWatch
}

export function heldSnapshots({ db, dataDir, processId, damage }: HoldDeps): HeldSnapshots {
  /** Folders by id. */
  const held = new Map<string, string>()
  /** Those that the table says we hold. */
  let told = new Set<string>()

  const isWhole = async (snapshot: Snapshot, folder: string): Promise<boolean> => {
    try {
      await readComplete(folder, snapshot.manifestSha256)
      return true
    } catch (error) {
      if (!(error instanceof BrokenSnapshot)) throw error
      await damage.suspect([snapshot.id])
      return false
    }
  }

  /** null: it cannot be fetched now. */
  const fetched = (snapshot: Pick<Snapshot, 'folder'>): Promise<string | null> =>
    localFolder(dataDir, snapshot).catch((error: unknown) => {
      if (error instanceof StoreError) return null
      throw error
    })

  const find = async (snapshot: Snapshot, fetches = true): Promise<string | null> => {
    const known = held.get(snapshot.id)
    if (known !== undefined) return known
    const folder = fetches ? await fetched(snapshot) : snapshotPath(dataDir, snapshot)
    if (folder === null || !(await isWhole(snapshot, folder))) return null
    held.set(snapshot.id, folder)
    return folder
  }

  /** Of those that are not damaged. */
  const firstHere = async (newest: Snapshot): Promise<Snapshot | null> => {
    for (const { snapshot } of await newestSnapshots(db, newest, mostKept, sql`true`)) {
      if (snapshot.id !== newest.id && (await find(snapshot, false)) !== null) return snapshot
    }
    return null
  }

  const tell = async (ids: ReadonlySet<string>): Promise<void> => {
    if (ids.size === told.size && [...ids].every((id) => told.has(id))) return
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('process_snapshot').where('process_id', '=', processId).execute()
      for (const id of ids) {
        // One that was removed this moment is held by nobody.
        await sql`insert into process_snapshot (process_id, snapshot_id)
          select ${processId}::uuid, id from market_snapshot where id = ${id}::uuid for key share`.execute(transaction)
      }
    })
    told = new Set(ids)
  }

  return {
    async ensureLocal(id) {
      const known = held.get(id)
      // It was used now, and may have been thrown away for room.
      if (known !== undefined) return fetched({ folder: basename(known) })
      const snapshot = await snapshotById(db, id)
      return snapshot && find(snapshot)
    },
    async look() {
      for (const [id, folder] of held) if (!(await hasManifest(folder))) held.delete(id)
      const found: Held[] = []
      for (const newest of await newestOfAll(db)) {
        if ((await find(newest)) !== null) found.push({ newest, here: newest })
        else found.push({ newest, here: await firstHere(newest) })
      }
      for (const id of [...held.keys()].slice(0, -mostHeld)) held.delete(id)
      await tell(new Set(held.keys()))
      return found
    },
    async doubt(ids) {
      for (const id of ids) if (id !== null) held.delete(id)
      await damage.suspect(ids)
    },
  }
}

/** Pinned ones are found again when they are asked for. */
const mostHeld = 64

const hasManifest = (folder: string): Promise<boolean> =>
  access(join(folder, 'manifest.json')).then(
    () => true,
    () => false,
  )
