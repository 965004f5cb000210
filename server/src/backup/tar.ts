/** Folders as ustar: what PostgreSQL's own base backups are made of. */
import { chown, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flushFolder } from '../base/flush-folder.ts'
import { someAtOnce } from './some-at-once.ts'

const block = 512

/** Head of an entry, whose `size` bytes follow, filled up to a block (`paddingOf`). Folders have none. */
export function tarHead(name: string, size: number, kind: 'file' | 'folder'): Buffer {
  const path = kind === 'folder' ? `${name}/` : name
  if (Buffer.byteLength(path) > 100) throw new Error(`too long for an archive: ${path}`)
  const head = Buffer.alloc(block)
  head.write(path)
  head.write(kind === 'folder' ? '0000700\0' : '0000600\0', 100)
  head.write('0000000\0'.repeat(2), 108)
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write(kind === 'folder' ? '5' : '0', 156)
  head.write('ustar\x0000', 257)
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

export const paddingOf = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

/** Two empty blocks end an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block)

/**
 * Writes what an archive holds into a new folder, flushed. `owner`: user and group of all of it.
 * @throws Error where it is no archive, or is cut off
 */
export async function extractTar(parts: AsyncIterable<Buffer>, folder: string, owner: number | null): Promise<void> {
  const source = bytesOf(parts)
  const own = async (path: string) => {
    if (owner !== null) await chown(path, owner, owner)
  }
  await mkdir(folder, { mode: 0o700 })
  await own(folder)
  const folders = [folder]
  const flushing = someAtOnce(16)
  for (;;) {
    const head = await source.take(block)
    if (head.every((byte) => byte === 0)) break
    const sum = Number.parseInt(head.toString('latin1', 148, 156), 8)
    if (sumOf(Buffer.concat([head.subarray(0, 148), Buffer.alloc(8, ' '), head.subarray(156)])) !== sum) throw new Error('no archive')
    const name = head.toString('utf8', 0, head.indexOf(0) < 100 ? head.indexOf(0) : 100)
    const size = Number.parseInt(head.toString('latin1', 124, 136), 8)
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`an archive may not hold ${name}`)
    const path = join(folder, name)
    if (head[156] === '5'.charCodeAt(0)) {
      await mkdir(path, { mode: 0o700 })
      await own(path)
      folders.push(path)
      continue
    }
    const file = await open(path, 'wx', 0o600)
    try {
      for (let left = size; left > 0; ) {
        const bytes = await source.some(left)
        await file.writeFile(bytes)
        left -= bytes.length
      }
    } catch (error) {
      await file.close()
      throw error
    }
    await flushing.add(async () => {
      try {
        await file.datasync()
      } finally {
        await file.close()
      }
      await own(path)
    })
    await source.take(paddingOf(size).length)
  }
  await flushing.end()
  for (const path of folders.reverse()) await flushFolder(path)
  await flushFolder(dirname(folder))
}

/** The sum over a head whose own field for it is blank. */
const sumOf = (head: Buffer): number => head.reduce((sum, byte) => sum + byte, 0)

/** Bytes that come in parts of any length. */
function bytesOf(parts: AsyncIterable<Buffer>) {
  const iterator = parts[Symbol.asyncIterator]()
  let part: Buffer = Buffer.alloc(0)
  /** At most so many, at least one. */
  const some = async (most: number): Promise<Buffer> => {
    while (part.length === 0) {
      const next = await iterator.next()
      if (next.done) throw new Error('an archive is cut off')
      part = next.value
    }
    const given = part.subarray(0, most)
    part = part.subarray(given.length)
    return given
  }
  return {
    some,
    async take(count: number): Promise<Buffer> {
      const taken: Buffer[] = []
      for (let left = count; left > 0; ) {
        const bytes = await some(left)
        taken.push(bytes)
        left -= bytes.length
      }
      return Buffer.concat(taken)
    },
  }
}
