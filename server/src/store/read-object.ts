import { createHash } from 'node:crypto'
import { type ObjectStore, StoreError } from './object-store.ts'

const attempts = 3

/**
 * All bytes of an object, or of a part of it; null: it is not there. An answer that was cut or stalled is asked for again: the retries of
 * the SDK end with the head of an answer.
 * @throws StoreError
 */
export async function readObject(
  store: ObjectStore,
  key: string,
  range?: { readonly at: number; readonly bytes: number },
): Promise<Buffer | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const stream = await store.get(key, range)
      return stream && Buffer.concat(await stream.toArray())
    } catch (error) {
      if (attempt >= attempts || !(error instanceof StoreError) || error.kind !== 'unreachable') throw error
    }
  }
}

/**
 * An object of the given hash. Bytes that differ are asked for once more, since they may have been changed on the way.
 * @throws StoreError `different`: the stored copy is damaged
 */
export async function readVerified(store: ObjectStore, key: string, sha256: string): Promise<Buffer | null> {
  for (let attempt = 1; ; attempt++) {
    const bytes = await readObject(store, key)
    if (bytes === null || sha256Of(bytes).toString('hex') === sha256) return bytes
    if (attempt >= 2) throw new StoreError('different', `other bytes than its hash says: ${key}`)
  }
}

export const sha256Of = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
