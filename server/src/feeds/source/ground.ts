/** What a source stands on besides the network. Tests make one of their own, whose waits take no time. */
export interface Ground {
  /** Milliseconds since 1970 UTC. */
  now(): number
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
