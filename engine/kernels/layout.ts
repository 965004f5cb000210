// Made by engine/scripts/build-kernels.mjs from engine/src/simulation/scalar-places.ts; not written by hand.

// Byte offsets in `FastLoopState.scalars`.
export const CASH: usize = 0
export const BUYS: usize = 8
export const SALES: usize = 16
export const TRADING_COST: usize = 24
export const FILL_COUNT: usize = 32
export const VALUED_FILL_COUNT: usize = 40
export const COUNT: usize = 48
export const DUE: usize = 56
export const DAY: usize = 64
export const ROW: usize = 72
export const CLAIMED: usize = 80
export const SLIPPAGE: usize = 88
export const BUY_RATE: usize = 96
export const BUY_TAX: usize = 104
export const BUY_LEAST: usize = 112
export const SELL_RATE: usize = 120
export const SELL_TAX: usize = 128
export const SELL_LEAST: usize = 136
export const WEIGHT: usize = 144
export const FIRST: usize = 152
export const LAST: usize = 160
export const BUFFER: usize = 168
export const STAYS_EMPTY: usize = 176
export const DAYS: usize = 184
export const ROWS: usize = 192
export const DEPTH: usize = 200
export const SECURITIES: usize = 208

// Indices in the table of addresses.
export const UNITS = 0
export const PRICE = 1
export const NOW = 2
export const SEEN = 3
export const DUES = 4
export const POSITIONS = 5
export const LIST = 6
export const PLACES = 7
export const CLOSE = 8
export const OPEN = 9
export const SELLERS = 10
export const PARTS = 11
export const BUYERS = 12
export const EQUITY = 13
export const BEFORE = 14
export const BOUGHT = 15
export const SOLD = 16
export const CLOSES = 17
export const TRADED = 18
export const TRADE_DAYS = 19
export const POOL = 20
export const ORDER = 21
export const RANKED_CLOSE = 22
export const BUYABLE = 23
export const FAIL = 24
export const UNJUDGED = 25
