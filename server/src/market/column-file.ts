import { linkSync } from 'node:fs'
import { constants, copyFile, link, open, stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Singles } from '@convexa/engine'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { readRemote } from '../store/snapshot-store.ts'

/** Element type of a column file. Files are little endian, as every platform that Node runs on. */
export type Store = 'f64' | 'f32' | 'u8'

/** What the manifest knows of a file. */
export interface FileEntry {
  readonly bytes: number
  readonly crc32: number
}

/** Writes a file, flushed to the disk, and says what the manifest must remember of it. */
export async function writeFlushed(path: string, bytes: Uint8Array): Promise<FileEntry> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
  return { bytes: bytes.byteLength, crc32: crc32(bytes) }
}

/** Whether a file of an entry holds a text: what has the same entry is the same for the data's version as well. */
export const isEntry = (entry: FileEntry, text: string): boolean => Buffer.byteLength(text) === entry.bytes && crc32(text) === entry.crc32

/**
 * Gives a file that does not change another name; where the file system has no links, a copy. A snapshot has a hundred such files, and a
 * name takes some microseconds: to wait for each would take several times as long.
 */
export async function shareFile(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to)
  } catch {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await flushFile(to)
  }
}

/**
 * A file under another name with bytes behind those that its entry knows; what the entry knows does not move. Where nobody has written
 * behind it yet it stays one file with two names, of which the old one's readers never look at the new bytes; else it is a copy.
 */
export async function appendShared(from: string, to: string, entry: FileEntry, bytes: Uint8Array): Promise<FileEntry> {
  const isWhole = (await stat(from)).size === entry.bytes
  if (!isWhole || !(await link(from, to).then(...always))) await copyFile(from, to, constants.COPYFILE_FICLONE)
  const file = await open(to, 'r+')
  try {
    // What a dead writer left behind the entry goes; only a copy can have any.
    if (!isWhole) await file.truncate(entry.bytes)
    for (let at = 0; at < bytes.byteLength; ) {
      at += (await file.write(bytes, at, bytes.byteLength - at, entry.bytes + at)).bytesWritten
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  return { bytes: entry.bytes + bytes.byteLength, crc32: crc32(bytes, entry.crc32) }
}
const always = [() => true, () => false] as const

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Reads a file of known length and checksum straight into `into`, which may lie in shared memory. */
export async function readChecked(path: string, into: Uint8Array, entry: FileEntry): Promise<void> {
  await readWhole(path, entry, into)
  if (crc32(into) !== entry.crc32) throw new BrokenSnapshot('wrong checksum', path)
}

/** Cells that are looked at at once: they and what they become fit into the processor's cache. */
const blockCells = 16_384

/** Called after each block of a column with the number of cells that are there: further work on them finds them in the cache. */
export type Arrived = (cells: number) => void

/** Reads a file of doubles straight into its column. Cells passed to `arrived` are good only once this has resolved. */
export async function readDoubles(path: string, into: Float64Array, entry: FileEntry, arrived: Arrived): Promise<void> {
  await readWhole(path, entry, bytesIn(into))
  inBlocks(path, entry, into.length, arrived, (from, to, checksum) => crc32(bytesIn(into.subarray(from, to)), checksum))
}

/**
 * Reads a file of floats into doubles, each the shortest decimal that it stands for (`Singles`). It is read into the upper half of their
 * own room and widened from below, so that no other memory is touched: the first touch of a page costs more than anything else here. The
 * lower half is touched by reading the file there as well: that is the time of Node's thread pool, beside this thread's. Cells passed to
 * `arrived` are good only once this has resolved.
 */
export async function readWidened(path: string, into: Float64Array, entry: FileEntry, arrived: Arrived): Promise<void> {
  const halves = new Float32Array(into.buffer, into.byteOffset, 2 * into.length)
  const upper = halves.subarray(into.length)
  await readWhole(path, entry, bytesIn(upper), bytesIn(halves.subarray(0, into.length)))
  const singles = new Singles()
  inBlocks(path, entry, into.length, arrived, (from, to, checksum) => {
    const cells = upper.subarray(from, to)
    const sum = crc32(bytesIn(cells), checksum)
    // Some thousands at a time, which are out of the way before their doubles come: floats in front of these are never reached.
    singles.widen(cells, into.subarray(from, to))
    return sum
  })
}

/** `take` has the checksum so far and says it with its block. */
function inBlocks(
  path: string,
  entry: FileEntry,
  cells: number,
  arrived: Arrived,
  take: (from: number, to: number, checksum: number) => number,
): void {
  let checksum = 0
  for (let from = 0; from < cells; from += blockCells) {
    const to = Math.min(cells, from + blockCells)
    checksum = take(from, to, checksum)
    arrived(to)
  }
  if (checksum !== entry.crc32) throw new BrokenSnapshot('wrong checksum', path)
}

const bytesIn = ({ buffer, byteOffset, byteLength }: Float64Array | Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** A file that is not there is damage; no more handles or no right to read it are not. */
export function missing(error: unknown, message: string, path: string): never {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new BrokenSnapshot(message, path)
  throw error
}

/**
 * Reads a file into each of `places`. What stands behind the bytes that the entry knows belongs to a later snapshot, or to nobody.
 */
async function readWhole(path: string, entry: FileEntry, ...places: Uint8Array[]): Promise<void> {
  const file = await open(path, 'r').catch(async (error: unknown) => {
    const remote = await readRemote(path)
    if (!remote) return missing(error, 'missing file', path)
    if (places.some(({ byteLength }) => byteLength !== remote.length)) throw new BrokenSnapshot('wrong length', path)
    for (const into of places) into.set(remote)
    return null
  })
  if (!file) return
  try {
    const { size } = await file.stat()
    if (size < entry.bytes || places.some(({ byteLength }) => byteLength !== entry.bytes)) throw new BrokenSnapshot('wrong length', path)
    const readings = places.map(async (into) => {
      for (let at = 0; at < entry.bytes; ) {
        const { bytesRead } = await file.read(into, at, entry.bytes - at, at)
        if (bytesRead === 0) throw new BrokenSnapshot('cut short', path)
        at += bytesRead
      }
    })
    // All of them have ended before the file is closed.
    for (const one of await Promise.allSettled(readings)) if (one.status === 'rejected') throw one.reason
  } finally {
    await file.close()
  }
}
