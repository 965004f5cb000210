import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import type { Kysely } from 'kysely'
import { isDatabaseAway } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import { queuePosition } from './queue-order.ts'
import type { RunNews } from './run-news.ts'
import { resultEvent, type StoredEvent } from './run-state.ts'

/** NOTIFY may be lost: the rows are read at least this often. */
const lookEveryMs = 1_000
const batch = 500

/**
 * The events of a run from its first to its terminal one, on whatever machine it is computed. Of several progress events that wait only the
 * newest is sent; a changed place in the queue is sent too. Ends after `result` or `error`, or when `signal` aborts.
 */
export async function* followRun(
  db: Kysely<Database>,
  news: RunNews,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void> {
  const watch = news.watch(runId)
  let seen = 0
  let position: number | null = null
  try {
    while (!signal.aborted) {
      const look = await read(() => events(db, runId, seen))
      for (const event of newestProgress(look?.map(({ payload }) => payload) ?? [])) {
        yield event
        if (isTerminal(event)) return
        if (event.type === 'queued') position = Number(event['position'])
        else position = null
      }
      seen = look?.at(-1)?.seq ?? seen
      if (look?.length === 0) {
        // The row is read before its events are read again: a terminal event of an ended run is there by then, or was cleared away.
        const ended = await read(() => endedRun(db, runId))
        if (ended && (await read(() => events(db, runId, seen)))?.length === 0) return yield ended
        const now: number | null = position === null ? null : await read(() => queuePosition(db, runId))
        if (now && now !== position) {
          position = now
          yield { type: 'queued', position: now }
        }
        if (ended) continue
      }
      // News that came while the events were read end the wait at once.
      if (look?.length !== batch) await watch.next(look ? lookEveryMs : lookEveryMs / 2, signal)
    }
  } finally {
    watch.end()
  }
}

const isTerminal = (event: StoredEvent): boolean => event.type === 'result' || event.type === 'error'

/** null while the database is away: the run may go on, so the stream does. */
async function read<T>(query: () => Promise<T>): Promise<T | null> {
  try {
    return await query()
  } catch (error) {
    if (isDatabaseAway(error)) return null
    throw error
  }
}

async function events(db: Kysely<Database>, runId: string, after: number): Promise<{ seq: number; payload: StoredEvent }[]> {
  const rows = await db
    .selectFrom('run_event')
    .select(['seq', 'payload'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(batch)
    .execute()
  return rows.map(({ seq, payload }) => ({ seq, payload: payload as StoredEvent }))
}

function newestProgress(all: StoredEvent[]): StoredEvent[] {
  const last = all.findLastIndex((event) => event.type === 'progress')
  return all.filter((event, i) => event.type !== 'progress' || i === last)
}

/** The terminal event of a run whose event rows are gone, from its row. A run that is not there has been deleted. */
async function endedRun(db: Kysely<Database>, runId: string): Promise<StoredEvent | null> {
  const row = await db
    .selectFrom('backtest_run')
    .select(['status', 'metrics', 'params_hash', 'data_version', 'engine_version', 'error_code', 'error_message'])
    .where('id', '=', runId)
    .executeTakeFirst()
  if (!row) return { type: 'error', code: errorCodes.notFound, message: messageOf(errorCodes.notFound) }
  if (row.status === runStatus.queued || row.status === runStatus.running) return null
  if (row.status === runStatus.done && row.metrics) return resultEvent(runId, row.metrics, row)
  return {
    type: 'error',
    code: row.error_code ?? errorCodes.computeCrashed,
    message: row.error_message ?? messageOf(errorCodes.computeCrashed),
  }
}
