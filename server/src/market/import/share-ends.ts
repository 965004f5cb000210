/** When the shares of bonds left the stock market that is loaded beside them. */
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { addDays } from '../calendar.ts'
import { readManifest } from '../manifest.ts'
import { readSecurities } from '../read-store.ts'
import { newestSnapshot, snapshotPath } from '../snapshot.ts'

/** By share that has left: the first day on which it was not listed, as its list says it, else the day behind its last row. */
export async function shareEndsIn({
  db,
  dataDir,
}: {
  readonly db: Kysely<Database>
  readonly dataDir: string
}): Promise<ReadonlyMap<string, string>> {
  const snapshot = await newestSnapshot(db, 'stk')
  if (!snapshot) return new Map()
  const folder = snapshotPath(dataDir, snapshot)
  const securities = await readSecurities(folder, await readManifest(folder, snapshot.manifestSha256))
  return new Map(
    securities.flatMap(({ code, delisted, lastDay }): [string, string][] => {
      const end = delisted ?? (lastDay && addDays(lastDay, 1))
      return end ? [[code, end]] : []
    }),
  )
}
