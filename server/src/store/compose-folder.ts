/** Makes the folder of a snapshot out of objects, in the layout that everything that computes reads. */
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchObject } from './fetch-object.ts'
import type { ObjectStore } from './object-store.ts'
import { type FilePart, hashOf, type StoredFile, type StoreManifest } from './store-manifest.ts'

/** A folder on this machine whose files may be taken over. */
export interface LocalBase {
  readonly folder: string
  readonly files: StoreManifest['files']
}

const atOnce = 4

/** Fills an empty folder; `manifest.json` comes last. What a base has is linked or copied and not fetched. */
export async function composeFolder(objects: ObjectStore, folder: string, manifest: StoreManifest, base: LocalBase | null): Promise<void> {
  const parts = join(folder, '.objects')
  await mkdir(parts)
  const made: { name: string; file: StoredFile; from: StoredFile | null }[] = []
  for (const [name, file] of Object.entries(manifest.files)) {
    const known = base?.files[name] ?? null
    if (base && known && sameParts(known.parts, file.parts)) await share(join(base.folder, name), join(folder, name))
    else made.push({ name, file, from: known && sameParts(known.parts, file.parts.slice(0, known.parts.length)) ? known : null })
  }
  const needed = new Set(made.flatMap(({ file, from }) => file.parts.slice(from?.parts.length ?? 0).map(({ key }) => key)))
  needed.add(manifest.manifest)
  const waiting = [...needed]
  await inLanes(atOnce, async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await fetchObject(objects, key, join(parts, hashOf(key)))
  })
  for (const { name, file, from } of made) {
    const path = join(folder, name)
    if (base && from) {
      // Never appended in place: a publisher of this machine may append to the same file.
      await copyFile(join(base.folder, name), path, constants.COPYFILE_FICLONE)
      await put(parts, path, from.bytes, file.parts.slice(from.parts.length))
    } else await put(parts, path, 0, file.parts)
  }
  const last = join(parts, hashOf(manifest.manifest))
  await rename(last, join(folder, 'manifest.json.part'))
  await rm(parts, { recursive: true })
  await rename(join(folder, 'manifest.json.part'), join(folder, 'manifest.json'))
}

/** Writes parts behind the first bytes of a file; what stood behind these goes. */
async function put(objectsFolder: string, path: string, from: number, parts: readonly FilePart[]): Promise<void> {
  const file = await open(path, from === 0 ? 'w' : 'r+')
  try {
    await file.truncate(from)
    let at = from
    for (const { key, at: begin, bytes } of parts) {
      const source = await open(join(objectsFolder, hashOf(key)), 'r')
      try {
        const chunk = Buffer.allocUnsafe(Math.min(bytes, 4 << 20))
        for (let done = 0; done < bytes; ) {
          const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, bytes - done), begin + done)
          if (bytesRead === 0) throw new Error(`object cut short: ${key}`)
          await file.write(chunk, 0, bytesRead, at)
          done += bytesRead
          at += bytesRead
        }
      } finally {
        await source.close()
      }
    }
  } finally {
    await file.close()
  }
}

/** Files that a manifest names never change; a later snapshot may go on behind what it names. */
async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

const sameParts = (some: readonly FilePart[], others: readonly FilePart[]): boolean =>
  some.length === others.length &&
  some.every(({ key, at, bytes }, i) => key === others[i]!.key && at === others[i]!.at && bytes === others[i]!.bytes)

async function inLanes(count: number, lane: () => Promise<void>): Promise<void> {
  for (const each of await Promise.allSettled(Array.from({ length: count }, lane))) if (each.status === 'rejected') throw each.reason
}
