/** Rows of one or more files of one mapping, as columns of plain values: what the checks look at and what becomes a table. */
import type { Finding } from '../../db/tables/quality.ts'
import type { Reading } from './mapping.ts'

export interface Rows {
  readonly count: number
  /** Places in `codes` and `dates`, −1 where the row's own is not readable. Neither list is sorted. */
  readonly code: Int32Array
  readonly date: Int32Array
  readonly codes: readonly string[]
  readonly dates: readonly string[]
  /** By field key; NaN = nothing there. */
  readonly fields: ReadonlyMap<string, Float64Array>
  /**
   * Adjustment factors beside prices that stay adjusted: evidence of listings and nothing else (`first-rows.ts`). The store has those of
   * first rows (`FactorState.first`).
   */
  readonly unusedFactors?: Float64Array
  readonly readings: readonly Reading[]
  /** 1 inside the listing window; null when the file does not say. */
  readonly listed: Uint8Array | null
  /** 1 = traded that day; null when neither a flag nor volumes say. */
  readonly traded: Uint8Array | null
  /** Rows that cannot be used for what stands in one of their cells, and which cell that is. */
  readonly unreadable: ReadonlyMap<number, CellFault>
  /** Newest text of each code, by key: name, stock_code, stock_name and the attributes. */
  readonly texts: ReadonlyMap<string, readonly (Dated | undefined)[]>
  /** What was found while reading and keeps no row out. */
  readonly findings: readonly Finding[]
  /** Where a row stands in its file and the cell that cannot be read, for the report. */
  whereIs(row: number): string
  /** Code and date as the file writes them, for the report. */
  labelOf(row: number): string
}

/** A text and the newest day on which it is given. */
export interface Dated {
  readonly text: string
  readonly date: string
}

export interface CellFault {
  readonly column: string
  /** As the file writes it; empty: nothing there. */
  readonly text: string
}
