import type { ErrorCode } from '@convexa/contract'
import { fail } from './http/fail.ts'

/**
 * Heavy work a few at a time: `atOnce` run, `waiting` more wait in the order they came.
 * @throws Failure with the code `full`, at once, for whoever comes after those
 */
export function turns({ atOnce, waiting, full }: { atOnce: number; waiting: number; full: ErrorCode }) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) fail(full)
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
