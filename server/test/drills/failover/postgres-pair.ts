import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { claimDataDir } from '../../../src/base/data-dir.ts'
import {
  type Cluster,
  clusterOf,
  connectionStringOf,
  ensureCluster,
  type Running,
  startPostgres,
  stopPostgres,
} from '../../../src/db/postgres.ts'
import { childrenOf, isAlive, until } from '../../fixtures/processes.ts'
import { type Forwarder, forwarder } from './forwarder.ts'

/** How a primary fails: it is killed, it stops without ending, or the line to its standby breaks first and it is killed then. */
export type Failure = 'killed' | 'hung' | 'cut off'

/** A primary and its standby behind one address. */
export interface PostgresPair {
  /** Of a database, at the one address. */
  url(database?: string): string
  /** Lets the primary fail. `cutMs`: how long the line is cut before, of `cut off`. @returns when it failed (`performance.now()`) */
  fail(how: Failure, cutMs?: number): Promise<number>
  /** What Patroni does: sees three failed probes, fences what is left, promotes, and points the address. */
  failOver(): Promise<void>
  /** Makes the old primary anew, as the standby of the new one; resolves when it is synchronous, where it shall be. */
  rejoin(): Promise<void>
  /** From now on no commit waits for the standby. */
  dropSynchrony(): Promise<void>
  stop(): Promise<void>
}

interface Server {
  readonly dataDir: string
  readonly cluster: Cluster
  running: Running | null
}

const probeEveryMs = 500
const failedProbes = 3
const options = {
  max_connections: '200',
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '200ms',
  wal_receiver_status_interval: '1s',
  // What fails is not to be hidden by what has been written already.
  synchronous_commit: 'on',
}
const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
/** What a copy of a running server leaves out. */
const notCopied = new Set(['pg_wal', 'pg_replslot', 'postmaster.pid', 'postmaster.opts', 'standby.signal'])

/** Both flush as in production. @throws where one does not come up */
export async function postgresPair(): Promise<PostgresPair> {
  const server = (name: string): Server => {
    const dataDir = mkdtempSync(join(tmpdir(), `convexa-${name}-`))
    claimDataDir(dataDir)
    return { dataDir, cluster: clusterOf(dataDir), running: null }
  }
  let [primary, standby] = [server('first'), server('second')]
  let isSynchronous = true
  await ensureCluster(primary.cluster)
  primary.running = await started(primary)
  const address = await forwarder(socketOf(primary))
  const line = await forwarder(socketOf(primary))

  const synchronize = async (names: string) => {
    await ask(primary, `alter system set synchronous_standby_names = '${names}'`)
    await ask(primary, 'select pg_reload_conf()')
  }
  const rejoin = async () => {
    line.swallows = false
    line.pointAt(socketOf(primary))
    await copyOf(primary, standby, line)
    standby.running = await started(standby)
    const isStreaming = async (state: string) => {
      const rows = await ask(primary, `select from pg_stat_replication where state = 'streaming' and sync_state = any('{${state}}')`)
      return rows.length > 0
    }
    await until(() => isStreaming('async,sync,quorum'), 'the standby streams')
    if (!isSynchronous) return
    await synchronize('ANY 1 (standby)')
    await until(() => isStreaming('sync,quorum'), 'the standby is synchronous')
  }
  await rejoin()

  return {
    url: (database = 'postgres') => `postgres://convexa@127.0.0.1:${address.port}/${database}`,
    async fail(how, cutMs = 0) {
      const pids = processesOf(primary)
      if (how === 'cut off') {
        line.swallows = true
        await sleep(cutMs)
      }
      for (const pid of pids.concat(processesOf(primary))) signal(pid, how === 'hung' ? 'SIGSTOP' : 'SIGKILL')
      return performance.now()
    },
    async failOver() {
      for (let failed = 0; failed < failedProbes; ) {
        const at = performance.now()
        failed = (await answers(primary)) ? 0 : failed + 1
        if (failed < failedProbes) await sleep(Math.max(0, probeEveryMs - (performance.now() - at)))
      }
      const left = processesOf(primary)
      for (const pid of left) signal(pid, 'SIGKILL')
      await until(async () => !left.some(isAlive), 'the old primary is fenced')
      // Nobody is there to wait for, until there is a standby again.
      await ask(standby, `alter system set synchronous_standby_names = ''`)
      await ask(standby, 'select pg_reload_conf()')
      await ask(standby, 'select pg_promote(true, 60)')
      ;[primary, standby] = [standby, primary]
      standby.running = null
      address.pointAt(socketOf(primary))
    },
    rejoin,
    async dropSynchrony() {
      isSynchronous = false
      await synchronize('')
    },
    async stop() {
      await address.close()
      await line.close()
      for (const { running, cluster, dataDir } of [standby, primary]) {
        if (running) await stopPostgres(running)
        for (const folder of [cluster.privateFolder, dataDir]) rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

const socketOf = ({ cluster }: Server): string => join(cluster.privateFolder, '.s.PGSQL.5432')

async function started({ cluster }: Server): Promise<Running> {
  const running = await startPostgres(cluster, args)
  if (!running) throw new Error('the drill could not start its PostgreSQL')
  return running
}

/** Directly, not by the one address. */
async function ask({ running }: Server, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: connectionStringOf(running!, 'postgres') })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function answers({ running }: Server): Promise<boolean> {
  const wait = { connectionTimeoutMillis: probeEveryMs, query_timeout: probeEveryMs }
  const client = new pg.Client({ connectionString: connectionStringOf(running!, 'postgres'), ...wait })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    // One that hangs does not take leave.
    client.end().catch(() => {})
  }
}

/** The server with its children, the first first. */
function processesOf({ running }: Server): number[] {
  return running ? [running.pid, ...childrenOf(running.pid)] : []
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/** A base backup of the running server as PostgreSQL describes it, made a standby that follows by the line. */
async function copyOf(from: Server, to: Server, line: Forwarder): Promise<void> {
  const target = to.cluster.folder
  rmSync(target, { recursive: true, force: true })
  const client = new pg.Client({ connectionString: connectionStringOf(from.running!, 'postgres') })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('drill', true)`)
    mkdirSync(target)
    const names = readdirSync(from.cluster.folder).filter((name) => !notCopied.has(name))
    const { stderr, status } = spawnSync('cp', ['-a', ...names.map((name) => join(from.cluster.folder, name)), target], {
      encoding: 'utf8',
    })
    // A file may go while it is copied; what it held is in the log.
    const wrong = stderr.split('\n').filter((text) => text !== '' && !/No such file/.test(text))
    if (status !== 0 && wrong.length > 0) throw new Error(`the copy failed: ${wrong.join(' / ')}`)
    for (const name of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot']) mkdirSync(join(target, name))
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    writeFileSync(join(target, 'backup_label'), rows[0]!.label)
    writeFileSync(join(target, 'standby.signal'), '')
    const follow = `host=127.0.0.1 port=${line.port} user=convexa application_name=standby`
    appendFileSync(join(target, 'postgresql.auto.conf'), `\nprimary_conninfo = '${follow}'\n`)
  } finally {
    await client.end()
  }
  const { uid, gid } = statSync(from.cluster.folder)
  chmodSync(target, 0o700)
  for (const name of ['', 'pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot', 'backup_label', 'standby.signal'])
    chownSync(join(target, name), uid, gid)
}
