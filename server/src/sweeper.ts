import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { tryAdvisoryLock } from './db/advisory-lock.ts'
import { locks } from './db/locks.ts'
import type { Database } from './db/tables.ts'
import { sweepAnswers } from './feeds/ingest/raw-answers.ts'
import { sweepFiles } from './file/files.ts'
import type { ObjectStore } from './file/store.ts'
import { sweepRates } from './http/rate-limit.ts'
import { sweepEvents } from './qmt/events.ts'
import { sweepShares } from './quant/shares.ts'
import { sweepAccounts } from './user/deletion.ts'
import { sweepGuests } from './user/guests.ts'

export interface Sweeper {
  close(): Promise<void>
}

interface KeptAnswers {
  readonly dataDir: string
  readonly keepDays: number
}

const everyMs = 3_600_000
const firstAfterMs = 60_000

/**
 * Retention: once an hour one of the workers deletes what has expired: accounts after their grace period, old logins, files without a reference,
 * old answers of sources. A missed hour is made up for by the next.
 */
export function startSweeper(
  db: Kysely<Database>,
  store: ObjectStore,
  answers: KeptAnswers,
  log: (event: string, details: Record<string, unknown>) => void,
): Sweeper {
  const stop = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const done = (async () => {
    await wait(firstAfterMs)
    while (!stop.signal.aborted) {
      await sweepOnce(db, store, answers, log).catch((error: unknown) => log('sweep failed', { err: error }))
      await wait(everyMs)
    }
  })()
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

async function sweepOnce(
  db: Kysely<Database>,
  store: ObjectStore,
  answers: KeptAnswers,
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<void> {
  await tryAdvisoryLock(db, locks.sweep, async (own) => {
    const swept = await sweepAccounts(own, log)
    if (swept.deleted > 0) log('accounts deleted after their grace', { ...swept })
    const guests = await sweepGuests(own)
    if (guests > 0) log('guests erased after their day', { guests })
    // After the accounts: the files of the deleted have no row any more.
    await sweepFiles({ db: own, store })
    await sweepShares(own)
    await sweepRates(own)
    await sweepEvents(own)
    await sweepAnswers(answers.dataDir, answers.keepDays)
  })
}
