/** Circuit breaker: keeps callers from waiting, one after the other, for a service that does not answer. */
export interface Breaker {
  /** Whether to call at all. While it is open, one call in a while is let through as a trial. */
  allows(): boolean
  /** An answer came, whatever it says. */
  success(): void
  /** None came. */
  failure(): void
  /** The moment before which no call is let through; null: all are. */
  openUntil(): number | null
}

/**
 * Opens after so many calls in a row without an answer.
 * @param now milliseconds of a clock that only goes forward
 */
export function breaker({
  after,
  againMs,
  now = () => performance.now(),
}: {
  after: number
  againMs: number
  now?: () => number
}): Breaker {
  let failures = 0
  let nextAt = 0
  return {
    allows() {
      if (failures < after) return true
      if (now() < nextAt) return false
      nextAt = now() + againMs
      return true
    },
    success() {
      failures = 0
    },
    failure() {
      failures++
      if (failures >= after) nextAt = now() + againMs
    },
    openUntil: () => (failures >= after ? nextAt : null),
  }
}
