import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Store } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { clusterOf } from '../../src/db/postgres.ts'
import { type PayStandIn, payStandIn } from '../stand-ins/pay-stand-in.ts'

/** A PostgreSQL that syncs and is brought back when it dies, as `npm start` does it, with a stand-in beside it. */
export interface DrillSite extends Store {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly standIn: PayStandIn
}

export async function drillSite(dataDir = mkdtempSync(join(tmpdir(), 'convexa-pay-'))): Promise<DrillSite> {
  const embedded = await openEmbedded(dataDir, 'server')
  const store = connect(embedded.connectionString)
  await migrate(store.db)
  const standIn = await payStandIn()
  return {
    ...store,
    databaseUrl: embedded.connectionString,
    dataDir,
    standIn,
    close: async () => {
      await standIn.close()
      await store.close()
      await embedded.close()
      rmSync(clusterOf(dataDir).privateFolder, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
