/** Days of one block: what neighbouring days have in common stays together. */
export const blockDays = 20
export const samples = 1_000
export const seed = 20_240_817

/**
 * The draws of a circular block bootstrap (Politis & Romano 1992) over so many days: for each of the `samples` histories the first days of its
 * blocks, in order; the last block is cut so that as many days result. The seed is fixed: whatever is drawn over as many days sees the same
 * histories. Calls `use(sample, starts)` once a history, `starts` being the same memory each time; a block that runs over the last day goes on
 * at the first.
 */
export function drawBlocks(days: number, use: (sample: number, starts: Int32Array) => void): void {
  const next = uniform(seed)
  const starts = new Int32Array(Math.ceil(days / blockDays))
  for (let sample = 0; sample < samples; sample++) {
    for (let block = 0; block < starts.length; block++) starts[block] = Math.floor(next() * days)
    use(sample, starts)
  }
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function uniform(start: number): () => number {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
