/** The pages `/metrics` and `/status` and the port of their own, of one api or of a group of them. */
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { listenProblem } from '../base/port.ts'
import type { MetricsSettings } from '../config/config.ts'
import type { AppContext } from '../context/app-context.ts'
import { coalesceRequests } from '../quant/coalesce-requests.ts'
import { type Facts, readFacts } from './facts.ts'
import type { gaugesOf } from './gauges.ts'
import { holdsToken } from './guard.ts'
import { statusPage } from './status-page.ts'

interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const paths = ['/metrics', '/status'] as const
const plain = { 'content-type': 'text/plain; charset=utf-8' } as const

/** Two who look at once make the database count once. */
const factsAgeMs = 1_000
const factsMs = 3_500

/** What the pages are made of. */
interface Sources {
  /** Where the facts of the database and the workers are set. */
  readonly gauges: ReturnType<typeof gaugesOf>
  /** All counters, those of `gauges` among them. */
  registry(): Promise<Registry>
  /** Refusals since the start, by code. */
  failures(): Promise<ReadonlyMap<number, number>>
}

export type AnswerPage = (url: string | undefined, authorization: string | undefined) => Promise<Page>

export function metricsPages(
  context: Pick<AppContext, 'db' | 'now' | 'config' | 'log'>,
  { token }: Pick<MetricsSettings, 'token'>,
  { gauges, registry, failures }: Sources,
): AnswerPage {
  const kept = coalesceRequests<Facts>(factsAgeMs, 1)
  const facts = async (): Promise<Facts | null> => {
    const late = AbortSignal.timeout(factsMs)
    const gone = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true }))
    return Promise.race([kept('', new AbortController().signal, () => readFacts(context)), gone]).catch((error: unknown) => {
      context.log.warn({ err: error }, 'figures not read')
      return null
    })
  }
  return async (url, authorization) => {
    const path = paths.find((one) => one === url?.split('?', 1)[0])
    if (!path) return { status: 404, headers: plain, body: '没有这个页面\n' }
    if (token && !holdsToken(token, authorization)) return refused
    const known = await facts()
    if (path === '/status') return statusPage(known, await failures(), context)
    gauges.set(known)
    const all = await registry()
    return { status: 200, headers: { 'content-type': all.contentType }, body: await all.metrics() }
  }
}

/** A browser asks its user for the token as a password. */
const refused: Page = {
  status: 401,
  headers: { ...plain, 'www-authenticate': 'Basic realm="Convexa", charset="UTF-8"' },
  body: '需要 METRICS_TOKEN：作为 Bearer 令牌，或作为浏览器询问的密码\n',
}

export const requestsMetric = 'convexa_http_requests_total'

/** Of the values of `requestsMetric`: refusals by code. */
export function failuresIn(
  values: readonly { readonly value: number; readonly labels: Readonly<Partial<Record<string, string | number>>> }[],
) {
  const found = new Map<number, number>()
  for (const { labels, value } of values) {
    const code = Number(labels['code'])
    if (code !== 0) found.set(code, (found.get(code) ?? 0) + value)
  }
  return found
}

export interface OwnPort {
  listen(): Promise<void>
  close(): Promise<void>
}

/** A server for reading on a port of its own. */
export function ownPort({ port, host }: { readonly port: number; readonly host: string }, answer: AnswerPage): OwnPort {
  const server = createServer(async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const page = isRead ? await answer(request.url, request.headers.authorization) : { status: 405, headers: plain, body: '' }
    response.writeHead(page.status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...page.headers })
    response.end(request.method === 'HEAD' ? undefined : page.body)
  })
  server.keepAliveTimeout = 5_000
  return {
    listen: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(listenProblem(error, { host, port }, 'METRICS_')))
        server.listen(port, host, resolve)
      }),
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
