import { type BondTerms, unknownTerms } from '@convexa/engine'
import type { BondRow, StockRow } from '../rows.ts'
import { clausesIn, unreadClauses } from './clauses.ts'

/** What a list says of a security. */
export interface Entry {
  readonly code: string
  readonly name: string
  readonly listed: string | null
  readonly delisted: string | null
  readonly stockCode?: string
  readonly stockName?: string
  readonly attributes: Readonly<Record<string, string>>
  readonly terms?: BondTerms
  /** Clauses whose words cannot be read (bonds). */
  readonly unread?: readonly (keyof BondRow['clauses'])[]
}

export const entryOfStock = ({ code, name, industry, listed, delisted }: StockRow): Entry => ({
  code,
  name,
  listed,
  delisted,
  attributes: industry === null ? {} : { industry_1: industry },
})

export function entryOfBond(row: BondRow): Entry {
  const { code, name, listed, delisted, stockCode, stockName, maturityDate } = row
  const number = (value: number) => (value === value ? value : null)
  const clauses = clausesIn(row)
  const terms: BondTerms = {
    ...unknownTerms,
    issueSize: number(row.issueSize),
    valueDate: row.valueDate,
    maturityDate,
    conversionStart: row.conversionStart,
    conversionEnd: row.conversionEnd,
    // Theirs are fractions, ours yuan per 100 of face; a product of decimals is rounded back to what was written.
    coupons: row.coupons.map((coupon) => coupon && Number((coupon * 100).toFixed(6))),
    maturityPrice: number(row.maturityPrice),
    ...clauses,
  }
  return {
    code,
    name,
    listed,
    delisted,
    ...(stockCode !== '' && { stockCode }),
    ...(stockName !== null && { stockName }),
    attributes: {},
    terms,
    unread: unreadClauses(row, clauses),
  }
}
