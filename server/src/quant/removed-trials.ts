import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/tables.ts'

/** Deletes runs with all that hangs on them; each was tried all the same. `which`: a condition on `backtest_run`. @returns how many */
export async function removedAsTried(db: Kysely<Database>, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with gone as (
      delete from backtest_run where ${which}
      returning user_id, kind, trial_no, status, params_hash, request #> '{parameters,rank_factors}' as factors, created_at),
    counted as (insert into removed_trial select * from gone on conflict do nothing)
    select count(*) as count from gone`.execute(db)
  return Number(rows[0]?.count)
}
