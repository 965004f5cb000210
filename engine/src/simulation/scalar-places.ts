// The one list of places that the fast loop and its kernel share: `engine/scripts/build-kernels.mjs` writes the kernel's constants from it.
// Every exported number is an index of `FastLoopState.scalars`.

export const cash = 0
/** Of the day: bought, sold, and what its fills took from equity against its closes. */
export const buys = 1
export const sales = 2
export const tradingCost = 3
/** Fills of the whole run, and up to the last day with any. */
export const fillCount = 4
export const valuedFillCount = 5
/** Number of positions, and the day before which none of them has to leave and more of each may be bought. */
export const count = 6
export const due = 7
/** The next day and the next row of the rankings. */
export const day = 8
export const row = 9
/** What the claims are worth together: see `Portfolio`. */
export const claimed = 10

// From here on: terms that stay the same in a run (`FastLoopKernel.open`).
export const slippage = 11
export const buyRate = 12
export const buyTax = 13
export const buyLeast = 14
export const sellRate = 15
export const sellTax = 16
export const sellLeast = 17
/** Target weight of a position. */
export const weight = 18
/** First and last place of the holding range, and places beyond it at which a position stays. */
export const first = 19
export const last = 20
export const buffer = 21
/** 1: an empty place stays in cash. */
export const staysEmpty = 22
export const days = 23
export const rows = 24
/** Places of a row. */
export const depth = 25
export const securities = 26

/** The arrays that the kernel reads and writes, in the order of its table of addresses. */
export const kernelArrays = [
  // Of the state: see `FastLoopState`; `dues` by security.
  ...(['units', 'price', 'now', 'seen', 'dues', 'positions', 'list', 'places', 'close', 'open', 'sellers', 'parts', 'buyers'] as const),
  ...(['equity', 'before', 'bought', 'sold'] as const),
  // Prices by security and day, and whether it traded.
  ...(['closes', 'traded'] as const),
  // Of the rankings, by row: see `FastLoopKernelTables`.
  ...(['tradeDays', 'pool', 'order', 'rankedClose', 'buyable', 'fail', 'unjudged'] as const),
] as const
