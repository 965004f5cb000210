import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { type ObjectStore, StoreError } from './object-store.ts'
import { hashOf } from './store-manifest.ts'

const attempts = 3

/**
 * Fetches an object into a file, which gets its name only when the hash is right. An answer that was cut or changed on the way is asked for
 * again.
 * @throws StoreError `different`: the stored copy is damaged or gone
 */
export async function fetchObject(objects: ObjectStore, key: string, path: string): Promise<void> {
  const part = `${path}.part`
  for (let attempt = 1; ; attempt++) {
    try {
      if ((await hashOfFetched(objects, key, part)) !== hashOf(key))
        throw new StoreError('different', `other bytes than its hash says: ${key}`)
      await rename(part, path)
      return
    } catch (error) {
      await rm(part, { force: true })
      if (attempt >= attempts || !(error instanceof StoreError) || !['unreachable', 'different'].includes(error.kind)) throw error
    }
  }
}

async function hashOfFetched(objects: ObjectStore, key: string, path: string): Promise<string> {
  const stream = await objects.get(key)
  if (!stream) throw new StoreError('different', `not there: ${key}`)
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
