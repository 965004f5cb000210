import { existsSync } from 'node:fs'
import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import {
  archiveSettings,
  type Cluster,
  claimedRunning,
  clusterOf,
  connectionStringOf,
  cutLog,
  ensureCluster,
  ping,
  type Running,
  startPostgres,
  stopPostgres,
} from './postgres.ts'

const cutLogEveryMs = 3_600_000

/** The PostgreSQL of a data directory, in use by this process. */
export interface Embedded {
  readonly connectionString: string
  /** True when it was running already: an orphan of a killed launcher, or another command's. */
  readonly adopted: boolean
  /** The server stops it; a command stops it when nobody else uses it. */
  close(): Promise<void>
}

/**
 * `server`: the launcher, one per directory. `command`: a command line, any number, beside a server or alone.
 */
export type Use = 'server' | 'command'

// Session advisory locks in the database `postgres`: their holder is alive, and a kill -9 frees them at once.
const lockSpace = 7318
const serverLock = 1
const useLock = 2
const databaseLock = 3

/**
 * Starts the directory's PostgreSQL, or adopts the one that runs; restarts it when it dies, until this process ends. `archive`: it archives its
 * WAL for backups.
 * @throws StartError when another server holds the directory, or PostgreSQL does not come up
 */
export async function openEmbedded(
  dataDir: string,
  use: Use,
  onEvent: (sentence: string) => void = () => {},
  { archive = false }: { readonly archive?: boolean } = {},
): Promise<Embedded> {
  const cluster = clusterOf(dataDir)
  let first = await bringUp(cluster, archive)
  let session = await enter(first.running, use)
  if (use === 'server' && first.adopted && (await archives(session)) !== archive) {
    // It was started under other settings, and takes these at its start only.
    if (await lastToLeave(session)) {
      await stopPostgres(first.running)
      await session.end().catch(() => {})
      first = await bringUp(cluster, archive)
      session = await enter(first.running, use)
    } else onEvent('数据库正被另一个命令使用，备份的设置（BACKUP_URL）在它结束并重新启动网站后生效')
  }
  let running = first.running
  let closing = false
  let recovered: Promise<void> = Promise.resolve()

  const watch = () => {
    session.once('end', () => {
      if (!closing) recovered = recover()
    })
  }
  const recover = async () => {
    onEvent('PostgreSQL 中断，正在重新启动')
    for (let wait = 100; !closing; wait = Math.min(5_000, wait * 2)) {
      try {
        running = (await bringUp(cluster, archive)).running
        session = await enter(running, use)
        watch()
        onEvent('PostgreSQL 已恢复')
        return
      } catch (error) {
        onEvent(error instanceof Error ? error.message : String(error))
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }
  watch()
  const cutting = setInterval(() => cutLog(cluster), cutLogEveryMs).unref()

  return {
    connectionString: connectionStringOf(running),
    adopted: first.adopted,
    close: async () => {
      closing = true
      clearInterval(cutting)
      // One that is just being brought back is up before it can be stopped.
      await recovered
      if (use === 'server' || (await lastToLeave(session))) await stopPostgres(running)
      await session.end().catch(() => {})
    },
  }
}

/** The connection string of a directory whose PostgreSQL runs now; null when none does. */
export async function runningEmbedded(dataDir: string): Promise<string | null> {
  if (!existsSync(dataDir)) return null
  const claimed = claimedRunning(clusterOf(dataDir))
  return claimed && (await ping(claimed)) === 'up' ? connectionStringOf(claimed) : null
}

async function bringUp(cluster: Cluster, archive: boolean): Promise<{ running: Running; adopted: boolean }> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    const claimed = claimedRunning(cluster)
    const state = claimed ? await ping(claimed) : 'down'
    if (claimed && state === 'up') return { running: claimed, adopted: true }
    if (state === 'down') {
      await ensureCluster(cluster)
      const started = await startPostgres(cluster, archive ? archiveSettings(cluster) : [])
      if (started) return { running: started, adopted: false }
    }
    // Another process is starting or stopping it.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new StartError(`PostgreSQL 一直没有应答（日志：${cluster.logFile}）`)
}

/** Registers our use by locks, and makes the database where it is missing. */
async function enter(running: Running, use: Use): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: connectionStringOf(running, 'postgres'), application_name: `convexa-${use}` })
  client.on('error', () => {})
  await client.connect()
  try {
    if (use === 'server' && !(await ask(client, 'pg_try_advisory_lock($1, $2)', serverLock))) {
      throw new StartError('这个数据目录正被另一个凸度量化使用：请先停止它，或用环境变量 DATA_DIR 另设目录')
    }
    await client.query('select pg_advisory_lock_shared($1, $2)', [lockSpace, useLock])
    const { rows } = await client.query(`select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages`)
    if (rows[0].fsync !== 'on' || rows[0].pages !== 'on')
      throw new StartError('PostgreSQL 的 fsync 或 full_page_writes 被关闭，数据不安全，已停止启动')
    await makeDatabase(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Under a lock: two commands may find it missing at once. */
async function makeDatabase(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1, $2)', [lockSpace, databaseLock])
  const { rowCount } = await client.query(`select from pg_database where datname = 'convexa'`)
  if (!rowCount) await client.query('create database convexa')
  await client.query('select pg_advisory_unlock($1, $2)', [lockSpace, databaseLock])
}

async function lastToLeave(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1, $2)', [lockSpace, useLock])
    return await ask(client, 'pg_try_advisory_lock($1, $2)', useLock)
  } catch {
    return false
  }
}

async function archives(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
  return rows[0]?.mode === 'on'
}

async function ask(client: pg.Client, call: string, lock: number): Promise<boolean> {
  const { rows } = await client.query(`select ${call} as answer`, [lockSpace, lock])
  return rows[0].answer
}
