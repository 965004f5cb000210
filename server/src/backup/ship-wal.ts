import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../base/start-error.ts'
import { type BackupPlace, getPiece, putPiece } from './pieces.ts'
import { unlessGone } from './unless-gone.ts'
import { isHistory, isSegment, walKey } from './wal-names.ts'

/** Where PostgreSQL's archive command puts segments, in its own folder: as root it runs as another user and may reach nothing else. */
const walOut = (folder: string): string => join(folder, 'wal-out')

interface WalBehind {
  readonly bytes: number
  /** When the oldest waiting segment was archived; null: none waits. */
  readonly since: Date | null
}

/** What waits to be shipped. */
export async function walBehind(folder: string): Promise<WalBehind> {
  const files = await waiting(folder)
  return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), since: files[0]?.at ?? null }
}

/** Removes the oldest that wait until so many bytes are left: what was written since the last backup is cut there. @returns how many */
export async function dropOldest(folder: string, most: number): Promise<number> {
  const files = await waiting(folder)
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let dropped = 0
  for (const { path, bytes } of files) {
    if (left <= most) break
    await rm(path, { force: true })
    left -= bytes
    dropped++
  }
  return dropped
}

/**
 * Puts what PostgreSQL has archived among the backups, reads it back, and removes it here. May be killed at any time and run again.
 * @returns when the newest shipped segment was archived; null: there was none
 * @throws StartError where another site's segment lies there; StoreError
 */
export async function shipWal(place: BackupPlace, folder: string): Promise<Date | null> {
  let newest: Date | null = null
  for (const { name, path, at } of await waiting(folder)) {
    const bytes = await readFile(path).catch(unlessGone)
    if (bytes === null) continue
    const key = walKey(name)
    if (await place.objects.head(key)) {
      // Of a round that was killed before it removed the file here. What is damaged is written again.
      const there = await getPiece(place, key).catch((error: unknown) => {
        if (error instanceof StartError) return null
        throw error
      })
      if (there !== null && !there.equals(bytes))
        throw new StartError(`备份里已有不同的 ${key}：另一个站点正在使用同一个 BACKUP_URL，请为每个站点设置各自的地址`)
      if (there === null) await putPiece(place, key, bytes)
    } else await putPiece(place, key, bytes)
    await rm(path, { force: true })
    newest = at
  }
  return newest
}

interface Waiting {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly at: Date
}

/** What marks a base backup, and what an old timeline had begun of a segment: a restore asks for neither. */
const notNeeded = /\.(backup|partial)$/

/** The oldest first. */
async function waiting(folder: string): Promise<readonly Waiting[]> {
  const out = walOut(folder)
  const all = (await readdir(out).catch(unlessGone)) ?? []
  for (const name of all) if (notNeeded.test(name)) await rm(join(out, name), { force: true })
  const names = all.filter((name) => isSegment(name) || isHistory(name))
  const found: Waiting[] = []
  for (const name of names.sort()) {
    const path = join(out, name)
    const its = await stat(path).catch(unlessGone)
    if (its) found.push({ name, path, bytes: its.size, at: its.mtime })
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}
