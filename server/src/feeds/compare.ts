import type { Need } from '../db/tables/answers.ts'
import type { Answer } from './feed.ts'
import type { DayTable } from './rows.ts'

/** A cell of which two sources say different things. */
export interface Difference {
  readonly code: string
  readonly field: string
  readonly first: number
  readonly second: number
}

/**
 * How far two honest sources may be apart, as a share of the value: prices are the exchange's own numbers, sums are rounded by each
 * source to its own unit (Tencent to 万元), ratios depend on how shares are counted. What is not named is not compared.
 */
const tolerance: Readonly<Record<string, number>> = {
  open: 1e-6,
  high: 1e-6,
  low: 1e-6,
  close: 1e-6,
  pre_close: 1e-6,
  vol: 0.002,
  amount: 0.002,
  turnover: 0.01,
  pe_ttm: 0.02,
  pb: 0.02,
  ps_ttm: 0.02,
  is_st: 0,
}

/** What two tables of the same day say differently; null: they are no such tables. */
export function compared(first: Answer<Need>, second: Answer<Need>): { cells: number; differences: Difference[] } | null {
  if (!isDay(first) || !isDay(second) || first.date !== second.date) return null
  const placeOf = new Map(second.codes.map((code, i) => [code, i]))
  const differences: Difference[] = []
  let cells = 0
  for (const [field, values] of first.columns) {
    const others = second.columns.get(field)
    const near = tolerance[field]
    if (!others || near === undefined) continue
    first.codes.forEach((code, i) => {
      const a = values[i]!
      const b = others[placeOf.get(code) ?? -1] ?? Number.NaN
      if (a !== a || b !== b) return
      cells++
      if (Math.abs(a - b) > near * Math.abs(a)) differences.push({ code, field, first: a, second: b })
    })
  }
  return { cells, differences }
}

const isDay = (answer: Answer<Need>): answer is DayTable => 'codes' in answer
