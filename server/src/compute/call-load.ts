/** Work that one more call may find before it, in milliseconds. */
const mostAheadMs = 100
/** So few for each lane never wait long enough to be refused, whatever they cost: what computes for seconds may be waited for. */
const leastPerLane = 8
/** Weight of the newest call in the usual time of one. */
const newest = 0.1

/** What waits to be computed, as far as it can be told before: how many calls, and what one usually takes. */
export interface CallLoad {
  begin(): void
  end(): void
  /** A call took so much of a processor. */
  measured(ms: number): void
  /** One more would not be computed soon. */
  isCrowded(): boolean
}

/** @param lanes how many calls are computed at once */
export function callLoad(lanes: number): CallLoad {
  let waiting = 0
  let usualMs = 0
  return {
    begin: () => void waiting++,
    end: () => void waiting--,
    measured(ms) {
      usualMs = usualMs === 0 ? ms : usualMs + newest * (ms - usualMs)
    },
    isCrowded: () => waiting >= leastPerLane * lanes && (waiting * usualMs) / lanes > mostAheadMs,
  }
}
