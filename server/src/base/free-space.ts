import { statfs } from 'node:fs/promises'

/** Below so much the database and the market store can no longer be written to. */
export const leastFreeBytes = 200 * 1024 * 1024

/** Bytes that are free where a folder lies; null where the system does not say. */
export const freeBytes = async (folder: string): Promise<number | null> => (await diskSpace(folder))?.free ?? null

/** Bytes of the disk where a folder lies: those that are free, and all that may be used; null where the system does not say. */
export async function diskSpace(folder: string): Promise<{ readonly free: number; readonly size: number } | null> {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(folder)
    // What is kept for the superuser is no space of ours.
    return { free: bavail * bsize, size: (blocks - (bfree - bavail)) * bsize }
  } catch {
    return null
  }
}
