/** What a user's text may cost before it is even compiled (reliability.md 2.3). Built-in factors are only bound by `depth`. */
export const limits = {
  characters: 2_000,
  tokens: 512,
  nodes: 256,
  depth: 32,
  window: 500,
  /** Trading days of look-back along one path of the formula. */
  lookback: 1_000,
} as const
