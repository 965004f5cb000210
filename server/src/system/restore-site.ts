import { existsSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql } from 'kysely'
import { countRows } from '../backup/base-backup.ts'
import { readList, restoreFiles } from '../backup/data-files.ts'
import { erasedUsers } from '../backup/erased-users.ts'
import type { BackupPlace } from '../backup/pieces.ts'
import { layOutDatabase, recover, tidyDatabase } from '../backup/restore-database.ts'
import { planRestore, type Wanted } from '../backup/restore-plan.ts'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { claimDataDir } from '../base/data-dir.ts'
import { flushFolder } from '../base/flush-folder.ts'
import { isAlive } from '../base/is-alive.ts'
import { secretFileOf } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import { connect } from '../db/connect.ts'
import { type Cluster, claimedRunning, clusterOf, connectionStringOf, ping, stopPostgres } from '../db/postgres.ts'
import { schemaProblem, schemaState } from '../db/schema-version.ts'
import type { Database } from '../db/tables.ts'
import { readComplete } from '../market/snapshot.ts'
import { endings, endRun } from '../quant/run-state.ts'
import { openQueue } from '../queue/queue.ts'
import { auditStore } from '../store/audit-store.ts'
import { folderStore } from '../store/folder-store.ts'
import type { ObjectStore } from '../store/object-store.ts'
import { openStore } from '../store/open-store.ts'
import { sha256Of } from '../store/read-object.ts'
import { sweepAccounts } from '../user/deletion.ts'
import { requireSecret } from '../user/secret-check.ts'
import { queueMessages } from './queue-messages.ts'

export interface Restored {
  readonly base: string
  /** Of the last transaction that was replayed; null: none was after the base. */
  readonly lastWrite: Date | null
  readonly files: number
  readonly bytes: number
  readonly rows: readonly { readonly table: string; readonly before: number; readonly now: number }[]
  /** Users who were erased after the restored moment, and are again. */
  readonly erased: number
  readonly endedRuns: number
  readonly queuedMessages: number
  /** What the operator must know, in sentences. */
  readonly warnings: readonly string[]
}

export interface RestoreGiven extends Wanted {
  /** Where it becomes a data directory: missing, or empty but for its key. */
  readonly into: string
  readonly say: (sentence: string) => void
  /** Only a trial: nothing is put into the object store of the site. */
  readonly isRehearsal?: boolean
}

/**
 * Makes a data directory of a backup: in `DIR.part`, which gets its name when all of it is there and was looked at. What a killed restore left is
 * removed by the next.
 * @throws StartError with a sentence for the operator; `into` is as it was then
 */
export async function restoreSite(place: BackupPlace, config: Config, given: RestoreGiven): Promise<Restored> {
  const { into, say } = given
  await requireFree(into)
  say('正在核对备份…')
  const plan = await planRestore(place, given)
  const part = `${into}.part`
  await claimPart(part)
  const warnings = [...plan.warnings]
  for (const warning of warnings) say(warning)
  const cluster = clusterOf(part)
  try {
    say(`正在取回备份 ${plan.info.name}（UTC）的数据库与 ${plan.wal.segments.length} 段 WAL…`)
    await layOutDatabase(place, plan, cluster)
    const objects = config.store ? await openStore(config.store) : folderStore(join(part, 'store'))
    try {
      const list = await readList(place, plan.list)
      say(`正在取回 ${list.files.length} 个文件…`)
      const written = await restoreFiles(
        place,
        list,
        part,
        putMissing(given.isRehearsal ? folderStore(join(part, 'store')) : objects),
        (path, error) => {
          if (!given.skipDamaged) throw new StartError(`${error.message}（文件 ${path}）；加 --skip-damaged 可略过它`, { cause: error })
          warnings.push(`${error.message}：没有恢复文件 ${path}`)
        },
      )
      say('正在重放 WAL…')
      const running = await recover(cluster, plan.wal.timeline, given.toTime)
      try {
        const found = await settle(place, connectionStringOf(running), config, part, objects, plan.info.rows)
        warnings.push(...found.warnings)
        const { warnings: _, ...rest } = found
        return await finish(running, cluster, part, given, config, { base: plan.info.name, ...written, ...rest, warnings })
      } finally {
        await stopPostgres(running)
      }
    } finally {
      objects.close()
    }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  } finally {
    await rm(cluster.privateFolder, { recursive: true, force: true })
  }
}

/** The last steps: PostgreSQL stops with all written, the folder gets its mark, its key and its name. */
async function finish<T>(
  running: Parameters<typeof stopPostgres>[0],
  cluster: Cluster,
  part: string,
  { into }: RestoreGiven,
  { secretKey, dataDir }: Config,
  restored: T,
): Promise<T> {
  await stopPostgres(running)
  await tidyDatabase(cluster)
  await rm(join(part, pidFile), { force: true })
  const key = secretFileOf(dataDir)
  if (secretKey === null && existsSync(key)) await copyFile(key, secretFileOf(part))
  await flushFolder(part)
  const aside = `${into}.key`
  if (existsSync(into)) await rename(into, aside)
  await rename(part, into)
  await rm(aside, { recursive: true, force: true })
  await flushFolder(dirname(into))
  return restored
}

const pidFile = 'restore.pid'

/** @throws StartError where there is something already */
async function requireFree(into: string): Promise<void> {
  // Of a restore that was killed between the two names.
  if (!existsSync(into) && existsSync(`${into}.key`)) await rename(`${into}.key`, into)
  if (!existsSync(into)) return
  const names = (await readdir(into)).filter((name) => name !== 'secret.key' && name !== 'lost+found')
  if (names.length > 0) throw new StartError(`目录 ${into} 不是空的（有 ${names[0]}）：恢复只写入空目录，请用 --into 另设一个，或先移走它`)
  if ((await stat(into)).dev !== (await stat(dirname(into))).dev)
    throw new StartError(`目录 ${into} 是挂载点，不能整体改名：请用 --into ${join(into, 'restored')}，完成后把 DATA_DIR 设为它`)
}

/** An empty `DIR.part` that is ours: a killed restore's is removed, with the PostgreSQL that may still run there. */
async function claimPart(part: string): Promise<void> {
  if (existsSync(part)) {
    const pid = Number(await readFile(join(part, pidFile), 'utf8').catch(() => '0'))
    if (pid > 0 && pid !== process.pid && isAlive(pid)) throw new StartError(`另一个恢复（进程 ${pid}）正在写入 ${part}：请等它结束`)
    const cluster = clusterOf(part)
    const running = claimedRunning(cluster)
    if (running && (await ping(running)) !== 'down') await stopPostgres(running)
    await rm(part, { recursive: true, force: true })
  }
  claimDataDir(part)
  await writeFile(join(part, pidFile), `${process.pid}\n`)
}

/** Objects of a store that are there are left: they are content-addressed. */
const putMissing = (objects: ObjectStore) => async (key: string, bytes: Buffer) => {
  const there = await objects.head(key)
  if (there?.bytes !== bytes.length) await objects.put(key, bytes, sha256Of(bytes))
}

/** Users whom the restored database has again although they were erased; and those whose time has come. @returns how many */
async function eraseAgain(db: Kysely<Database>, ids: readonly string[]): Promise<number> {
  if (ids.length > 0) await sql`update app_user set deletion_at = now() where id = any (${[...ids]}::uuid[]) and not is_demo`.execute(db)
  for (let erased = 0; ; ) {
    const { deleted } = await sweepAccounts(db, (event, details) => {
      throw new StartError(`已注销的用户没能再次删除（${event}）`, { cause: details['err'] })
    })
    if (deleted === 0) return erased
    erased += deleted
  }
}

/** What a restored database needs before it is opened to users. */
async function settle(
  place: BackupPlace,
  connectionString: string,
  config: Config,
  part: string,
  objects: ObjectStore,
  before: Readonly<Record<string, number>>,
) {
  const { db, pool, close } = connect(connectionString, { name: 'convexa-restore', max: 4, statementTimeoutMs: 600_000 })
  try {
    const warnings: string[] = []
    const { rows: last } = await sql<{ at: Date | null }>`select pg_last_xact_replay_timestamp() as at`.execute(db)
    const problem = schemaProblem({ ...(await schemaState(db)), pending: [] })
    if (problem) throw new StartError(problem)
    await requireSecret({ db, config })
    const counts = await countRows(pool)
    const rows = Object.entries(before).map(([table, count]) => ({ table, before: count, now: counts[table] ?? Number.NaN }))
    for (const { table, before: had, now } of rows) {
      if (had > 0 && !(now > 0)) warnings.push(`表 ${table} 备份时有 ${had} 行，恢复后没有`)
    }
    const erased = await eraseAgain(db, await erasedUsers(place))
    const endedRuns = await endOpenRuns(db, connectionString)
    const queuedMessages = await queueMessages({ db }, connectionString)
    await audit(db, { actor: 'operator', action: 'backup.restore', after: { last_write: last[0]?.at?.toISOString() ?? null } })
    warnings.push(...(await missingFiles(db, config, part, objects)))
    return { lastWrite: last[0]?.at ?? null, rows, erased, endedRuns, queuedMessages, warnings }
  } finally {
    await close()
  }
}

/** What stood in the queues is not done any more: nobody waits for it. */
async function endOpenRuns(db: Kysely<Database>, connectionString: string): Promise<number> {
  const queue = await openQueue(connectionString, db, () => {})
  try {
    await sql`delete from pgboss.job`.execute(db)
    const open = await db.selectFrom('backtest_run').select('id').where('status', 'in', [runStatus.queued, runStatus.running]).execute()
    for (const { id } of open) await endRun(db, queue, id, endings.ownerDied)
    return open.length
  } finally {
    await queue.close()
  }
}

/** Snapshots and objects that the restored database knows and that are not there. */
async function missingFiles(db: Kysely<Database>, config: Config, part: string, objects: ObjectStore): Promise<string[]> {
  const found: string[] = []
  const { struck } = await auditStore({ db, objects }, { verify: false })
  for (const { key, needs } of struck) found.push(`对象 ${key} 不在${needs.length > 0 ? `（${needs.join('、')}）` : ''}`)
  if (config.store) return found
  const snapshots = await db
    .selectFrom('market_snapshot')
    .select(['folder', 'manifest_sha256'])
    .where('damaged_at', 'is', null)
    .orderBy('published_at')
    .execute()
  for (const { folder, manifest_sha256 } of snapshots) {
    try {
      await readComplete(join(part, 'market', folder), manifest_sha256)
    } catch (error) {
      if (!(error instanceof BrokenSnapshot)) throw error
      found.push(`行情 ${folder} 不完整：${error.message}`)
    }
  }
  return found
}
