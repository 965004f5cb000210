import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import { requestsMetric } from './pages.ts'

/** From a call's share of a millisecond to a screen's minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

/** What one api counts of itself. `waiting`: statements that wait for a connection of its pool. */
export function processMetrics(registry: Registry, waiting: () => number) {
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
      this.set(waiting())
    },
  })
  return { answers, seconds }
}
