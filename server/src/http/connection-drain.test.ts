import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { endpoint } from '@convexa/contract'
import { get } from '@convexa/contract/call-table'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { ConnectionDrain } from './connection-drain.ts'
import { serve } from './serve-endpoint.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Asks by a connection of its own, says when it is written, and then how it was answered. */
const asker = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, path, written } } = require('node:worker_threads')
  let answer = ''
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (bytes) => { answer += bytes })
  socket.on('error', (error) => parentPort.postMessage(error.code))
  socket.on('end', () => parentPort.postMessage(answer))
  socket.write('GET ' + path + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => {
    Atomics.store(written, 0, 1)
    Atomics.notify(written, 0)
  })
`

test('what was asked before the end is answered, even when nobody had accepted its connection yet', async () => {
  const call = endpoint(get('/v1/t/late', { auth: false }), { summary: '', data: z.string() })
  const app = await buildApp(testWorld(database).context, [(at, context) => serve(at, context, call, async () => 'heard')])
  // A drain may take longer than any time that Fastify gives a close.
  expect(app.initialConfig.pluginTimeout).toBe(0)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const written = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(asker, { eval: true, workerData: { port, path: call.path, written } })
  const answered = once(worker, 'message')
  // From here on nothing of this thread runs until the other has written: the kernel alone holds what it asks.
  await once(worker, 'online')
  expect(Atomics.wait(written, 0, 0, 20_000)).not.toBe('timed-out')
  const closed = app.close()
  const [answer] = await answered
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toContain('"data":"heard"')
  await closed
})

test('ten streams of one and a thousand in all are open at once; whose reader has gone makes room', () => {
  const closing = new ConnectionDrain(1_000)
  const open = (owner: string) => {
    const gone = new AbortController()
    return { gone, refused: closing.admit({ signal: gone.signal, stop() {} }, owner)?.code }
  }
  const first = Array.from({ length: 1_000 }, (_, i) => open(`user ${Math.floor(i / 10)}`))
  expect(first.filter(({ refused }) => refused !== undefined)).toEqual([])
  expect(open('user 0').refused).toBe(23003)
  expect(open('somebody new').refused).toBe(23003)
  first[5]!.gone.abort()
  expect(open('user 0').refused).toBeUndefined()
  first[999]!.gone.abort()
  expect(open('user 0').refused).toBe(23003)
  expect(open('somebody new').refused).toBeUndefined()
})
