/**
 * An api with two streams of its own, for `stream-drills.ts`: one that says nothing, one that says more than its reader takes. It is asked
 * over IPC for its memory and for the handlers that live.
 */
import { endpoint } from '@convexa/contract'
import { post } from '@convexa/contract/call-table'
import { z } from 'zod'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/db/connect.ts'
import { type EventStream, serveStream } from '../../src/http/serve-endpoint.ts'
import { testWorld } from '../fixtures/world.ts'

const call = (path: string) =>
  endpoint(post(path, { timeout: 0, stream: true }), {
    summary: '',
    body: z.strictObject({ every: z.int().min(1) }),
    data: z.object({ type: z.string() }),
  })
/** 60 KB every so many milliseconds: far beyond what sockets hold for a reader that takes nothing. */
const flood = { type: 'progress', padding: 'x'.repeat(60_000) }

export interface HostFigures {
  readonly rssMb: number
  /** Handlers that have not returned. */
  readonly live: number
}

let live = 0
const handled = async (stream: EventStream, work: () => Promise<void>) => {
  live++
  await work()
  await stream.closed
  live--
}

const url = process.env['DATABASE_URL'] ?? ''
const store = connect(url)
const { context } = testWorld({ ...store, url, drop: store.close }, { config: { checkAnswers: false } })
const app = await buildApp(context, [
  (at, of) => {
    serveStream(at, of, call('/v1/t/idle'), (_call, stream) => handled(stream, async () => stream.send({ type: 'queued' })))
    serveStream(at, of, call('/v1/t/flood'), ({ body: { every } }, stream) =>
      handled(stream, async () => {
        while (stream.open) {
          stream.send(flood)
          await new Promise((resolve) => setTimeout(resolve, every))
        }
      }),
    )
  },
])
const address = await app.listen({ port: 0, host: '127.0.0.1' })

process.on('message', (asked) => {
  if (asked === 'figures') globalThis.gc?.()
  const figures: HostFigures = { rssMb: process.memoryUsage.rss() / 1024 / 1024, live }
  process.send?.({ figures })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ address })
