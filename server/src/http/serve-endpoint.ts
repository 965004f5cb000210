import { gunzipSync } from 'node:zlib'
import { type Endpoint, quantOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds } from '@convexa/contract/enums/market'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { apiError, throwApiError, toApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { answeredAlways, type CallClass } from './admission.ts'
import type { Authenticators, Caller, KeyHolder } from './caller.ts'
import { drainOf } from './connection-drain.ts'
import { EventStream } from './event-stream.ts'
import { enterAsKnownGuest, meetGuest } from './guest-door.ts'
import { invalid } from './invalid-input.ts'
import { checkRateLimit, hasOwnRateLimit, refuseTired } from './rate-limit.ts'
import { type Answer, hasTag, isHeld, isJsonParts, isPackedJson, isSentFile, sendFailure, sendSuccess } from './reply.ts'
import { assertSameOrigin } from './same-origin-guard.ts'
import { fileOf } from './upload-body.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export { ApiError, apiError, throwApiError } from '../base/api-error.ts'
export type { EventStream } from './event-stream.ts'
export { jsonParts, jsonText, sentFile } from './reply.ts'
export type { Visitor } from './visitor.ts'

/** Holder of the key of a call of `/v1/qmt-client`: a call without one was refused before its handler. */
export function keyHolder(holder: KeyHolder | null): KeyHolder {
  if (!holder) throw new Error('this endpoint is answered without a key')
  return holder
}

/** What a handler gets: the parsed input, who asks, and a signal that fires when the client is gone or the time is over. */
interface Call<Params, Query, Body, Auth extends boolean> {
  params: Params
  query: Query
  body: Body
  /** Either for an endpoint that needs a login in one market alone. */
  user: UserOf<Auth>
  /** null but for endpoints with a scope of users. */
  holder: KeyHolder | null
  context: AppContext
  signal: AbortSignal
  /** Address of the client, as far as our own proxies are trusted. */
  ip: string
  visitor: Visitor
  /** Header X-Human-Check. */
  humanCheck: string | undefined
  /** The client has the answer of a tag and asks whether it is still the same. */
  holds(tag: string): boolean
  /** Value of a cookie. We set none; what a browser keeps in one is a signal, never a login. */
  cookie(name: string): string | undefined
  /** The file of a multipart body; read on demand, so that a caller without permission is refused before. */
  file(): Promise<Buffer>
}

/** Without a login nobody reaches the handler of an endpoint that needs one; of any other no token is read. */
type UserOf<Auth extends boolean> = Auth extends true ? Caller : null

type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Auth extends boolean> = Call<
  z.output<P>,
  z.output<Q>,
  z.output<B>,
  Auth
>

/**
 * Answers an endpoint of the contract: login by its flag, parse, handler, envelope.
 * A handler refuses by `fail(code, …)`; anything else that it throws is a bug (500) unless it says that the database is away (503).
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType, Auth extends boolean>(
  app: FastifyInstance,
  context: AppContext,
  endpoint: Endpoint<P, Q, B, D, Auth>,
  handler: (call: Input<P, Q, B, Auth>) => Promise<Answer<z.input<D>>>,
): void {
  const deadline = deadlineMs(endpoint.timeout) * context.config.callPatience
  bind(app, context, endpoint, async (request, reply) => {
    const abort = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableEnded) abort.abort(new Error('client gone'))
    })
    const refused = await overRate(context, request, endpoint)
    if (refused) throw refused
    const call = {
      ...parse(endpoint, request),
      user: request.caller as UserOf<Auth>,
      holder: request.keyHolder,
      context,
      signal: abort.signal,
      ip: request.ip,
      visitor: visitorOf(request),
      humanCheck: humanCheckOf(request),
      ...onDemand(request, reply, endpoint),
    }
    const tooLate = () => apiError(endpoint.timeout > 5 ? errorCodes.computeTimeout : errorCodes.busy)
    // From its arrival on: what it waited for the loop, its login and its body is time that its client has waited.
    const left = () => request.arrivedAt + deadline - performance.now()
    if (left() <= 0) throw tooLate()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        abort.abort(new Error('deadline'))
        reject(tooLate())
      }, left())
    })
    try {
      const answer = await Promise.race([handler(call), late])
      // A loop that comes late calls timers late too.
      if (left() <= 0) throw tooLate()
      if (context.config.checkAnswers && !isJsonParts(answer) && !isSentFile(answer) && !isHeld(answer)) checkAnswer(endpoint, answer)
      return sendSuccess(request, reply, answer, context.log)
    } catch (error) {
      void context.damage.suspectError(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  })
}

/**
 * Answers one of the two backtest streams (reliability.md 4.1): no login 401 and an unreadable body 400 as JSON; from then on it is
 * HTTP 200 and all refusals are one error line. The handler sends events and returns after the terminal one.
 */
export function serveStream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType, Auth extends boolean>(
  app: FastifyInstance,
  context: AppContext,
  endpoint: Endpoint<P, Q, B, D, Auth>,
  handler: (call: Input<P, Q, B, Auth>, stream: EventStream) => Promise<void>,
): void {
  const closing = drainOf(app)
  bind(app, context, endpoint, async (request, reply) => {
    const input = parse(endpoint, request)
    reply.hijack()
    const check = context.config.checkAnswers ? (event: unknown) => checkAnswer(endpoint, event) : undefined
    const stream = new EventStream(reply.raw, check)
    const user = request.caller
    const refused = closing.admit(stream, user?.id ?? request.ip)
    if (refused) return stream.fail(refused)
    const call = {
      ...input,
      user: user as UserOf<Auth>,
      holder: request.keyHolder,
      context,
      signal: stream.signal,
      ip: request.ip,
      visitor: visitorOf(request),
      humanCheck: humanCheckOf(request),
      ...onDemand(request, reply, endpoint),
    }
    const watch = user && setInterval(() => void endAfterLogout(app, context, user, stream), loginCheckMs)
    // From here on nobody else can answer: whatever goes wrong must end the stream.
    const handle = async () => {
      const often = await overRate(context, request, endpoint)
      if (often) throw often
      await handler(call, stream)
    }
    const handled = handle()
      .catch((error: unknown) => {
        void context.damage.suspectError(error)
        const failure = toApiError(error)
        if (failure.code === errorCodes.internal) context.log.error({ req: request.id, err: error }, 'stream failed')
        stream.fail(failure)
      })
      .finally(() => {
        // A handler that ends without a terminal event left the client without an answer.
        if (stream.open) stream.fail(toApiError(new Error('no terminal event')))
        if (watch) clearInterval(watch)
      })
    closing.track(handled)
    await handled
  })
}

const overRate = async ({ config, db }: AppContext, { caller }: FastifyRequest, { path }: Endpoint) =>
  caller && config.limitRequests && !hasOwnRateLimit(path) ? checkRateLimit(db, caller, 'request') : null

const loginCheckMs = 5_000

/** A run of minutes outlives no logout. While the database is away nobody is put out. */
async function endAfterLogout({ authenticators }: FastifyInstance, context: AppContext, user: Caller, stream: EventStream): Promise<void> {
  if (!(await authenticators.stillLoggedIn(context.db, user).catch(() => true))) stream.fail(apiError(errorCodes.loggedOut))
}

/** The server's deadline lies before the client's, so that the client gets a sentence and not silence (D4). */
export function deadlineMs(timeoutSeconds: number): number {
  if (timeoutSeconds <= 5) return 4_000
  if (timeoutSeconds <= 30) return 27_000
  return (timeoutSeconds - 5) * 1_000
}

/** `/a/{id}` as Fastify writes it: `/a/:id`. */
export const routePath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1')

const onDemand = (request: FastifyRequest, reply: FastifyReply, { bodyLimit }: Endpoint) => ({
  holds: (tag: string) => hasTag(request.headers['if-none-match'], tag),
  cookie: (name: string) => cookieOf(request.headers.cookie, name),
  file: () => fileOf(request, reply, bodyLimit),
})

const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const humanCheckOf = ({ headers }: FastifyRequest): string | undefined => [headers['x-human-check']].flat()[0]

function bind(
  app: FastifyInstance,
  context: AppContext,
  endpoint: Endpoint,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const { authenticators } = app
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyLimit,
    // A HEAD request must change nothing: a file is counted by the day and may come with a new key.
    exposeHeadRoute: !endpoint.sends && endpoint.file === null,
    config: { waits: callClassOf(endpoint) },
    // Before the body is read: a request without login costs nothing and learns nothing.
    onRequest: async (request, reply) => {
      if (endpoint.sends) assertSameOrigin(request.headers, context.config.allowedOrigins)
      if (endpoint.auth) {
        const token = request.headers['access-token']
        refuseTired(token)
        // A stream lasts for minutes and has a count of its own.
        if (context.config.limitRequests && !endpoint.stream) {
          await enterAsKnownGuest(token, reply.raw, request.routeOptions.config.waits)
        }
        request.caller = await authenticators.callerOf(context.db, token)
        meetGuest(request.caller)
      }
      if (endpoint.scope === 'feed') authenticators.needFeedKey(context.config, request.headers['x-api-key'])
      else if (endpoint.scope) request.keyHolder = await authenticators.keyHolderOf(context.db, request.headers['x-api-key'], request.ip)
    },
    handler: async (request, reply) => {
      try {
        await run(request, reply)
      } catch (error) {
        sendFailure(request, reply, error, context.log)
      }
      return reply
    },
  })
}

const megabytes: ReadonlySet<string> = new Set(marketIds.map((kind) => quantOf[kind].backtestDetail.path))

/** Streams are counted where they are taken in, and refuse by a line of theirs. */
function callClassOf({ method, path, stream, auth, timeout }: Endpoint): CallClass {
  if (stream || answeredAlways.has(`${method} ${path}`)) return 'free'
  if (!auth) return 'open'
  return timeout > 5 || megabytes.has(path) ? 'long' : 'short'
}

function parse<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(endpoint: Endpoint<P, Q, B>, request: FastifyRequest) {
  // A body whose members may all be left out may be left out itself.
  const given = request.body ?? (endpoint.body?.safeParse({}).success ? {} : undefined)
  if (endpoint.body && (typeof given !== 'object' || given === null || Array.isArray(given))) throwApiError(errorCodes.malformedRequest)
  return {
    params: read(endpoint.params, request.params),
    query: read(endpoint.query, request.query),
    body: read(endpoint.body, given),
  }
}

function read<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> {
  if (!schema) return undefined as z.output<S>
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues)
}

function checkAnswer(endpoint: Endpoint, answer: unknown): void {
  const value = JSON.parse(textOf(answer))
  const parsed = endpoint.data.safeParse(value)
  if (parsed.success) return
  throw new Error(`${endpoint.method} ${endpoint.path} answers against its schema: ${JSON.stringify(parsed.error.issues.slice(0, 3))}`)
}

function textOf(answer: unknown): string {
  if (isPackedJson(answer)) {
    return answer.packedJson.map((part) => (typeof part === 'string' ? part : gunzipSync(part).toString('utf8'))).join('')
  }
  return typeof answer === 'object' && answer && 'jsonText' in answer ? String(answer.jsonText) : JSON.stringify(answer)
}

declare module 'fastify' {
  interface FastifyInstance {
    authenticators: Authenticators
  }
  interface FastifyRequest {
    caller: Caller | null
    keyHolder: KeyHolder | null
    /** Code of the envelope that it was refused with; 0 where it was not. */
    failureCode: number
    /** When it reached us at the earliest, by `performance.now()`. */
    arrivedAt: number
  }
  interface FastifyContextConfig {
    waits?: CallClass
  }
}
