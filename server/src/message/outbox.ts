import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { shanghaiTime } from '../base/time.ts'
import type { Deliver } from './deliver.ts'
import type { Channel } from './texts.ts'

export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** Without a vendor each message becomes a file for the operator, written atomically and named by time and id. */
export function outbox(dataDir: string, channel: Channel): Deliver {
  const folder = outboxFolder(dataDir)
  return async ({ id, to, purpose, text, code }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await forgetOld(folder)
    const aside = join(folder, `.${id}.part`)
    const file = await open(aside, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify({ to, channel, purpose, text, code, created_at: shanghaiTime(new Date()) })}\n`)
      await file.sync()
    } catch (error) {
      await rm(aside, { force: true })
      throw error
    } finally {
      await file.close()
    }
    // Ids are time-ordered, and the same message always gets the same file name.
    await rename(aside, join(folder, `${id}.json`))
  }
}

const keptMs = 7 * 24 * 3_600_000

/** Files older than this are deleted: their codes are expired, and they name people. */
async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && Date.now() - found.mtimeMs > keptMs) await rm(file, { force: true })
  }
}
