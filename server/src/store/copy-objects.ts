/** Moving house: what one store has is copied into another, and read back there. */
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { readObject, readVerified, sha256Of } from './read-object.ts'
import { hashOf } from './store-manifest.ts'

export interface Copied {
  readonly copied: number
  readonly bytes: number
  /** Were there already. */
  readonly skipped: number
  /** Are in neither store, or damaged in the old one. */
  readonly missing: readonly string[]
}

const atOnce = 4

/** Copies the objects of the catalogue that the new store does not have. @throws StoreError */
export async function copyObjects(
  { db, from, to }: { readonly db: Kysely<Database>; readonly from: ObjectStore; readonly to: ObjectStore },
  signal: AbortSignal,
): Promise<Copied> {
  const waiting = await db.selectFrom('stored_object').select(['key', 'bytes']).where('state', '=', 1).orderBy('key', 'desc').execute()
  const missing: string[] = []
  let [copied, bytes, skipped] = [0, 0, 0]
  const lane = async () => {
    for (let one = waiting.pop(); one && !signal.aborted; one = waiting.pop()) {
      const { key } = one
      if ((await to.head(key))?.bytes === Number(one.bytes)) {
        skipped++
        continue
      }
      const found = await readOne(from, key)
      if (!found) {
        missing.push(key)
        continue
      }
      const sha256 = sha256Of(found)
      await to.put(key, found, sha256)
      if (!(await readVerified(to, key, sha256.toString('hex')))) throw new StoreError('different', `not there after it was put: ${key}`)
      copied++
      bytes += found.length
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  for (const each of lanes) if (each.status === 'rejected') throw each.reason
  return { copied, bytes, skipped, missing: missing.sort() }
}

/** null: it is not there, or not with its bytes. */
async function readOne(from: ObjectStore, key: string): Promise<Buffer | null> {
  if (!key.startsWith('o/')) return readObject(from, key)
  return readVerified(from, key, hashOf(key)).catch((error: unknown) => {
    if (error instanceof StoreError && error.kind === 'different') return null
    throw error
  })
}

/** Those of the keys that a store does not have. */
export async function absentFrom(objects: ObjectStore, keys: readonly string[]): Promise<string[]> {
  const absent: string[] = []
  const waiting = [...keys]
  const lane = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) if (!(await objects.head(key))) absent.push(key)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return absent
}
