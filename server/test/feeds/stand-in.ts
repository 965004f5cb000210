import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** `half`: the head of an answer, then a broken connection. `cut`: half of the answer as if it were the whole. */
export type Trouble = 'silence' | 'hang up' | 'half' | 'cut' | 'page' | 'nothing' | 'redirect' | 'huge' | number

export interface StandIn {
  readonly url: string
  readonly asked: Asked[]
  /** What the next calls get in place of their answers. */
  readonly troubles: Trouble[]
  close(): Promise<void>
}

/** A provider on this machine: it answers what the test says, and may be told to misbehave. */
export async function standIn(answer: (asked: Asked) => Buffer | string | { status: number; body: string }): Promise<StandIn> {
  const all: Asked[] = []
  const troubles: Trouble[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    const body = Buffer.concat(parts).toString('utf8')
    const asked = { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, body }
    all.push(asked)
    const trouble = troubles.shift()
    if (trouble === 'silence') return
    if (trouble === 'hang up') return void request.socket.destroy()
    if (trouble === 'redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (trouble === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>502</body></html>')
    if (trouble === 'nothing') return void response.writeHead(200).end()
    if (trouble === 'huge') return void response.writeHead(200).end(Buffer.alloc(2_000_000, 0x20))
    if (typeof trouble === 'number') return void response.writeHead(trouble).end('no')
    const given = answer(asked)
    if (typeof given === 'object' && !Buffer.isBuffer(given)) return void response.writeHead(given.status).end(given.body)
    const bytes = Buffer.from(given)
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2) + 1)
    if (trouble === 'cut') return void response.writeHead(200).end(half)
    if (trouble === 'half') {
      response.writeHead(200, { 'content-length': bytes.length }).write(half)
      // What was written is to arrive before the connection breaks; either order is a broken answer.
      await sleep(5)
      return void request.socket.destroy()
    }
    response.writeHead(200).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: all,
    troubles,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
