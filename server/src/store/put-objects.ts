import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { claim, markThere, type StoredKey, touch } from './catalogue.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { sha256Of } from './read-object.ts'

/** An object that is to be stored; its bytes are asked for when they are sent. */
export interface NewObject extends StoredKey {
  readonly read: () => Promise<Uint8Array>
}

const atOnce = 4
const touchEveryMs = 300_000
/** A collector may take a claimed key away between a claim and its mark; more often than once it does not happen to one key. */
const rounds = 5

/**
 * Puts the objects that are not there, each under the hash of its bytes; when this resolves all are durable and marked so. While it works
 * the keys of `others` are kept from the collector as well.
 * @throws StoreError
 */
export async function putObjects(
  { db, objects }: { readonly db: Kysely<Database>; readonly objects: ObjectStore },
  wanted: readonly NewObject[],
  others: readonly string[] = [],
): Promise<void> {
  const keys = [...wanted.map(({ key }) => key), ...others]
  const touching = setInterval(() => void touch(db, keys).catch(() => {}), touchEveryMs)
  try {
    let waiting = [...wanted]
    for (let round = 1; waiting.length > 0; round++) {
      if (round > rounds) throw new StoreError('unreachable', `objects are taken away again and again: ${waiting[0]!.key}`)
      const absent = await claim(db, waiting)
      const toPut = waiting.filter(({ key }) => absent.has(key))
      const lost: NewObject[] = []
      const lane = async () => {
        for (let one = toPut.pop(); one; one = toPut.pop()) {
          const bytes = await one.read()
          await objects.put(one.key, bytes, sha256Of(bytes))
          if (!(await markThere(db, one.key))) lost.push(one)
        }
      }
      const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, toPut.length) }, lane))
      for (const each of lanes) if (each.status === 'rejected') throw each.reason
      waiting = lost
    }
  } finally {
    clearInterval(touching)
  }
}
