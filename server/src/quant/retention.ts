import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { Tier } from '../queue/jobs.ts'
import { lapsed, retentionGraceDays, retentions } from '../usage/limits.ts'
import { removedAsTried } from './removed-trials.ts'

// Retention of stored runs by plan. A run goes in two steps: first its core and all that is computed from it, then its question and figures.
// What is shared, a favourite, or the newest run of what is saved goes in neither.

/** Users of one turn, and runs of one turn. */
const usersAtOnce = 1_000
const runsAtOnce = 1_000
/** Runs of one transaction: old reports are megabytes each, and a lock is not held for long. */
const lotOfRuns = 100

const done = sql.lit(runStatus.done)
const days = (count: number) => sql`make_interval(days => ${sql.lit(count)})`

/** A member, or a member of before for a while. */
const isMember = (user: string, at: RawBuilder<Date>) => {
  const [level, until] = [sql.ref(`${user}.vip_level`), sql.ref(`${user}.vip_until`)]
  return sql<boolean>`(${level} > 0 and (${until} is null or ${until} + ${days(lapsed.days)} > ${at}))`
}

/** Runs of an alias that stay as they are, whatever their age and number. */
const isExempt = (run: string) => {
  const of = (column: string) => sql.ref(`${run}.${column}`)
  return sql<boolean>`(${of('favourite')}
    or exists (select from report_share h where h.run_id = ${of('id')} and h.user_id = ${of('user_id')} and h.revoked_at is null and h.expires_at > now())
    or (${of('status')} = ${done}
      and (exists (select from strategy s where s.id = ${of('strategy_id')} and s.user_id = ${of('user_id')})
        or exists (select from strategy_group g where g.id = ${of('group_id')} and g.user_id = ${of('user_id')}))
      and not exists (select from backtest_run later where later.user_id = ${of('user_id')} and later.status = ${done}
        and coalesce(later.strategy_id, later.group_id) = coalesce(${of('strategy_id')}, ${of('group_id')})
        and (later.finished_at, later.id) > (${of('finished_at')}, ${of('id')}))))`
}

/** A link that has ended says for a while what became of it, so its run stays for as long. */
const wasShared = (run: string) =>
  sql<boolean>`exists (select from report_share h where h.run_id = ${sql.ref(`${run}.id`)} and h.user_id = ${sql.ref(`${run}.user_id`)})`

/** Whole runs of a user beyond those that a plan keeps: older than it says, or not among the newest. `userId` is a column or a value. */
export const beyondPlan = (tier: Tier, userId: RawBuilder<unknown>, at: RawBuilder<Date>) => {
  const { newest, days: most } = retentions[tier]
  return sql`
    select r.id, r.user_id, r.created_at from backtest_run r
    where r.user_id = ${userId} and r.status = ${done} and r.kept = 2 and not ${isExempt('r')}
      and (r.created_at < ${at} - ${days(most)} or (r.created_at, r.id) < (
        select n.created_at, n.id from backtest_run n where n.user_id = ${userId} and n.status = ${done} and n.kept = 2
        order by n.created_at desc, n.id desc offset ${sql.lit(newest - 1)} limit 1))`
}

interface Turn {
  readonly after: string | null
  /** null: there is nobody behind `after`. */
  readonly last: string | null
  readonly isLast: boolean
}

export interface Retained {
  /** Runs whose core went. */
  readonly reduced: number
  /** Runs that went wholly. */
  readonly removed: number
  /** The users that were looked at: above `after`, up to `last`. */
  readonly turn: Turn
}

/**
 * The next users in turn, and at most a thousand of their runs. Called once a minute under its lock, by one process at a time; it may end
 * anywhere. `at`: now; a test's clock is ahead.
 */
export async function retainRuns(db: Kysely<Database>, at: RawBuilder<Date> = sql<Date>`now()`): Promise<Retained> {
  // An idle site writes nothing.
  const known = await db.selectFrom('retention').select('after_user').executeTakeFirst()
  if (!known) await db.insertInto('retention').values({ started_at: at, after_user: null }).execute()
  const after = known?.after_user ?? null
  const turn = await nextTurn(db, after)
  const due = turn.last === null ? [] : await dueRuns(db, turn, at)
  let [reduced, removed] = [0, 0]
  for (let i = 0; i < due.length; i += lotOfRuns) {
    const lot = due.slice(i, i + lotOfRuns)
    const ids = (gone: boolean) => lot.filter((run) => run.gone === gone).map(({ id }) => id)
    reduced += await reduce(db, ids(false))
    removed += await remove(db, ids(true))
  }
  // A full hand: the same users have more.
  const next = due.length === runsAtOnce ? turn.after : turn.isLast ? null : turn.last
  if (next !== after) await db.updateTable('retention').set({ after_user: next }).execute()
  return { reduced, removed, turn }
}

/** Runs are kept for good from now on: once they are kept by plan again, those of before are left alone for a while again. */
export const stopRetention = (db: Kysely<Database>) => sql`delete from retention`.execute(db)

async function nextTurn(db: Kysely<Database>, after: string | null): Promise<Turn> {
  const { rows } = await sql<{ last: string | null; count: string }>`
    select max(id::text) as last, count(*) as count from (
      select id from app_user where not is_demo and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${usersAtOnce}) turn`.execute(
    db,
  )
  return { after, last: rows[0]?.last ?? null, isLast: Number(rows[0]?.count) < usersAtOnce }
}

export const inTurn = (user: string, { after, last }: Turn) =>
  sql<boolean>`(not ${sql.ref(`${user}.is_demo`)} and (${after}::uuid is null or ${sql.ref(`${user}.id`)} > ${after}::uuid)
    and ${sql.ref(`${user}.id`)} <= ${last}::uuid)`

async function dueRuns(db: Kysely<Database>, turn: Turn, at: RawBuilder<Date>): Promise<readonly { id: string; gone: boolean }[]> {
  const user = sql.ref('u.id')
  const free = retentions.free.questionDays
  // Of a former member the figures of a run stay for the same time again: the notice promises it.
  const questionsOf = sql`case when ${isMember('u', at)} or u.vip_level > 0 and u.vip_until + ${days(lapsed.days + free)} > ${at}
    then ${days(retentions.vip.questionDays)} else ${days(free)} end`
  const { rows } = await sql<{ id: string; gone: boolean }>`
    select due.id, due.gone from app_user u cross join lateral (
      select r.id, r.created_at, true as gone from backtest_run r
      where r.user_id = u.id and r.created_at < ${at} - ${questionsOf} and r.status > ${sql.lit(runStatus.running)} and not ${isExempt('r')}
        and not ${wasShared('r')}
      union all
      select core.id, core.created_at, false from (${beyondPlan('free', user, at)}) core where not ${isMember('u', at)}
        and (core.created_at >= ${at} - ${questionsOf} or ${wasShared('core')})
      union all
      select core.id, core.created_at, false from (${beyondPlan('vip', user, at)}) core where ${isMember('u', at)}
        and (core.created_at >= ${at} - ${questionsOf} or ${wasShared('core')})) due
    where ${inTurn('u', turn)}
      and exists (select from retention t where due.created_at >= t.started_at or t.started_at <= ${at} - ${days(retentionGraceDays)})
    order by u.id limit ${runsAtOnce}`.execute(db)
  return rows
}

/**
 * The runs of them that nobody has in hand, locked; what is shared or marked at this moment waits for us, or we see it in the next statement.
 */
async function lockRuns(tx: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from backtest_run where id = any(${ids}::uuid[]) for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Question and figures stay. The snapshots of the data are named no more, so nothing holds them. */
async function reduce(db: Kysely<Database>, given: readonly string[]): Promise<number> {
  if (given.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    const ids = await lockRuns(tx, given)
    const { rows } = await sql<{ count: string }>`
      with reduced as (
        update backtest_run r set kept = 1, snapshot_id = null, index_snapshot_id = null, stock_snapshot_id = null
        where r.id = any(${ids}::uuid[]) and r.kept = 2 and not ${isExempt('r')} returning r.id),
      cores as (delete from run_core where run_id in (select id from reduced)),
      reports as (delete from run_report where run_id in (select id from reduced)),
      pages as (delete from run_days where run_id in (select id from reduced)),
      checks as (delete from run_check where run_id in (select id from reduced))
      select count(*) as count from reduced`.execute(tx)
    return Number(rows[0]?.count)
  })
}

async function remove(db: Kysely<Database>, given: readonly string[]): Promise<number> {
  if (given.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    const ids = await lockRuns(tx, given)
    return removedAsTried(tx, sql`id = any(${ids}::uuid[]) and not ${isExempt('backtest_run')}`)
  })
}

/** Runs that ended without a report hold no data: a day after their end their snapshots are named no more. @returns how many */
export async function releaseSnapshots(db: Kysely<Database>, at: RawBuilder<Date> = sql<Date>`now()`): Promise<number> {
  const { numAffectedRows } = await sql`
    update backtest_run set snapshot_id = null, index_snapshot_id = null, stock_snapshot_id = null
    where id = any(array(select id from backtest_run where status > ${done} and snapshot_id is not null and finished_at < ${at} - interval '1 day'
      limit ${runsAtOnce} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
