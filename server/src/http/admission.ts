import type { IncomingMessage } from 'node:http'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { ApiError, apiError } from '../base/api-error.ts'
import { arrivalOf } from './connections.ts'
import { notReadyNow } from './not-ready.ts'

// Whether a request can be served in its time, decided before it costs anything (reliability.md D4). What has been begun is finished in
// time only while little is under way: a turn of the event loop takes as long as all requests together want of it, and each waits for
// several turns. So the count of requests decides, and the delay of the loop lowers it.

/**
 * What a call waits for: `short` rows of the database, `long` a worker or megabytes. `open` needs no login: a flood of those takes no place
 * of the users. `free` is never refused.
 */
export type CallClass = 'short' | 'long' | 'open' | 'free'

/** Calls that are answered whatever else is refused, by method and path: what tells that we live, what the page says, what a payment provider reports. */
export const answeredAlways: ReadonlySet<string> = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /v1/website',
  'POST /v1/payment/wechat/notify',
])

/** Requests that this process itself works on at once; those that wait for a worker are the worker's to count. */
const most = { short: 256, long: 48, open: 256 } as const
/** With a loop that comes so late, fewer. */
const mostWhenLate = { short: 128, long: 24, open: 128 } as const
const lateMs = 50
const retryAfterSeconds = 2

/** From here on a loop counts as held up, and after so long on end the process as stuck (operations.md 2.3, `busy`). */
const heldUpMs = 500
const stuckMs = 10_000
const sampleMs = 20
const windowMs = 1_000

export interface Admission {
  /** Lets a request in and returns its exit, to be called once. @throws ApiError 50301 it cannot be served in its time */
  enter(kind: CallClass): () => void
  /** When a request came, by the clock: at any moment of the turn of the loop before the one in which it was read. */
  arrivedAt(request: IncomingMessage): number
  /** How late the event loop comes now, in milliseconds: what is read in this turn may have waited so long to be read. */
  lagMs(): number
  /** Held up for ten seconds on end: nothing here is served well any more. A busy process that refuses what is too much is none. */
  isStuck(): boolean
  close(): void
}

/**
 * @param elsewhere how many of the requests let in wait for a worker, or for a guest's turn
 * @param now milliseconds of a clock that only goes forward
 */
export function openAdmission(elsewhere: (kind: CallClass) => number = () => 0, now: () => number = () => performance.now()): Admission {
  const inside = { short: 0, long: 0, open: 0, free: 0 }
  let sampledAt = now()
  let lag = 0
  let window = { from: sampledAt, worstLag: 0, wasFull: true }
  let calmAt = sampledAt

  const lagMs = () => Math.max(lag, now() - sampledAt - sampleMs, 0)
  const here = (kind: keyof typeof most) => Math.max(0, inside[kind] - elsewhere(kind))
  const sample = () => {
    const at = now()
    lag = Math.max(0, at - sampledAt - sampleMs)
    sampledAt = at
    window.worstLag = Math.max(window.worstLag, lag)
    if (here('short') < most.short) window.wasFull = false
    if (at - window.from < windowMs) return
    // Of fifty samples the worst is the 99th percentile.
    if (window.worstLag <= heldUpMs && !window.wasFull) calmAt = at
    window = { from: at, worstLag: 0, wasFull: true }
  }
  const timer = setInterval(sample, sampleMs).unref()

  return {
    enter(kind) {
      if (kind !== 'free') {
        const limit = lagMs() > lateMs ? mostWhenLate : most
        if (here(kind) >= limit[kind]) throw new ApiError(errorCodes.busy, apiError(errorCodes.busy).message, { retryAfterSeconds })
      }
      inside[kind]++
      return () => void inside[kind]--
    },
    lagMs,
    arrivedAt(request) {
      const readAt = arrivalOf(request)
      return readAt === null ? now() : readAt - lagMs() / 2
    },
    isStuck: () => now() - calmAt > stuckMs,
    close: () => clearInterval(timer),
  }
}

/** Asks of a request whether it can be served, and says on `/readyz` that a process is stuck. */
export function admitRequests(app: FastifyInstance, admission: Admission): void {
  setAdmission(app, admission)
  app.addHook('onClose', async () => admission.close())
  app.addHook('onRequest', async (request, reply) => {
    request.arrivedAt = admission.arrivedAt(request.raw)
    if (request.routeOptions.url === '/readyz' && admissionOf(app).isStuck()) throw notReadyNow('busy', retryAfterSeconds)
    reply.raw.once('close', admission.enter(request.routeOptions.config.waits ?? 'free'))
  })
}

const ofApp = new WeakMap<object, Admission>()
export const setAdmission = (app: FastifyInstance, admission: Admission): void => void ofApp.set(app.server, admission)
/** The one Admission of an app. */
export function admissionOf(app: FastifyInstance): Admission {
  const found = ofApp.get(app.server)
  if (!found) throw new Error('an app without admission')
  return found
}
