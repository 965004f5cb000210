/** How long a stop may take, and how long a supervisor waits for it (operations: what a stop looks like). */

/** DRAIN_SECONDS and STREAM_GRACE_SECONDS. */
interface Times {
  readonly drainSeconds: number
  readonly streamGraceSeconds: number
}

const usualSeconds = 30
/** For the last words of streams or the last answers, and for closing the pools. */
const [afterGraceSeconds, afterDrainSeconds] = [10, 20]
/** A supervisor gives more than is taken: what it kills it counts as a crash. */
const moreSeconds = { usual: 10, afterGrace: 20 }

/** Seconds from SIGTERM to the end of a process, at most. */
export const stopSeconds = ({ drainSeconds, streamGraceSeconds }: Times): number =>
  Math.max(usualSeconds, streamGraceSeconds + afterGraceSeconds, drainSeconds + afterDrainSeconds)

/** Seconds that its supervisor waits before killing it. */
export function patienceOf(times: Times): number {
  const seconds = stopSeconds(times)
  return seconds + (seconds > usualSeconds ? moreSeconds.afterGrace : moreSeconds.usual)
}

/** Ends this process when its stop takes longer than it may: a statement or a client that hangs must not hold it. */
export function endBy(times: Times, say: () => void): void {
  const end = () => {
    say()
    process.exit(1)
  }
  setTimeout(end, stopSeconds(times) * 1_000).unref()
}
