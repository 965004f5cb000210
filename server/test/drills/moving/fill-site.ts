import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/db/tables.ts'

const coreBytes = 50_000

/**
 * Rows of a site in use, made by the database itself: a user for every ten runs, finished runs with a core of 50 KB each, and what was written
 * down about them.
 */
export async function fillSite(db: Kysely<Database>, runs: number): Promise<void> {
  const users = Math.ceil(runs / 10)
  await sql`insert into app_user (id, account, nickname)
    select gen_random_uuid(), 'user-' || n || '@test.example', '第' || n || E'位\t用户' from generate_series(1, ${sql.lit(users)}) n`.execute(
    db,
  )
  await sql`insert into backtest_run (id, user_id, kind, status, request, params_hash, trial_no, data_mode, data_version, engine_version, owner_id)
    select gen_random_uuid(), u.id, 'cb', ${sql.lit(runStatus.done)}, jsonb_build_object('n', n), md5(u.id::text || n), n, 'demo', 'drill', '0', gen_random_uuid()
    from app_user u cross join generate_series(1, 10) n`.execute(db)
  await sql`insert into run_core (run_id, format, bytes, inline)
    select id, 1, ${sql.lit(coreBytes)}, (select string_agg(sha256((r.id::text || n)::bytea), ''::bytea)
      from generate_series(1, ${sql.lit(Math.ceil(coreBytes / 32))}) n) from backtest_run r`.execute(db)
  await sql`insert into audit (actor, action, user_id, after)
    select 'system', 'drill', id, jsonb_build_object('nickname', nickname) from app_user`.execute(db)
}
