/**
 * `/metrics` for a scraper and `/status` for the operator's eyes (api.md: by a token, or on a port of their own). What is counted here is of
 * this api; what the database and the workers know is asked when somebody reads. No label holds anything of a user.
 */
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { listenProblem } from '../base/port.ts'
import type { MetricsSettings } from '../config/config.ts'
import type { AppContext } from '../context/app-context.ts'
import { coalesceRequests } from '../quant/coalesce-requests.ts'
import { type Facts, readFacts } from './facts.ts'
import { gaugesOf } from './gauges.ts'
import { holdsToken } from './guard.ts'
import { countRequests } from './requests.ts'
import { statusPage } from './status-page.ts'

interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** From a call's share of a millisecond to a screen's minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]
/** Two who look at once make the database count once. */
const factsAgeMs = 1_000
const factsMs = 3_500
const paths = ['/metrics', '/status'] as const

/** Counts every answer of an app from now on. `serve`: answers both pages there, or on a port of their own. */
export async function watch(app: FastifyInstance, context: AppContext): Promise<{ serve(app: FastifyInstance): Promise<void> }> {
  const settings = context.config.metrics
  if (!settings) throw new Error('metrics are off')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    ...{ name: 'convexa_http_requests_total', help: 'Answers by route, HTTP status and code of the envelope (0: none refused).' },
    labelNames: ['method', 'route', 'status', 'code'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    ...{ name: 'convexa_http_request_seconds', help: 'From the request to the last byte of its answer.', buckets },
    labelNames: ['method', 'route'] as const,
    registers: [registry],
  })
  countRequests(app, { answers, seconds })
  const gauges = gaugesOf(registry, context.config.dataDir)
  const kept = coalesceRequests<Facts>(factsAgeMs, 1)
  const facts = async (): Promise<Facts | null> => {
    const late = AbortSignal.timeout(factsMs)
    const gone = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true }))
    return Promise.race([kept('', new AbortController().signal, () => readFacts(context)), gone]).catch((error: unknown) => {
      context.log.warn({ err: error }, 'figures not read')
      return null
    })
  }

  const pageOf = async (path: (typeof paths)[number]): Promise<Page> => {
    const known = await facts()
    if (path === '/status') return statusPage(known, await failuresOf(answers), context)
    gauges.set(known)
    return { status: 200, headers: { 'content-type': registry.contentType }, body: await registry.metrics() }
  }
  const answer = async (url: string | undefined, authorization: string | undefined): Promise<Page> => {
    const path = paths.find((one) => one === url?.split('?', 1)[0])
    if (!path) return { status: 404, headers: plain, body: '没有这个页面\n' }
    if (settings.token && !holdsToken(settings.token, authorization)) return refused
    return pageOf(path)
  }

  return {
    async serve(product) {
      if (settings.port !== null) return ownPort(product, { ...settings, port: settings.port }, answer)
      for (const path of paths) {
        product.get(path, async (request, reply) => {
          const { status, headers, body } = await answer(path, request.headers.authorization)
          return reply.code(status).headers(headers).send(body)
        })
      }
    },
  }
}

const plain = { 'content-type': 'text/plain; charset=utf-8' } as const
/** A browser asks its user for the token as a password. */
const refused: Page = {
  status: 401,
  headers: { ...plain, 'www-authenticate': 'Basic realm="Convexa", charset="UTF-8"' },
  body: '需要 METRICS_TOKEN：作为 Bearer 令牌，或作为浏览器询问的密码\n',
}

/** Refusals of this api since it began, by code. */
async function failuresOf(answers: Counter<'method' | 'route' | 'status' | 'code'>): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  for (const { labels, value } of (await answers.get()).values) {
    const code = Number(labels.code)
    if (code !== 0) found.set(code, (found.get(code) ?? 0) + value)
  }
  return found
}

/** Opened before the product's own, closed with it. */
async function ownPort(
  app: FastifyInstance,
  { port, host }: Pick<MetricsSettings, 'host'> & { port: number },
  answer: (url: string | undefined, authorization: string | undefined) => Promise<Page>,
): Promise<void> {
  const server = createServer(async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const page = isRead ? await answer(request.url, request.headers.authorization) : { status: 405, headers: plain, body: '' }
    response.writeHead(page.status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...page.headers })
    response.end(request.method === 'HEAD' ? undefined : page.body)
  })
  server.keepAliveTimeout = 5_000
  app.addHook('onReady', async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenProblem(error, { host, port }, 'METRICS_')))
      server.listen(port, host, resolve)
    })
  })
  app.addHook('onClose', async () => {
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}
