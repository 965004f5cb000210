import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError } from '../base/api-error.ts'
import { StoreError } from './object-store.ts'

/** What a user asked for lies in a store that cannot be used now: 50301, ask again. Anything else is thrown on. */
export function throwStoreAway(error: unknown): never {
  if (error instanceof StoreError) throw new ApiError(errorCodes.busy, messageOf(errorCodes.busy), { retryAfterSeconds: 3 })
  throw error
}

/** A call of a user ends within four seconds; the store's own patience is longer. */
const patienceMs = 3_000

/** What a call waits for. @throws StoreError it takes longer than a call may */
export function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController()
  const tooLate = sleep(patienceMs, undefined, { ref: false, signal: late.signal }).then((): never => {
    throw new StoreError('unreachable', 'the store did not answer in time')
  })
  // Ended by the abort below.
  tooLate.catch(() => {})
  return Promise.race([work, tooLate]).finally(() => late.abort())
}
