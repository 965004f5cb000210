import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { announce, type ProcessLock } from '../db/process-registry.ts'
import { loadHeader, packedHeader, remoteCompute } from './remote.ts'

let database: TestDatabase
let server: Server
let presence: ProcessLock
/** Connections that are closed in the asker's face. */
let closing = 0
let asked = 0
/** Computes for ever; resolves when the asker has hung up. */
let computing: Promise<void> | null = null
let isSilent = false
/** Sent as the packed value of an answer. */
let packed: string | null = null

beforeAll(async () => {
  database = await testDatabase()
  server = createServer((request, response) => {
    asked++
    if (closing-- > 0) return request.socket.destroy()
    if (isSilent) {
      computing = new Promise((resolve) => response.on('close', resolve))
      return
    }
    if (packed !== null) return response.setHeader(packedHeader, 'whole').end(packed)
    response.setHeader('content-type', 'application/json').end('{"ok":true,"value":{"total":7}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  presence = await announce(database.session, { role: 'worker', address: `http://127.0.0.1:${port}`, secret: 's' })
  presence.tell({ ready: true, reason: null })
})
afterAll(async () => {
  await presence.close()
  server.close()
  await database.drop()
})

const screen = (over: { deadlineMs?: number; signal?: AbortSignal } = {}) =>
  remoteCompute(database.db).call('screen', { kind: 'cb', snapshotId: 'x', indexSnapshotId: null, stockSnapshotId: null }, {} as never, {
    ...{ deadlineMs: 5_000, asker: null },
    ...over,
  })

test.each([
  ['answers at once', 0, 1],
  ['closed an idle connection while it was taken up', 1, 2],
])('the only worker, which %s, is asked until it answers', async (_name, closed, times) => {
  closing = closed
  asked = 0
  expect(await screen()).toEqual({ total: 7 })
  expect(asked).toBe(times)
})

test('what is only passed on is not read: its bytes are those of the worker', async () => {
  closing = 0
  packed = '{ no JSON \u0000'
  try {
    const ref = { kind: 'cb', snapshotId: 'x', indexSnapshotId: null, stockSnapshotId: null } as const
    const passed = await remoteCompute(database.db).packed('screen', ref, {} as never, 'whole', { deadlineMs: 5_000, asker: null })
    expect(passed.toString()).toBe(packed)
  } finally {
    packed = null
  }
})

test('one that breaks every connection is busy for the asker', async () => {
  closing = 10
  await expect(screen()).rejects.toMatchObject({ code: 50301 })
})

test.each([
  ['its deadline has passed', { deadlineMs: 800 }, 23021],
  ['its asker has gone', { goneAfterMs: 800 }, 23024],
])(
  'what is computed when %s is given up: the worker hears of it',
  async (_name, { goneAfterMs, ...over }: { deadlineMs?: number; goneAfterMs?: number }, code) => {
    closing = 0
    isSilent = true
    const signal = goneAfterMs === undefined ? {} : { signal: AbortSignal.timeout(goneAfterMs) }
    try {
      await expect(screen({ ...over, ...signal })).rejects.toMatchObject({ code })
      expect(computing).not.toBeNull()
      await computing
    } finally {
      isSilent = false
    }
  },
)

test('what one worker has no data for is asked of another once; a refusal of both is the answer, with a time to ask again', async () => {
  const others: Server[] = []
  const processes: ProcessLock[] = []
  const calls: string[] = []
  let hasData = new Set(['b'])
  presence.tell({ ready: false, reason: 'market_missing' })
  for (const name of ['a', 'b']) {
    const other = createServer((_request, response) => {
      calls.push(name)
      const refused = { ok: false, code: 21008, message: '行情数据更新中，请稍后重试', places: [], elsewhere: true }
      response.setHeader(loadHeader, '0').end(JSON.stringify(hasData.has(name) ? { ok: true, value: { total: 1 } } : refused))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const lock = await announce(database.session, { role: 'worker', address: `http://127.0.0.1:${port}`, secret: 's' })
    lock.tell({ ready: true, reason: null })
    others.push(other)
    processes.push(lock)
  }
  const ready = () => database.db.selectFrom('process').select('id').where('ready', '=', true).execute()
  await expect.poll(async () => (await ready()).map(({ id }) => id).sort()).toEqual(processes.map(({ processId }) => processId).sort())
  try {
    const compute = remoteCompute(database.db)
    const ref = { kind: 'cb', snapshotId: uuid(), indexSnapshotId: null, stockSnapshotId: null } as const
    const ask = () => compute.call('screen', ref, {} as never, { deadlineMs: 5_000, asker: null })
    for (let i = 0; i < 12; i++) expect(await ask()).toEqual({ total: 1 })
    expect(calls.length).toBeGreaterThanOrEqual(12)
    hasData = new Set()
    calls.length = 0
    await expect(ask()).rejects.toMatchObject({ code: 21008, retryAfterSeconds: 3 })
    expect([...calls].sort()).toEqual(['a', 'b'])

    // The one that has the snapshot is asked, and no other.
    await database.db
      .insertInto('market_snapshot')
      .values({
        ...{ id: ref.snapshotId, kind: 'cb', data_mode: 'demo', data_version: 'v', folder: 'f', manifest_sha256: '' },
        ...{ first_date: '2022-01-04', last_date: '2022-12-30', securities: 1, quality: '{}' },
      })
      .execute()
    await database.db.insertInto('process_snapshot').values({ process_id: processes[0]!.processId, snapshot_id: ref.snapshotId }).execute()
    hasData = new Set(['a'])
    calls.length = 0
    const fresh = remoteCompute(database.db)
    for (let i = 0; i < 12; i++) await fresh.call('screen', ref, {} as never, { deadlineMs: 5_000, asker: null })
    expect(new Set(calls)).toEqual(new Set(['a']))
    expect(await fresh.workers([ref.snapshotId])).toBe(1)
    expect(await fresh.workers([])).toBe(2)
  } finally {
    for (const lock of processes) await lock.close()
    for (const other of others) other.close()
    presence.tell({ ready: true, reason: null })
  }
})
