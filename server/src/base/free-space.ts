import { statfs } from 'node:fs/promises'

/** Below so much the database and the market store can no longer be written to. */
export const leastFreeBytes = 200 * 1024 * 1024

/** Bytes that are free where a folder lies; null where the system does not say. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
