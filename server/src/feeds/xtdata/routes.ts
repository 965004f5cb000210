import { feedBridge } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/kernel.ts'
import type { World } from '../../world.ts'
import { shelve } from './shelf.ts'

/** What the bridge on the operator's computer pushes. */
export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, feedBridge.push, async ({ body }) => {
    await shelve(world.config.dataDir, body, world.now().getTime())
    return { kept: Object.keys(body.rows).length }
  })
}
