import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { announce, type Presence } from '../db/presence.ts'
import { remoteCompute } from './remote.ts'

let database: TestDatabase
let server: Server
let presence: Presence
/** Connections that are closed in the asker's face. */
let closing = 0
let asked = 0

beforeAll(async () => {
  database = await testDatabase()
  server = createServer((request, response) => {
    asked++
    if (closing-- > 0) return request.socket.destroy()
    response.setHeader('content-type', 'application/json').end('{"ok":true,"value":{"total":7}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  presence = await announce(database.url, { role: 'worker', address: `http://127.0.0.1:${port}`, secret: 's' })
})
afterAll(async () => {
  await presence.close()
  server.close()
  await database.drop()
})

const screen = () =>
  remoteCompute(database.db).call('screen', { kind: 'cb', snapshotId: 'x', indexSnapshotId: null }, {} as never, {
    deadlineMs: 5_000,
    asker: null,
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

test('one that breaks every connection is busy for the asker', async () => {
  closing = 10
  await expect(screen()).rejects.toMatchObject({ code: 50301 })
})
