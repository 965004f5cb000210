import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { EventStream } from './event-stream.ts'
import { type Failure, failure } from './fail.ts'

const mostStreams = 1_000
const mostStreamsOfOne = 10
/** Each is at least one turn of the event loop, in which it takes in connections and reads what was sent. */
const lastTurns = 10
const lastTurnMs = 25

/** What is known of a stream here. */
type OpenStream = Pick<EventStream, 'signal' | 'stop'>

/** How one app ends; until then its open streams, and how many there may be. */
export class Closing {
  /** Told to end: what was asked before may still lie unread in the kernel, and is answered as ever, but each answer closes its connection. */
  ending = false
  /** Whoever asks now is refused. */
  closing = false
  readonly #streams = new Map<OpenStream, string>()
  readonly #handled = new Set<Promise<void>>()

  /** Takes the stream in, or says why not. `owner`: user id or address. */
  admit(stream: OpenStream, owner: string): Failure | null {
    if (this.closing) return failure(23022)
    let own = 0
    for (const other of this.#streams.values()) if (other === owner) own++
    if (this.#streams.size >= mostStreams || own >= mostStreamsOfOne) return failure(23003)
    this.#streams.set(stream, owner)
    stream.signal.addEventListener('abort', () => this.#streams.delete(stream), { once: true })
    return null
  }

  track(handled: Promise<void>): void {
    this.#handled.add(handled)
    handled.finally(() => this.#handled.delete(handled))
  }

  /**
   * Reads what was sent before; to stop listening at once would reset connections that nobody has accepted yet. Then refuses, lets streams go
   * on for `graceSeconds`, tells the rest that we stop, and waits until their handlers have cleared up.
   */
  async stop(graceSeconds: number): Promise<void> {
    this.ending = true
    for (let turn = 0; turn < lastTurns; turn++) await sleep(lastTurnMs)
    this.closing = true
    const until = Date.now() + graceSeconds * 1_000
    while (this.#streams.size && Date.now() < until) await sleep(50)
    for (const stream of [...this.#streams.keys()]) stream.stop()
    const cleared = Promise.allSettled([...this.#handled])
    await Promise.race([cleared, new Promise((resolve) => setTimeout(resolve, 3_000).unref())])
  }
}

const ofApp = new WeakMap<object, Closing>()

/** The one Closing of an app, made when first asked for. */
export function closingOf(app: FastifyInstance): Closing {
  const found = ofApp.get(app.server)
  if (found) return found
  const made = new Closing()
  ofApp.set(app.server, made)
  return made
}
