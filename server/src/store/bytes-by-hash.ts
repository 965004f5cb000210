import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { markAbsent } from './catalogue.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { putObjects } from './put-objects.ts'
import { readVerified } from './read-object.ts'
import { hashOf, textObject } from './store-manifest.ts'

/** A store with the database that has its catalogue. */
export interface CataloguedStore {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
}

/**
 * Puts bytes as an object. A row refers to it within the day, in a transaction that has asked `lockThere`.
 * @returns the key
 * @throws StoreError
 */
export async function putBytes(store: CataloguedStore, bytes: Uint8Array): Promise<string> {
  const object = textObject(bytes)
  await putObjects(store, [object])
  return object.key
}

/**
 * An object by its key; null: the stored copy is gone or damaged, and the next who puts the same bytes writes them anew.
 * @throws StoreError the store cannot be used now
 */
export async function readBytesOf({ db, objects }: CataloguedStore, key: string): Promise<Buffer | null> {
  const bytes = await readVerified(objects, key, hashOf(key)).catch((error: unknown) => {
    if (error instanceof StoreError && error.kind === 'different') return null
    throw error
  })
  if (!bytes) await markAbsent(db, key)
  return bytes
}
