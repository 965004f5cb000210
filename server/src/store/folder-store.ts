import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { flushFolder } from '../base/flush-folder.ts'
import { checkKey, type ObjectStore, StoreError } from './object-store.ts'

const part = /^\.[^/]*\.part$/
const dayMs = 86_400_000

/**
 * Objects as files of a folder, which several machines may mount. A file is written aside, flushed and renamed. `strip` is left out of the
 * file's path: of the folder of uploads, whose keys begin with `u/`.
 */
export function folderStore(root: string, { strip = '' }: { readonly strip?: string } = {}): ObjectStore {
  const pathOf = (key: string): string => {
    if (!checkKey(key).startsWith(strip)) throw new Error(`not a key of this folder: ${key}`)
    return join(root, key.slice(strip.length))
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const folder = dirname(path)
      const aside = join(folder, `.${randomBytes(8).toString('hex')}.part`)
      try {
        await makeFolder(folder)
        const file = await open(aside, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(aside, path)
        await flushFolder(folder)
      } catch (error) {
        await rm(aside, { force: true }).catch(() => {})
        throw troubleOf(error)
      }
    },
    async get(key, range) {
      const file = await unlessMissing(open(pathOf(key), 'r'))
      if (!file) return null
      try {
        // A folder has a key's name where another key goes on from it.
        if (!(await file.stat()).isFile()) {
          await file.close()
          return null
        }
      } catch (error) {
        await file.close()
        throw troubleOf(error)
      }
      if (range && range.bytes === 0) {
        await file.close()
        return Readable.from([])
      }
      return file.createReadStream(range ? { start: range.at, end: range.at + range.bytes - 1 } : {})
    },
    async head(key) {
      const found = await unlessMissing(stat(pathOf(key)))
      return found?.isFile() ? { bytes: found.size } : null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true }).catch((error) => {
        throw troubleOf(error)
      })
    },
    list: (prefix) => below(root, strip, prefix),
    close() {},
  }

  async function makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    // The name of a new folder lies in the one above it.
    for (let made = folder; first && made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made))
  }
}

/** Files whose keys begin with the prefix. What a killed writer left aside more than a day ago is thrown away on the way. */
async function* below(root: string, strip: string, prefix: string, under = ''): AsyncGenerator<{ key: string; bytes: number }> {
  const entries = (await unlessMissing(readdir(join(root, under), { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    const path = under + entry.name
    const key = strip + path
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* below(root, strip, prefix, `${path}/`)
      continue
    }
    const found = await unlessMissing(stat(join(root, path)))
    if (!found?.isFile()) continue
    if (part.test(entry.name)) {
      if (Date.now() - found.mtimeMs > dayMs) await rm(join(root, path), { force: true })
    } else if (key.startsWith(prefix)) yield { key, bytes: found.size }
  }
}

const unlessMissing = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw troubleOf(error)
  })

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

function troubleOf(error: unknown): unknown {
  const code = codeOf(error)
  const message = (error as Error).message
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return new StoreError('denied', message, { cause: error })
  if (['ENOSPC', 'EDQUOT'].includes(code)) return new StoreError('full', message, { cause: error })
  if (['EIO', 'ESTALE', 'ENOENT', 'ENOTDIR', 'ETIMEDOUT', 'ENOTCONN'].includes(code))
    return new StoreError('unreachable', message, { cause: error })
  return error
}
