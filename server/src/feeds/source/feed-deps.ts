/** Dependencies of a source besides the network. Tests pass their own, whose waits take no time. */
export interface FeedDeps {
  /** Milliseconds since 1970 UTC. */
  now(): number
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
