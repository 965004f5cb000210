import { messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError } from '../base/api-error.ts'
import { StoreError } from './object-store.ts'

/** What a user asked for lies in a store that cannot be used now: 50301, ask again. Anything else is thrown on. */
export function throwStoreAway(error: unknown): never {
  if (error instanceof StoreError) throw new ApiError(errorCodes.busy, messageOf(errorCodes.busy), { retryAfterSeconds: 3 })
  throw error
}
