import type { ErrorCode } from '@convexa/contract'
import { throwApiError } from './api-error.ts'

/**
 * Semaphore for heavy work: `atOnce` run, `waiting` more wait in the order of their calls.
 * @throws ApiError with the code `full`, at once, for every call beyond those
 */
export function createSemaphore({ atOnce, waiting, full }: { atOnce: number; waiting: number; full: ErrorCode }) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throwApiError(full)
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
