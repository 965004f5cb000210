/** Warnings to the operator, once a minute in the log until the cause is gone: damaged market files, a disk that is nearly full. */
import type { Kysely } from 'kysely'
import { freeBytes, leastFreeBytes } from '../base/free-space.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { damagedInUse } from '../market/damage.ts'
import { snapshotKinds } from '../market/manifest.ts'
import { newestSnapshot, olderOf } from '../market/snapshot.ts'

export interface OperatorWarningDeps {
  readonly db: Kysely<Database>
  readonly config: Pick<Config, 'dataDir' | 'isSingleMachine'>
  readonly log: (event: string, details: Record<string, unknown>) => void
  readonly everyMs?: number
  /** Bytes that are free where a folder lies. */
  readonly free?: typeof freeBytes
}

export function startOperatorWarnings({ db, config, log, everyMs = 60_000, free = freeBytes }: OperatorWarningDeps): {
  close(): Promise<void>
} {
  // Once for each snapshot: nothing is wrong with it that cannot wait.
  const warned = new Set<string>()
  const look = async () => {
    const damaged = await damagedInUse(db)
    const said = damaged.map(({ kind, dataVersion, damagedAt, damage }) => ({ kind, version: dataVersion, since: damagedAt, damage }))
    if (damaged.length > 0) log('market snapshots damaged', { snapshots: said })
    for (const kind of snapshotKinds) {
      const snapshot = await newestSnapshot(db, kind)
      if (!snapshot || warned.has(snapshot.id)) continue
      warned.add(snapshot.id)
      const older = await olderOf(config.dataDir, snapshot)
      if (older) log('market of an older importer', { kind, version: snapshot.dataVersion, text: older })
    }
    const bytes = config.isSingleMachine ? await free(config.dataDir) : null
    if (bytes !== null && bytes < leastFreeBytes) log('disk nearly full', { folder: config.dataDir, freeBytes: bytes })
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
