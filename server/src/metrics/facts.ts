/** How the product is, as its database and workers know it: what `/metrics` counts and `/status` shows. Nothing of a user is in it. */

import type { MarketId, RunStatus } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql } from 'kysely'
import { type BackupState, readBackupState } from '../backup/backup-state.ts'
import { diskSpace } from '../base/free-space.ts'
import { type WorkerFigures, workerFigures } from '../compute/figures.ts'
import type { AppContext } from '../context/app-context.ts'
import { isReady, takesWork } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { type CalendarReach, calendarReach } from '../feeds/calendar-lines.ts'
import { type Health, readHealth } from '../feeds/health.ts'
import { type OpenPart, openParts } from '../feeds/ingest/part-rows.ts'
import { newestStamp, type Stamp } from '../feeds/live/quote-store.ts'
import { isStale } from '../feeds/session.ts'
import { addDays, daysBehind } from '../market/calendar.ts'
import { type DamagedSnapshot, damagedInUse } from '../market/damage.ts'
import { type SnapshotKind, snapshotKinds } from '../market/manifest.ts'
import { newestSnapshot, olderOf, type Snapshot } from '../market/snapshot.ts'
import { lostMessages } from '../message/lost-messages.ts'
import { type StoreFigures, storeFigures } from '../store/store-figures.ts'

/** Queues whose jobs are counted. */
export type QueueName = 'run' | 'message' | 'feed'
/** States of objects, by their number in the catalogue. */
const storedStates = ['writing', 'there', 'condemned'] as const
type StoredState = (typeof storedStates)[number]
/** States of jobs that are counted: those that come to their end well are not. */
export type JobState = 'created' | 'retry' | 'active' | 'failed'

export interface Facts {
  readonly workers: readonly (WorkerFigures | null)[]
  /** Runs of the last 24 hours by state. */
  readonly runs: readonly { readonly kind: MarketId; readonly status: RunStatus; readonly count: number }[]
  /** Why runs of the last 24 hours ended early, the most frequent first. */
  readonly refusals: readonly { readonly code: number; readonly count: number }[]
  readonly queue: readonly { readonly name: QueueName; readonly state: JobState; readonly count: number; readonly oldestSeconds: number }[]
  /** Snapshots that cannot be used because their files are missing or changed. */
  readonly damaged: readonly DamagedSnapshot[]
  readonly processes: ProcessFacts
  /** Bytes of the cores of runs of the last 24 hours, on average; null: there were none. */
  readonly coreBytes: number | null
  /** Bytes of the object store by the state of their objects, where there are any. */
  readonly storeBytes: readonly { readonly state: StoredState; readonly bytes: number }[]
  /** What this process asked its store; those of workers are among their figures. */
  readonly store: Readonly<Record<string, StoreFigures>>
  /** Bytes that are free where the data directory lies, and all of that disk; null where the system does not say. */
  readonly freeBytes: number | null
  readonly diskBytes: number | null
  /** Messages that this process lost since its start; those of workers are among their figures. */
  readonly messagesLost: number
  /** How long the oldest payment has waited for what was bought, in seconds; 0 where none waits. */
  readonly unsettledSeconds: number
  /** How the backups of the embedded database are; null: nobody wrote of it. */
  readonly backup: BackupState | null
  /** `older`: the warning about a market of an older importer. */
  readonly markets: readonly { readonly snapshot: Snapshot; readonly behind: number | null; readonly older: string | null }[]
  /** Parts of the newest days that have not come. */
  readonly openParts: readonly OpenPart[]
  /** The newest steps of each market, newest first. */
  readonly steps: readonly IngestFact[]
  readonly feeds: readonly Health[]
  readonly calendar: CalendarReach
  readonly quotes: (Stamp & { readonly ageSeconds: number; readonly stale: boolean }) | null
}

/** What the processes of the site can do now. */
interface ProcessFacts {
  /** Processes that are ready. */
  readonly ready: { readonly api: number; readonly worker: number }
  /** Backtests that ready workers compute at once. */
  readonly slots: number
  /** How long the oldest waiting run has waited, in seconds; 0 where none waits. */
  readonly queueWaitSeconds: number
  /** Ready workers that have the newest snapshot of a kind whole. */
  readonly holders: readonly { readonly kind: SnapshotKind; readonly count: number }[]
}

type IngestFact = Pick<Database['ingest_step'], 'market' | 'day' | 'step' | 'state' | 'seconds' | 'snapshot_id'> & {
  readonly report: string
  readonly tries: number
  readonly quarantined: number
  readonly changed_at: Date
  readonly findings: readonly { readonly check: string; readonly level: string; readonly count: number; readonly text: string }[]
}

const mostSteps = 5

export async function readFacts({ db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>): Promise<Facts> {
  const moment = now()
  const [
    workers,
    runs,
    refusals,
    queue,
    snapshots,
    steps,
    open,
    feeds,
    calendar,
    stamp,
    damaged,
    space,
    unsettledSeconds,
    processes,
    coreBytes,
    storeBytes,
    backup,
  ] = await Promise.all([
    workerFigures(db),
    runsOf(db),
    refusalsOf(db),
    queueOf(db),
    Promise.all(snapshotKinds.map((kind) => newestSnapshot(db, kind))),
    stepsOf(db),
    openPartsOf(db),
    readHealth(db),
    calendarReach(db),
    newestStamp(db),
    damagedInUse(db),
    diskSpace(config.dataDir),
    unsettledOf(db),
    processesOf(db),
    coreBytesOf(db),
    storeBytesOf(db),
    readBackupState(db),
  ])
  return {
    ...{
      workers,
      runs,
      refusals,
      queue,
      steps,
      openParts: open,
      feeds,
      calendar,
      damaged,
      processes,
      freeBytes: space?.free ?? null,
      diskBytes: space?.size ?? null,
      messagesLost: lostMessages(),
      unsettledSeconds,
      coreBytes,
      storeBytes,
      backup,
    },
    store: storeFigures(),
    markets: await Promise.all(
      snapshots.flatMap((snapshot) =>
        snapshot ? [olderOf(config.dataDir, snapshot).then((older) => ({ snapshot, behind: daysBehind(snapshot, moment), older }))] : [],
      ),
    ),
    quotes: stamp && {
      ...stamp,
      ageSeconds: (moment.getTime() - stamp.quotedAt.getTime()) / 1_000,
      stale: isStale(stamp.quotedAt.getTime(), moment),
    },
  }
}

async function processesOf(db: Kysely<Database>): Promise<ProcessFacts> {
  const { rows } = await sql<Omit<ProcessFacts, 'ready' | 'holders'> & ProcessFacts['ready']>`
    select count(*) filter (where p.role = 'api')::int as api, count(*) filter (where p.role = 'worker')::int as worker,
      coalesce(sum(p.slots) filter (where p.role = 'worker'), 0)::int as slots,
      coalesce((select extract(epoch from now() - min(created_at)) from backtest_run where status = ${runStatus.queued}), 0)::float8
        as "queueWaitSeconds"
    from process p where ${isReady('p')}`.execute(db)
  const holders = await sql<ProcessFacts['holders'][number]>`
    select newest.kind, count(p.id)::int as count
    from (select distinct on (kind) kind, id from market_snapshot where damaged_at is null
        order by kind, data_mode = 'demo' and kind = 'index', published_at desc, id desc) newest
      left join process_snapshot h on h.snapshot_id = newest.id
      left join process p on p.id = h.process_id and ${takesWork('p')}
    group by newest.kind order by newest.kind`.execute(db)
  const { api = 0, worker = 0, slots = 0, queueWaitSeconds = 0 } = rows[0] ?? {}
  return { ready: { api, worker }, slots, queueWaitSeconds, holders: holders.rows }
}

const ofToday = sql<boolean>`created_at > now() - interval '24 hours'`

const runsOf = (db: Kysely<Database>): Promise<Facts['runs'][number][]> =>
  db
    .selectFrom('backtest_run')
    .select(['kind', 'status', sql<number>`count(*)::int`.as('count')])
    .where((eb) => eb.or([ofToday, eb('status', 'in', [runStatus.queued, runStatus.running])]))
    .groupBy(['kind', 'status'])
    .orderBy('kind')
    .orderBy('status')
    .execute()

async function refusalsOf(db: Kysely<Database>): Promise<Facts['refusals']> {
  const rows = await db
    .selectFrom('backtest_run')
    .select(['error_code', sql<number>`count(*)::int`.as('count')])
    .where(ofToday)
    .where('error_code', 'is not', null)
    .groupBy('error_code')
    .orderBy('count', 'desc')
    .execute()
  return rows.flatMap(({ error_code: code, count }) => (code === null ? [] : [{ code, count }]))
}

async function coreBytesOf(db: Kysely<Database>): Promise<number | null> {
  const { bytes } = await db
    .selectFrom('run_core as c')
    .innerJoin('backtest_run as r', 'r.id', 'c.run_id')
    .select(sql<number | null>`avg(c.bytes)::float8`.as('bytes'))
    .where('r.created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return bytes
}

/** A payment is settled in one transaction, so none waits long: its order is granted, it is given back, or somebody resolves what did not fit. */
async function unsettledOf(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from (
      select p.created_at as since from payment p join vip_order o on o.id = p.order_id
      where p.effect = 'GRANT' and o.status not in (${sql.lit(orderStatus.finished)}, ${sql.lit(orderStatus.quit)})
      union all
      select at from payment_anomaly
      where resolved_at is null and what in ('unknown order', 'mismatch', 'transaction of another order')) waiting`.execute(db)
  return rows[0]?.seconds ?? 0
}

async function storeBytesOf(db: Kysely<Database>): Promise<Facts['storeBytes']> {
  const { rows } = await sql<{ state: 0 | 1 | 2; bytes: number }>`
    select state, sum(bytes)::float8 as bytes from stored_object group by state order by state`.execute(db)
  return rows.map(({ state, bytes }) => ({ state: storedStates[state], bytes }))
}

/** Of jobs that wait, wait for another try, or are worked on; of those that were given up while their rows are kept. */
async function queueOf(db: Kysely<Database>): Promise<Facts['queue']> {
  const there = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (!there.rows[0]?.there) return []
  const { rows } = await sql<Facts['queue'][number]>`
    select name, state::text, count(*)::int as count,
      coalesce(extract(epoch from now() - min(greatest(created_on, start_after))), 0)::float8 as "oldestSeconds"
    from pgboss.job where state in ('created', 'retry', 'active', 'failed') and name in ('run', 'message', 'feed')
    group by name, state order by name, state`.execute(db)
  return rows
}

/** Days that are looked at for parts that are not whole: those on which they are asked for. */
const openDays = 35

/** Parts of the newest days that are not whole. */
async function openPartsOf(db: Kysely<Database>): Promise<OpenPart[]> {
  const newest = await db
    .selectFrom('day_part')
    .select((row) => row.fn.max<string>(sql`to_char(day, 'YYYY-MM-DD')`).as('day'))
    .executeTakeFirst()
  return newest?.day == null ? [] : openParts(db, addDays(newest.day, -openDays))
}

async function stepsOf(db: Kysely<Database>): Promise<IngestFact[]> {
  const { rows } = await sql<IngestFact>`
    select market, to_char(day, 'YYYY-MM-DD') as day, step, state, seconds, snapshot_id, report, tries, quarantined, changed_at, findings
    from (select s.*, row_number() over (partition by market, step order by s.day desc) as place from ingest_step s) ranked
    where place <= ${mostSteps} order by day desc, market, step`.execute(db)
  return rows
}
