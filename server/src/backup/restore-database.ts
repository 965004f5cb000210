import { chown, copyFile, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../base/start-error.ts'
import { asRoot, nobody } from '../db/binaries.ts'
import { type Cluster, type Running, startPostgres } from '../db/postgres.ts'
import { type BackupPlace, checkPiece, DamagedPiece, getPiece, unpackPiece } from './pieces.ts'
import type { RestorePlan } from './restore-plan.ts'
import { extractTar } from './tar.ts'
import { isHistory, walKey } from './wal-names.ts'

/** Recovery takes as long as it takes; one that fails ends by itself. */
const recoveryMs = 24 * 3_600_000

/** Lays out the base and the WAL that it needs: neither a key nor Node is needed after that. */
export async function layOutDatabase(place: BackupPlace, { info, wal, histories }: RestorePlan, cluster: Cluster): Promise<void> {
  const owner = asRoot ? nobody : null
  await extractTar(clearPieces(place, info.pieces), cluster.folder, owner)
  const walIn = join(cluster.folder, 'wal-in')
  await mkdir(walIn, { mode: 0o700 })
  const put = async (path: string, bytes: Uint8Array) => {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    if (owner !== null) await chown(path, owner, owner)
  }
  for (const name of wal.segments) {
    const bytes = await getPiece(place, walKey(name))
    if (bytes === null) throw new DamagedPiece(walKey(name), '不存在')
    await put(join(walIn, name), bytes)
  }
  for (const [name, text] of histories) await put(join(walIn, name), Buffer.from(text))
  await put(join(cluster.folder, 'recovery.signal'), Buffer.alloc(0))
  if (owner !== null) await chown(walIn, owner, owner)
}

async function* clearPieces(place: BackupPlace, pieces: RestorePlan['info']['pieces']): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await unpackPiece(place.secrets, piece.key, await checkPiece(place, piece))
}

/**
 * Replays the WAL up to a moment and opens the database, on a timeline of its own.
 * @throws StartError with the last lines of PostgreSQL's log
 */
export async function recover(cluster: Cluster, timeline: number, toTime: Date | null): Promise<Running> {
  const settings = [
    `restore_command=cp wal-in/%f %p`,
    `recovery_target_timeline=${timeline}`,
    'recovery_target_action=promote',
    'hot_standby=off',
    'archive_mode=off',
  ]
  const to = toTime === null ? [] : [`recovery_target_time=${toTime.toISOString().replace('T', ' ').replace('Z', '+00')}`]
  const start = (given: readonly string[]) =>
    startPostgres(
      cluster,
      given.flatMap((one) => ['-c', one]),
      recoveryMs,
    )
  await writeFile(cluster.logFile, '')
  const running = await start([...settings, ...to]).catch(async (error: unknown) => {
    const log = await readFile(cluster.logFile, 'utf8')
    // Nothing was written any more until then: all that there is is what was wanted.
    if (!/recovery ended before configured recovery target was reached/.test(log)) throw error
    return start(settings)
  })
  if (running === null) throw new StartError(`${cluster.folder} 正被另一个 PostgreSQL 使用`)
  return running
}

/**
 * After PostgreSQL has stopped: what it was restored from goes, and the history of its new timeline waits to be shipped. (It archives nothing
 * while it recovers, and that file at no later time.)
 */
export async function tidyDatabase({ folder }: Cluster): Promise<void> {
  await rm(join(folder, 'wal-in'), { recursive: true, force: true })
  const out = join(folder, 'wal-out')
  await mkdir(out, { mode: 0o700 })
  const files = (await readdir(join(folder, 'pg_wal'))).filter(isHistory)
  for (const name of files) await copyFile(join(folder, 'pg_wal', name), join(out, name))
  if (asRoot) for (const path of [out, ...files.map((name) => join(out, name))]) await chown(path, nobody, nobody)
}
