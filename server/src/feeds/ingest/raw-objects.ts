/**
 * Kept answers as objects, where several machines share a store: an ingestion that one machine began goes on at another without asking the
 * source again. A row of `raw_object` says which object a place has, and holds it until FEED_KEEP_DAYS after the answer was last given.
 */
import { sql } from 'kysely'
import { putBytes, readBytesOf } from '../../store/bytes-by-hash.ts'
import { lockThere } from '../../store/catalogue.ts'
import { StoreError } from '../../store/object-store.ts'
import type { SnapshotStore } from '../../store/snapshot-store.ts'

type Store = Pick<SnapshotStore, 'db' | 'objects'>

/** The packed bytes of a place; null: it has none, or their stored copy is damaged. @throws StoreError the store cannot be used now */
export async function readPlace(store: Store, place: string): Promise<Buffer | null> {
  const row = await store.db.selectFrom('raw_object').select('key').where('place', '=', place).executeTakeFirst()
  return row ? readBytesOf(store, row.key) : null
}

/** The answer of a place was given again: its age counts from now on. false: it has none. */
export async function giveAgain(store: Store, place: string): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('raw_object')
    .set({ given_at: sql<Date>`now()` })
    .where('place', '=', place)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @throws StoreError */
export async function writePlace(store: Store, place: string, packed: Uint8Array): Promise<void> {
  const key = await putBytes(store, packed)
  await store.db.transaction().execute(async (transaction) => {
    if ((await lockThere(transaction, [key])).length > 0) throw new StoreError('unreachable', `taken away before it was kept: ${key}`)
    await transaction
      .insertInto('raw_object')
      .values({ place, key })
      .onConflict((conflict) => conflict.column('place').doUpdateSet({ key, given_at: sql<Date>`now()` }))
      .execute()
  })
}

/** Places below a folder whose next name is before `before`, the last first. */
export async function placesBefore(store: Store, folder: string, before: string): Promise<string[]> {
  const rows = await store.db
    .selectFrom('raw_object')
    .select('place')
    .where('place', '>=', `${folder}/`)
    .where('place', '<', `${folder}/${before}`)
    .orderBy('place', 'desc')
    .execute()
  return rows.map(({ place }) => place)
}

/** @returns how many were forgotten */
export async function forgetPlaces(store: Store, days: number): Promise<number> {
  const { numDeletedRows } = await store.db
    .deleteFrom('raw_object')
    .where('given_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
