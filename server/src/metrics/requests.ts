import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter, Histogram } from 'prom-client'

/** Methods that a label says; anything else is one word. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** The template of a path, never a path: its values are as many as the contract has calls. */
function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return 'none'
  if (url.startsWith('/assets/')) return '/assets/*'
  return /^\/(v1|user|files|healthz|readyz|openapi\.json|metrics|status)(\/|$)/.test(url) ? url : '/*'
}

/** Every answer is counted once, with the code of its envelope; streams when they end. */
export function countRequests(
  app: FastifyInstance,
  { answers, seconds }: { answers: Counter<'method' | 'route' | 'status' | 'code'>; seconds: Histogram<'method' | 'route'> },
): void {
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: methods.has(request.method) ? request.method : 'other', route: routeOf(request) }
    answers.inc({ ...labels, status: String(reply.statusCode), code: String(request.failureCode) })
    seconds.observe(labels, reply.elapsedTime / 1_000)
  })
}
