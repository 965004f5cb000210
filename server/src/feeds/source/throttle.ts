import type { FeedDeps } from './feed-deps.ts'

/** So many calls in so long. */
export interface Limit {
  readonly calls: number
  readonly inMs: number
}

/**
 * Throttle: waits until one more call keeps within every limit. Slots are given in the order of the calls, so concurrent callers share them.
 * @param key whose calls are counted together: a token and an api
 */
export type Throttle = (key: string, limits: readonly Limit[], signal: AbortSignal) => Promise<void>

export function throttle({ now, sleep }: FeedDeps): Throttle {
  const given = new Map<string, number[]>()
  return async (key, limits, signal) => {
    const before = given.get(key) ?? []
    given.set(key, before)
    const longest = Math.max(0, ...limits.map(({ inMs }) => inMs))
    while (before.length > 0 && before[0]! <= now() - longest) before.shift()
    let at = now()
    for (const { calls, inMs } of limits) {
      const earlier = before.at(-calls)
      if (earlier !== undefined) at = Math.max(at, earlier + inMs)
    }
    before.push(at)
    if (at <= now()) return
    try {
      await sleep(at - now(), signal)
    } catch (error) {
      // A caller that gives up in the queue does not use its rate-limit slot: otherwise a source that is asked seldom would never be asked
      // again.
      before.splice(before.lastIndexOf(at), 1)
      throw error
    }
  }
}
