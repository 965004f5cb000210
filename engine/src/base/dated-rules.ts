/** A rule in force from a day on. */
export interface Dated<T> {
  /** First day, `YYYY-MM-DD`; '' = always. */
  readonly from: string
  readonly value: T
}

/** `from('2023-08-28', 0.0005)`: one row of a dated table. */
export const from = <T>(date: string, value: T): Dated<T> => ({ from: date, value })

/** The row in force on a day. Rows ascend by date and begin with ''. */
export function inForce<T>(rows: readonly Dated<T>[], date: string): T {
  let row = rows[0]
  for (const next of rows) if (next.from <= date) row = next
  return row.value
}

/** Rounds half up to decimals. Decimal halves that binary numbers fall short of (9.95 · 0.9) still go up. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.floor(value * scale + 0.5 + 1e-6) / scale
}

/** What an operator may say of the exchanges' rules where their own text was not seen. */
export interface TradingRules {
  /** From which day ST shares of the main boards have the ±10 % of the others, `YYYY-MM-DD`; null = they keep ±5 %. */
  readonly stLimitFrom: string | null
}

/** The exchanges' draft of 2025-06-27; two public trackers of 2026 say that it came into force on this day. */
export const usualRules: TradingRules = { stLimitFrom: '2026-07-06' }
