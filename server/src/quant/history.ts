import type { BacktestListItem, BacktestListQuery, MarketId, Page, Settings, Verdict } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { markets } from '@convexa/contract/enums/market'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Ruled, ruleName } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { Queue } from '../queue/queue.ts'
import { sourcesOfSnapshot } from './data-sources.ts'
import { factorLabel } from './factor-label.ts'
import type { StoredOwn } from './own-factors.ts'
import { removedAsTried } from './removed-trials.ts'
import { endings, endRun } from './run-state.ts'
import { sparkValues } from './spark-values.ts'

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
