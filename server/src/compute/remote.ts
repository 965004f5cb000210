import { createHash } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { ApiError, throwApiError, throwValidationError } from '../base/api-error.ts'
import { bytesOf } from '../base/bytes-of.ts'
import type { CallName, CallOptions, Calls, Compute, DataRef, Packing } from '../context/compute.ts'
import { type LiveWorker, liveWorkers } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { guestTurns } from '../http/guest-turns.ts'
import { needComputeTime } from '../usage/quota.ts'
import type { Outcome } from './protocol.ts'

/** What a worker is asked over its private port. */
export interface ComputeRequest {
  readonly name: string
  readonly data: DataRef
  readonly input: unknown
  /** User whose daily compute time is charged. */
  readonly userId?: string
  /** It waits behind the work of everybody who is no guest. */
  readonly guest?: true
  /** Of calls with the same words here only the newest goes on. */
  readonly alone?: string
  /** Asks for packed bytes in place of an Outcome. */
  readonly packing?: Packing
}

export const secretHeader = 'x-convexa-secret'
/** Says that an answer is packed bytes and not an Outcome. */
export const packedHeader = 'x-convexa-packed'
/** How long a call waits for a first worker: one that starts, or starts again, is there within seconds. */
const workerWaitMs = 3_000
const lookAgainMs = 100
/** A worker that has died is asked no more after this; a new one is found after it. */
const listAgeMs = 1_000

/** Finds the living workers in the database and calls them over their private addresses, one after the other in turn. `patience`: see `Config.callPatience`. */
export function remoteCompute(db: Kysely<Database>, patience = 1): Compute {
  let known: { at: number; workers: Promise<LiveWorker[]> } | null = null
  const asGuest = guestTurns()
  let turn = 0
  const agent = new Agent({ keepAlive: true })
  let underWay = 0

  const list = (fresh: boolean) => {
    const now = performance.now()
    if (!known || fresh || now - known.at > listAgeMs) {
      const workers = liveWorkers(db)
      workers.catch(() => {
        known = null
      })
      known = { at: now, workers }
    }
    return known.workers
  }

  /** The bytes of an answer, and whether they are packed. */
  const ask = async (request: ComputeRequest, { deadlineMs, asker, signal }: CallOptions): Promise<Answer> => {
    const address = asker && (await needComputeTime(db, asker.id))
    const deadline = AbortSignal.timeout(deadlineMs * patience)
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
    const answer = () => answerOf({ ...request, ...(address !== null && { guest: true as const }) }, stop)
    underWay++
    const found = await (address === null ? answer() : asGuest(address, stop, answer)).finally(() => underWay--)
    if (signal?.aborted) throwApiError(errorCodes.cancelled)
    if (deadline.aborted) throwApiError(errorCodes.computeTimeout)
    if (found === null) throw new ApiError(errorCodes.busy, messageOf(errorCodes.busy), { retryAfterSeconds: 2 })
    return found
  }

  /** null: no worker answers. */
  async function answerOf(request: ComputeRequest, stop: AbortSignal): Promise<Answer | null> {
    const tried = new Set<string>()
    await untilOneLives(list, stop)
    // The second attempt reads the list again: the first worker may have died since. It goes to another where there is one: a broken
    // connection may also be one that the worker closed as idle while we took it up.
    for (const fresh of [false, true]) {
      const living = await list(fresh)
      const others = living.filter((worker) => !tried.has(worker.id))
      const workers = others.length > 0 ? others : living
      // They meet at one worker: there the newest ends the one before it.
      const place = request.alone === undefined ? turn++ : placeOf(request.alone)
      const worker = workers[place % Math.max(1, workers.length)]
      if (!worker) continue
      tried.add(worker.id)
      const answer = await post(worker, agent, JSON.stringify(request), stop)
      if (answer !== null || stop.aborted) return answer
    }
    return null
  }

  return {
    workers: async () => (await list(false)).length,
    underWay: () => underWay,
    async call(name, data, input, options) {
      const { bytes } = await ask(requestOf(name, data, input, options), options)
      return outputOf<Calls[typeof name]['output']>(bytes)
    },
    async packed(name, data, input, packing, options) {
      const { bytes, isPacked } = await ask({ ...requestOf(name, data, input, options), packing }, options)
      return isPacked ? bytes : outputOf<never>(bytes)
    },
  }
}

const requestOf = (name: CallName, data: DataRef, input: unknown, { asker, alone }: CallOptions): ComputeRequest => ({
  ...{ name, data, input },
  ...(asker && { userId: asker.id }),
  ...(alone !== undefined && { alone }),
})

/** @throws ApiError the refusal */
function outputOf<T>(bytes: Buffer): T {
  const outcome = JSON.parse(bytes.toString('utf8')) as Outcome<T>
  return outcome.ok ? outcome.value : throwValidationError(outcome)
}

const placeOf = (words: string): number => createHash('sha256').update(words).digest().readUInt32BE()

/** Waits until a worker is live, at most `workerWaitMs`; without one the call itself is refused. */
async function untilOneLives(list: (fresh: boolean) => Promise<LiveWorker[]>, stop: AbortSignal): Promise<void> {
  const until = performance.now() + workerWaitMs
  for (let fresh = false; (await list(fresh)).length === 0; fresh = true) {
    if (stop.aborted || performance.now() > until) return
    await sleep(lookAgainMs)
  }
}

interface Answer {
  readonly bytes: Buffer
  readonly isPacked: boolean
}

/** null = the worker could not be reached, or the connection broke: it is dead, or stopped waiting. */
async function post({ address, secret }: LiveWorker, agent: Agent, body: string, signal: AbortSignal): Promise<Answer | null> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), [secretHeader]: secret }
      request(`${address}/call`, { method: 'POST', headers, agent, signal }).once('response', resolve).on('error', reject).end(body)
    })
    const bytes = await bytesOf(response)
    return response.statusCode === 200 ? { bytes, isPacked: packedHeader in response.headers } : null
  } catch {
    return null
  }
}
