import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type ConnectionSettings, limitedServer } from './connections.ts'

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})

async function serving(handler: RequestListener, over: Partial<ConnectionSettings> = {}) {
  const warned: string[] = []
  const log = { warn: (_details: unknown, why: string) => void warned.push(why) } as ConnectionSettings['log']
  const server = limitedServer(handler, {}, { perAddress: 100, proxies: [], log, ...over })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ destroy: () => server.close().closeAllConnections() })
  const { port } = server.address() as AddressInfo
  /** A client that reads nothing unless told to; `from`: its address. */
  const client = async (from = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    opened.push(socket)
    await once(socket, 'connect')
    return socket
  }
  return { server, client, warned }
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const textOf = (socket: Socket) => {
  const read = { text: '' }
  socket.on('data', (part) => {
    read.text += part
  })
  return read
}
const openOf = (server: Server) => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
const isAnswered = (client: Socket) =>
  new Promise<boolean>((resolve) => {
    client.once('data', () => resolve(true))
    client.once('close', () => resolve(false))
    client.write(get)
  })

test('the connection beyond the cap of its address is ended; another address and our own proxy are not counted', async () => {
  const { client, warned } = await serving((_request, response) => response.end('x'), { perAddress: 3, proxies: ['127.0.0.8/31'] })
  const three = [await client(), await client(), await client()]
  expect(await isAnswered(await client())).toBe(false)
  expect(warned).toEqual(['too many connections of one address'])
  expect(await isAnswered(await client('127.0.0.2'))).toBe(true)
  for (let n = 0; n < 5; n++) expect(await isAnswered(await client('127.0.0.9'))).toBe(true)
  // A place becomes free with the end of a connection.
  three[0]!.destroy()
  await vi.waitFor(async () => expect(await isAnswered(await client())).toBe(true), { timeout: 15_000 })
})

test('requests sent behind one another are answered in turn, one at a time; with too many the connection ends', async () => {
  let open = 0
  let most = 0
  let handled = 0
  const { client, warned } = await serving((request, response) => {
    handled++
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      response.end(`${request.url} `)
    })
  })
  const few = await client()
  const read = textOf(few)
  few.write(['/1', '/2', '/3', '/4', '/5'].map((path) => get.replace('/ ', `${path} `)).join(''))
  await vi.waitFor(() => expect(read.text).toContain('/5'), { timeout: 15_000 })
  expect(read.text.match(/\/\d /g)).toEqual(['/1 ', '/2 ', '/3 ', '/4 ', '/5 '])
  expect(most).toBe(1)

  const many = await client()
  many.resume().write(get.repeat(2_000))
  await once(many, 'close')
  // Of one packet of 2,000 requests the first alone was begun.
  expect(handled).toBe(6)
  expect(warned).toEqual(['too many requests on one connection'])
})

test('an answer that is not read ends its connection, whatever its reader goes on sending; one that is read slowly is sent whole', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024, 'x')
  let begun = 0
  const { client, warned, server } = await serving(
    (_request, response) => {
      begun++
      response.setHeader('content-length', large.length).end(large)
    },
    { readMs: 1_500 },
  )
  const slow = await client()
  let bytes = 0
  slow.on('data', (part) => {
    bytes += part.length
    slow.pause()
    setTimeout(() => slow.resume(), 5).unref()
  })
  slow.write(get)
  const stuck = await client()
  // Says something every moment and reads nothing.
  stuck.write(`${get}${get}GET / HTTP/1.1\r\nx-long: `)
  const talking = setInterval(() => stuck.write('x'), 200)
  await vi.waitFor(() => expect(warned).toEqual(['an answer that is not read']), 10_000)
  clearInterval(talking)
  // The second of the two was never begun: what waits on a connection is one answer.
  expect(begun).toBe(2)
  slow.removeAllListeners('data').on('data', (part) => {
    bytes += part.length
  })
  slow.resume()
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(large.length), 10_000)
  await vi.waitFor(async () => expect(await openOf(server)).toBe(1), { timeout: 15_000 })
})
