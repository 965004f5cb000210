/** xorshift32 in [0, 1): the same numbers for the same seed. */
export function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
