import { quantOf, reference } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds } from '@convexa/contract/enums/market'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { jsonText, serve, throwApiError } from '../http/serve-endpoint.ts'
import { closedDates } from './calendar.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { optionsOf } from './options.ts'
import { snapshotPath } from './snapshot.ts'

/** `…/options` of both markets and the closed dates of a year. */
export function routes(app: FastifyInstance, context: AppContext): void {
  for (const kind of marketIds) {
    // A snapshot never changes: its list is made once, as text.
    let known: { id: string; text: Promise<string> } | null = null
    serve(app, context, quantOf[kind].options, async () => {
      const snapshot = await currentSnapshot(context.db, context.config.dataDir, kind)
      if (snapshot === null) throwApiError(errorCodes.noMarketData)
      if (known?.id !== snapshot.id) {
        const made = {
          id: snapshot.id,
          text: optionsOf(snapshotPath(context.config.dataDir, snapshot)).then((list) => JSON.stringify(list)),
        }
        made.text.catch(() => {
          if (known === made) known = null
        })
        known = made
      }
      return jsonText(await known.text)
    })
  }
  serve(app, context, reference.closedDates, async ({ params }) => closedDates(params.year) ?? throwApiError(errorCodes.noCalendar))
}
