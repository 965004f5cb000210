import { type DestinationStream, destination, type LogFn, type Logger, pino } from 'pino'
import { isDatabaseAway } from './api-error.ts'

/** A warning or error that repeats is written at most once in so many milliseconds. */
const repeatMs = 1_000
/** Distinct warnings counted at once; what comes beyond them is written as it comes. */
const mostCounted = 1_000

/**
 * One JSON line an event. Of an error only what it is and where: database errors carry their connection and the values of the
 * statement with them, which belong in no log. Warnings and errors that repeat become one line a second with `repeated`.
 */
export function openLog(
  { logLevel }: { readonly logLevel: string },
  role: 'api' | 'worker',
  to: DestinationStream = destination(1),
): Logger {
  return pino({ level: logLevel, base: { role }, serializers: { err: whatAndWhere }, hooks: { logMethod: limitRepeats() } }, to)
}

function whatAndWhere(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  const what = { type: name, message, ...(typeof code === 'string' ? { code } : {}) }
  // Where a connection was refused is the same place of a library each time.
  return isDatabaseAway(error) ? what : { ...what, stack }
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void

/**
 * Writes the first of equal warnings at once. Those that follow within a second are counted, and the last of them is written at its end with
 * `repeated`, how many there were. Equal are the event and the error, whatever else the lines carry: a request's id differs each time.
 */
function limitRepeats(): LogMethod {
  const counted = new Map<string, { repeated: number; writeLast: () => void }>()
  const begin = (key: string) => {
    const entry = { repeated: 0, writeLast: () => {} }
    counted.set(key, entry)
    setTimeout(() => {
      counted.delete(key)
      if (entry.repeated === 0) return
      // What goes on repeating is held back for the next second too.
      begin(key)
      entry.writeLast()
    }, repeatMs).unref()
  }
  return function logMethod(args, method, level) {
    const [first, event] = args as unknown as [unknown, string | undefined]
    if (level < pino.levels.values['warn']! || (counted.size >= mostCounted && !counted.has(keyOf(first, event)))) {
      return method.apply(this, args)
    }
    const key = keyOf(first, event)
    const entry = counted.get(key)
    if (!entry) {
      begin(key)
      return method.apply(this, args)
    }
    entry.repeated++
    entry.writeLast = () => {
      const details = typeof first === 'object' && first !== null ? first : {}
      method.apply(this, [{ ...details, repeated: entry.repeated }, event ?? String(first)])
    }
  }
}

/** Numbers in a message, such as a port or a duration, make no other event of it. */
function keyOf(first: unknown, event: string | undefined): string {
  if (typeof first !== 'object' || first === null) return String(first)
  const { err } = first as { err?: unknown }
  if (!(err instanceof Error)) return event ?? ''
  // One outage shows as many errors: refused, reset, timed out.
  if (isDatabaseAway(err)) return `${event} away`
  return `${event} ${err.name} ${err.message.replace(/\d+/g, '#').slice(0, 200)}`
}
