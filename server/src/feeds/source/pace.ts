import type { Ground } from './ground.ts'

/** So many calls in so long. */
export interface Limit {
  readonly calls: number
  readonly inMs: number
}

/**
 * Waits until one more call keeps within every limit. Places are given in the order of asking, so callers side by side share them.
 * @param key whose calls are counted together: a token and an api
 */
export type Pace = (key: string, limits: readonly Limit[], signal: AbortSignal) => Promise<void>

export function pace({ now, sleep }: Ground): Pace {
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
      // Who goes before its turn has not asked: else a source that is asked seldom would never be asked again.
      before.splice(before.lastIndexOf(at), 1)
      throw error
    }
  }
}
