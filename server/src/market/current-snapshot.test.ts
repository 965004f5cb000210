import { mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { until } from '../../test/fixtures/processes.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { damageWatch, markDamaged } from './damage.ts'
import { type HeldSnapshots, heldSnapshots } from './held-snapshots.ts'
import { newestSnapshot, snapshotPath } from './snapshot.ts'

let database: TestDatabase
let dataDir: string
let worker: ProcessLock
let held: HeldSnapshots

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-current-'))
  worker = await announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 's' })
  const damage = damageWatch({ db: database.db, dataDir, mayBeElsewhere: true, log() {} })
  held = heldSnapshots({ db: database.db, dataDir, processId: worker.processId, damage })
})
afterAll(async () => {
  await worker.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

let day = 2
/** One more snapshot, while no worker takes work: `publishSmallMarket` would wait for it. */
async function publishNext() {
  await isReady(false)
  return publishSmallMarket(database.db, dataDir, {
    kind: 'cb',
    from: '2026-11-02',
    to: `2026-11-${String(++day).padStart(2, '0')}`,
    securities: 3,
  })
}
async function isReady(ready: boolean): Promise<void> {
  worker.tell({ ready, reason: null })
  const row = () => database.db.selectFrom('process').select('ready').where('id', '=', worker.processId).executeTakeFirstOrThrow()
  await until(async () => (await row()).ready === ready, 'the worker has told it')
}
const current = async (folder = dataDir) => (await currentSnapshot(database.db, folder, 'cb'))?.id

test('a snapshot comes into use when a worker that takes work has it; until then the one before is used', async () => {
  const first = await publishNext()
  // Nothing was in use before, and no worker takes work: what can be read is shown.
  expect(await current()).toBe(first.id)
  expect((await held.look()).map(({ newest, here }) => [newest.id, here?.id])).toEqual([[first.id, first.id]])
  await isReady(true)
  expect(await current()).toBe(first.id)

  const second = await publishNext()
  await isReady(true)
  expect(await current()).toBe(first.id)
  await held.look()
  expect(await current()).toBe(second.id)
  // Once taken up it stays, whatever becomes of the workers.
  await isReady(false)
  expect(await current()).toBe(second.id)
})

test('what this process cannot read is not taken up though a worker has it', async () => {
  const before = await newestSnapshot(database.db, 'cb')
  const next = await publishNext()
  await held.look()
  await isReady(true)
  const [path, aside] = [snapshotPath(dataDir, next), join(dataDir, 'aside')]
  renameSync(path, aside)
  expect(await current()).toBe(before?.id)
  renameSync(aside, path)
  expect(await current()).toBe(next.id)
})

test('a file cut short: the worker does not hold the snapshot, it is marked, and the one before is used', async () => {
  const whole = (await newestSnapshot(database.db, 'cb'))!
  const next = await publishNext()
  truncateSync(join(snapshotPath(dataDir, next), 'close.2026.f64'), 1)
  const [look] = await held.look()
  expect([look?.newest.id, look?.here?.id]).toEqual([next.id, whole.id])
  await isReady(true)
  expect(await current()).toBe(whole.id)
  expect((await newestSnapshot(database.db, 'cb'))?.id).toBe(whole.id)
})

test('a folder that is lost is held no longer; a snapshot that is marked is used no longer', async () => {
  const last = await publishNext()
  await held.look()
  const ids = async () =>
    (await database.db.selectFrom('process_snapshot').select('snapshot_id').execute()).map(({ snapshot_id: id }) => id)
  expect(await ids()).toContain(last.id)
  rmSync(snapshotPath(dataDir, last), { recursive: true })
  const [look] = await held.look()
  expect(look?.here?.id).not.toBe(last.id)
  expect(await ids()).not.toContain(last.id)
  // Missing as a whole: other machines may have it, so it is not marked.
  expect((await newestSnapshot(database.db, 'cb'))?.id).toBe(last.id)
  await markDamaged(database.db, last.id, 'wrong checksum')
  expect(await current()).toBe(look?.here?.id)
})
