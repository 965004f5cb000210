import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { DataRef } from '../context/compute.ts'
import type { ProcessState } from '../db/process-registry.ts'
import { figuresPath, type WorkerFigures } from './figures.ts'
import type { Outcome, Work } from './protocol.ts'
import { rejection } from './rejection.ts'
import { type ComputeRequest, loadHeader, packedHeader, secretHeader } from './remote.ts'

export interface PrivateServer {
  /** `http://127.0.0.1:41234` */
  readonly address: string
  close(): Promise<void>
}

export type AnswerCall = (
  data: DataRef | null,
  work: Exclude<Work, { call: 'backtest' }>,
  asker: Pick<ComputeRequest, 'userId' | 'guest' | 'alone'>,
  signal: AbortSignal,
) => Promise<Outcome<Uint8Array>>

/** What was asked before the end is answered, unless it takes longer. */
const lastAnswersMs = 5_000
/** A stored report of a million holdings among it, in base64. */
const bodyLimit = 32 * 1024 * 1024

export interface PrivateServerOptions {
  readonly host: string
  readonly port: number
  /** `host` or `host:port` that other machines reach it by; null: where it listens. */
  readonly advertise?: string | null
  readonly secret: string
  readonly answer: AnswerCall
  figures(): WorkerFigures
  /** Tasks given to the compute child and not ended. */
  load(): number
  /** Whether the worker takes work, and a code why not. */
  readiness(): ProcessState
  log(event: string, details: Record<string, unknown>): void
}

/**
 * The worker's own HTTP port, for the apis: `POST /call {name, data, input, userId?, guest?, alone?, packing?}` with the worker's secret. The answer
 * is an Outcome whose value is passed on as the bytes that a thread made; asked for with `packing`, the packed bytes alone, told by a header. A
 * closed socket aborts the work. `GET /figures`: how the worker is. Without the secret a supervisor asks `GET /readyz` (503: it takes no work)
 * and `GET /healthz`.
 */
export async function privateServer({
  host,
  port,
  secret,
  answer,
  log,
  advertise = null,
  ...worker
}: PrivateServerOptions): Promise<PrivateServer> {
  const expected = Buffer.from(secret)
  const knows = (given: string | undefined) => {
    const bytes = Buffer.from(given ?? '')
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && request.url === '/healthz') return end(response, 200, '{"ok":true}')
    if (request.method === 'GET' && request.url === '/readyz') {
      const { ready, reason } = worker.readiness()
      return end(response, ready ? 200 : 503, JSON.stringify({ ready, reason }))
    }
    const given = request.headers[secretHeader]
    if (!knows(Array.isArray(given) ? given[0] : given)) return end(response, 404, '')
    if (request.method === 'GET' && request.url === figuresPath) return end(response, 200, JSON.stringify(worker.figures()))
    if (request.method !== 'POST' || request.url !== '/call') return end(response, 404, '')
    const aborted = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) aborted.abort()
    })
    try {
      const { name, data, input, packing, ...asker } = JSON.parse(await read(request)) as ComputeRequest
      const work = { call: name, input, ...(packing && { packing }) } as Parameters<AnswerCall>[1]
      const outcome = await answer(data, work, asker, aborted.signal)
      if (aborted.signal.aborted) return
      response.setHeader(loadHeader, worker.load())
      if (!outcome.ok) return end(response, 200, JSON.stringify(outcome))
      if (packing) {
        response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': outcome.value.length, [packedHeader]: packing })
        return response.end(outcome.value)
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"ok":true,"value":')
      response.write(outcome.value)
      response.end('}')
    } catch (error) {
      if (aborted.signal.aborted) return
      // Logs the cause here, since the caller gets only 50301.
      log('call failed', { err: error })
      if (!response.headersSent) end(response, 200, JSON.stringify(rejection(errorCodes.busy)))
    }
  })
  // The apis keep their connections; a stopping worker must not wait for them.
  server.keepAliveTimeout = 5_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    address: advertisedAddress(advertise ?? (host.includes(':') ? `[${host}]` : host), bound),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const closing = setInterval(() => server.closeIdleConnections(), 50)
      await Promise.race([closed, sleep(lastAnswersMs, null, { ref: false })])
      clearInterval(closing)
      server.closeAllConnections()
      await closed
    },
  }
}

/** `http://host:port`; a host without a port has the one that is bound. */
const advertisedAddress = (host: string, bound: number): string => `http://${/:\d+$/.test(host) ? host : `${host}:${bound}`}`

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > bodyLimit) throw new Error('body too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
