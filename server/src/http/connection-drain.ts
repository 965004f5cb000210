import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { type ApiError, apiError } from '../base/api-error.ts'
import type { EventStream } from './event-stream.ts'

const mostStreamsOfOne = 10
/** Each is at least one turn of the event loop, in which it takes in connections and reads what was sent. */
const lastTurns = 10
const lastTurnMs = 25
/** Longer than any call may take. */
const lastAnswersMs = 10_000
const lastWordsMs = 3_000

interface DrainTimes {
  readonly drainSeconds: number
  readonly graceSeconds: number
}

/** The part of a stream that a drain needs. */
type OpenStream = Pick<EventStream, 'signal' | 'stop'>

/** Connection draining of an app, and until then its open streams with their limits. */
export class ConnectionDrain {
  /** Not ready any more, for proxies to see: no new streams, all else is answered. */
  draining = false
  /** Shutting down: requests sent before may still lie unread in the kernel and are answered, but each answer closes its connection. */
  ending = false
  /** Rejects new streams while draining. */
  closing = false
  readonly #streams = new Map<OpenStream, string>()
  readonly #handled = new Set<Promise<void>>()
  readonly #mostStreams: number

  constructor(mostStreams: number) {
    this.#mostStreams = mostStreams
  }

  /** Admits the stream, or returns the error. `owner`: user id or address. */
  admit(stream: OpenStream, owner: string): ApiError | null {
    if (this.closing || this.draining) return apiError(errorCodes.stopping)
    let own = 0
    for (const other of this.#streams.values()) if (other === owner) own++
    if (this.#streams.size >= this.#mostStreams || own >= mostStreamsOfOne) return apiError(errorCodes.queueFull)
    this.#streams.set(stream, owner)
    stream.signal.addEventListener('abort', () => this.#streams.delete(stream), { once: true })
    return null
  }

  track(handled: Promise<void>): void {
    this.#handled.add(handled)
    handled.finally(() => this.#handled.delete(handled))
  }

  /**
   * Says for `drainSeconds` that it is not ready. Reads what was sent before; to stop listening at once would reset connections that nobody has
   * accepted yet. Then listens no more and refuses, lets streams go on until `graceSeconds` are over, tells the rest that we stop, and waits
   * until their handlers have cleared up and what was asked is answered. `stopListening` resolves when no connection is left.
   */
  async stop({ drainSeconds, graceSeconds }: DrainTimes, stopListening: () => Promise<void>): Promise<void> {
    const [until, answeredBy] = [Date.now() + graceSeconds * 1_000, Date.now() + drainSeconds * 1_000 + lastAnswersMs]
    this.draining = true
    if (drainSeconds > 0) await sleep(drainSeconds * 1_000)
    this.ending = true
    for (let turn = 0; turn < lastTurns; turn++) await sleep(lastTurnMs)
    this.closing = true
    const closed = stopListening()
    while (this.#streams.size && Date.now() < until) await sleep(50)
    for (const stream of [...this.#streams.keys()]) stream.stop()
    const cleared = Promise.allSettled([...this.#handled])
    await Promise.race([cleared, after(lastWordsMs)])
    // Streams may have outlived all requests; their last words have been sent, and some readers take them late.
    await Promise.race([closed, after(Math.max(lastWordsMs, answeredBy - Date.now()))])
  }
}

const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

const ofApp = new WeakMap<object, ConnectionDrain>()

/** The drain of an app, made at the first call with its limit of streams. */
export function drainOf(app: FastifyInstance, mostStreams = 1_000): ConnectionDrain {
  const found = ofApp.get(app.server)
  if (found) return found
  const made = new ConnectionDrain(mostStreams)
  ofApp.set(app.server, made)
  return made
}
