/** Circuit breaker: keeps callers from waiting, one after the other, for a service that does not answer. */
export interface Breaker {
  /** Whether to call at all. While it is open, one call in a while is let through as a trial. */
  mayAsk(): boolean
  /** An answer came, whatever it says. */
  answered(): void
  unanswered(): void
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
  let missed = 0
  let nextAt = 0
  return {
    mayAsk() {
      if (missed < after) return true
      if (now() < nextAt) return false
      nextAt = now() + againMs
      return true
    },
    answered() {
      missed = 0
    },
    unanswered() {
      missed++
      if (missed >= after) nextAt = now() + againMs
    },
    openUntil: () => (missed >= after ? nextAt : null),
  }
}
