/** What an operator must hear of until it is mended, once a minute in the log: damaged market files, a disk that is nearly full. */
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db/tables.ts'
import { damagedInUse } from '../market/damage.ts'
import { freeBytes, leastFreeBytes } from './readiness.ts'

export interface OperatorWarningDeps {
  readonly db: Kysely<Database>
  readonly config: Pick<Config, 'dataDir' | 'isSingleMachine'>
  readonly log: (event: string, details: Record<string, unknown>) => void
  readonly everyMs?: number
}

export function startOperatorWarnings({ db, config, log, everyMs = 60_000 }: OperatorWarningDeps): { close(): Promise<void> } {
  const look = async () => {
    for (const { kind, dataVersion, damagedAt, damage } of await damagedInUse(db))
      log('market snapshot damaged', { kind, version: dataVersion, since: damagedAt.toISOString(), damage })
    const free = config.isSingleMachine ? await freeBytes(config.dataDir) : null
    if (free !== null && free < leastFreeBytes) log('disk nearly full', { folder: config.dataDir, freeBytes: free })
  }
  let looking = Promise.resolve()
  // While the database is away others say so.
  const again = () => void (looking = looking.then(look).catch(() => {}))
  again()
  const timer = setInterval(again, everyMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}
