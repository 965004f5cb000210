import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type TestDatabase, testDatabase } from './database.ts'
import { type Api, type Process, startApiProcess, startWorkerProcess, type WorkerProcess } from './processes.ts'
import { publishSmallMarket, type SmallMarket } from './small-market.ts'

/** A site as it runs: a database and a data folder of its own, one api and one worker as real processes. */
export interface Site {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly api: Api
  readonly worker: WorkerProcess
}

interface Wanted {
  /** Published before the two start. */
  readonly markets?: readonly SmallMarket[]
  /** Settings that only one of the two has. */
  readonly api?: Record<string, string>
  readonly worker?: Record<string, string>
}

/** Asked for at the top of a file of tests, and taken down after them. */
export async function testSite({ markets = [], ...only }: Wanted = {}): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-site-'))
  const database = await testDatabase()
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const running: Promise<Process>[] = []
  afterAll(async () => {
    for (const one of await Promise.allSettled(running)) if (one.status === 'fulfilled') await one.value.stop()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  for (const market of markets) await publishSmallMarket(database.db, dataDir, market)
  const starting = [startApiProcess({ ...env, ...only.api }), startWorkerProcess({ ...env, ...only.worker }, database.db)] as const
  running.push(...starting)
  const [api, worker] = await Promise.all(starting)
  return { database, dataDir, api, worker }
}
