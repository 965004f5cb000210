import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds } from '@convexa/contract/enums/market'
import { type Kysely, sql } from 'kysely'
import { toApiError } from '../base/api-error.ts'
import { tryAdvisoryLock } from '../db/advisory-lock.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { recordWaiting, untilRecordTime } from './followed-days.ts'
import { refreshGlance, type SummaryDeps } from './glances.ts'

export interface Follower {
  close(): Promise<void>
}

const firstAfterMs = 300_000
const everyMs = 600_000

/**
 * Every worker looks now and then whether the data are newer than the glances of saved strategies, and refreshes these one after the other:
 * so a rule is followed on the day itself, even if nobody looks at it. Of several workers one does it.
 */
export function startFollower(deps: SummaryDeps, log: (event: string, details: Record<string, unknown>) => void): Follower {
  const stop = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const done = (async () => {
    await wait(firstAfterMs)
    while (!stop.signal.aborted) {
      await tryAdvisoryLock(deps.db, locks.follow, (lost) => followAll(deps, AbortSignal.any([stop.signal, lost]))).catch(
        (error: unknown) => log('strategies not followed', { err: error }),
      )
      await wait(Math.min(everyMs, untilRecordTime(deps.now())))
    }
  })()
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

/** What could not be computed on these data is not tried again on them; what ended a round by a fault of ours waits until the others are done. */
const given = new Set<string>()
const last = new Set<string>()
const mostGiven = 10_000

/** Refreshes what is behind the data, then records days whose parts have come since. @returns how many glances were refreshed; a rule that the data cannot serve any more keeps its old one */
export async function followAll(deps: SummaryDeps, signal: AbortSignal): Promise<number> {
  let refreshed = 0
  for (const noted of [given, last]) if (noted.size > mostGiven) noted.clear()
  for (const kind of marketIds) {
    const newest = (await newestSnapshot(deps.db, kind))?.dataVersion
    if (!newest) continue
    const waiting = (await behind(deps.db, kind, newest)).map((one) => ({ ...one, attempt: `${one.id} ${one.version} ${newest}` }))
    for (const { id, user_id, attempt } of waiting.toSorted((a, b) => Number(last.has(a.attempt)) - Number(last.has(b.attempt)))) {
      if (signal.aborted) return refreshed
      if (given.has(attempt)) continue
      try {
        await refreshGlance(deps, user_id, kind, id, undefined, signal)
        refreshed++
      } catch (error) {
        const { code, status } = toApiError(error)
        // Ours, and perhaps for all: the next round tries again, with the others before it. One rule that ends a process must not end them all.
        if (status >= 500 && code !== errorCodes.computeTimeout) {
          last.add(attempt)
          throw error
        }
        given.add(attempt)
      }
    }
  }
  await recordWaiting(deps)
  return refreshed
}

/** Strategies whose glance is of other data or of none, the longest waiting first, without guests and users who are disabled or leaving. */
const behind = (db: Kysely<Database>, kind: MarketId, newest: string) =>
  db
    .selectFrom('strategy as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.version'])
    .where('s.kind', '=', kind)
    .where(sql<boolean>`(s.glance ->> 'data_version') is distinct from ${newest}`)
    .where('u.disabled_at', 'is', null)
    .where('u.deletion_at', 'is', null)
    .where('u.is_demo', '=', false)
    .orderBy('s.glance_at', (order) => order.asc().nullsFirst())
    .orderBy('s.id')
    .execute()
