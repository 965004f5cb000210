import { alerts } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { serve } from '../http/serve-endpoint.ts'
import { listAlerts, readAlerts } from './alerts.ts'

/** Alerts of automatic trading: the list, and marking as read. */
export function routes(app: FastifyInstance, context: AppContext): void {
  const { db } = context
  serve(app, context, alerts.list, async ({ query, user }) => listAlerts(db, user.id, query))
  serve(app, context, alerts.read, async ({ body, user }) => {
    await readAlerts(db, user.id, body.up_to)
    return {}
  })
}
