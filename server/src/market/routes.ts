import { kinds, quantOf, reference } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, jsonText, serve } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { closedDates } from './calendar.ts'
import { optionsOf } from './options.ts'
import { newestSnapshot, snapshotPath } from './snapshot.ts'

/** `…/options` of both markets and the closed dates of a year. */
export function routes(app: FastifyInstance, world: World): void {
  for (const kind of kinds) {
    // A snapshot never changes: its list is made once, as text.
    let known: { id: string; text: Promise<string> } | null = null
    serve(app, world, quantOf[kind].options, async () => {
      const snapshot = await newestSnapshot(world.db, kind)
      if (snapshot === null) fail(21008)
      if (known?.id !== snapshot.id) {
        const made = { id: snapshot.id, text: optionsOf(snapshotPath(world.config.dataDir, snapshot)).then((list) => JSON.stringify(list)) }
        made.text.catch(() => {
          if (known === made) known = null
        })
        known = made
      }
      return jsonText(await known.text)
    })
  }
  serve(app, world, reference.closedDates, async ({ params }) => closedDates(params.year) ?? fail(21009))
}
