import { type ErrorCode, errors, messageOf } from '@convexa/contract'
import { BrokenSnapshot } from '../market/column-file.ts'

/** A refusal that the user sees: a code of the contract's table with its sentence. */
export class Failure extends Error {
  readonly code: ErrorCode
  /** Only 11021 and the 50301 of `/readyz` have one. */
  readonly data: unknown
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode, message: string, more: { data?: unknown; retryAfterSeconds?: number } = {}) {
    super(message)
    this.code = code
    this.data = more.data ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }

  get status(): number {
    return errors[this.code].http
  }
}

export const failure = (code: ErrorCode, ...places: (string | number)[]): Failure => new Failure(code, messageOf(code, ...places))

/** Refuses with the code's sentence, its `{…}` places filled in order: `fail(40000, '同一证券只能出现一次')`. */
export function fail(code: ErrorCode, ...places: (string | number)[]): never {
  throw failure(code, ...places)
}

/** Refuses with the sentence of an engine's Problem, which names the field, the place, the dates. */
export function refuse(problem: { code: ErrorCode; message: string }): never {
  throw new Failure(problem.code, problem.message)
}

/** SQLSTATE classes and Node errors that say "the database is away or full", not "our query is wrong". */
const unavailable =
  /^(08|53|57P|58|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|57014|40001|40P01|55P03|25P03)/

/** SQLSTATEs of a value that PostgreSQL cannot hold: NUL or bytes that are no UTF-8, an escape JSON does not know, no value of its type. */
const unstorable = new Set<unknown>(['22021', '22P05', '22P02'])

/** What any thrown value becomes on the wire: database away 503/50301, everything unknown 500/50000 (a bug). */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  // The next one to ask is answered from the snapshot before it (market/damage.ts).
  if (error instanceof BrokenSnapshot) return failure(21008)
  if (isDatabaseAway(error)) return new Failure(50301, messageOf(50301), { retryAfterSeconds: 2 })
  if (error instanceof Error && 'code' in error && unstorable.has(error.code)) return failure(40001)
  // 23503: what the row belongs to was deleted by another call while this one was under way.
  if (error instanceof Error && 'code' in error && error.code === '23503') return failure(40004)
  return failure(50000)
}

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown }
  // ENOENT is a missing socket, but only from connect: a missing file is our own fault.
  if (code === 'ENOENT') return syscall === 'connect'
  if (typeof code === 'string' && unavailable.test(code)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/.test(
    error.message,
  )
}
