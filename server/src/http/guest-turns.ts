import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError } from '../base/api-error.ts'

interface Place {
  readonly address: string
  go(): void
}

/** Calls of guests that one api has under way: in all, and of one address. */
const mostUnderWay = { inAll: 4, ofAddress: 2 }
/** Those that wait for a place. */
const mostWaiting = { inAll: 48, ofAddress: 12 }

/**
 * Queues the calls of guests before they reach a worker, so that a crowd of guests does not block everybody else there: a few run at once,
 * addresses take turns (round robin), and calls beyond the length of the queue are refused at once.
 */
export function guestTurns(underWay = mostUnderWay, waiting = mostWaiting) {
  const busy = new Map<string, number>()
  let inAll = 0
  /** In the order they came; addresses that have had their turn go behind the others. */
  let queue: Place[] = []

  const count = (address: string, by: 1 | -1) => {
    inAll += by
    const now = (busy.get(address) ?? 0) + by
    if (now > 0) busy.set(address, now)
    else busy.delete(address)
  }
  const next = () => {
    while (inAll < underWay.inAll) {
      // The address with the fewest calls under way; of equals the one that has waited longest.
      const free = queue.filter(({ address }) => (busy.get(address) ?? 0) < underWay.ofAddress)
      const first = free.reduce<Place | null>(
        (best, one) => (best && (busy.get(best.address) ?? 0) <= (busy.get(one.address) ?? 0) ? best : one),
        null,
      )
      if (!first) return
      queue = queue.filter((one) => one !== first)
      count(first.address, 1)
      first.go()
    }
  }

  /**
   * Does the work in its turn; a signal that fires while it waits ends the waiting, and the work sees the same signal.
   * @throws ApiError 40029 the address, 50301 all guests have too many calls waiting
   */
  return async <T>(address: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (queue.filter((one) => one.address === address).length >= waiting.ofAddress) {
      throw new ApiError(errorCodes.rateLimited, '体验账号的操作过于频繁，请2秒后再试', { retryAfterSeconds: 2 })
    }
    if (queue.length >= waiting.inAll)
      throw new ApiError(errorCodes.busy, '体验的人较多，请稍后重试，或注册自己的账号', { retryAfterSeconds: 5 })
    const hasTurn = await new Promise<boolean>((resolve) => {
      const place = { address, go: () => resolve(true) }
      signal.addEventListener('abort', () => {
        queue = queue.filter((one) => one !== place)
        resolve(false)
      })
      queue.push(place)
      next()
    })
    try {
      return await work()
    } finally {
      if (hasTurn) count(address, -1)
      next()
    }
  }
}
