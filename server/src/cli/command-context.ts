import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { codeCache } from '../base/code-cache.ts'
import { claimDataDir } from '../base/data-dir.ts'
import { entryFile } from '../base/program-files.ts'
import { databaseEnvironment } from '../config/child-environment.ts'
import { type Config, readConfig } from '../config/config.ts'
import { connect } from '../db/connect.ts'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { announce, liveWorkers } from '../db/process-registry.ts'
import { requireSchema } from '../db/schema-version.ts'
import type { Database } from '../db/tables.ts'
import { readCalendar } from '../market/calendar-years.ts'
import { openSnapshotStore } from '../store/open-snapshot-store.ts'
import { requireSecret, settleSecret } from '../user/secret-check.ts'
import { exits, Stop } from './exits.ts'

/** What a command may use outside itself. */
export interface CommandContext {
  readonly config: Config
  readonly connectionString: string
  readonly db: Kysely<Database>
  /** This command's row in the table `process`. */
  readonly processId: string
  /** Aborted by Ctrl-C: the command puts away what it has begun. */
  readonly signal: AbortSignal
  /**
   * From here on the command is not left: what it does now counts, Ctrl-C waits for its end and what it tells.
   * @throws Stop 130 when it was interrupted before
   */
  stay(): void
}

const main = entryFile('main')
const workerStartMs = 60_000

/**
 * Brings up what a command needs, runs it, and puts away what was brought up. The server's database and workers are used where they
 * run: by DATABASE_URL, or the database of DATA_DIR.
 * @throws Stop 130 when it was interrupted
 */
export async function withCommandContext<T>(needs: 'database' | 'worker', command: (deps: CommandContext) => Promise<T>): Promise<T> {
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Stop(exits.usage, reading.problems.join('；'))
  const { config } = reading
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  process.once('disconnect', interrupt)
  const closers: (() => Promise<unknown>)[] = []
  try {
    claimDataDir(config.dataDir)
    const connectionString = config.databaseDirectUrl ?? config.databaseUrl ?? (await ownDatabase(config, closers))
    const { db, session, close } = connect(connectionString, { name: 'convexa-cli', max: 4, statementTimeoutMs: 600_000 })
    closers.push(close)
    if (config.databaseUrl === null) {
      await migrate(db)
      await settleSecret({ db, config })
    } else {
      // A question of an operator with a newer program does not change the tables of a site.
      await requireSchema(db, 0)
      await requireSecret({ db, config })
    }
    const snapshots = await openSnapshotStore(config, db)
    if (snapshots) closers.push(async () => snapshots.close())
    await readCalendar(db)
    const presence = await announce(session, { role: 'cli' })
    closers.push(() => presence.close())
    if (needs === 'worker' && !interrupted.signal.aborted) await findWorker(config, connectionString, db, closers, interrupted.signal)
    if (interrupted.signal.aborted) throw new Stop(exits.interrupted, '已中断')
    const { signal } = interrupted
    let stays = false
    const stay = () => {
      if (signal.aborted) throw new Stop(exits.interrupted, '已中断')
      stays = true
    }
    const deps = { config, connectionString, db, processId: presence.processId, signal, stay }
    // A run is cancelled by its command. All else is simply left where it is, unless it stays.
    return await (needs === 'worker' ? command(deps) : Promise.race([command(deps), interruption(signal, () => !stays)]))
  } finally {
    // What was started last is put away first.
    for (const close of closers.reverse()) await close()
    for (const signal of signals) process.off(signal, interrupt)
    process.off('disconnect', interrupt)
  }
}

const interruption = (signal: AbortSignal, mayLeave: () => boolean): Promise<never> =>
  new Promise((_, reject) => {
    const leave = () => {
      if (mayLeave()) reject(new Stop(exits.interrupted, '已中断'))
      else console.error('正在收尾，随后结束')
    }
    signal.addEventListener('abort', leave, { once: true })
  })

async function ownDatabase(config: Config, closers: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await openEmbedded(config.dataDir, 'command', undefined, { archive: config.backup !== null })
  closers.push(() => embedded.close())
  return embedded.connectionString
}

/** A worker that takes work: the server's, or one of our own for as long as the command runs. */
async function findWorker(
  config: Config,
  connectionString: string,
  db: Kysely<Database>,
  closers: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<void> {
  const known = await liveWorkers(db)
  if (known.some(({ ready }) => ready)) return
  const own = { ...databaseEnvironment(config, connectionString), DATA_DIR: config.dataDir, LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error' }
  const env = { ...process.env, ...own, ...codeCache(config.dataDir) }
  // A group of its own: Ctrl-C is for us, we put it away.
  const worker = fork(main, ['worker'], { env, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // Where there is no room for one more process: it has ended then (`hasEnded`), and without a listener so would we.
  worker.on('error', () => {})
  closers.push(() => endWorker(worker))
  const until = performance.now() + workerStartMs
  const isThere = async () => {
    const others = new Set(known.map(({ id }) => id))
    // One without data takes no work, and the command says what is missing.
    return (await liveWorkers(db)).some(({ id, ready, reason }) => ready || (!others.has(id) && reason !== null && reason !== 'child'))
  }
  while (!(await isThere())) {
    if (signal.aborted) return
    if (hasEnded(worker) || performance.now() > until) throw new Stop(exits.failed, '计算进程没有启动')
    await sleep(50)
  }
}

async function endWorker(worker: ChildProcess): Promise<void> {
  if (hasEnded(worker)) return
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGTERM')
  const kill = setTimeout(() => worker.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(kill)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
