import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/tables.ts'

// Order of waiting runs (reliability.md 2.3): everybody's first run before anybody's second, and nobody waits for ever. A run stands behind
// as many rounds as its user had open runs when it was started; each half minute of waiting is a round less. Of one round the oldest goes
// first. The runs of one user that are computed at once are bounded apart (claimRun).

const roundSeconds = 30
/** Priority of the queue for the first round; the queue takes the highest. */
const first = 10

export const priorityOf = (openBefore: number): number => first - openBefore

/** Rounds before the queued run `alias`, as SQL. */
const rounds = (alias: string): RawBuilder<number> => {
  const run = sql.ref(alias)
  return sql`greatest(0, (
    select count(*) from backtest_run before where before.user_id = ${run}.user_id
      and (before.created_at, before.id) < (${run}.created_at, ${run}.id)
      and (before.finished_at is null or before.finished_at > ${run}.created_at)
  ) - floor(extract(epoch from now() - ${run}.created_at) / ${roundSeconds}::integer))::integer`
}

/** Brings the queue's jobs up to what their runs have waited. */
export async function raiseWaiting(db: Kysely<Database>): Promise<void> {
  await sql`
    update pgboss.job j set priority = ${first}::integer - due.rounds
    from (select r.id, ${rounds('r')} as rounds from backtest_run r where r.status = 0) due
    where j.name = 'run' and j.id = due.id and j.state < 'active' and j.priority < ${first}::integer - due.rounds`.execute(db)
}

/** How many runs go before this one, and it; null once it waits no more. */
export async function queuePosition(db: Kysely<Database>, runId: string): Promise<number | null> {
  const { rows } = await sql<{ position: number }>`
    with waiting as (select r.id, r.created_at, ${rounds('r')} as rounds from backtest_run r where r.status = 0)
    select (select count(*) from waiting o where (o.rounds, o.created_at, o.id) <= (mine.rounds, mine.created_at, mine.id)) as position
    from waiting mine where mine.id = ${runId}`.execute(db)
  return rows[0] ? Number(rows[0].position) : null
}
