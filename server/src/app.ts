import { METHODS, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { endpoints, openapi } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import fastify, { type FastifyInstance, type FastifyRequest, type HTTPMethods } from 'fastify'
import { v7 as uuid } from 'uuid'
import { type ApiError, apiError } from './base/api-error.ts'
import type { AppContext } from './context/app-context.ts'
import { needFeedKey } from './feeds/xtdata/key.ts'
import { routes as feeds } from './feeds/xtdata/routes.ts'
import { admitRequests, type CallClass, openAdmission } from './http/admission.ts'
import type { Authenticators } from './http/caller.ts'
import { drainOf } from './http/connection-drain.ts'
import { limitedServer } from './http/connections.ts'
import { allowOrigins } from './http/cors.ts'
import { guestsWaiting } from './http/guest-door.ts'
import { setHeaders } from './http/headers.ts'
import { refuseOtherHosts } from './http/hosts.ts'
import { olderAssets } from './http/kept-assets.ts'
import { notReadyNow } from './http/not-ready.ts'
import { failureText, sendFailure, sendLasting } from './http/reply.ts'
import { lastingText } from './http/tagged-json.ts'
import { untrustedProxyNotice } from './http/visitor.ts'
import { serveWeb, webFolder } from './http/web.ts'
import { routes as market } from './market/routes.ts'
import type { Watched } from './metrics/metrics.ts'
import { routes as order } from './payment/order-routes.ts'
import { routes as payment } from './payment/routes.ts'
import { routes as vip } from './payment/vip-routes.ts'
import { routes as alert } from './qmt/alert-routes.ts'
import { keyHolderOf } from './qmt/api-keys.ts'
import { routes as qmt } from './qmt/routes.ts'
import { routes as quant } from './quant/routes.ts'
import { routes as reference } from './reference/routes.ts'
import { objectsOf } from './store/data-objects.ts'
import { routes as strategy } from './strategy/routes.ts'
import { refuseInMaintenance } from './system/maintenance.ts'
import { routes as system } from './system/routes.ts'
import { routes as file } from './user/avatar-routes.ts'
import { routes as user } from './user/routes.ts'
import { callerOf, stillLoggedIn } from './user/sessions.ts'

export type Routes = (app: FastifyInstance, context: AppContext) => void | Promise<void>

const longestUrl = 8 * 1024
const serverOptions: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
}

/** The HTTP server: its hooks (the middleware: limits, headers, log line), the routes of the features, errors for everything else, the web app. */
export async function buildApp(
  context: AppContext,
  features: readonly Routes[] = [system, user, file, market, reference, quant, strategy, qmt, alert, feeds, vip, order, payment],
  web: string = webFolder,
  authenticators: Authenticators = { callerOf, stillLoggedIn, keyHolderOf, needFeedKey },
): Promise<FastifyInstance> {
  const { config, log } = context
  const app = fastify({
    logger: false,
    genReqId: () => uuid(),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length ? [...config.trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // Of a place in a path; what is too long for what it names is said by the contract.
    routerOptions: { maxParamLength: longestUrl },
    return503OnClosing: false,
    // It counts for a close too: after ten seconds of a drain, which may take minutes, the app would fail and its streams be cut.
    pluginTimeout: 0,
    serverFactory: (handler) =>
      limitedServer(handler, serverOptions, { perAddress: config.connectionsPerAddress, proxies: config.trustProxy, log }),
    // A path that cannot be decoded, or whose place is too long: no hook runs for it.
    frameworkErrors: (_error, request, reply) => {
      setHeaders(reply.raw)
      // A link that a chat program cut in the middle of an escape gets the page, which shows that there is nothing.
      if (!isTooLong(request) && page(request, reply)) return
      sendFailure(
        request,
        reply.header('x-request-id', request.id),
        apiError(isTooLong(request) ? errorCodes.bodyTooLarge : errorCodes.malformedRequest),
        log,
      )
    },
    clientErrorHandler: refuseBadHttp,
  })
  let page: Awaited<ReturnType<typeof serveWeb>>['page'] = () => false
  const closing = drainOf(app, config.streams)
  app.decorate('authenticators', authenticators)
  app.decorateRequest('caller', null)
  app.decorateRequest('keyHolder', null)
  app.decorateRequest('failureCode', 0)
  app.decorateRequest('arrivedAt', 0)

  const noticeProxy = untrustedProxyNotice(log)
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(reply.raw)
    noticeProxy(request)
    reply.header('x-request-id', request.id)
    if (isTooLong(request)) throw apiError(errorCodes.bodyTooLarge)
    if (closing.draining && request.routeOptions.url === '/readyz') throw notReadyNow('stopping')
    if (closing.closing) throw apiError(errorCodes.stopping)
  })
  // First: a page on another host reads refusals too.
  allowOrigins(app, config.allowedOrigins)
  const elsewhere = (kind: CallClass) => guestsWaiting(kind) + (kind === 'long' ? context.compute.underWay() : 0)
  admitRequests(app, openAdmission(elsewhere))
  // Also of what was asked before the end: the next request would come to nobody.
  app.addHook('onSend', async (_request, reply) => {
    if (closing.ending) reply.header('connection', 'close')
  })
  if (config.hosts) refuseOtherHosts(app, config.hosts, endpoints)
  refuseInMaintenance(app, context.db)
  // An allow-list: the template of the path and not the path, no query, no header, no body.
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      { req: request.id, method: request.method, route: routeOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  app.addHook('preClose', async () => {
    const stopListening = () =>
      new Promise<void>((resolve) => {
        app.server.close(() => resolve())
        setInterval(() => app.server.closeIdleConnections(), 100).unref()
      })
    await closing.stop({ drainSeconds: config.drainSeconds, graceSeconds: config.streamGraceSeconds }, stopListening)
  })

  acceptJsonOnly(app)
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, ofFastify(error) ?? error, log))

  // Off unless the operator wants it; then the library is loaded too.
  const watched = config.metrics && (await (await import('./metrics/metrics.ts')).watch(app, context))
  if (watched) watching.set(app, watched)

  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    methods.set(url, known)
    for (const one of [method].flat()) known.add(one)
  })
  for (const routes of features) await routes(app, context)
  const document = lastingText(JSON.stringify(openapi(endpoints, config.siteName, '1')))
  app.get('/openapi.json', (request, reply) => sendLasting(request, reply, document))
  await watched?.serve(app)
  refuseWrongMethods(app, methods, context)

  ;({ page } = await serveWeb(app, web, {
    ...(config.wechat && { frames: new URL(config.wechat.openUrl).origin }),
    apiHost: config.apiHost,
    older: olderAssets(() => objectsOf(config.dataDir)),
  }))
  app.setNotFoundHandler((request, reply) => {
    if (!page(request, reply)) sendFailure(request, reply, apiError(errorCodes.notFound), log)
  })
  return app
}

const watching = new WeakMap<object, Watched>()

/** What counts the answers of an app; undefined: nothing does. */
export const metricsOf = (app: FastifyInstance): Watched | undefined => watching.get(app)

const isTooLong = ({ raw }: FastifyRequest): boolean => (raw.url?.length ?? 0) > longestUrl

/** Bytes that are no UTF-8 would else become U+FFFD, and be stored so. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bodies are JSON in UTF-8 or refused (415, 40001); an empty one is as none, since clients name the type on a DELETE without a body too. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(body as Buffer)
    } catch {
      return done(apiError(errorCodes.malformedRequest))
    }
    return parse(request, text, done)
  })
}

/** What Fastify refuses by itself, as a code of ours; null for anything else. */
function ofFastify(error: unknown): ApiError | null {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (statusCode === 413) return apiError(errorCodes.bodyTooLarge)
  if (statusCode === 415) return apiError(errorCodes.unsupportedMediaType)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 404) return apiError(errorCodes.notFound)
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return apiError(errorCodes.malformedRequest)
  return null
}

/** Every known path refuses the methods that it does not have, and says which it has. */
function refuseWrongMethods(app: FastifyInstance, methods: ReadonlyMap<string, ReadonlySet<string>>, context: AppContext): void {
  const all = (app.supportedMethods as HTTPMethods[]).filter((method) => METHODS.includes(method))
  for (const [url, known] of [...methods]) {
    const allow = [...known].sort().join(', ')
    const others = all.filter((method) => !known.has(method))
    app.route({
      method: others,
      url,
      handler: (request, reply) => sendFailure(request, reply.header('allow', allow), apiError(errorCodes.methodNotAllowed), context.log),
    })
  }
}

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'none'

/** Bytes that are no HTTP request: answered by hand, since no request object exists. */
function refuseBadHttp(error: Error & { code?: string }, socket: Socket): void {
  // Browsers open connections before they need them. What is said on one that has said nothing would be read as the answer to the
  // request that is just being sent on it; of one that is closed without a word they ask again on another.
  const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
  if (silent || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? apiError(errorCodes.bodyTooLarge) : apiError(errorCodes.malformedRequest)
  const body = failureText(refusal, uuid())
  const headers: string[] = []
  setHeaders({ setHeader: (name: string, value: string) => headers.push(`${name}: ${value}`) } as unknown as ServerResponse)
  const reason = refusal.status === 413 ? 'Payload Too Large' : 'Bad Request'
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${reason}`,
      ...headers,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
