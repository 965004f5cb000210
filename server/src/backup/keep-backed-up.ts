import { sql } from 'kysely'
import { StartError } from '../base/start-error.ts'
import { tryAdvisoryLock } from '../db/advisory-lock.ts'
import { locks } from '../db/locks.ts'
import { listBackups, momentOfName, readInfo } from './backup-info.ts'
import { type BackupDeps, backUp, shipOnce, usualPace } from './backup-site.ts'
import { writeBackupState } from './backup-state.ts'
import { type FileList, listChunks, putFiles } from './data-files.ts'
import { markErased } from './erased-users.ts'
import type { Piece } from './pieces.ts'
import { dropOldest, walBehind } from './ship-wal.ts'

export interface KeepDeps extends BackupDeps {
  /** Hour in Beijing of the nightly backup. */
  readonly hour: number
  readonly log: (sentence: string) => void
  readonly periods?: Periods
}

/** Milliseconds: between two rounds of shipping, two looks at the files, a failed backup and the next try. */
interface Periods {
  readonly ship: number
  readonly files: number
  readonly again: number
}

const stopMs = 5_000
const usualPeriods: Periods = { ship: 10_000, files: 60_000, again: 600_000 }
/** Of WAL that waits to be shipped: when the operator is warned, and when the oldest is dropped. */
const limits = { warnBytes: 2e9, warnMs: 3_600_000, dropBytes: 4e9 } as const
const dayMs = 86_400_000
const beijingMs = 8 * 3_600_000

/** Ships the WAL of a running site, puts what is new of its files, and makes a backup each night, and at once where there is none. */
export function keepBackedUp(deps: KeepDeps): { close(): Promise<void> } {
  const { ship, files, again } = deps.periods ?? usualPeriods
  const stop = new AbortController()
  const told = new Map<string, string>()
  /** A failure is said once until it changes. */
  const trying = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      if (told.delete(what)) deps.log(`${what}已恢复正常`)
      return true
    } catch (error) {
      if (stop.signal.aborted) return false
      const why = error instanceof Error ? error.message : String(error)
      if (told.get(what) !== why) deps.log(`${what}失败，将继续尝试：${why}`)
      told.set(what, why)
      return false
    }
  }
  let isCut = false
  /** A place that is away must not fill the disk of the site. */
  const watchBehind = async () => {
    const { bytes, since } = await walBehind(deps.folder)
    if (bytes > limits.dropBytes) {
      isCut = true
      const dropped = await dropOldest(deps.folder, limits.warnBytes)
      throw new StartError(`备份处一直连不上，为保护磁盘丢弃了 ${dropped} 段 WAL：恢复正常后将立即做一次完整备份`)
    }
    if (bytes > limits.warnBytes || (since !== null && Date.now() - since.getTime() > limits.warnMs))
      throw new StartError('备份落后太多，请检查 BACKUP_URL 所指的存放处')
  }
  let known: { list: FileList; piece: Piece; chunks: Set<string> } | null = null
  const putNew = async () => {
    await tryAdvisoryLock(deps.db, locks.backupFiles, async () => {
      const put = await putFiles(deps, known, known?.chunks ?? (await listChunks(deps)))
      // Others may have been removed meanwhile: what the newest list names is kept.
      known = { ...put, chunks: new Set(put.list.files.flatMap((file) => file.chunks)) }
    })
    await markErased(deps, deps.db)
  }
  const whole = async () => {
    const { whole: names } = await listBackups(deps)
    const isDue = names[0] === undefined || momentOfName(names[0]) < lastDue(new Date(), deps.hour)
    if (!isDue && !isCut && !(await isRestored(names[0]!))) return
    await backUp(deps, usualPace)
    isCut = false
    // The next look at the files compares them with what is there.
    known = null
  }
  /** A restored site writes on a timeline of its own: a backup on it says which one the site went on with. */
  const isRestored = async (newest: string) => {
    const { rows } = await sql<{ timeline: number }>`select timeline_id as timeline from pg_control_checkpoint()`.execute(deps.db)
    return rows[0]!.timeline !== (await readInfo(deps, newest)).timeline
  }
  const every = async (ms: number, round: () => Promise<number | undefined>) => {
    while (!stop.signal.aborted) await pause((await round()) ?? ms, stop.signal)
  }
  let shipped: Date | null = null
  let written = ''
  const tellState = async () => {
    const [newest] = (await listBackups(deps)).whole
    const info = newest === undefined ? null : await readInfo(deps, newest)
    const { bytes } = await walBehind(deps.folder)
    const state = {
      began_at: info && momentOfName(info.name),
      bytes: info?.bytes ?? null,
      shipped_at: shipped,
      behind_bytes: bytes,
      problem: [...told].map(([what, why]) => `${what}失败：${why}`).join('；') || null,
    }
    if (JSON.stringify(state) === written) return
    await writeBackupState(deps.db, state)
    written = JSON.stringify(state)
  }
  const loops = [
    every(ship, async () => {
      await trying('备份的 WAL 传送', async () => {
        shipped = (await shipOnce(deps)) ?? shipped
      })
      await trying('备份的进度', watchBehind)
      return undefined
    }),
    every(files, async () => void (await trying('文件的备份', putNew))),
    every(files, async () => void (await trying('备份情况的登记', tellState))),
    every(files, async () => ((await trying('每日备份', whole)) ? undefined : again)),
  ]
  return {
    async close() {
      stop.abort()
      // A backup takes minutes to hours, and one that is cut off does not exist: the site does not wait for it.
      await Promise.race([Promise.all(loops), pause(stopMs, new AbortController().signal)])
    },
  }
}

/** The last moment at which a nightly backup was due. */
export function lastDue(now: Date, hour: number): Date {
  const today = Math.floor((now.getTime() + beijingMs) / dayMs) * dayMs - beijingMs + hour * 3_600_000
  return new Date(today <= now.getTime() ? today : today - dayMs)
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
