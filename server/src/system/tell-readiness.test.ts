import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishTable } from '../../test/fixtures/market/publish-table.ts'
import { smallMarket } from '../../test/fixtures/market/small-market.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { announce, liveWorkers, type ProcessLock } from '../db/process-registry.ts'
import type { Snapshot } from '../market/snapshot.ts'
import { tellReadiness } from './tell-readiness.ts'

let database: TestDatabase
let dataDir: string
let worker: ProcessLock

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-tell-'))
  worker = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 's' })
})
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  await worker.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const publish = async (to: string): Promise<Snapshot> => {
  const table = smallMarket({ kind: 'cb', from: '2026-11-02', to, securities: 3 })
  return (await publishTable({ db: database.db, dataDir }, table)).snapshot
}
const hold = (snapshot: Snapshot) =>
  database.db.insertInto('process_snapshot').values({ process_id: worker.processId, snapshot_id: snapshot.id }).execute()

test('a snapshot that no worker has after 120 s is logged once a minute, until one has it', async () => {
  const first = await publish('2026-11-20')
  await hold(first)
  worker.tell({ ready: true, reason: null })
  await expect.poll(async () => (await liveWorkers(database.db)).some(({ ready }) => ready)).toBe(true)

  let now = new Date()
  const real = performance.now.bind(performance)
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead)
  const versions: unknown[] = []
  // Of the log of a process, equal warnings within a second are one line.
  const warn = (details: { version?: string }, event: string) => void (event === 'snapshot not taken up' && versions.push(details.version))
  const { context } = testWorld(database, { config: { dataDir }, now: () => now, log: { warn } as unknown as Logger })
  const said = () => versions.length
  let told = 0
  const beat = tellReadiness(context, { tell: () => void told++ }, () => false, 20)
  /** The clock goes on, and two beats have been told since. */
  const later = async (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000)
    ahead += seconds * 1_000
    const from = told
    await expect.poll(() => told - from).toBeGreaterThan(1)
  }
  try {
    await later(0)
    const second = await publish('2026-11-23')
    now = new Date(second.publishedAt.getTime())
    await later(110)
    expect(said()).toBe(0)
    await later(25)
    expect(said()).toBe(1)
    expect(versions).toEqual([second.dataVersion])
    await later(30)
    expect(said()).toBe(1)
    await later(40)
    expect(said()).toBe(2)
    await hold(second)
    await later(100)
    expect(said()).toBe(2)
  } finally {
    await beat.close()
  }
})
