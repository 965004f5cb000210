/**
 * `/metrics` for a scraper and `/status` for the operator's eyes (api.md: by a token, or on a port of their own). What is counted here is of
 * this api; what the database and the workers know is asked when somebody reads. No label holds anything of a user.
 */
import type { FastifyInstance } from 'fastify'
import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { AppContext } from '../context/app-context.ts'
import { poolOf } from '../db/connect.ts'
import { gaugesOf } from './gauges.ts'
import { failuresIn, metricsPages, ownPort, paths } from './pages.ts'
import { processMetrics } from './process-metrics.ts'
import { countRequests } from './requests.ts'

export interface Watched {
  /** Answers both pages there, or on a port of their own; of a process of a group its parent does. */
  serve(app: FastifyInstance): Promise<void>
  /** What this process has counted, for the parent of a group. */
  counted(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
}

/** Counts every answer of an app from now on. */
export async function watch(app: FastifyInstance, context: AppContext): Promise<Watched> {
  const settings = context.config.metrics
  if (!settings) throw new Error('metrics are off')
  const registry = new Registry()
  const { answers, seconds } = processMetrics(registry, () => poolOf(context.db).waitingCount)
  countRequests(app, { answers, seconds })
  const known = new Registry()
  const answer = metricsPages(context, settings, {
    gauges: gaugesOf(known, context.config.dataDir),
    registry: async () => Registry.merge([registry, known]),
    failures: async () => failuresIn((await answers.get()).values),
  })

  return {
    counted: () => registry.getMetricsAsJSON(),
    async serve(product) {
      const { port, host } = settings
      if (port !== null) {
        if (context.config.isInGroup) return
        const own = ownPort({ port, host }, answer)
        // Opened before the product's own, closed with it.
        app.addHook('onReady', own.listen)
        app.addHook('onClose', own.close)
        return
      }
      for (const path of paths) {
        product.get(path, async (request, reply) => {
          const { status, headers, body } = await answer(path, request.headers.authorization)
          return reply.code(status).headers(headers).send(body)
        })
      }
    },
  }
}
