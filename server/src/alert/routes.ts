import { alerts } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { serve, signedIn } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { listAlerts, readAlerts } from './list.ts'

/** What a user is told of automatic trading. */
export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  serve(app, world, alerts.list, async ({ query, user }) => listAlerts(db, signedIn(user).id, query))
  serve(app, world, alerts.read, async ({ body, user }) => {
    await readAlerts(db, signedIn(user).id, body.up_to)
    return {}
  })
}
