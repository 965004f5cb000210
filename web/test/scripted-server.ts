import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came over the wire. */
interface Asked {
  method: string
  /** Path and query, as written. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers one request; it may take its time, or never end. */
export type Script = (asked: Asked, answer: ServerResponse) => unknown

export interface ScriptedServer {
  url: string
  /** Everything that was asked, in order. */
  asked: Asked[]
  /** What it answers from now on; forgets what was asked. */
  plays(script: Script): void
  close(): Promise<void>
}

/** A real HTTP server that plays what a test tells it to. */
export async function scriptedServer(port = 0): Promise<ScriptedServer> {
  let script: Script = () => {}
  const asked: Asked[] = []
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const piece of request) body += piece
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    asked.push(one)
    await script(one, answer)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    plays(next) {
      script = next
      asked.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with an envelope. */
export function says(answer: ServerResponse, status: number, code: number, data: unknown = null, msg = ''): void {
  answer.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  answer.end(JSON.stringify({ code, msg, data, request_id: 'r1' }))
}
