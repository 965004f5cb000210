/** A rule in force from a day on. */
export interface Dated<T> {
  /** First day, `YYYY-MM-DD`; '' = always. */
  readonly from: string
  readonly value: T
  /** Announced for a day, but nobody has confirmed that it came: not in force. */
  readonly unconfirmed?: true
}

/** `from('2023-08-28', 0.0005)`: one row of a dated table. */
export const from = <T>(date: string, value: T): Dated<T> => ({ from: date, value })

/** A row that stays off until an operator has seen the rule in force and makes it a `from`. */
export const unconfirmed = <T>(date: string, value: T): Dated<T> => ({ from: date, value, unconfirmed: true })

/** The row in force on a day. Rows ascend by date and begin with ''. */
export function inForce<T>(rows: readonly Dated<T>[], date: string): T {
  let row = rows[0]
  for (const next of rows) if (next.from <= date && !next.unconfirmed) row = next
  return row.value
}

/** Rounds half up to decimals. Decimal halves that binary numbers fall short of (9.95 · 0.9) still go up. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.floor(value * scale + 0.5 + 1e-6) / scale
}
