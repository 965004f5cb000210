// Quotes of a day of one's own for a running product: stand-ins for two sources, asked by the product's own adapters and ticker at a clock
// that the caller sets. POST / { at, tencent, sina } sets it (ms since 1970; it goes on from there) and how each source behaves, and answers
// when what the sources have of that moment is kept, or nobody answered. Prints where it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { withCommandContext } from '../../src/cli/command-context.ts'
import { Stop } from '../../src/cli/exits.ts'
import { chain } from '../../src/feeds/chain.ts'
import { isWanted, tick, watchedCodes } from '../../src/feeds/live/quote-poller.ts'
import { type QuoteSnapshot, readTape } from '../../src/feeds/live/quote-store.ts'
import { sina } from '../../src/feeds/sina.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tencent } from '../../src/feeds/tencent.ts'
import { quotedDay } from './quoted-day.ts'

await withCommandContext('database', async ({ db, config: { dataDir } }) => {
  let set = { real: performance.now(), day: 0 }
  const now = () => set.day + performance.now() - set.real
  const stands = await quotedDay(now)
  const deps = { now, sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }) }
  const ask = transport(deps, { backOffMs: [], timeoutMs: 2_000 })
  const feeds = [tencent({ url: stands.urls.tencent }, ask, deps), sina({ url: stands.urls.sina }, ask, deps)]
  const ticking = { db, dataDir, chain: chain(feeds, now), now: () => new Date(now()) }
  const codesOf = watchedCodes(ticking)
  const never = new AbortController().signal

  let tape: QuoteSnapshot | null = (await readTape(db))?.tape ?? null
  let turn = Promise.resolve()
  const look = () => {
    turn = turn.then(async () => {
      if (set.day === 0 || !isWanted(tape, new Date(now()))) return
      const told = await tick(ticking, await codesOf(), tape, never)
      if (told && 'madeAt' in told) tape = told
    })
    return turn
  }
  setInterval(() => void look(), 1_000)

  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request))
    set = { real: performance.now(), day: asked.at }
    stands.behave('tencent', asked.tencent)
    stands.behave('sina', asked.sina)
    await look()
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await new Promise(() => {})
}).catch((error: unknown) => {
  if (!(error instanceof Stop)) console.error(error)
})
process.exit()
