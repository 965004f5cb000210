import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { ApiError, throwApiError, throwValidationError } from '../base/api-error.ts'
import { bytesOf } from '../base/bytes-of.ts'
import { areNeighbours, programVersion } from '../base/program-version.ts'
import type { CallName, CallOptions, Calls, Compute, DataRef, Packing } from '../context/compute.ts'
import { type LiveWorker, liveWorkers } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { guestTurns } from '../http/guest-turns.ts'
import { needComputeTime } from '../usage/quota.ts'
import type { Outcome } from './protocol.ts'
import { byRendezvous, type WorkerLoads, workerLoads } from './worker-choice.ts'

/** What a worker is asked over its private port. */
export interface ComputeRequest {
  readonly name: string
  readonly data: DataRef | null
  readonly input: unknown
  /** User whose daily compute time is charged. */
  readonly userId?: string
  /** It waits behind the work of everybody who is no guest. */
  readonly guest?: true
  /** Of calls with the same words here only the newest goes on. */
  readonly alone?: string
  /** Which worker is asked first, and where the like meets. */
  readonly near?: { readonly workerId: string | null; readonly words: string }
  /** Asks for packed bytes in place of an Outcome. */
  readonly packing?: Packing
}

export const secretHeader = 'x-convexa-secret'
/** How many tasks the worker had when it answered. */
export const loadHeader = 'x-convexa-load'
/** Says that an answer is packed bytes and not an Outcome. */
export const packedHeader = 'x-convexa-packed'
/** After a refusal that every worker made. */
const retryAfterSeconds = 3
/** How long a call waits for a first worker: one that starts, or starts again, is there within seconds. */
const workerWaitMs = 3_000
const lookAgainMs = 100
/** A worker that has died is asked no more after this; a new one is found after it. */
const listAgeMs = 1_000

/** Finds the workers in the database that take work and calls one that has the data over its private address; a second one where the first cannot or is frozen. `patience`: see `Config.callPatience`. */
export function remoteCompute(db: Kysely<Database>, patience = 1): Compute {
  let known: { at: number; workers: Promise<LiveWorker[]> } | null = null
  const asGuest = guestTurns()
  const loads = workerLoads()
  const agent = new Agent({ keepAlive: true })
  let underWay = 0

  const list = (fresh: boolean) => {
    const now = performance.now()
    if (!known || fresh || now - known.at > listAgeMs) {
      const workers = liveWorkers(db).then((all) => all.filter(({ program }) => program === null || areNeighbours(program, programVersion)))
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
    let refused: Answer | null = null
    await untilOneIsReady(list, workerWaitMs * patience, stop)
    // The second attempt reads the list again: the first worker may have died since. It goes to another where there is one: a broken
    // connection may also be one that the worker closed as idle while we took it up.
    for (const fresh of [false, true]) {
      const workers = await ableTo(request.data, fresh)
      const others = workers.filter((worker) => !tried.has(worker.id))
      // What this one refused it refuses again.
      if (others.length === 0 && refused) break
      const worker = chosen(others.length > 0 ? others : workers, request)
      if (!worker) continue
      tried.add(worker.id)
      const watch = untilFrozen(worker.id)
      const answer = await post(worker, agent, JSON.stringify(request), AbortSignal.any([stop, watch.signal]), loads).finally(watch.end)
      if (stop.aborted) return answer
      if (answer && !mayBeElsewhere(answer)) return answer
      refused = answer ?? refused
    }
    return refused
  }

  /** Aborts where the worker is seen to be frozen and another takes work: the call goes there, and does not wait for its deadline. */
  const untilFrozen = (id: string) => {
    const seen = new AbortController()
    const look = async () => {
      const workers = await list(false)
      if (workers.some((one) => one.id === id && one.frozen) && workers.some((one) => one.ready)) seen.abort()
    }
    // Without the database nothing is known of workers: the call goes on.
    const timer = setInterval(() => void look().catch(() => {}), listAgeMs)
    return { signal: seen.signal, end: () => clearInterval(timer) }
  }

  /** Workers that take work and have the data; where none has them, all that take work: one of them may still find older data. */
  async function ableTo(data: DataRef | null, fresh: boolean): Promise<readonly LiveWorker[]> {
    const ready = (await list(fresh)).filter((worker) => worker.ready)
    if (data === null) return ready
    const { snapshotId, indexSnapshotId, stockSnapshotId } = data
    const wanted = [snapshotId, indexSnapshotId, stockSnapshotId].filter((id) => id !== null)
    const holders = ready.filter(({ holds }) => wanted.every((id) => holds.has(id)))
    // A list of a second ago does not know who has just become ready or has just got them.
    if (holders.length === 0 && !fresh) return ableTo(data, true)
    return holders.length > 0 ? holders : ready
  }

  /** Calls of one `alone` meet at one worker: there the newest ends the one before it. The others go where less is to do. */
  const chosen = (workers: readonly LiveWorker[], { alone, near }: ComputeRequest): LiveWorker | undefined => {
    const words = alone ?? near?.words
    const own = workers.find(({ id }) => id === near?.workerId)
    return own ?? (words === undefined ? loads.lighter(workers) : byRendezvous(workers, words))
  }

  return {
    async workers(snapshots) {
      const all = await list(false)
      return all.filter(({ ready, holds }) => ready && snapshots.every((id) => holds.has(id))).length
    },
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

const requestOf = (name: CallName, data: DataRef | null, input: unknown, { asker, alone, near }: CallOptions): ComputeRequest => ({
  ...{ name, data, input },
  ...(asker && { userId: asker.id }),
  ...(alone !== undefined && { alone }),
  ...(near !== undefined && { near }),
})

/** @throws ApiError the refusal */
function outputOf<T>(bytes: Buffer): T {
  const outcome = JSON.parse(bytes.toString('utf8')) as Outcome<T>
  if (outcome.ok) return outcome.value
  const { code, message, elsewhere } = outcome
  if (elsewhere) throw new ApiError(code, message, { retryAfterSeconds })
  return throwValidationError(outcome)
}

/** Waits until a worker takes work, at most `waitMs`; without one the call itself is refused. */
async function untilOneIsReady(list: (fresh: boolean) => Promise<LiveWorker[]>, waitMs: number, stop: AbortSignal): Promise<void> {
  const until = performance.now() + waitMs
  for (let fresh = false; !(await list(fresh)).some(({ ready }) => ready); fresh = true) {
    if (stop.aborted || performance.now() > until) return
    await sleep(lookAgainMs)
  }
}

const refusal = Buffer.from('{"ok":false')

/** A refusal of this worker that another one need not make. */
function mayBeElsewhere({ bytes, isPacked }: Answer): boolean {
  if (isPacked || !bytes.subarray(0, refusal.length).equals(refusal)) return false
  const outcome = JSON.parse(bytes.toString('utf8')) as Outcome<never>
  return !outcome.ok && outcome.elsewhere === true
}

interface Answer {
  readonly bytes: Buffer
  readonly isPacked: boolean
}

/** null = the worker could not be reached, or the connection broke: it is dead, or stopped waiting. */
async function post(
  { id, address, secret }: LiveWorker,
  agent: Agent,
  body: string,
  signal: AbortSignal,
  loads: WorkerLoads,
): Promise<Answer | null> {
  const end = loads.begin(id)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), [secretHeader]: secret }
      request(`${address}/call`, { method: 'POST', headers, agent, signal }).once('response', resolve).on('error', reject).end(body)
    })
    const bytes = await bytesOf(response)
    loads.told(id, Number(response.headers[loadHeader]))
    return response.statusCode === 200 ? { bytes, isPacked: packedHeader in response.headers } : null
  } catch {
    return null
  } finally {
    end()
  }
}
