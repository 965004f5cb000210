/**
 * Store of what the bridge pushed, as files below DATA_DIR that every process sees: the newest ticks, and a file a day of bars and of calls. Each
 * is written under another name and renamed, so that a reader never sees half of it.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BridgePush } from '@convexa/contract'
import { v7 as uuid } from 'uuid'
import { FeedError } from '../feed.ts'

export interface PushedBars {
  /** When it came, ms. */
  readonly at: number
  readonly push: BridgePush
}

const folderOf = (dataDir: string) => join(dataDir, 'feeds', 'xtdata')
type Shelf = { kind: 'ticks' } | { kind: 'bars' | 'calls'; date: string }
const nameOf = (what: Shelf) => (what.kind === 'ticks' ? 'ticks.json' : `${what.kind}-${what.date}.json`)

export async function storePush(dataDir: string, push: BridgePush, at: number): Promise<void> {
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true })
  const aside = join(folder, `${uuid()}.aside`)
  try {
    await writeFile(aside, JSON.stringify({ at, push }))
    await rename(aside, join(folder, nameOf(push)))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** null: nothing was pushed. @throws FeedError what was pushed cannot be read, or is of another release */
export async function shelved(dataDir: string, what: Shelf): Promise<(PushedBars & { readonly bytes: Buffer }) | null> {
  const bytes = await readFile(join(folderOf(dataDir), nameOf(what))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new FeedError('shape', `行情桥接程序推送的数据无法读取（${error.code}）`, { cause: error })
  })
  if (bytes === null) return null
  try {
    const { at, push } = JSON.parse(bytes.toString('utf8')) as { at: number; push: unknown }
    return { at, push: BridgePush.parse(push), bytes }
  } catch (error) {
    throw new FeedError('shape', '行情桥接程序推送的数据无法识别，可能由其他版本写入', { cause: error })
  }
}
