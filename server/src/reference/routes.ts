import { reference } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { serve } from '../http/serve-endpoint.ts'
import { taggedJson } from '../http/tagged-json.ts'
import { dictionaries } from './dictionary.ts'
import { factorFunctions } from './factor-functions.ts'
import { strategyOptions } from './strategy-options.ts'

export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, reference.dictionaryItems, async ({ query }) => {
    const keys = Array.isArray(query.keys) ? query.keys : [query.keys]
    return taggedJson(await dictionaries(context.db, context.config.dataDir, new Set(keys)))
  })
  serve(app, context, reference.factorFunctions, async () => taggedJson(factorFunctions))
  serve(app, context, reference.strategyOptions, async ({ user }) => {
    return taggedJson(await strategyOptions(context.db, context.config.dataDir, user))
  })
}
