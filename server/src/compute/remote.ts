import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { Failure, fail, refuse } from '../http/fail.ts'
import { needComputeTime } from '../quant/quota.ts'
import { guestTurns } from './guest-turns.ts'
import { type LivingWorker, livingWorkers } from './living.ts'
import type { CallName, Calls, DataRef, Outcome } from './protocol.ts'

/** The api's side of the workers: interactive calls to one that lives. Aborting a call cancels the work. */
export interface Compute {
  /**
   * `asker`: whose day's compute time it takes; null for what is computed once for everybody.
   * @throws Failure the refusal of the engine; 21002 the day's compute time is used up, 50301 no worker within three seconds or all busy, 23021 not done in `deadlineMs`,
   * 23020 the compute child died, 23024 aborted
   */
  call<N extends CallName>(name: N, data: DataRef, input: Calls[N]['input'], options: CallOptions): Promise<Calls[N]['output']>
  /** How many workers live now. */
  workers(): Promise<number>
}

/** What a worker is asked over its private port. */
export interface Asked {
  readonly name: string
  readonly data: DataRef
  readonly input: unknown
  /** Whose compute time it takes. */
  readonly userId?: string
  /** It waits behind the work of everybody who is no guest. */
  readonly guest?: true
  /** Of calls with the same words here only the newest goes on. */
  readonly alone?: string
}

export interface CallOptions {
  readonly deadlineMs: number
  readonly asker: { readonly id: string } | null
  /** Of calls with the same words here only the newest goes on, whichever api asked. */
  readonly alone?: string
  readonly signal?: AbortSignal
}

export const secretHeader = 'x-convexa-secret'
/** How long a call waits for a first worker: one that starts, or starts again, is there within seconds. */
const workerWaitMs = 3_000
const lookAgainMs = 100
/** A worker that has died is asked no more after this; a new one is found after it. */
const listAgeMs = 1_000

/** Finds the living workers in the database and calls them over their private addresses, one after the other in turn. */
export function remoteCompute(db: Kysely<Database>): Compute {
  let known: { at: number; workers: Promise<LivingWorker[]> } | null = null
  const asGuest = guestTurns()
  let turn = 0

  const list = (fresh: boolean) => {
    const now = performance.now()
    if (!known || fresh || now - known.at > listAgeMs) {
      const workers = livingWorkers(db)
      workers.catch(() => {
        known = null
      })
      known = { at: now, workers }
    }
    return known.workers
  }

  return {
    workers: async () => (await list(false)).length,
    async call(name, data, input, { deadlineMs, asker, alone, signal }) {
      const address = asker && (await needComputeTime(db, asker.id))
      const deadline = AbortSignal.timeout(deadlineMs)
      const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
      const asked: Asked = {
        ...{ name, data, input },
        ...(asker && { userId: asker.id }),
        ...(address !== null && { guest: true as const }),
        ...(alone !== undefined && { alone }),
      }
      const answer = () => answerOf(asked, stop)
      const outcome = await (address === null ? answer() : asGuest(address, stop, answer))
      if (signal?.aborted) fail(23024)
      if (deadline.aborted) fail(23021)
      if (outcome === null) throw new Failure(50301, '服务繁忙，请稍后重试', { retryAfterSeconds: 2 })
      return outcome.ok ? (outcome.value as Calls[typeof name]['output']) : refuse(outcome)
    },
  }

  /** null: no worker answers. */
  async function answerOf(asked: Asked, stop: AbortSignal): Promise<Outcome<unknown> | null> {
    const tried = new Set<string>()
    await untilOneLives(list, stop)
    // The second attempt reads the list again: the first worker may have died since. It goes to another where there is one: a broken
    // connection may also be one that the worker closed as idle while we took it up.
    for (const fresh of [false, true]) {
      const living = await list(fresh)
      const others = living.filter((worker) => !tried.has(worker.id))
      const workers = others.length > 0 ? others : living
      // They meet at one worker: there the newest ends the one before it.
      const place = asked.alone === undefined ? turn++ : placeOf(asked.alone)
      const worker = workers[place % Math.max(1, workers.length)]
      if (!worker) continue
      tried.add(worker.id)
      const outcome = await post(worker, asked, stop)
      if (outcome !== null || stop.aborted) return outcome
    }
    return null
  }
}

const placeOf = (words: string): number => createHash('sha256').update(words).digest().readUInt32BE()

/** Waits while no worker lives, for a while; then the call says so. */
async function untilOneLives(list: (fresh: boolean) => Promise<LivingWorker[]>, stop: AbortSignal): Promise<void> {
  const until = performance.now() + workerWaitMs
  for (let fresh = false; (await list(fresh)).length === 0; fresh = true) {
    if (stop.aborted || performance.now() > until) return
    await sleep(lookAgainMs)
  }
}

/** null = the worker could not be reached, or the connection broke: it is dead, or stopped waiting. */
async function post(worker: LivingWorker, body: Asked, signal: AbortSignal): Promise<Outcome<unknown> | null> {
  try {
    const response = await fetch(`${worker.address}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [secretHeader]: worker.secret },
      body: JSON.stringify(body),
      signal,
    })
    return response.ok ? ((await response.json()) as Outcome<unknown>) : null
  } catch {
    return null
  }
}
