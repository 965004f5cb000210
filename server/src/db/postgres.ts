import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import { asRoot, nobody, postgresBinaries, reachable } from './binaries.ts'

/**
 * The PostgreSQL of one folder: made by initdb, started on a private socket without any TCP port, stopped by its pid.
 * As root everything runs as `nobody`; where that user may not walk down to the folder (a clone below /root, a mktemp folder),
 * it is handed an open descriptor and reaches the folder through /proc/self/fd.
 */
export interface Cluster {
  /** `DATA_DIR/postgres` */
  readonly folder: string
  /** Holds the socket. */
  readonly privateFolder: string
  readonly logFile: string
}

export interface Running {
  readonly pid: number
  readonly socketFolder: string
}

const superuser = 'convexa'

export function clusterOf(dataDir: string): Cluster {
  const real = realpathSync(dataDir)
  const name = `convexa-${createHash('sha256').update(real).digest('hex').slice(0, 12)}`
  // A socket's path may have 103 characters on macOS, 107 on Linux.
  const base = Buffer.byteLength(join(tmpdir(), name, '.s.PGSQL.5432')) < 103 ? tmpdir() : '/tmp'
  return { folder: join(real, 'postgres'), privateFolder: join(base, name), logFile: join(real, 'postgres.log') }
}

export const connectionStringOf = (running: Running, database = 'convexa'): string =>
  `postgres://${superuser}@localhost/${database}?host=${encodeURIComponent(running.socketFolder)}`

/** What the folder's postmaster.pid says is running; null without one. It may be stale: only a connection proves it. */
export function claimedRunning(cluster: Cluster): Running | null {
  try {
    const lines = readFileSync(join(cluster.folder, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, socketFolder] = [Number(lines[0]), lines[4]]
    return pid > 0 && socketFolder ? { pid, socketFolder } : null
  } catch {
    return null
  }
}

/** Whether the PostgreSQL answers: yes, not at all, or not yet (starting or stopping). */
export async function ping(running: Running): Promise<'up' | 'down' | 'busy'> {
  const client = new pg.Client({ connectionString: connectionStringOf(running, 'postgres'), connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'up'
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'down' : 'busy'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes the folder by initdb where there is none: aside, then renamed, so a kill leaves no half one. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  if (existsSync(join(cluster.folder, 'PG_VERSION'))) {
    const { uid } = statSync(cluster.folder)
    if (!asRoot || uid === nobody) return
    throw new StartError(`${cluster.folder} 属于用户 ${uid}：请以该用户而不是 root 启动`)
  }
  const binaries = postgresBinaries()
  removeAbandoned(cluster)
  const aside = `${cluster.folder}.new-${process.pid}-${randomBytes(3).toString('hex')}`
  mkdirSync(aside, { mode: 0o700 })
  if (asRoot) chownSync(aside, nobody, nobody)
  const options = ['-U', superuser, '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  const child = runAsOwner(join(binaries, 'bin', 'initdb'), aside, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (output += text))
  const code = await ended(child)
  if (code !== 0) {
    rmSync(aside, { recursive: true, force: true })
    throw new StartError(`无法在 ${cluster.folder} 建立数据库：${lastLines(output)}`)
  }
  try {
    renameSync(aside, cluster.folder)
  } catch {
    // Another process made it meanwhile.
    rmSync(aside, { recursive: true, force: true })
  }
}

/** What a start that was killed in the middle of initdb left behind. */
function removeAbandoned(cluster: Cluster): void {
  for (const name of readdirSync(dirname(cluster.folder))) {
    const [, pid] = /^postgres\.new-(\d+)-/.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) rmSync(join(dirname(cluster.folder), name), { recursive: true, force: true })
  }
}

/**
 * PostgreSQL's archive of its WAL for backups: whole segments, at the latest after a minute. The paths lie in its own folder: as root it runs as
 * another user and may reach nothing else. A segment has its name only when it is whole and flushed.
 */
export function archiveSettings(cluster: Cluster): readonly string[] {
  const out = join(cluster.folder, 'wal-out')
  if (!existsSync(out)) {
    mkdirSync(out, { mode: 0o700 })
    if (asRoot) chownSync(out, nobody, nobody)
  }
  const copy = 'cp %p wal-out/%f.part && sync wal-out/%f.part && mv wal-out/%f.part wal-out/%f'
  return ['archive_mode=on', 'archive_timeout=60', `archive_command=cmp -s %p wal-out/%f || (test ! -e wal-out/%f && ${copy})`].flatMap(
    (one) => ['-c', one],
  )
}

/**
 * Starts PostgreSQL on the folder and waits until it answers.
 * @param waitMs for so long at most
 * @returns null when another one holds the folder already
 * @throws StartError with the last lines of its log when it does not come up
 */
export async function startPostgres(cluster: Cluster, extra: readonly string[] = [], waitMs = 60_000): Promise<Running | null> {
  const privateFolder = privateFolderOf(cluster)
  const binaries = postgresBinaries()
  cutLog(cluster)
  const log = openSync(cluster.logFile, 'a', 0o600)
  const from = statSync(cluster.logFile).size
  // The listed settings stand in for postgresql.conf, so a newer version of ours can change them.
  const settings = {
    listen_addresses: '',
    unix_socket_directories: privateFolder,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
  }
  const args = [...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...extra]
  // Its own process group: Ctrl-C in the terminal reaches us alone, and we stop it last.
  const child = runAsOwner(join(binaries, 'bin', 'postgres'), cluster.folder, args, { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  let exited = false
  const exit = ended(child).then(() => {
    exited = true
  })
  child.unref()
  const running = { pid: child.pid ?? 0, socketFolder: privateFolder }
  const until = performance.now() + waitMs
  while (!exited && performance.now() < until) {
    if ((await ping(running)) === 'up' && claimedRunning(cluster)?.pid === child.pid) return running
    await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 40))])
  }
  const said = readFrom(cluster.logFile, from)
  // An empty lock file is that of another one which is starting at this moment.
  if (/lock file "postmaster\.pid" (already exists|is empty)|is another postmaster/.test(said)) return null
  if (!exited) child.kill('SIGQUIT')
  throw new StartError(`PostgreSQL 没有启动：${lastLines(said)}（日志：${cluster.logFile}）`)
}

const longestLog = 8 * 1024 * 1024

/** Empties a log of more than 8 MB. PostgreSQL appends: it goes on at the beginning. */
export function cutLog({ logFile }: Pick<Cluster, 'logFile'>): void {
  if (existsSync(logFile) && statSync(logFile).size > longestLog) truncateSync(logFile)
}

/** Stops it: sessions are ended and all is written (SIGINT, "fast"); after 20 s without the checkpoint (SIGQUIT). */
export async function stopPostgres(running: Running): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 10],
  ] as const) {
    try {
      process.kill(running.pid, signal)
    } catch {
      break
    }
    const until = performance.now() + seconds * 1_000
    while (performance.now() < until) {
      if (!isAlive(running.pid)) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (!isAlive(running.pid)) break
  }
  // After SIGINT it is empty; a killed one leaves its socket, which the next start takes over.
  try {
    rmdirSync(running.socketFolder)
  } catch {
    // Not empty.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Short, ours alone, outside DATA_DIR because of the length of socket paths. */
function privateFolderOf(cluster: Cluster): string {
  const owner = asRoot ? nobody : (process.getuid?.() ?? 0)
  mkdirSync(cluster.privateFolder, { recursive: true, mode: 0o700 })
  const found = lstatSync(cluster.privateFolder)
  if (asRoot && found.uid === 0 && found.isDirectory()) chownSync(cluster.privateFolder, nobody, nobody)
  else if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new StartError(`${cluster.privateFolder} 属于其他用户，无法存放数据库的套接字：请把环境变量 TMPDIR 设为自己的目录`)
  }
  return cluster.privateFolder
}

/** Runs a PostgreSQL program on a data folder, as `nobody` when we are root. */
function runAsOwner(program: string, folder: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  const stdio = options.stdio as ('ignore' | 'pipe' | number)[]
  const handOver = asRoot && process.platform === 'linux' && !reachable(dirname(folder))
  const handle = handOver ? openSync(folder, 'r') : null
  try {
    return spawn(program, ['-D', handle === null ? folder : '/proc/self/fd/3', ...args], {
      ...options,
      env,
      cwd: '/',
      stdio: handle === null ? stdio : [...stdio, handle],
      ...(asRoot ? { uid: nobody, gid: nobody } : {}),
    })
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })

function readFrom(file: string, position: number): string {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(64 * 1024)
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, position))
  } finally {
    closeSync(handle)
  }
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-3).join(' / ') || '没有输出'
