import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** Element type of a column file. Files are little endian, as every platform that Node runs on. */
export type Store = 'f64' | 'f32' | 'u8'

/** What the manifest knows of a file. */
export interface FileEntry {
  readonly bytes: number
  readonly crc32: number
}

/** A file of a snapshot that is missing, cut short or changed. The snapshot is then not readable at all. */
export class BrokenSnapshot extends Error {}

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

/** Reads a file of known length and checksum straight into `into`, which may lie in shared memory. */
export async function readChecked(path: string, into: Uint8Array, entry: FileEntry): Promise<void> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) throw new BrokenSnapshot(`missing file: ${path}`)
  try {
    const { size } = await file.stat()
    if (size !== entry.bytes || into.byteLength !== entry.bytes) throw new BrokenSnapshot(`wrong length: ${path}`)
    let at = 0
    while (at < size) {
      const { bytesRead } = await file.read(into, at, size - at, at)
      if (bytesRead === 0) throw new BrokenSnapshot(`cut short: ${path}`)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
  if (crc32(into) !== entry.crc32) throw new BrokenSnapshot(`wrong checksum: ${path}`)
}

/** Flushes a folder's own entries, so that renames and new files in it survive a power cut. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Windows cannot flush a folder; there the file system journals renames by itself.
    if (process.platform !== 'win32') throw error
  } finally {
    await folder.close()
  }
}
