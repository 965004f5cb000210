import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { connect } from '../db/connect.ts'
import type { ProcessState } from '../db/process-registry.ts'
import { markDamaged } from '../market/damage.ts'
import type { HeldSnapshots } from '../market/held-snapshots.ts'
import { newestSnapshot, type Snapshot } from '../market/snapshot.ts'
import { folderStore } from '../store/folder-store.ts'
import { snapshotStore, useSnapshotStore } from '../store/snapshot-store.ts'
import { type WorkerReadinessDeps, type WorkerReason, watchReadiness, workerReadinessOf } from './worker-readiness.ts'

let database: TestDatabase
let dataDir: string
let here: readonly Snapshot[] = []

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-worker-ready-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const held: HeldSnapshots = {
  ensureLocal: async () => null,
  doubt: async () => {},
  async look() {
    const newest = await newestSnapshot(database.db, 'cb')
    return newest ? [{ newest, here: here.find(({ kind }) => kind === 'cb') ?? null }] : []
  },
}
const reason = (over: Partial<WorkerReadinessDeps> = {}) =>
  workerReadinessOf({
    ...{ db: database.db, dataDir, held, child: { isUsable: () => true } },
    ...{ now: () => new Date(), free: async () => 1e12, ...over },
  })()
const publish = (to: string) => publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-11-02', to, securities: 3 })

test('each reason why a worker takes no work', async () => {
  const away = connect('postgres://x@127.0.0.1:1/x')
  expect(await reason({ db: away.db })).toBe('database')
  await away.close()
  expect(await reason()).toBe('no_market')
  const first = await publish('2026-11-20')
  expect(await reason()).toBe('market_missing')
  // It would be fetched from a store, which is away, or there is no space for it.
  const store = snapshotStore({ db: database.db, objects: folderStore(join(dataDir, 'store')), marketFolder: join(dataDir, 'market') })
  for (const [trouble, told] of [
    [null, 'market_missing'],
    ['unreachable', 'store'],
    ['full', 'disk'],
  ] as const) {
    const leave = useSnapshotStore(dataDir, { ...store, trouble: () => trouble })
    expect(await reason()).toBe(told)
    leave()
  }
  here = [first]
  expect(await reason()).toBeNull()
  expect(await reason({ child: { isUsable: () => false } })).toBe('child')
  expect(await reason({ free: async () => 100 * 1024 * 1024 })).toBe('disk')
  const second = await publish('2026-11-23')
  // A publication takes no worker off at once.
  const later = (seconds: number) => () => new Date(second.publishedAt.getTime() + seconds * 1_000)
  expect(await reason({ now: later(119) })).toBeNull()
  expect(await reason({ now: later(121) })).toBe('market_missing')
  await markDamaged(database.db, second.id, 'wrong checksum')
  expect(await reason({ now: later(121) })).toBeNull()
  await markDamaged(database.db, first.id, 'wrong checksum')
  expect(await reason()).toBe('market_damaged')
})

test('a worker that is off looks again after 1, 2, 4, 5, 5 s, at once when something has changed, and says each change once', async () => {
  vi.useFakeTimers()
  try {
    let now: WorkerReason | null = 'market_missing'
    let looks = 0
    const changes: ProcessState[] = []
    const look = async () => {
      looks++
      return now
    }
    const watch = await watchReadiness(
      look,
      async (state) => void changes.push(state),
      () => {},
    )
    for (const [seconds, expected] of [
      [0.9, 1],
      [0.2, 2],
      [2, 3],
      [4, 4],
      [5, 5],
      [5, 6],
    ] as const) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      expect(looks).toBe(expected)
    }
    now = null
    watch.look()
    await vi.advanceTimersByTimeAsync(0)
    expect(watch.state()).toEqual({ ready: true, reason: null })
    watch.stop()
    await watch.close()
    expect(changes).toEqual([
      { ready: false, reason: 'market_missing' },
      { ready: true, reason: null },
      { ready: false, reason: 'stopping' },
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toBe(7)
  } finally {
    vi.useRealTimers()
  }
})
