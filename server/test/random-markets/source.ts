/**
 * What the tables of a source hold of a market, in numbers: prices on the level that the source gives them on, factors and other fields on
 * the days on which it gives them. How the numbers are written comes after (`lines.ts`).
 */
import type { Random } from '../../src/market/demo/random.ts'
import type { Shape } from './shape.ts'
import type { Truth, TruthRow, TruthSecurity } from './truth.ts'

export const priceFields: ReadonlySet<string> = new Set(['close', 'open', 'high', 'low', 'pre_close'])

/** Cells that the source leaves empty, by field, day and security. */
export type Gaps = ReadonlySet<string>
export const gapAt = (field: string, t: number, i: number): string => `${field} ${t} ${i}`

export function makeGaps(random: Random, truth: Truth, shape: Shape): Gaps {
  const gaps = new Set<string>()
  truth.securities.forEach(({ rows }, i) => {
    let factor = Number.NaN
    rows.forEach((row, t) => {
      if (row === null) return
      const own = row.values['adj_factor'] ?? Number.NaN
      if (shape.fields.includes('adj_factor') && shape.factors !== 'every day' && factor === factor) {
        const isKnown = shape.fields.includes('pre_close') || isBetweenEqual(rows, t)
        if (shape.factors === 'days of change' ? own === factor : isKnown && random.chance(0.4)) gaps.add(gapAt('adj_factor', t, i))
      }
      factor = own
      if (shape.holds && random.chance(0.7)) gaps.add(gapAt(shape.holds.field, t, i))
    })
  })
  return gaps
}

/** Whether the factor is the same on the rows around a day: without a previous close nothing else says what it was. */
function isBetweenEqual(rows: TruthSecurity['rows'], t: number): boolean {
  const around = [rows.findLast((row, k) => row !== null && k < t), rows[t], rows.find((row, k) => row !== null && k > t)]
  return around.every((row) => row && row.values['adj_factor'] === rows[t]!.values['adj_factor'])
}

/** Whether adjusted prices with their factors come out to the cent, so that the market is one of raw prices (domain.md 5.6). */
export function isRawMarket({ prices, digits, fields }: Shape, { securities }: Truth): boolean {
  if (prices === 'raw') return true
  if (!fields.includes('adj_factor')) return false
  return prices === 'hfq' || digits !== 2 || securities.every(({ exDays }) => exDays.length === 0)
}

/** What a raw price of a row is multiplied by in the source. `until`: the days that the source has; its newest row is the base of qfq. */
function levelOf({ prices }: Shape, { rows }: TruthSecurity, row: TruthRow, until: number): number {
  if (prices === 'raw') return 1
  const factor = row.values['adj_factor']!
  if (prices === 'hfq') return factor
  // What comes later than its newest day is not in the source.
  return factor / (rows.findLast((each, t) => each !== null && t < until) ?? row).values['adj_factor']!
}

export const priceText = (value: number, digits: number | null): string => (digits === null ? String(value) : value.toFixed(digits))

/** A price as the source has it. */
export function sourcePrice(shape: Shape, security: TruthSecurity, row: TruthRow, field: string, until: number): number {
  const value = row.values[field]!
  return shape.prices === 'raw' ? value : Number(priceText(value * levelOf(shape, security, row, until), shape.digits))
}
