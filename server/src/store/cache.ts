/** The folder in which one worker keeps what it fetched: its owner, and its eviction. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytes } from '../base/free-space.ts'
import { StartError } from '../base/start-error.ts'

const leastFree = 1 << 30
/** A folder that was asked for within this time may be read this moment. */
const inUseMs = 600_000

/**
 * Whether a cache can be ours: what is asked before a worker is announced.
 * @throws StartError where a living process has it that is not `processId`, it cannot be written, or too little space is free
 */
export async function checkCache(folder: string, lives: (processId: string) => Promise<boolean>, processId?: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`缓存目录 ${folder} 无法写入（${error.code}）：请检查权限，或用环境变量 CACHE_DIR 另设一个`)
  })
  const owner = (await readFile(ownerFile(folder), 'utf8').catch(() => '')).trim()
  if (owner !== '' && owner !== processId && (await lives(owner))) throw new StartError(`缓存目录 ${folder} 正被另一个进程使用`)
  const free = await freeBytes(folder)
  if (free !== null && free < leastFree) throw new StartError(`缓存目录 ${folder} 的剩余空间不足 1 GB`)
}

const ownerFile = (folder: string): string => join(folder, 'owner')

/**
 * Makes a cache ours: its file `owner` names our row in the table `process`.
 * @throws StartError as `checkCache`
 */
export async function claimCache(folder: string, processId: string, lives: (processId: string) => Promise<boolean>): Promise<void> {
  await checkCache(folder, lives, processId)
  const file = ownerFile(folder)
  const aside = `${file}.${processId}`
  await writeFile(aside, `${processId}\n`)
  await rename(aside, file)
}

/** Bytes that a cache may take: what was set, and at most 80 % of what is free at the start and what it takes already. */
export async function cacheLimit(folder: string, megabytes: number): Promise<number> {
  const free = (await freeBytes(folder)) ?? Number.POSITIVE_INFINITY
  return Math.min(megabytes * 2 ** 20, 0.8 * (free + (await bytesIn(join(folder, 'market')))))
}

export interface Eviction {
  readonly marketFolder: string
  readonly mostBytes: number
  /** Folders that stay: the current and the newest of each kind. */
  readonly keep: ReadonlySet<string>
  /** When this process last asked for a folder, in milliseconds. */
  readonly lastUse: (folder: string) => number
}

/** Throws folders away, those first that were not used for longest, until the rest fits. @returns bytes that are left */
export async function evict({ marketFolder, mostBytes, keep, lastUse }: Eviction): Promise<number> {
  let { total, folders } = await sizesOf(marketFolder)
  const old = folders
    .filter(({ name }) => !name.startsWith('.') && !keep.has(name) && Date.now() - lastUse(name) > inUseMs)
    .sort((a, b) => a.usedAt - b.usedAt)
  for (const { name } of old) {
    if (total <= mostBytes) break
    await rm(join(marketFolder, name), { recursive: true, force: true })
    // Files that another folder has too stay on the disk.
    total = (await sizesOf(marketFolder)).total
  }
  return total
}

/** Bytes that the folders of snapshots take. */
export const bytesIn = async (marketFolder: string): Promise<number> => (await sizesOf(marketFolder)).total

/** What the folders of snapshots take; a file of several names counts once. */
async function sizesOf(marketFolder: string): Promise<{ total: number; folders: { name: string; usedAt: number }[] }> {
  const seen = new Set<string>()
  const folders: { name: string; usedAt: number }[] = []
  let total = 0
  for (const name of await readdir(marketFolder).catch(() => [])) {
    const path = join(marketFolder, name)
    const found = await stat(path).catch(() => null)
    if (!found?.isDirectory()) continue
    folders.push({ name, usedAt: found.mtimeMs })
    for (const file of await readdir(path).catch(() => [])) {
      const { ino, size } = (await stat(join(path, file)).catch(() => null)) ?? { ino: 0, size: 0 }
      if (seen.has(String(ino))) continue
      seen.add(String(ino))
      total += size
    }
  }
  return { total, folders }
}
