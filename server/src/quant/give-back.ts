/** A run whose data a worker could not read goes back into the queue, before anything of it was computed (operations.md 2.4). */

import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db/tables.ts'
import { guestGroup } from '../queue/jobs.ts'
import type { Queue } from '../queue/queue.ts'
import { tierOf } from '../usage/limits.ts'
import { vipNow } from '../user/vip.ts'
import { queuePosition } from './queue-order.ts'
import { addEvent, type ClaimedRun } from './run-state.ts'

type RunsQueue = Pick<Queue, 'addRun' | 'dropRun'>

/** Tries after which a run fails, and so does one that was first given back so long ago. */
const mostAttempts = 5
const mostMinutes = 10
/** Until it is taken again; and again by a worker that it avoids. */
const againAfterSeconds = 2
const avoidedAfterSeconds = 1
/** Before what has waited less: it had come to its turn. */
const priority = 10

/**
 * running → queued under the same id; this worker is avoided from now on. `'enough'`: it was tried often or long enough, nothing was done.
 * false: it is not this worker's any more.
 */
export async function giveBack(
  db: Kysely<Database>,
  queue: RunsQueue,
  run: Pick<ClaimedRun, 'id' | 'userId' | 'tier' | 'guest'>,
  workerId: string,
): Promise<boolean | 'enough'> {
  return db.transaction().execute(async (transaction) => {
    const [row] = (
      await sql<{ attempt: number; is_late: boolean }>`
        select attempt, exists (
          select 1 from run_event e where e.run_id = r.id and e.seq > 1 and e.payload ->> 'type' = 'queued'
            and e.created_at < now() - make_interval(mins => ${mostMinutes})) as is_late
        from backtest_run r
        where id = ${run.id} and user_id = ${run.userId} and status = ${runStatus.running} and worker_id = ${workerId} for update`.execute(
        transaction,
      )
    ).rows
    if (!row) return false
    if (row.attempt + 1 >= mostAttempts || row.is_late) return 'enough'
    await transaction
      .updateTable('backtest_run')
      .set({
        ...{ status: runStatus.queued, worker_id: null, started_at: null, attempt: row.attempt + 1 },
        avoid: sql`array_append(array_remove(avoid, ${workerId}::uuid), ${workerId}::uuid)`,
      })
      .where('id', '=', run.id)
      .where('user_id', '=', run.userId)
      .execute()
    await sendAnew(transaction, queue, run, againAfterSeconds)
    await addEvent(transaction, run.id, { type: 'queued', position: (await queuePosition(transaction, run.id)) ?? 1 })
    return true
  })
}

/** The job of a queued run that avoids this worker, or that it has not begun and will not, for another one. */
export async function passOn(db: Kysely<Database>, queue: RunsQueue, runId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('backtest_run as r')
      .innerJoin('app_user as u', 'u.id', 'r.user_id')
      .select(['r.user_id', vipNow('u').as('vip_level'), 'u.is_demo'])
      .where('r.id', '=', runId)
      .where('r.status', '=', runStatus.queued)
      .forUpdate('r')
      .executeTakeFirst()
    if (row)
      await sendAnew(transaction, queue, { id: runId, userId: row.user_id, tier: tierOf(row), guest: row.is_demo }, avoidedAfterSeconds)
  })
}

async function sendAnew(
  transaction: Transaction<Database>,
  queue: RunsQueue,
  { id, userId, tier, guest }: Pick<ClaimedRun, 'id' | 'userId' | 'tier' | 'guest'>,
  afterSeconds: number,
): Promise<void> {
  await queue.dropRun(transaction, id)
  const turn = guest ? ({ group: guestGroup, tier: 'free' } as const) : { group: userId, tier }
  await queue.addRun(transaction, { id, ...turn, priority, afterSeconds })
}

/** What the stream of a run that was given back has told: numbers go on from there, and the percentage does not fall. */
export async function toldSoFar(db: Kysely<Database>, runId: string): Promise<{ readonly seq: number; readonly percent: number }> {
  const { rows } = await sql<{ seq: number; percent: number }>`
    select coalesce(max(seq), 1) as seq, coalesce(max((payload ->> 'percent')::float8) filter (where payload ->> 'type' = 'progress'), 0) as percent
    from run_event where run_id = ${runId}`.execute(db)
  const [row] = rows
  return { seq: Number(row?.seq ?? 1), percent: Number(row?.percent ?? 0) }
}
