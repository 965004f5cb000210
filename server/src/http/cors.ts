import type { FastifyInstance } from 'fastify'

/** Request headers beyond the simple ones that our pages send, and response headers that they read. */
const requestHeaders = 'Access-Token, Content-Type, Accept, X-Fingerprint, X-Human-Check'
const readHeaders = 'Content-Disposition, Retry-After, X-Request-Id, X-SHA256'
const methods = 'GET, POST, PUT, DELETE'
/** Seconds for which a browser may keep the answer of a preflight. */
const preflightSeconds = 600

/**
 * CORS for our page on other hosts (ALLOWED_ORIGINS, decisions/0126). An origin is compared as a whole string; cookies are never allowed,
 * since a login is a header. Without origins nothing is said, which refuses every other host.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    const { raw } = reply
    raw.setHeader('vary', 'Origin')
    // Avatars are images, which are asked for without an origin.
    if (request.url.startsWith('/files/')) raw.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (origin === undefined || !origins.includes(origin)) return
    raw.setHeader('access-control-allow-origin', origin)
    raw.setHeader('access-control-expose-headers', readHeaders)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', String(preflightSeconds))
    return reply.send()
  })
  app.addHook('onSend', async (_request, reply) => {
    const vary = reply.getHeader('vary')
    if (vary !== undefined && vary !== 'Origin') reply.header('vary', `${vary}, Origin`)
  })
}
