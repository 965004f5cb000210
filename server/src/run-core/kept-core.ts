import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../base/api-error.ts'
import { readBytes } from '../db/read-bytes.ts'
import type { Database } from '../db/tables.ts'
import { putBytes, readBytesOf } from '../store/bytes-by-hash.ts'
import { lockThere } from '../store/catalogue.ts'
import { StoreError } from '../store/object-store.ts'
import { snapshotStoreOf } from '../store/snapshot-store.ts'
import { inTime, throwStoreAway } from '../store/store-away.ts'
import { coreFormat } from './core-format.ts'

// Where cores are kept: in the object store, or in their rows where there is none or it was away. Nobody else reads or writes the bytes of
// `run_core`.

/** A run does not wait longer for the store. */
const putWithinMs = 5_000

/** Puts a core into the object store, before the transaction that finishes its run. @returns its key; null: its row takes it */
export async function putCore(dataDir: string, core: Uint8Array): Promise<string | null> {
  const store = snapshotStoreOf(dataDir)
  if (!store) return null
  const put = putBytes(store, core).catch((error: unknown) => {
    if (error instanceof StoreError) return null
    throw error
  })
  // One that comes too late is left to the collector.
  put.catch(() => {})
  return Promise.race([put, sleep(putWithinMs, null, { ref: false })])
}

/** In the transaction that finishes the run. `key`: where `putCore` has put it. */
export async function insertCore(transaction: Transaction<Database>, runId: string, core: Uint8Array, key: string | null): Promise<void> {
  const isThere = key !== null && (await lockThere(transaction, [key])).length === 0
  await transaction
    .insertInto('run_core')
    .values({ run_id: runId, format: coreFormat, bytes: core.length, ...(isThere ? { key } : { inline: Buffer.from(core) }) })
    .execute()
}

/**
 * The core of a user's own run. Both ids are of rows.
 * @throws ApiError 50301 the store cannot be used now; 21012 the stored copy is damaged
 */
export async function readCore(
  { db, dataDir }: { readonly db: Kysely<Database>; readonly dataDir: string },
  userId: string,
  runId: string,
): Promise<Buffer | null> {
  const own = db
    .selectFrom('run_core as c')
    .innerJoin('backtest_run as r', 'r.id', 'c.run_id')
    .where('r.id', '=', sql.lit(runId))
    .where('r.user_id', '=', sql.lit(userId))
  const store = snapshotStoreOf(dataDir)
  const inline = () => readBytes(db, own.select('c.inline').compile())
  if (!store) return inline()
  const key = async () => (await own.select('c.key').executeTakeFirst())?.key ?? null
  // Out of the row it may move into the store between two looks.
  const at = await key()
  const bytes = at === null ? await inline() : null
  const stored = bytes ? null : (at ?? (await key()))
  if (stored === null) return bytes
  const core = await inTime(readBytesOf(store, stored)).catch(throwStoreAway)
  if (!core) throw new ApiError(errorCodes.runDataGone, '这次回测保存的结果已损坏，请重新运行')
  return core
}

const movedAtOnce = 200

/** Moves cores that their rows took, since the store was away or is new, into the store. @returns how many */
export async function moveCores(db: Kysely<Database>, dataDir: string): Promise<number> {
  const store = snapshotStoreOf(dataDir)
  if (!store) return 0
  const rows = await db.selectFrom('run_core').select(['run_id', 'inline']).where('key', 'is', null).limit(movedAtOnce).execute()
  let moved = 0
  for (const { run_id, inline } of rows) {
    if (!inline) continue
    const key = await putBytes(store, inline)
    moved += await db.transaction().execute(async (transaction) => {
      if ((await lockThere(transaction, [key])).length > 0) return 0
      const { numUpdatedRows } = await transaction
        .updateTable('run_core')
        .set({ key, inline: null })
        .where('run_id', '=', run_id)
        .where('key', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    })
  }
  return moved
}
