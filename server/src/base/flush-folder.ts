import { open } from 'node:fs/promises'

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
