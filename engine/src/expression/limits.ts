/** What a user's text may cost before it is even compiled (reliability.md 2.3). Built-in factors may look back further. */
export const limits = {
  characters: 2_000,
  tokens: 512,
  nodes: 256,
  depth: 32,
  window: 500,
  /** Trading days of look-back along one path of the formula. */
  lookback: 1_000,
  /** Depth to which a user's own factors may refer to each other. */
  ownFactors: 3,
  /** Values read for one cell, each day of a window counted: what is larger is refused while it is read. */
  inputs: 12_000,
  /** Rows of one value per security held at once: 350 MB on a market of 5,500. */
  heldRows: 8_000,
} as const
