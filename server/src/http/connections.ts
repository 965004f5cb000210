import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { networkOf, plainAddress } from './address.ts'

// What one client may hold of an api, whatever it sends and however little it reads:
//
// 1. an address has so many connections, an IPv6 /64 counts as one address; our own proxies have as many as they open
// 2. a connection has one request under way. A few that were sent behind it wait as their heads; with more the connection ends. So no more
//    than one answer waits to be read.
// 3. an answer that is not taken ends its connection. Streams have rules of their own (event-stream.ts).

/** Requests that may wait behind the one under way. Browsers send none before the answer. */
const mostWaiting = 4
/** Within so long a reader takes so many bytes of what waits for it, or all. */
const readMs = 30_000
const leastRead = 16 * 1024
const lookEveryMs = 1_000

export interface ConnectionSettings {
  readonly perAddress: number
  /** Addresses and ranges of our own proxies. */
  readonly proxies: readonly string[]
  readonly log: Pick<Logger, 'warn'>
  /** For how long a reader may take next to nothing; tests are quicker. */
  readonly readMs?: number
}

interface Connection {
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[]
  current: ServerResponse | null
  /** When the reader was last seen to have taken enough, and what had been sent by then. */
  takenAt: number
  taken: number
}

const arrivals = new WeakMap<IncomingMessage, number>()
const withOwnRules = new WeakSet<ServerResponse>()

/** When a request was read from its connection, by `performance.now()`; what was sent behind another waits after that. null: it came by none. */
export const arrivalOf = (request: IncomingMessage): number | null => arrivals.get(request) ?? null

/** The reader of this answer is watched by somebody else. */
export const watchesItself = (response: ServerResponse): void => void withOwnRules.add(response)

/** An HTTP server that holds its clients to these limits. */
export function limitedServer(handler: RequestListener, options: ServerOptions, settings: ConnectionSettings): Server {
  const connections = new Map<Socket, Connection>()
  const addresses = countedAddresses(settings)

  const begin = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.current = response
    response.once('close', () => {
      connection.current = null
      const next = connection.waiting.shift()
      if (next && !request.socket.destroyed) begin(connection, ...next)
    })
    handler(request, response)
  }

  const server = createServer(options, (request, response) => {
    const { socket } = request
    // The rest of a packet is still parsed after its connection was ended.
    if (socket.destroyed) return
    arrivals.set(request, performance.now())
    const connection = connections.get(socket)
    if (!connection) return handler(request, response)
    if (connection.current === null) return begin(connection, request, response)
    if (connection.waiting.length < mostWaiting) connection.waiting.push([request, response])
    else end(socket, 'too many requests on one connection')
  })

  const end = (socket: Socket, why: string) => {
    settings.log.warn({ network: networkOf(socket.remoteAddress ?? '') }, why)
    socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const leave = addresses.enter(socket.remoteAddress)
    if (!leave) return end(socket, 'too many connections of one address')
    connections.set(socket, { waiting: [], current: null, takenAt: performance.now(), taken: 0 })
    socket.once('close', () => {
      connections.delete(socket)
      leave()
    })
  })

  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (isTaken(socket, connection, now, settings.readMs ?? readMs)) continue
      end(socket, 'an answer that is not read')
    }
  }, lookEveryMs).unref()
  server.once('close', () => clearInterval(timer))
  return server
}

/** Whether the reader takes what is sent to it. */
function isTaken(socket: Socket, connection: Connection, now: number, patienceMs: number): boolean {
  const { current } = connection
  const sent = sentOf(socket)
  if (socket.writableLength === 0 || sent - connection.taken >= leastRead || (current && withOwnRules.has(current))) {
    connection.takenAt = now
    connection.taken = sent
    return true
  }
  return now - connection.takenAt < patienceMs
}

/** Bytes that have left for the network. Node's own counters take a large write as one; its handle, by which it times writes out, knows its parts. */
function sentOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength
}

function countedAddresses({ perAddress, proxies }: ConnectionSettings) {
  const exempt = new BlockList()
  for (const one of proxies) {
    const [address = '', bits] = one.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) exempt.addAddress(address, family)
    else exempt.addSubnet(address, Number(bits), family)
  }
  const open = new Map<string, number>()
  return {
    /** Counts a connection in; null: there are too many. A connection without an address has gone already. */
    enter(remote: string | undefined): (() => void) | null {
      if (remote === undefined || isIP(remote) === 0) return () => {}
      const address = plainAddress(remote)
      const isV6 = isIPv6(address)
      if (exempt.check(address, isV6 ? 'ipv6' : 'ipv4')) return () => {}
      const key = isV6 ? networkOf(address) : address
      const count = open.get(key) ?? 0
      if (count >= perAddress) return null
      open.set(key, count + 1)
      return () => {
        const left = (open.get(key) ?? 1) - 1
        if (left > 0) open.set(key, left)
        else open.delete(key)
      }
    },
  }
}
