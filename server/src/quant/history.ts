import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  type BacktestListItem,
  type BacktestListQuery,
  type CheckGrid,
  type DayDetail,
  IsoDate,
  type MarketId,
  type Page,
  type Report,
  type Robustness,
  type Settings,
  type Verdict,
} from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { markets } from '@convexa/contract/enums/market'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Ruled, ruleName } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import { readBytes } from '../db/read-bytes.ts'
import type { Database } from '../db/tables.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { Queue } from '../queue/queue.ts'
import { sourcesOfSnapshot } from './data-sources.ts'
import { factorLabel } from './factor-label.ts'
import type { StoredOwn } from './own-factors.ts'
import { removedAsTried } from './removed-trials.ts'
import { endings, endRun } from './run-state.ts'
import { sparkValues } from './spark-values.ts'

const unpack = promisify(gunzip)

/** Runs stand in the database; their data's sources are named by the files beside it. */
export interface RunDeps extends Pick<AppContext, 'db'> {
  readonly config: Pick<AppContext['config'], 'dataDir'>
}

/** A user's runs, newest first. */
export async function listRuns({ db, config }: RunDeps, userId: string, query: BacktestListQuery): Promise<Page<BacktestListItem>> {
  const { offset, limit, strategy_id, group_id, kind, status, note, from, to } = query
  let own = db
    .selectFrom('backtest_run as r')
    .leftJoin('strategy as s', (join) => join.onRef('s.id', '=', 'r.strategy_id').onRef('s.user_id', '=', 'r.user_id'))
    .leftJoin('strategy_group as g', (join) => join.onRef('g.id', '=', 'r.group_id').onRef('g.user_id', '=', 'r.user_id'))
    .leftJoin('market_snapshot as m', 'm.id', 'r.snapshot_id')
    .where('r.user_id', '=', userId)
  if (strategy_id) own = own.where('r.strategy_id', '=', strategy_id)
  if (group_id) own = own.where('r.group_id', '=', group_id)
  if (kind) own = own.where('r.kind', '=', kind)
  if (status !== undefined) own = own.where('r.status', '=', status as BacktestListItem['status'])
  if (note) own = own.where(sql<boolean>`position(lower(${note}) in lower(concat_ws(' ', r.note, s.name, g.name, r.name))) > 0`)
  if (from) own = own.where(sql<boolean>`r.created_at >= ${from}::date::timestamp at time zone 'Asia/Shanghai'`)
  if (to) own = own.where(sql<boolean>`r.created_at < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai'`)
  const [{ total }, rows] = await Promise.all([
    own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    own
      .select([
        'r.id',
        'r.kind',
        'r.status',
        'r.strategy_id',
        'r.group_id',
        'r.name',
        'r.note',
        'r.favourite',
        'r.kept',
        'r.spark',
        'r.params_hash',
        'r.metrics',
        'r.family_trials',
      ])
      .select([
        'r.data_mode',
        'r.data_version',
        'r.engine_version',
        'r.created_at',
        'r.finished_at',
        's.name as strategy',
        'g.name as group',
        'm.folder',
        'm.quality',
      ])
      .select(['r.worth', 'r.worth_excess', 'r.trust', 'r.trust_judged', 'r.trust_passed'])
      .select(sql<Settings>`r.request -> 'settings'`.as('settings'))
      .select(
        // What a draft is called by; what was saved has a name.
        sql<(Ruled & StoredOwn) | null>`case when r.name is null and r.request ? 'parameters' then jsonb_strip_nulls(jsonb_build_object(
          'rank_factors', r.request #> '{parameters,rank_factors}', 'hold_method', r.request #> '{parameters,hold_method}',
          'custom', r.request -> 'custom')) end`.as('draft'),
      )
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
  ])
  const sources = await Promise.all(rows.map((row) => namedSources(config.dataDir, row)))
  return {
    total: Number(total),
    offset,
    limit,
    list_items: rows.map((row, i) => ({
      backtest_id: row.id,
      kind: row.kind,
      strategy_id: row.strategy_id,
      strategy_name: row.strategy ?? (row.strategy_id && row.name),
      group_id: row.group_id,
      group_name: row.group ?? (row.group_id && row.name),
      name: row.strategy ?? row.group ?? row.name ?? draftName(row.kind, row.draft),
      params_hash: row.params_hash,
      settings: row.settings,
      metrics: row.metrics,
      spark: sparkValues(row.spark),
      verdict: verdictOf(row),
      trial_no: row.family_trials,
      ...(row.note !== null && { note: row.note }),
      favourite: row.favourite,
      complete: row.kept === 2,
      data_mode: row.data_mode,
      data_version: row.data_version,
      data_sources: sources[i]!,
      engine_version: row.engine_version,
      status: row.status,
      created_at: shanghaiTime(row.created_at),
      ...(row.finished_at && { finished_at: shanghaiTime(row.finished_at) }),
    })),
  }
}

type Judged = Pick<Database['backtest_run'], 'worth' | 'worth_excess' | 'trust' | 'trust_judged' | 'trust_passed'>

const verdictOf = ({ worth, worth_excess: excess, trust, trust_judged: judged, trust_passed: passed }: Judged): Verdict | null =>
  worth === null || trust === null || judged === null || passed === null ? null : { worth, excess, trust, judged, passed }

/** By its rule; own factors as they were called when it ran. */
const draftName = (kind: MarketId, draft: (Ruled & StoredOwn) | null): string =>
  draft ? ruleName(draft, (ref) => factorLabel(kind, draft.custom ?? [], ref)) : runName(null, kind)

/** An empty note is none. @throws ApiError 40004 */
export async function noteRun(db: Kysely<Database>, userId: string, runId: string, note: string): Promise<void> {
  const noted = await db
    .updateTable('backtest_run')
    .set({ note: note || null })
    .where('id', '=', runId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!noted) throwApiError(errorCodes.notFound)
}

/** Deletes a run with its report and its shares; one that is under way is cancelled. It was tried all the same. @throws ApiError 40004 */
export async function removeRun(db: Kysely<Database>, queue: Queue, userId: string, runId: string): Promise<void> {
  const own = await db.selectFrom('backtest_run').select('status').where('id', '=', runId).where('user_id', '=', userId).executeTakeFirst()
  if (!own) throwApiError(errorCodes.notFound)
  if (own.status === runStatus.queued || own.status === runStatus.running) await endRun(db, queue, runId, endings.cancelled)
  await removedAsTried(db, sql`id = ${runId} and user_id = ${userId}`)
}

/** A report as it is kept, and the text that goes before it: what only its owner reads. */
export interface StoredReport {
  readonly head: string
  readonly packed: Uint8Array
}

/** The first members of a report that was packed without its brace. */
export const headOf = (members: object): string => `${JSON.stringify(members).slice(0, -1)},`

/** What a run is called: by what was saved, or by its market. */
export const runName = (name: string | null, kind: MarketId): string => name ?? `${markets[kind].label}轮动`

/** Where the data of a run came from; empty where its snapshot is not there any more. */
export async function namedSources(
  dataDir: string,
  { folder, quality }: { readonly [K in 'folder' | 'quality']: Snapshot[K] | null },
): Promise<string[]> {
  if (folder === null || quality === null) return []
  return (await sourcesOfSnapshot(dataDir, { folder, quality })).map(({ label }) => label)
}

/** The stored report of a user's own finished run; null when there is none, for whatever reason. */
export async function storedReport({ db, config }: RunDeps, userId: string, kind: MarketId, runId: string): Promise<StoredReport | null> {
  const row = await db
    .selectFrom('run_report as f')
    .innerJoin('backtest_run as r', 'r.id', 'f.run_id')
    .leftJoin('market_snapshot as m', 'm.id', 'r.snapshot_id')
    .leftJoin('run_check as c', (join) => join.onRef('c.run_id', '=', 'r.id').onRef('c.user_id', '=', 'r.user_id'))
    .select(['f.headless', 'r.strategy_id', 'r.group_id', 'r.name', 'r.note', 'r.favourite', 'm.folder', 'm.quality'])
    .select(['c.robustness', 'c.grid'])
    .where('r.id', '=', runId)
    .where('r.user_id', '=', userId)
    .where('r.kind', '=', kind)
    .where('r.status', '=', runStatus.done)
    .executeTakeFirst()
  if (!row) return null
  const packed = await readBytes(db, reportOf(db, runId).where('r.user_id', '=', sql.lit(userId)).compile())
  if (!packed) return null
  const earlier = await db
    .selectFrom('backtest_run as r')
    .innerJoin('backtest_run as own', (join) => join.onRef('own.params_hash', '=', 'r.params_hash').onRef('own.user_id', '=', 'r.user_id'))
    .select(['r.engine_version', 'r.finished_at'])
    .where('own.id', '=', runId)
    .where('r.user_id', '=', userId)
    .where('r.status', '=', runStatus.done)
    .whereRef('r.engine_version', '<>', 'own.engine_version')
    .whereRef('r.finished_at', '<', 'own.finished_at')
    .orderBy('r.finished_at', 'desc')
    .executeTakeFirst()
  const own: Pick<
    Report,
    'backtest_id' | 'strategy_id' | 'group_id' | 'name' | 'note' | 'favourite' | 'data_sources' | 'checks' | 'earlier_engine'
  > = {
    backtest_id: runId,
    ...(row.strategy_id && { strategy_id: row.strategy_id }),
    ...(row.group_id && { group_id: row.group_id }),
    name: runName(row.name, kind),
    note: row.note ?? '',
    favourite: row.favourite,
    data_sources: await namedSources(config.dataDir, row),
    ...(earlier?.finished_at && {
      earlier_engine: { engine_version: earlier.engine_version, finished_at: shanghaiTime(earlier.finished_at) },
    }),
    ...checksOf(row),
  }
  return { head: row.headless ? headOf(own) : '', packed }
}

/** What the run's check grid says, once it was made. */
export const checksOf = ({ robustness, grid }: { robustness: Robustness | null; grid: CheckGrid | null }): Pick<Report, 'checks'> =>
  robustness && grid ? { checks: { robustness, grid } } : {}

/** The bytes of a finished run's report, for `readBytes`. `runId` is known to be of a row. */
export const reportOf = (db: Kysely<Database>, runId: string) =>
  db
    .selectFrom('run_report as f')
    .innerJoin('backtest_run as r', 'r.id', 'f.run_id')
    .select('f.report')
    .where('r.id', '=', sql.lit(runId))
    .where('r.status', '=', sql.lit(runStatus.done))

/** One day of a user's own finished run; null when the run is not theirs or the day is not one of it. */
export async function storedDay(
  db: Kysely<Database>,
  userId: string,
  kind: MarketId,
  runId: string,
  date: string,
): Promise<DayDetail | null> {
  // Literals below: of an id and a date, nothing else.
  if (!isUuid(runId) || !IsoDate.safeParse(date).success) return null
  const query = db
    .selectFrom('run_days as d')
    .innerJoin('backtest_run as r', 'r.id', 'd.run_id')
    .select('d.days')
    .where('r.id', '=', sql.lit(runId))
    .where('r.user_id', '=', sql.lit(userId))
    .where('r.kind', '=', sql.lit(kind))
    .where('r.status', '=', sql.lit(runStatus.done))
    .where(sql<boolean>`${sql.lit(date)}::date between d.first_date and d.last_date`)
  const packed = await readBytes(db, query.compile())
  if (!packed) return null
  const days = JSON.parse((await unpack(packed)).toString('utf8')) as DayDetail[]
  return days.find((day) => day.trade_date === date) ?? null
}
