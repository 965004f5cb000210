import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds } from '@convexa/contract/enums/market'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { prepareFactors } from './factor-lists.ts'
import { prepareFigures } from './screens.ts'

const tryAgainMs = 1_000
const giveUpMs = 120_000

/** Warms up the figures of the markets and their lists of factors once the api is ready, so that the first page finds them; errors are left to the requests. */
export function warmUpLists(app: FastifyInstance, context: AppContext): void {
  const stop = new AbortController()
  app.addHook('onReady', async () => {
    void prepare(context, stop.signal)
  })
  app.addHook('onClose', async () => stop.abort())
}

async function prepare(context: AppContext, stop: AbortSignal): Promise<void> {
  const until = performance.now() + giveUpMs
  // Figures first: they are asked for by the first page, and take a fraction of what the lists do.
  for (const make of [prepareFigures, prepareFactors]) {
    for (const kind of marketIds) {
      for (;;) {
        const outcome = await make(context, kind, stop).catch((error: unknown) => error)
        // 50301: no worker yet, or all of them busy. Everything else is not mended by waiting.
        const isEarly = outcome instanceof ApiError && outcome.code === errorCodes.busy
        if (!isEarly || stop.aborted || performance.now() > until) break
        await sleep(tryAgainMs, undefined, { signal: stop, ref: false }).catch(() => {})
      }
    }
  }
}
