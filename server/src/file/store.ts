import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where bytes of files are kept, by names that we make. One that is not on this machine would have the same four words. */
export interface ObjectStore {
  /** Whole or not there. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** null: there is none. */
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** Names of all that is older than so many milliseconds; what was not written to its end is thrown away on the way. */
  olderThan(ms: number): AsyncIterable<string>
}

/** 128 random bits and what it is. */
export const newName = (extension: string): string => `${randomBytes(16).toString('hex')}.${extension}`

export const nameShape = /^[0-9a-f]{32}\.webp$/

/** `DATA_DIR/files/ab/abcd….webp` */
export function localStore(dataDir: string): ObjectStore {
  const root = join(dataDir, 'files')
  const folderOf = (name: string) => join(root, name.slice(0, 2))
  return {
    async put(name, bytes) {
      const folder = folderOf(name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const aside = join(folder, `.${name}.part`)
      const file = await open(aside, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
        await file.close()
        await rename(aside, join(folder, name))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(aside, { force: true })
        throw error
      }
    },
    get: (name) => unlessMissing(readFile(join(folderOf(name), name))),
    remove: (name) => rm(join(folderOf(name), name), { force: true }),
    async *olderThan(ms) {
      for (const folder of (await unlessMissing(readdir(root))) ?? []) {
        for (const name of (await unlessMissing(readdir(join(root, folder)))) ?? []) {
          const found = await unlessMissing(stat(join(root, folder, name)))
          if (!found || Date.now() - found.mtimeMs <= ms) continue
          if (nameShape.test(name)) yield name
          else await rm(join(root, folder, name), { force: true })
        }
      }
    },
  }
}

const unlessMissing = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: { code?: string }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
