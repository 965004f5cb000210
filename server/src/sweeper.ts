import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Config } from './config/config.ts'
import type { AppContext } from './context/app-context.ts'
import { onLockedConnection } from './db/advisory-lock.ts'
import { locks } from './db/locks.ts'
import type { Database } from './db/tables.ts'
import { sweepAnswers } from './feeds/ingest/raw-answers.ts'
import { sweepPushed } from './feeds/xtdata/pushed-store.ts'
import { sweepFiles } from './file/files.ts'
import type { FileStore } from './file/store.ts'
import { sweepRates } from './http/rate-limit.ts'
import { sweepNotices } from './payment/payment-notification.ts'
import { sweepEvents } from './qmt/events.ts'
import { sweepTrading } from './qmt/old-rows.ts'
import { releaseSnapshots, retainRuns, stopRetention } from './quant/retention.ts'
import { tellLapsed } from './quant/retention-notices.ts'
import { sweepShares } from './quant/shares.ts'
import { sweepGridTrials } from './quant/trials.ts'
import { moveCores } from './run-core/kept-core.ts'
import { collectGarbage } from './store/garbage.ts'
import type { ObjectStore } from './store/object-store.ts'
import { sweepUses } from './usage/quota.ts'
import { sweepAccounts } from './user/deletion.ts'
import { sweepGuests } from './user/guests.ts'

export interface Sweeper {
  close(): Promise<void>
}

export interface SweeperDeps extends Pick<AppContext, 'queue'> {
  readonly db: Kysely<Database>
  readonly config: Pick<Config, 'retention' | 'secretKey' | 'oldSecretKey' | 'dataDir' | 'storeKeepDays'>
  readonly store: FileStore
  /** Days for which old answers of sources are kept. */
  readonly keepDays: number
  /** Of which is deleted what nothing needs. */
  readonly objects: ObjectStore
  readonly log: (event: string, details: Record<string, unknown>) => void
}

const hourMs = 3_600_000
const minuteMs = 60_000

/** Milliseconds until the first round, and between two rounds. */
export interface SweepPeriods {
  readonly first: number
  readonly sweep: number
  readonly retention: number
}

/**
 * Retention: once an hour one of the workers deletes what has expired: accounts after their grace period, old logins, files without a reference,
 * old answers of sources, old rows. Once a minute one of them looks after stored runs. What was missed is made up for by the next.
 */
export function startSweeper(
  deps: SweeperDeps,
  { first, sweep, retention }: SweepPeriods = { first: minuteMs, sweep: hourMs, retention: minuteMs },
): Sweeper {
  const stop = new AbortController()
  // A wait that is cut short by the end is over as well.
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const every = async (ms: number, what: string, work: (deps: SweeperDeps) => Promise<unknown>) => {
    await wait(first)
    while (!stop.signal.aborted) {
      await work(deps).catch((error: unknown) => deps.log(`${what} failed`, { err: error }))
      await wait(ms)
    }
  }
  const loops = [every(sweep, 'sweep', sweepOnce), every(retention, 'retention', retainOnce)]
  return {
    async close() {
      stop.abort()
      await Promise.all(loops)
    },
  }
}

async function sweepOnce({ db, store, config, keepDays, objects, log }: SweeperDeps): Promise<void> {
  await onLockedConnection(db, locks.sweep, async (own) => {
    const swept = await sweepAccounts(own, log)
    if (swept.deleted > 0) log('accounts deleted after their grace', { ...swept })
    const guests = await sweepGuests(own)
    if (guests > 0) log('guests erased after their day', { guests })
    // After the accounts: the files of the deleted have no row any more.
    await sweepFiles({ db: own, store })
    await sweepShares(own)
    await sweepRates(own)
    await sweepEvents(own)
    await sweepUses(own)
    await sweepGridTrials(own)
    await sweepTrading(own)
    await sweepNotices(own)
    await sweepPushed(own)
    await sweepAnswers(config.dataDir, keepDays)
    const garbage = await collectGarbage(own, objects, config.storeKeepDays)
    if (garbage.deleted > 0) log('objects deleted that nothing needs', { ...garbage })
  })
}

async function retainOnce({ db, config, queue, log }: SweeperDeps): Promise<void> {
  await onLockedConnection(db, locks.retention, async (own) => {
    await releaseSnapshots(own)
    await moveCores(own, config.dataDir).catch((error: unknown) => log('cores not moved into the store', { err: error }))
    if (config.retention === 'off') {
      await stopRetention(own)
      return
    }
    const { reduced, removed, turn } = await retainRuns(own)
    const told = turn.last === null ? 0 : await tellLapsed({ db: own, config, queue }, turn)
    if (reduced + removed + told > 0) log('stored runs retained by plan', { reduced, removed, told })
  })
}
