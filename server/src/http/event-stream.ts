import type { ServerResponse } from 'node:http'
import { errorLine, heartbeat, heartbeatSeconds, successLine } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type ApiError, apiError } from '../base/api-error.ts'
import { watchesItself } from './connections.ts'

const mostUnsentBytes = 256 * 1024
const longestBlockedMs = 30_000

/**
 * One open backtest stream: writes events as lines and keeps the connection honest.
 * Exactly one terminal event (`result` or an error) ends it and nothing follows. Backpressure: a slow reader gets only the newest progress; one
 * that leaves more than 256 KB unread, or reads nothing for 30 s, is closed. `signal` fires when the stream is over for any reason.
 */
export class EventStream {
  readonly #out: ServerResponse
  readonly #check: ((event: unknown) => void) | undefined
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly closed: Promise<void>
  #pending: string | null = null
  #lastWrite = Date.now()
  #blockedSince: number | null = null

  constructor(out: ServerResponse, check?: (event: unknown) => void) {
    this.#out = out
    this.#check = check
    watchesItself(out)
    out.socket?.setKeepAlive(true, 30_000)
    out.socket?.setNoDelay(true)
    out.socket?.setTimeout(0)
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    out.flushHeaders()
    out.on('drain', () => this.#drained())
    out.on('error', () => this.#over())
    this.closed = new Promise((resolve) =>
      out.once('close', () => {
        this.#over()
        resolve()
      }),
    )
    this.#timer = setInterval(() => this.#tick(), 1_000)
    if (out.destroyed || out.closed) this.#over()
  }

  /** Aborted when the client is gone, the reader too slow, or the terminal event sent. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get open(): boolean {
    return !this.#abort.signal.aborted
  }

  /** Sends one event; `result` is terminal. After the end it does nothing. */
  send(event: { type: string }): void {
    if (!this.open) return
    this.#check?.(event)
    const line = successLine(event)
    if (event.type === 'progress' && this.#blockedSince !== null) {
      this.#pending = line
      return
    }
    this.#write(line)
    if (event.type === 'result') this.#finish()
  }

  /** The terminal error line: a sentence and its code. */
  error(message: string, code: number): void {
    if (!this.open) return
    this.#write(errorLine(message, code))
    this.#finish()
  }

  fail(failure: ApiError): void {
    this.error(failure.message, failure.code)
  }

  /** Ends the stream of a stopping api with an error that asks the client to come back. */
  stop(): void {
    this.fail(apiError(errorCodes.stopping))
  }

  #write(line: string): void {
    const text = this.#pending === null ? line : this.#pending + line
    this.#pending = null
    this.#lastWrite = Date.now()
    if (!this.#out.write(text)) this.#blockedSince ??= Date.now()
    if (this.#out.writableLength > mostUnsentBytes) this.#drop()
  }

  #drained(): void {
    this.#blockedSince = null
    if (this.#pending !== null && this.open) this.#write('')
  }

  #tick(): void {
    const now = Date.now()
    if (this.#blockedSince !== null && now - this.#blockedSince >= longestBlockedMs) this.#drop()
    else if (this.#blockedSince === null && now - this.#lastWrite >= heartbeatSeconds * 1_000) this.#write(heartbeat)
  }

  #finish(): void {
    this.#over()
    this.#out.end()
    // A reader that does not take the last lines within half a minute is not waited for.
    setTimeout(() => this.#out.destroy(), longestBlockedMs).unref()
  }

  #drop(): void {
    this.#over()
    this.#out.destroy()
  }

  #over(): void {
    clearInterval(this.#timer)
    if (!this.#abort.signal.aborted) this.#abort.abort()
  }
}
