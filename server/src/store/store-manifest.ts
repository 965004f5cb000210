/**
 * How the files of a snapshot are put together out of objects. Of a whole market each file is an object; of a new day the rows of all
 * fields lie behind one another in one object, a pack, together with the small files that changed.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { objectKey } from './object-store.ts'
import type { NewObject } from './put-objects.ts'
import { sha256Of } from './read-object.ts'

/** Bytes of an object from a place on. */
export interface FilePart {
  readonly key: string
  readonly at: number
  readonly bytes: number
}

export interface StoredFile {
  readonly bytes: number
  readonly crc32: number
  readonly parts: readonly FilePart[]
}

export interface StoreManifest {
  readonly format: 1
  /** Name of the snapshot's folder. */
  readonly snapshot: string
  /** Object of the snapshot's own `manifest.json`. */
  readonly manifest: string
  readonly files: Readonly<Record<string, StoredFile>>
}

/** What a manifest says of a file. */
type Entry = Pick<StoredFile, 'bytes' | 'crc32'>

/** Longer objects would have to be put in several pieces. */
const mostBytes = 64 << 20
const packBytes = 48 << 20
/** Smaller files that changed go into the pack. */
const smallFile = 1 << 20
/** A file of more parts is written whole: somebody who begins fetches each of its packs. */
const mostParts = 22

/** Objects that a folder has to have in the store, and its store manifest but for the name of the folder. */
export interface PlannedUpload {
  readonly objects: readonly NewObject[]
  readonly files: StoreManifest['files']
}

/**
 * Plans which objects a folder's files become. What stands in the store manifest of the snapshot before with the same length and checksum
 * is taken as it is; a file that goes on from what stands there adds its end alone.
 */
export async function planUpload(
  folder: string,
  entries: Readonly<Record<string, Entry>>,
  before: StoreManifest | null,
): Promise<PlannedUpload> {
  const objects = new Map<string, NewObject>()
  const files: Record<string, StoredFile> = {}
  const packed: { name: string; known: readonly FilePart[]; bytes: Buffer }[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const known = before?.files[name]
    if (known?.bytes === entry.bytes && known.crc32 === entry.crc32) {
      files[name] = known
      continue
    }
    const path = join(folder, name)
    if (known && known.bytes < entry.bytes && known.parts.length < mostParts) {
      const end = await readPart(path, known.bytes, entry.bytes - known.bytes)
      // A checksum goes on: only a file that begins with the known bytes comes to the one of the whole.
      if (crc32(end, known.crc32) === entry.crc32) {
        packed.push({ name, known: known.parts, bytes: end })
        continue
      }
    }
    if (before && entry.bytes < smallFile) {
      packed.push({ name, known: [], bytes: await readPart(path, 0, entry.bytes) })
      continue
    }
    const parts: FilePart[] = []
    for (let at = 0; at === 0 || at < entry.bytes; at += mostBytes) {
      const bytes = Math.min(mostBytes, entry.bytes - at)
      const read = () => readPart(path, at, bytes)
      const key = keyOf(await read())
      objects.set(key, { key, bytes, read })
      parts.push({ key, at: 0, bytes })
    }
    files[name] = { ...plain(entry), parts }
  }
  // In the order of the manifest, so that the same day makes the same pack.
  while (packed.length > 0) {
    const inPack: typeof packed = []
    for (let bytes = 0; packed[0] && (bytes === 0 || bytes + packed[0].bytes.length <= packBytes); ) {
      bytes += packed[0].bytes.length
      inPack.push(packed.shift()!)
    }
    const pack = Buffer.concat(inPack.map(({ bytes }) => bytes))
    const key = keyOf(pack)
    objects.set(key, { key, bytes: pack.length, read: async () => pack })
    let at = 0
    for (const { name, known, bytes } of inPack) {
      files[name] = { ...plain(entries[name]!), parts: [...known, { key, at, bytes: bytes.length }] }
      at += bytes.length
    }
  }
  return { objects: [...objects.values()], files }
}

const plain = ({ bytes, crc32 }: Entry): Entry => ({ bytes, crc32 })
const keyOf = (bytes: Uint8Array): string => objectKey(sha256Of(bytes).toString('hex'))

/** A text as an object. */
export function textObject(text: string | Uint8Array): NewObject {
  const bytes = Buffer.from(text)
  return { key: keyOf(bytes), bytes: bytes.length, read: async () => bytes }
}

/** Every object that a store manifest names. */
export const keysOf = ({ manifest, files }: StoreManifest): Set<string> =>
  new Set([manifest, ...Object.values(files).flatMap(({ parts }) => parts.map(({ key }) => key))])

/** The hash that a key of an object says. */
export const hashOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

async function readPart(path: string, at: number, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const into = Buffer.allocUnsafe(bytes)
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(into, done, bytes - done, at + done)
      if (bytesRead === 0) throw new Error(`cut short: ${path}`)
      done += bytesRead
    }
    return into
  } finally {
    await file.close()
  }
}
