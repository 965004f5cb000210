import { type ErrorCode, errors, messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { BrokenSnapshot } from './broken-snapshot.ts'
import { sqlStates } from './sql-states.ts'

/** Error that the user sees: a code of the contract's table with its sentence. */
export class ApiError extends Error {
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

export const apiError = (code: ErrorCode, ...places: (string | number)[]): ApiError => new ApiError(code, messageOf(code, ...places))

/** Throws the error of a code with its sentence, its `{…}` places filled in order: `fail(40000, '同一证券只能出现一次')`. */
export function throwApiError(code: ErrorCode, ...places: (string | number)[]): never {
  throw apiError(code, ...places)
}

/** Throws the error of an engine's Problem, whose sentence names the field, the place, the dates. */
export function throwValidationError(problem: { code: ErrorCode; message: string }): never {
  throw new ApiError(problem.code, problem.message)
}

/** SQLSTATE classes and Node errors that say "the database is away or full", not "our query is wrong". */
const unavailable =
  /^(08|53|57P|58|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|57014|25006|40001|40P01|55P03|25P03)/

/** SQLSTATEs of a value that PostgreSQL cannot hold: NUL or bytes that are no UTF-8, an escape JSON does not know, no value of its type. */
const unstorable = new Set<unknown>([
  sqlStates.characterNotInRepertoire,
  sqlStates.untranslatableCharacter,
  sqlStates.invalidTextRepresentation,
])

/** Maps any thrown value to the error of the wire: database away 503/50301, everything unknown 500/50000 (a bug). */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  // The next one to ask is answered from the snapshot before it (market/damage.ts).
  if (error instanceof BrokenSnapshot) {
    return new ApiError(errorCodes.noMarketData, messageOf(errorCodes.noMarketData), { retryAfterSeconds: 3 })
  }
  if (isDatabaseAway(error)) return new ApiError(errorCodes.busy, messageOf(errorCodes.busy), { retryAfterSeconds: 2 })
  if (error instanceof Error && 'code' in error && unstorable.has(error.code)) return apiError(errorCodes.malformedRequest)
  // What the row belongs to was deleted by another call while this one was under way.
  if (error instanceof Error && 'code' in error && error.code === sqlStates.foreignKeyViolation) return apiError(errorCodes.notFound)
  return apiError(errorCodes.internal)
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
