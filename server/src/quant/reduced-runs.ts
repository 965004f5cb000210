import type { MarketId, Parameters, RunQuestion, Settings } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Ruled, ruleName } from '@convexa/engine'
import type { Kysely } from 'kysely'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { factorLabel } from './factor-label.ts'
import type { StoredOwn } from './own-factors.ts'
import { sparkValues } from './spark-values.ts'

// Runs of which question and figures are left.

/** Says why a run of the user's has no report to read; `kind` null: of either market. @throws ApiError 21012 it is kept no more, 40004 */
export async function missingRun(db: Kysely<Database>, userId: string, kind: MarketId | null, runId: string): Promise<never> {
  let own = db.selectFrom('backtest_run').select('kept').where('id', '=', runId).where('user_id', '=', userId)
  if (kind) own = own.where('kind', '=', kind)
  const run = await own.executeTakeFirst()
  if (run?.kept === 1) throw new ApiError(errorCodes.runDataGone, '该回测仅保留参数与指标，可重新运行')
  throwApiError(errorCodes.notFound)
}

/** What a run was asked, as it was asked. @throws ApiError 40004 */
export async function runQuestion(db: Kysely<Database>, userId: string, runId: string): Promise<RunQuestion> {
  const run = await db
    .selectFrom('backtest_run')
    .select(['kind', 'name', 'strategy_id', 'group_id', 'request', 'metrics', 'spark', 'note', 'engine_version', 'created_at'])
    .where('id', '=', runId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!run) throwApiError(errorCodes.notFound)
  // What was stored had been parsed by the contract.
  const { parameters, settings, custom } = run.request as { parameters?: Parameters; settings: Settings } & StoredOwn
  const { kind, name, strategy_id, group_id, metrics, note } = run
  return {
    kind,
    name: name ?? ruleName((parameters ?? {}) as Ruled, (ref) => factorLabel(kind, custom ?? [], ref)),
    strategy_id,
    group_id,
    ...(parameters && { parameters }),
    settings,
    metrics,
    spark: sparkValues(run.spark),
    ...(note !== null && { note }),
    engine_version: run.engine_version,
    created_at: shanghaiTime(run.created_at),
  }
}
