import type { Call, CallData, CallInput } from '@convexa/contract/calls'
import { readLine } from '@convexa/contract/stream'
import { envelopeOf, failureOf, send } from './client.ts'
import { tell } from './failed-calls.ts'
import { CallError, messages } from './messages.ts'

/** No line, not even a heartbeat, for this long: the connection is dead. Heartbeats come every 10 s. */
const silence = 35_000

/**
 * Callbacks of a stream: every event, then exactly one of the two ends unless cancelled.
 * @public named in the type of `listen`
 */
export interface Listener<Event> {
  onEvent(event: Event): void
  /** The stream has ended by itself. */
  onEnd?(): void
  /** An `error` line, an unreadable line, or a connection that was refused, lost or silent. */
  onError?(error: unknown): void
}

/**
 * Opens a streaming POST and passes its events to a listener. `cancel` closes the socket, which cancels the run; no callback follows.
 * @example const { cancel } = listen(calls.cb.backtest, { body }, { onEvent: show, onEnd: done, onError: warn })
 * @public read by tests, in a tab of their own
 */
export function listen<E>(endpoint: Call<E>, input: CallInput<E>, listener: Listener<CallData<E>>): { cancel(): void } {
  const closing = new AbortController()
  const { signal } = closing
  const follow = async () => {
    try {
      for await (const event of subscribe(endpoint, input, signal)) {
        if (signal.aborted) return
        listener.onEvent(event)
      }
    } catch (error) {
      if (!signal.aborted) listener.onError?.(error)
      return
    }
    if (!signal.aborted) listener.onEnd?.()
  }
  void follow()
  return { cancel: () => closing.abort() }
}

/**
 * The same as a loop: gives the events one by one and ends when the stream does. Leaving the loop or aborting the signal closes the socket.
 * @throws CallError for an `error` line (with its code), an unreadable line, a refused, lost or silent connection
 */
export async function* subscribe<E>(endpoint: Call<E>, input: CallInput<E>, signal: AbortSignal): AsyncGenerator<CallData<E>, void> {
  const watch = new Watch()
  try {
    const reader = await open(endpoint, input, watch, signal)
    for await (const line of linesOf(reader, watch, signal)) {
      const event = eventOf(line)
      if (event !== undefined) yield event as CallData<E>
    }
  } catch (error) {
    if (error instanceof CallError) tell({ error, path: endpoint.path, toast: false })
    throw error
  } finally {
    // However it ended: this closes the socket.
    watch.end()
  }
}

/** Aborts when nothing has come for too long, or when it is over. */
class Watch {
  readonly #dead = new AbortController()
  #timer = setTimeout(() => this.end(), silence)
  readonly signal = this.#dead.signal

  /** Something came. */
  seen(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(), silence)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#dead.abort()
  }
}

async function open(endpoint: Call, input: object, watch: Watch, callerSignal: AbortSignal) {
  const signal = AbortSignal.any([callerSignal, watch.signal])
  const response = await send(endpoint, input, { signal, headers: { Accept: 'text/event-stream' } }).catch((error: unknown) => {
    if (callerSignal.aborted || error instanceof TypeError) throw error
    throw new CallError('stream', messages.streamBroken(error instanceof CallError ? error.message : messages.network))
  })
  if (response.status !== 200) {
    const failure = failureOf(endpoint, response, await envelopeOf(response, callerSignal))
    if (failure.kind === 'login') throw failure
    // What the server says goes before what the connection says of itself.
    const message = failure.code === 0 ? messages.streamBroken(response.statusText || String(response.status)) : failure.message
    throw new CallError('stream', message, failure.code, failure.requestId, failure.status)
  }
  if (!response.body) throw new CallError('stream', messages.streamUnreadable)
  return response.body.getReader()
}

/** Lines as they end; what stands after the last line end counts when the stream ends with it. */
async function* linesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  watch: Watch,
  callerSignal: AbortSignal,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (callerSignal.aborted) throw error
      throw new CallError('stream', messages.streamCut)
    })
    if (done) break
    watch.seen()
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest + decoder.decode()
}

/** The event of one line; undefined for blanks and comments. An unknown kind is passed on as progress, as the specification says. */
function eventOf(line: string): unknown {
  if (!line.startsWith('data:')) return undefined
  const read = readLine(line.slice(5))
  if (!read) throw new CallError('stream', messages.streamUnreadable)
  if (read.kind === 'error') throw new CallError('stream', read.message || messages.streamUnreadable, read.code)
  if (read.kind === 'other') return { type: 'other', payload: read.payload }
  try {
    return JSON.parse(read.payload) as unknown
  } catch {
    throw new CallError('stream', messages.streamUnreadable)
  }
}
