/**
 * `/metrics` for a scraper and `/status` for the operator's eyes (api.md: by a token, or on a port of their own). What is counted here is of
 * this api; what the database and the workers know is asked when somebody reads. No label holds anything of a user.
 */
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { AppContext } from '../context/app-context.ts'
import { poolOf } from '../db/connect.ts'
import { gaugesOf } from './gauges.ts'
import { failuresIn, metricsPages, ownPort, paths, requestsMetric } from './pages.ts'
import { countRequests } from './requests.ts'

/** From a call's share of a millisecond to a screen's minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

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
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    ...{ name: requestsMetric, help: 'Answers by route, HTTP status and code of the envelope (0: none refused).' },
    labelNames: ['method', 'route', 'status', 'code'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    ...{ name: 'convexa_http_request_seconds', help: 'From the request to the last byte of its answer.', buckets },
    labelNames: ['method', 'route'] as const,
    registers: [registry],
  })
  new Gauge({
    ...{ name: 'convexa_pool_waiting', help: 'Statements that wait for a connection to the database.' },
    registers: [registry],
    collect() {
      this.set(poolOf(context.db).waitingCount)
    },
  })
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
