import { reference } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, serve } from '../http/kernel.ts'
import { taggedJson } from '../http/tagged-json.ts'
import type { World } from '../world.ts'
import { dictionaries } from './dictionary.ts'
import { factorFunctions } from './factor-functions.ts'
import { strategyOptions } from './strategy-options.ts'

export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, reference.dictionaryItems, async ({ query }) => {
    const keys = Array.isArray(query.keys) ? query.keys : [query.keys]
    return taggedJson(await dictionaries(world.db, world.config.dataDir, new Set(keys)))
  })
  serve(app, world, reference.factorFunctions, async () => taggedJson(factorFunctions))
  serve(app, world, reference.strategyOptions, async ({ user }) => {
    if (!user) fail(40100)
    return taggedJson(await strategyOptions(world.db, world.config.dataDir, user))
  })
}
