/** Keeps callers from waiting, one after the other, for somebody who does not answer any of them. */
export interface Breaker {
  /** Whether to ask at all. While nobody answers one caller in a while is let through, to see. */
  mayAsk(): boolean
  /** An answer came, whatever it says. */
  answered(): void
  unanswered(): void
  /** The moment before which nobody is let through; null: all are. */
  openUntil(): number | null
}

/**
 * Open after so many calls in a row without an answer.
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
