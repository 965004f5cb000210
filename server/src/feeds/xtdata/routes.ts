import { feedBridge } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../context/app-context.ts'
import { serve } from '../../http/serve-endpoint.ts'
import { storePush } from './pushed-store.ts'

/** What the bridge on the operator's computer pushes. */
export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, feedBridge.push, async ({ body }) => {
    await storePush(context.db, body, context.now().getTime())
    return { kept: Object.keys(body.rows).length }
  })
}
