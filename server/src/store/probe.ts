import { randomBytes } from 'node:crypto'
import { type ObjectStore, probeKey, StoreError } from './object-store.ts'
import { readObject, sha256Of } from './read-object.ts'

/**
 * Whether a store can be used: an object is put, read back, compared and removed; then what is not there is asked for, which a store
 * answers by a refusal where the keys may not list.
 * @throws StoreError
 */
export async function probeStore(store: ObjectStore): Promise<void> {
  const key = probeKey()
  const bytes = randomBytes(1_024)
  await store.put(key, bytes, sha256Of(bytes))
  const back = await readObject(store, key)
  if (back === null || !back.equals(bytes)) throw new StoreError('different', `read back otherwise: ${key}`)
  await store.remove(key)
  await store.head(probeKey())
}
