import type { FactorRef, MarketId, Parameters } from '@convexa/contract'
import { compile, compileRef, formulaOf, type Names } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { findMarket } from '../quant/loaded-market.ts'
import { checkedRequest, namesWith, ownFactors } from '../quant/own-factors.ts'

/** A rule as it is kept, and the own factors that it is made of with their versions. */
export interface CheckedDetail {
  readonly detail: Parameters
  readonly factorVersions: Readonly<Record<string, number>>
}

/**
 * Checks a rule as a screen of it would be, against the loaded data; where a market has none, nothing can be said against it yet.
 * @throws ApiError 22xxx a formula, 40000 what the data lack
 */
export async function checkedDetail(
  db: Kysely<Database>,
  { config }: Pick<AppContext, 'config'>,
  userId: string,
  kind: MarketId,
  detail: Parameters,
): Promise<CheckedDetail> {
  const market = await findMarket(db, config.dataDir, kind)
  if (!market) return { detail, factorVersions: {} }
  const all = await ownFactors(db, userId, kind)
  const { own } = checkedRequest(market, all, detail, null)
  if (own.length === 0) return { detail, factorVersions: {} }
  const versions = Object.fromEntries(own.map(({ key, version }) => [key, version]))
  return { detail: byKeys(detail, namesWith(market, all)), factorVersions: versions }
}

/** Own factors may get another name: a formula that reads one is kept with their keys. */
function byKeys(detail: Parameters, names: Names): Parameters {
  const kept = (ref: FactorRef): FactorRef => {
    const made = compileRef(ref, names)
    if (!made.ok || made.expression.own.length === 0) return ref
    const { formula } = made.expression
    if (formulaOf(ref) === null) return formula
    // Keys may be longer than the names that were written.
    return compile(formula, names).ok ? `formula: ${formula}` : ref
  }
  const { hold_weight_factor: weight, ...hold } = detail.hold_method
  return {
    ...detail,
    filter_factors: detail.filter_factors.map((row) => ({ ...row, factor_key: kept(row.factor_key) })),
    rank_factors: detail.rank_factors.map((row) => ({ ...row, factor_key: kept(row.factor_key) })),
    hold_method: { ...hold, ...(weight !== undefined && { hold_weight_factor: kept(weight) }) },
    ...(detail.timing && {
      timing: detail.timing.map((row) => ({ ...row, ...(row.factor_key !== undefined && { factor_key: kept(row.factor_key) }) })),
    }),
  }
}
