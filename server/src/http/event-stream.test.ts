import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStream } from './event-stream.ts'

// Real sockets; only the clock of heartbeats and patience is ours.

let server: Server
let stream: EventStream
let out: ServerResponse
let reader: IncomingMessage
let read: string
const kept = vi.spyOn(Socket.prototype, 'setKeepAlive')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  server = createServer((_request, response) => {
    out = response
    stream = new EventStream(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  reader = await new Promise((resolve) => request({ port, host: '127.0.0.1', agent: false }, resolve).end())
  read = ''
})

afterEach(async () => {
  vi.useRealTimers()
  reader.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const readAll = () => {
  reader.setEncoding('utf8')
  reader.on('data', (text) => (read += text))
  reader.resume()
}
const progress = (percent: number, size = 0) => ({ type: 'progress', percent, more: 'x'.repeat(size) })

/** Sends progress to a reader that does not read, until every buffer on the way is full. @returns how many were sent */
async function fill(): Promise<number> {
  reader.pause()
  let sent = 0
  for (let full = 0; full < 20; full = out.writableNeedDrain ? full + 1 : 0) {
    stream.send(progress(sent++, 60_000))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return sent
}

test('the system asks after half a minute whether the other end is still there: a cable that was pulled says nothing', () => {
  expect(kept.mock.calls).toContainEqual([true, 30_000])
})

test('a ping after ten silent seconds, and none while events flow', async () => {
  readAll()
  vi.advanceTimersByTime(6_000)
  stream.send({ type: 'stage' })
  vi.advanceTimersByTime(9_000)
  await expect.poll(() => read).toBe('data: success={"type":"stage"}\n\n')
  vi.advanceTimersByTime(1_000)
  await expect.poll(() => read).toBe('data: success={"type":"stage"}\n\n: ping\n\n')
})

test('the terminal event ends it: nothing follows, the signal fires', async () => {
  readAll()
  stream.send({ type: 'result' })
  stream.send({ type: 'progress' })
  stream.error('太迟', 50000)
  expect(stream.signal.aborted).toBe(true)
  await expect.poll(() => read).toBe('data: success={"type":"result"}\n\n')
  await stream.closed
})

test('an error is one line of plain Chinese and its code, whatever is in it', async () => {
  readAll()
  stream.error('第一行\n第二行', 23001)
  await expect.poll(() => read).toBe('data: error=第一行 第二行[23001]\n\n')
})

test('a client that goes away fires the signal', async () => {
  expect(stream.open).toBe(true)
  reader.destroy()
  await stream.closed
  expect(stream.open).toBe(false)
})

test('a slow reader gets the newest progress only, in order with the rest', async () => {
  const sent = await fill()
  for (let i = sent; i < sent + 100; i++) stream.send(progress(i))
  expect(stream.open).toBe(true)
  readAll()
  await expect.poll(() => read.includes(`"percent":${sent + 99}`)).toBe(true)
  const percents = [...read.matchAll(/"percent":(\d+)/g)].map(([, percent]) => Number(percent))
  expect(percents.length).toBeLessThan(sent)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  stream.send({ type: 'result' })
  await expect.poll(() => read.endsWith('data: success={"type":"result"}\n\n')).toBe(true)
})

test('one that leaves 256 KB unread is closed', async () => {
  reader.pause()
  for (let i = 0; i < 400 && stream.open; i++) {
    stream.send({ ...progress(i, 60_000), type: 'curve' })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(stream.open).toBe(false)
})

test('one that reads nothing for half a minute is closed', async () => {
  await fill()
  expect(stream.open).toBe(true)
  vi.advanceTimersByTime(31_000)
  expect(stream.open).toBe(false)
})
