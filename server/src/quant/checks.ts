import type { Checks, MarketId, Parameters, Settings } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { checkAxes, versionUnder } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError, toApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { isDamaged } from '../market/damage.ts'
import { countedCheck } from '../usage/quota.ts'
import { coalesceRequests } from './coalesce-requests.ts'
import type { StoredOwn } from './own-factors.ts'
import { missingRun } from './reduced-runs.ts'
import { requestOf } from './request-of-run.ts'
import { verdictColumns } from './run-state.ts'
import { type FinishedRunRow, finishedRun, storedReport } from './stored-report.ts'
import { trialsOf } from './trials.ts'

// A finished run judged with its own check grid: made once, when its owner opens the report, on the data that it was made on.

/** A client waits a minute. */
const budgetMs = 50_000
const deadlineMs = 54_000

const together = coalesceRequests<Checks>(budgetMs, 100, () => true)

/**
 * The stored answer, or the grid computed now; two who ask at once share one computation.
 * @throws ApiError 40000 a group has no parameters of its own, 40004 not the asker's own finished run, 21002 too many of a day, 21008 its data are gone,
 * 21011 its data are damaged, 23021 not done in time, 23024
 */
export async function checkRun(
  context: Pick<AppContext, 'db' | 'compute' | 'config'>,
  asker: { readonly id: string },
  kind: MarketId,
  runId: string,
  signal: AbortSignal,
): Promise<Checks> {
  const { db } = context
  const run = await finishedRun(db, asker.id, runId)
  if (run?.kind !== kind || (run.headless === null && run.format === null)) return missingRun(db, asker.id, kind, runId)
  const stored = await storedChecks(db, asker.id, runId)
  if (stored) return stored
  if ('group' in requestOf(run.request).rule) throw new ApiError(errorCodes.invalidRequest, '策略组没有自己的参数，不做参数网格检查')
  return together(runId, signal, (stop) => make(context, asker, run, stop))
}

/** What was made of a user's own run; null: nothing yet. */
async function storedChecks(db: Kysely<Database>, userId: string, runId: string): Promise<Checks | null> {
  const row = await db
    .selectFrom('run_check')
    .select(['robustness', 'grid', 'made_at', 'elapsed_ms'])
    .where('run_id', '=', runId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? { robustness: row.robustness, grid: row.grid, made_at: shanghaiTime(row.made_at), elapsed_ms: row.elapsed_ms } : null
}

async function make(
  { db, compute, config }: Pick<AppContext, 'db' | 'compute' | 'config'>,
  asker: { readonly id: string },
  run: FinishedRunRow,
  signal: AbortSignal,
): Promise<Checks> {
  if (run.snapshot_id === null) throw dataGone()
  if (await isDamaged(db, [run.snapshot_id, run.index_snapshot_id, run.stock_snapshot_id])) throwApiError(errorCodes.damagedMarketData)
  // What was stored had been parsed by the contract.
  const { parameters, settings, custom = [] } = run.request as { parameters: Parameters; settings: Settings } & StoredOwn
  const { axes, own } = checkAxes(parameters)
  // The rule's own cell is the run itself, which is counted as a run.
  const cells = axes[0].values.length * axes[1].values.length - 1
  const family = { userId: asker.id, kind: run.kind, paramsHash: run.params_hash, rules: [parameters] }
  const trials = await trialsOf(db, { ...family, before: sql<Date>`now()`, checkCells: cells })
  const data = {
    kind: run.kind,
    snapshotId: run.snapshot_id,
    indexSnapshotId: run.index_snapshot_id,
    stockSnapshotId: run.stock_snapshot_id,
  }
  const report = (await storedReport({ db, config }, run)) ?? throwApiError(errorCodes.notFound)
  const input = { runId: run.id, parameters, settings, axes, own, trials, report, budgetMs, custom }
  const computed = () => compute.call('checks', data, input, { deadlineMs, asker, signal })
  const made = await countedCheck(db, asker.id, computed).catch((error: unknown) => {
    throw toApiError(error).code === errorCodes.noMarketData ? dataGone() : error
  })
  const { robustness, grid, verdict, elapsed_ms } = made
  await db.transaction().execute(async (transaction) => {
    const kept = await transaction
      .insertInto('run_check')
      .values({
        ...{
          run_id: run.id,
          user_id: asker.id,
          engine_version: versionUnder(config.tradingRules),
          data_version: run.data_version,
          elapsed_ms,
        },
        ...{ robustness: JSON.stringify(robustness), grid: JSON.stringify(grid) },
      })
      .onConflict((conflict) => conflict.column('run_id').doNothing())
      .returning('run_id')
      .executeTakeFirst()
    if (!kept) return
    await transaction
      .insertInto('grid_trial')
      .values({ id: uuid(), user_id: asker.id, kind: run.kind, factors: JSON.stringify(parameters.rank_factors), cells, checks: true })
      .execute()
    await transaction
      .updateTable('backtest_run')
      .set(verdictColumns(verdict))
      .where('id', '=', run.id)
      .where('user_id', '=', asker.id)
      .execute()
  })
  // Another api may have been first: what is kept is the answer.
  return (await storedChecks(db, asker.id, run.id)) ?? throwApiError(errorCodes.notFound)
}

const dataGone = (): ApiError => new ApiError(errorCodes.noMarketData, '数据版本已更新，请重新运行后再查')
