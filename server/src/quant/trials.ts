import type { MarketId, Parameters } from '@convexa/contract'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { deleteOld } from '../db/delete-old.ts'
import type { Database } from '../db/tables.ts'

/** Share of the scored factors that two rules must have in common to be of one family (product.md 3.8). */
const shareOfFamily = 0.6
/** Runs looked back at; a family larger than this has long passed every threshold. */
const mostRuns = 5_000

/**
 * How many different rules of a family the user has tried so far, this one included: finished runs of the same market most of whose
 * scored factors are the same, and every cell of such a grid; of the check grids the largest, since nobody chose from them. The same request
 * again is no new trial. Of a group: the families of all `rules` together, each try once. `checkCells`: cells of a check grid that is being made.
 */
export async function trialsOf(
  db: Kysely<Database>,
  run: {
    readonly userId: string
    readonly kind: MarketId
    readonly paramsHash: string
    readonly rules: readonly Parameters[]
    readonly before: Date | RawBuilder<Date>
    readonly checkCells?: number
  },
): Promise<number> {
  const { rows } = await sql<{ factors: unknown }>`
    select factors from (
      select distinct on (params_hash) params_hash, factors
      from (
        select user_id, kind, status, params_hash, request #> '{parameters,rank_factors}' as factors, created_at from backtest_run
        union all select user_id, kind, status, params_hash, factors, tried_at from removed_trial) as tried
      where user_id = ${run.userId} and kind = ${run.kind} and status = ${runStatus.done}
        and params_hash <> ${run.paramsHash} and created_at < ${run.before}
      order by params_hash
      limit ${mostRuns}) as other`.execute(db)
  const own = run.rules.map(({ rank_factors }) => scored(rank_factors))
  const grids = await db
    .selectFrom('grid_trial')
    .select(['factors', 'cells', 'checks'])
    .where('user_id', '=', run.userId)
    .where('kind', '=', run.kind)
    .where('tried_at', '<', run.before)
    .orderBy('tried_at', 'desc')
    .limit(mostRuns)
    .execute()
  const alike = ({ factors }: { factors: unknown }) => {
    const theirs = Array.isArray(factors) ? scored(factors) : null
    return theirs !== null && own.some((one) => isFamily(one, theirs))
  }
  let cells = 0
  let checked = run.checkCells ?? 0
  for (const grid of grids) {
    if (!alike(grid)) continue
    if (grid.checks) checked = Math.max(checked, grid.cells)
    else cells += grid.cells
  }
  return 1 + rows.filter(alike).length + cells + checked
}

/** Factors that count towards a score. Requests in the table have passed the contract. */
function scored(rows: Parameters['rank_factors']): Set<string> {
  return new Set(rows.filter(({ enable, weight }) => enable && weight > 0).map(({ factor_key: key }) => key))
}

function isFamily(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((key) => b.has(key)).length
  return shared > 0 && shared >= shareOfFamily * Math.max(a.size, b.size)
}

/** Grids of more than a year ago are no trials of today's rules. @returns how many rows went */
export const sweepGridTrials = (db: Kysely<Database>): Promise<number> =>
  deleteOld((atOnce) =>
    sql`delete from grid_trial where ctid = any(array(
      select ctid from grid_trial where tried_at < now() - interval '1 year' limit ${atOnce}))`.execute(db),
  )
