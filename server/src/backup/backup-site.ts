import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { tryAdvisoryLock } from '../db/advisory-lock.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { type BackupInfo, infoKey, listBackups, nameOfMoment, putInfo, readInfo } from './backup-info.ts'
import { takeBase } from './base-backup.ts'
import { listChunks, listLists, putFiles, readList } from './data-files.ts'
import { markErased, removeOldMarks } from './erased-users.ts'
import { removeOldBackups } from './keep-backups.ts'
import type { BackupPlace } from './pieces.ts'
import { shipWal } from './ship-wal.ts'
import { walKey } from './wal-names.ts'

export interface BackupDeps extends BackupPlace {
  readonly config: Pick<Config, 'dataDir' | 'store' | 'backup'>
  readonly db: Kysely<Database>
  readonly connectionString: string
  /** Of the embedded database. */
  readonly folder: string
}

/** Bytes a second that a nightly backup reads at most. */
export const usualPace = 30e6

/**
 * A whole backup: the database, its WAL up to the end of the copy, the files, and `backup.json` last.
 * @throws StartError where it cannot be: archiving is off, another backup is under way, another site's backups lie there
 */
export async function backUp(deps: BackupDeps, bytesPerSecond: number | null): Promise<BackupInfo> {
  const { rows } = await sql<{ mode: string; system: string }>`
    select current_setting('archive_mode') as mode, system_identifier::text as system from pg_control_system()`.execute(deps.db)
  if (rows[0]!.mode !== 'on') throw new StartError('数据库启动时还没有设置 BACKUP_URL：请重新启动网站，再运行备份')
  await requireSameSite(deps, rows[0]!.system)
  let info: BackupInfo | null = null
  const isFree = await tryAdvisoryLock(deps.db, locks.backup, async () => {
    const name = nameOfMoment(new Date())
    const base = await takeBase({ ...deps, bytesPerSecond }, name)
    await untilShipped(deps, base.last_segment)
    await markErased(deps, deps.db)
    await untilFree(deps.db, async () => {
      info = { ...base, name, files: (await putNewFiles(deps)).piece }
      await putInfo(deps, info)
      await removeOldBackups(deps)
      await removeOldMarks(deps)
    })
  })
  if (!isFree || info === null) throw new StartError('另一个备份正在进行：请等它结束')
  return info
}

const mostWaitMs = 600_000
const lookMs = 200

/** Puts what is new of the files beside the database. */
export async function putNewFiles(deps: Pick<BackupDeps, 'objects' | 'secrets' | 'config'>) {
  const newest = (await listLists(deps)).at(-1)
  // A list that does not open is no help, and no harm: all files are looked at.
  const list = newest === undefined ? null : await readList(deps, newest).catch(() => null)
  return putFiles(deps, list && { list, piece: null }, await listChunks(deps))
}

/** Nothing is removed while files are put, by whatever process. */
async function untilFree(db: BackupDeps['db'], work: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + mostWaitMs; !(await tryAdvisoryLock(db, locks.backupFiles, work)); await sleep(lookMs)) {
    if (performance.now() > until) throw new StartError('文件的备份一直没有结束，请稍后再运行')
  }
}

/** The segments that a base needs are archived when it ends; the launcher may be at shipping them. */
async function untilShipped(deps: BackupDeps, segment: string): Promise<void> {
  for (const until = performance.now() + mostWaitMs; ; await sleep(lookMs)) {
    await shipOnce(deps)
    if (await deps.objects.head(walKey(segment))) return
    if (performance.now() > until) throw new StartError(`归档的 WAL 段 ${segment} 一直没有送达备份处`)
  }
}

/** One round of shipping, where no other process is at it. @returns when the newest shipped segment was archived */
export async function shipOnce({
  db,
  folder,
  objects,
  secrets,
}: Pick<BackupDeps, 'db' | 'folder' | 'objects' | 'secrets'>): Promise<Date | null> {
  let newest: Date | null = null
  await tryAdvisoryLock(db, locks.walShipping, async () => {
    newest = await shipWal({ objects, secrets }, folder)
  })
  return newest
}

/** Two sites would overwrite each other's WAL. */
async function requireSameSite(place: BackupPlace, system: string): Promise<void> {
  const [newest] = (await listBackups(place)).whole
  if (newest === undefined) return
  const info = await readInfo(place, newest).catch((error: unknown) => {
    throw error instanceof StartError ? new StartError(`备份处的 ${infoKey(newest)} 无法使用：${error.message}`) : error
  })
  if (info.system !== system) throw new StartError('BACKUP_URL 里已有另一个站点的备份：请为每个站点设置各自的地址')
}
