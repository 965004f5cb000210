/** Years of product.md's table of luck thresholds. */
export const luckYears = [3, 5, 8] as const
const trialsOfRows = [5, 20, 60, 200, 1_000, 60_000] as const

/** Expected greatest of N independent standard normal numbers, by the engine's formula (Bailey & López de Prado 2014), for these N. */
const expectedMaximum: Record<(typeof trialsOfRows)[number], number> = {
  5: 1.19259,
  20: 1.90071,
  60: 2.34534,
  200: 2.76552,
  1000: 3.25512,
  60000: 4.27839,
}

export const luckRows = trialsOfRows.map((trials) => ({
  trials,
  values: luckYears.map((years) => expectedMaximum[trials] / Math.sqrt(years)),
  /** Years of data beyond which luck alone is expected to stay below a Sharpe ratio of 1. */
  leastYears: expectedMaximum[trials] ** 2,
}))

/** The row nearest below so many trials; null below the first. */
export const rowOfTrials = (trials: number): number | null => trialsOfRows.findLast((row) => row <= trials) ?? null
