/**
 * `npm run bench:run [-- --quick --runs 20]`: what a stored run costs end to end, for the demo's double low (20 bonds, 5 days, six years): one
 * product of api, worker and PostgreSQL, each run another number, asked for as a page does. Processor time of all their processes, bytes of the
 * core and of the row, WAL; then the core of a report and days of it as they are opened. Status 0 only where every goal holds.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BacktestBody } from '@convexa/contract'
import { sql } from 'kysely'
import { connect } from '../../src/db/connect.ts'
import { makeDemo } from '../../src/market/demo.ts'
import { readDrillOptions } from '../drills/drill-options.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { newUser, openStream, type Process, rawCall, startApiProcess, startWorkerProcess } from '../fixtures/processes.ts'
import { request } from '../fixtures/requests.ts'
import { cpuSeconds } from './cpu-seconds.ts'

const options = readDrillOptions({ runs: { whole: 20, quick: 10 }, warm: { whole: 6, quick: 4 } })
const range = { start: '2020-11-20', end: '2026-11-20' }
const cb = '/v1/quant/convertible-bond'
const goals = { cpuMs: 300, coreBytes: 60_000, walBytes: 40_000, rowBytes: 4_096, core: 60, firstDay: 250, nextDay: 30 } as const

const figures = openFigures()
const postgres = await ownPostgres('run')
const { dataDir } = postgres
const started: Process[] = []
try {
  const url = postgres.url()
  const store = connect(url, { max: 3 })
  const { db } = store
  await makeTables(db)
  await makeDemo({ dataDir, db, through: range.end, kinds: ['cb', 'index'] })
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0', CALL_PATIENCE: '1' }
  const api = await startApiProcess(env)
  started.push(api)
  const worker = await startWorkerProcess(env, db)
  started.push(worker)
  const database = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const processes = [
    ['api', api.pid],
    ['worker and its child', worker.pid],
    ['PostgreSQL', database],
  ] as const
  const user = await newUser(db, 1)

  /** Each holds another number, which changes all its figures and no size. */
  const bodyOf = (k: number, benchmark: string): BacktestBody => {
    const body = request('cb', { ...range, factor: 'dblow', hold: 20 })
    const cost = { ...body.settings.cost, buy_rate: 0.001 + k / 1_000_000 }
    return { ...body, settings: { ...body.settings, benchmark, cost } }
  }
  let asked = 0
  const run = async (benchmark: string): Promise<string> => {
    const last = await openStream(api, user, `${cb}/advanced-backtest`, bodyOf(++asked, benchmark)).ended
    if (last.kind !== 'event' || last.event.type !== 'result') throw new Error(JSON.stringify(last))
    return String(last.event['backtest_id'])
  }
  const wal = async () => {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db)
    return rows[0]!.at
  }
  const walSince = async (before: string) => {
    const { rows } = await sql<{ bytes: number }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), ${before}::pg_lsn)::int as bytes`.execute(db)
    return rows[0]!.bytes
  }

  for (let k = 0; k < options.warm; k++) await run('cb_ew')
  await sql`checkpoint`.execute(db)
  // The first change of a page after a checkpoint writes the page itself; that is no run's.
  await run('cb_ew')
  const ids: string[] = []
  const before = processes.map(([, pid]) => cpuSeconds(pid))
  const walBefore = await wal()
  for (let k = 0; k < options.runs; k++) ids.push(await run('cb_ew'))
  const walOfRun = (await walSince(walBefore)) / options.runs
  const spent = processes.map(([name, pid], k) => ({ name, ms: (1_000 * (cpuSeconds(pid) - before[k]!)) / options.runs }))
  figures.atMost(
    `stored run, end to end: processor time (${spent.map(({ name, ms }) => `${name} ${Math.round(ms)}`).join(', ')})`,
    spent.reduce((sum, { ms }) => sum + ms, 0),
    goals.cpuMs,
    'ms',
  )
  const sizes = async (run_id: string) => {
    const { rows } = await sql<{ core: number; inline: number; row: number }>`
      select c.bytes as core, coalesce(length(c.inline), 0) as inline, pg_column_size(r.*) as row
      from run_core c join backtest_run r on r.id = c.run_id where c.run_id = ${run_id}`.execute(db)
    return rows[0]!
  }
  const own = await sizes(ids[0]!)
  figures.atMost('stored run: core, benchmark of all bonds', own.core, goals.coreBytes, 'bytes')
  figures.atMost('stored run: core, benchmark 000300', (await sizes(await run('000300'))).core, goals.coreBytes, 'bytes')
  figures.atMost('stored run: row', own.row, goals.rowBytes, 'bytes')
  figures.atMost(
    `stored run: WAL${own.inline > 0 ? ' beside the core, which its row holds' : ''}`,
    walOfRun - own.inline,
    goals.walBytes,
    'bytes',
  )
  figures.fact('stored run: WAL', `${Math.round(walOfRun)} bytes`)

  const timed = async (path: string): Promise<number> => {
    const began = performance.now()
    const { status } = await rawCall(api, user, `${cb}/backtest/${path}`, { 'accept-encoding': 'gzip' })
    if (status !== 200) throw new Error(`${path}: HTTP ${status}`)
    return performance.now() - began
  }
  /** The middle one. */
  const each = async (paths: readonly string[]) => {
    const times: number[] = []
    for (const path of paths) times.push(await timed(path))
    return quantile(times, 0.5)
  }
  figures.atMost('open a report (core): p50', await each(ids.map((id) => `${id}/detail/report?parts=core`)), goals.core, 'ms')
  figures.atMost('open the next day: p50', await each(ids.map((id) => `${id}/detail/2024-06-03`)), goals.nextDay, 'ms')
  // A worker that has kept nothing of them.
  await worker.stop()
  const fresh = await startWorkerProcess(env, db)
  started.push(fresh)
  await run('cb_ew')
  figures.atMost('open a day of a run that is not kept: p50', await each(ids.map((id) => `${id}/detail/2024-06-03`)), goals.firstDay, 'ms')
  await store.close()
} finally {
  for (const one of started) await one.stop()
  await postgres.stop()
}
process.exit(figures.end())
