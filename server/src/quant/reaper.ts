import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql } from 'kysely'
import { lives, takesWork } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import type { Queue } from '../queue/queue.ts'
import { raiseWaiting } from './queue-order.ts'
import { endings, endRun } from './run-state.ts'

export interface Reaper {
  /** A run begins in this process: it is looked for at once, and often for as long as any run is open. */
  wake(): void
  close(): Promise<void>
}

const lookEveryMs = 400
/** While no run is open: an idle process costs next to nothing. Those that begin or take a run do not wait for it (`wake`). */
const restMs = 2_000
/** A run is seen only after its transaction. */
const wokenMs = 5_000
/** A lock seen free once may be on its way back after a lost connection; seen free twice over this time its process is dead. */
const certainAfterMs = 700
/** Workers that live and take no work may do so again: what they lack is being mended. */
const noneReadyAfterMs = 600_000
/** Heartbeats are old too when the machine has slept: a live process shows the next one within three seconds. */
const hungAfterMs = 5_000
/** After the database was away every process takes its lock and shows a heartbeat again: give them this long. */
const quietAfterTroubleMs = 8_000
const cleanEveryMs = 60_000
const raiseEveryMs = 5_000

/**
 * Ends the runs that nobody computes or wants any more. Every api, worker and command line does this; the first one writes, the others
 * find it done. Also lets those that wait rise in the queue, and clears away old events and dead processes.
 */
export function startReaper(db: Kysely<Database>, queue: Queue, log: (event: string, details: Record<string, unknown>) => void): Reaper {
  const suspected = new Map<string, number>()
  let quietUntil = 0
  let cleanAt = performance.now() + cleanEveryMs
  let raiseAt = performance.now() + raiseEveryMs
  let open = 0
  let restsFrom = 0
  let isClosed = false
  let endRest = () => {}

  const look = async () => {
    const runs = await abandonedRuns(db)
    const { found } = runs
    open = runs.open
    const keys = new Set(found.map(({ id, why }) => `${id}/${why}`))
    for (const key of suspected.keys()) if (!keys.has(key)) suspected.delete(key)
    const now = performance.now()
    for (const { id, why } of found) {
      const since = suspected.get(`${id}/${why}`)
      if (since === undefined) suspected.set(`${id}/${why}`, now)
      else if (
        now - since >= certainAfter[why] &&
        now > quietUntil &&
        (await endRun(db, queue, id, endings[why === 'noneReady' ? 'noWorker' : why]))
      ) {
        log('run interrupted', { run: id, why })
      }
    }
    if (now >= raiseAt) {
      raiseAt = now + raiseEveryMs
      if (open > 0) await raiseWaiting(db)
    }
    if (now < cleanAt) return
    cleanAt = now + cleanEveryMs
    await clean(db)
  }

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isClosed) return resolve()
      const timer = setTimeout(resolve, ms)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const done = (async () => {
    while (!isClosed) {
      try {
        await look()
      } catch (error) {
        quietUntil = performance.now() + quietAfterTroubleMs
        suspected.clear()
        log('reaper waits', { error: String(error) })
      }
      await rest(open > 0 || performance.now() < restsFrom ? lookEveryMs : restMs)
    }
  })()
  return {
    wake() {
      restsFrom = performance.now() + wokenMs
      endRest()
    },
    async close() {
      isClosed = true
      endRest()
      await done
    },
  }
}

const certainAfter = {
  ...{ workerDied: certainAfterMs, ownerDied: certainAfterMs, lost: certainAfterMs, noWorker: certainAfterMs },
  ...{ hung: hungAfterMs, noneReady: noneReadyAfterMs },
} as const
type Why = keyof typeof certainAfter

/** How many runs are open, and those of them whose worker or owner is dead or frozen, whose job is gone, that no worker has come for in half a minute, or that none takes. */
async function abandonedRuns(db: Kysely<Database>): Promise<{ open: number; found: { id: string; why: Why }[] }> {
  const { rows } = await sql<{ id: string; why: Why | null }>`
    select r.id, case
      when r.status = ${runStatus.running} and not coalesce(${lives('w')}, false) then 'workerDied'
      when not coalesce(${lives('o')}, false) then 'ownerDied'
      when r.status = ${runStatus.running} and exists (
        -- A frozen process keeps its lock but not its heartbeat of every 3 s.
        select 1 from pgboss.job j where j.name = 'run' and j.id = r.id and j.heartbeat_on < now() - interval '30 seconds'
      ) then 'hung'
      when r.status = ${runStatus.queued} and not exists (
        select 1 from pgboss.job j where j.name = 'run' and j.id = r.id
          and (j.state < 'active' or (j.state = 'active' and j.started_on > now() - interval '2 seconds'))
      ) and not exists (
        -- Taken by a worker that waits for the user's other runs; visitors of the demo wait for each other's (claimRun).
        select 1 from backtest_run other
          join app_user theirs on theirs.id = other.user_id
          join app_user ours on ours.id = r.user_id
        where other.status = ${runStatus.running} and (other.user_id = r.user_id or (theirs.is_demo and ours.is_demo))
      ) then 'lost'
      when r.status = ${runStatus.queued} and r.created_at < now() - interval '30 seconds'
        and not exists (select 1 from process p where p.role = 'worker' and ${lives('p')}) then 'noWorker'
      when r.status = ${runStatus.queued} and not exists (select 1 from process p where ${takesWork('p')})
        and exists (select 1 from process p where p.role = 'worker' and ${lives('p')}) then 'noneReady'
      end as why
    from backtest_run r
      left join process w on w.id = r.worker_id
      left join process o on o.id = r.owner_id
    where r.status in (${runStatus.queued}, ${runStatus.running})`.execute(db)
  return { open: rows.length, found: rows.flatMap(({ id, why }) => (why ? [{ id, why }] : [])) }
}

/** Events are for streams: an hour after the end nobody reads them. A process is forgotten an hour after its start once it is dead. */
async function clean(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from run_event e using backtest_run r
    where r.id = e.run_id and r.finished_at < now() - interval '1 hour'`.execute(db)
  await sql`
    delete from process p
    where p.started_at < now() - interval '1 hour' and not ${lives('p')}
      and not exists (select 1 from backtest_run r where r.status in (0, 1) and p.id in (r.owner_id, r.worker_id))`.execute(db)
}
