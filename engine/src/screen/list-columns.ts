import type { Parameters } from '@convexa/contract'
import { type Expression, namesOf } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import { resolveFactor } from './compiled-screen.ts'
import { memberField } from './universe.ts'

/** Columns that a list of securities shows besides the factors of the request: those that the data can give. */
export function listColumns(market: Market, available: ReadonlySet<string>): readonly ListColumn[] {
  const known = compiledColumns.get(available) ?? new WeakMap<Market, readonly ListColumn[]>()
  compiledColumns.set(available, known)
  const found = known.get(market)
  if (found) return found
  const names = namesOf(market, available)
  const columns = market.columns.flatMap((ref) => {
    const made = resolveFactor(market, names, ref)
    return made.ok ? [{ ref, expression: made.factor.expression, values: made.factor.values }] : []
  })
  known.set(market, columns)
  return columns
}

interface ListColumn {
  readonly ref: string
  readonly expression: Expression
  readonly values: readonly string[] | null
}

// The columns of a market are compiled once for the data that are loaded, and asked for with every screen.
const compiledColumns = new WeakMap<ReadonlySet<string>, WeakMap<Market, readonly ListColumn[]>>()

/** Fields that the exclusions of a request read by their names. */
export function exclusionFields(market: Market, { universe, exclude }: Parameters): string[] {
  const fields = (universe.index_codes ?? []).map(memberField)
  if (exclude.st && market.roles.st) fields.push(market.roles.st)
  if (exclude.call_status?.length) fields.push('call_status')
  if (exclude.call_remain_days !== undefined && exclude.call_remain_days !== null) fields.push('redeem_count')
  if (exclude.ratings_below) fields.push('rating')
  return fields
}
