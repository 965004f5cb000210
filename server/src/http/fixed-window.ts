import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'

// Fixed-window counters, the algorithm of every rate limit here: a window begins with the first event and ends after its length, whichever
// api counts. The database's clock decides and one statement counts, so that fifty at once are fifty.

/** The tables of counters: what tells one counter from another, its count and the end of its window. */
const tables = {
  rate_use: { key: ['owner', 'item'], count: 'used', endsAt: 'ends_at' },
  login_failure: { key: ['key'], count: 'failures', endsAt: 'window_ends_at' },
} as const

type CounterKey = { rate_use: readonly [owner: string, item: string]; login_failure: readonly [key: Buffer] }

export interface WindowCount {
  /** Events in this window, this one among them. */
  count: number
  /** Until the window ends. */
  seconds: number
}

/** Counts one event of a counter in its window, which lasts so many seconds. */
export async function countInWindow<T extends keyof typeof tables>(
  db: Kysely<Database>,
  table: T,
  key: CounterKey[T],
  seconds: number,
): Promise<WindowCount> {
  const columns = tables[table]
  const [count, endsAt, keys] = [sql.ref(columns.count), sql.ref(columns.endsAt), sql.join(columns.key.map((name) => sql.ref(name)))]
  const { rows } = await sql<WindowCount>`
    insert into ${sql.table(table)} as c (${keys}, ${count}, ${endsAt})
    values (${sql.join([...key])}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (${keys}) do update set
      ${count} = case when c.${endsAt} <= now() then 1 else c.${count} + 1 end,
      ${endsAt} = case when c.${endsAt} <= now() then excluded.${endsAt} else c.${endsAt} end
    returning ${count} as count, extract(epoch from ${endsAt} - now())::float8 as seconds`.execute(db)
  return rows[0] ?? { count: 0, seconds: 0 }
}

/** The refusal (40029) of an event beyond a window's limit. @param seconds until the window ends */
export function rateLimitError(seconds: number): ApiError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new ApiError(errorCodes.rateLimited, messageOf(errorCodes.rateLimited, wait), { retryAfterSeconds: wait })
}
