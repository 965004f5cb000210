import { type FactorMeta, type FactorRef, type MarketId, messageOf, type Parameters, type Settings } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type CustomFactor, compileRef, type Market, markets, type Names, namesOf, needsOf, withOwn } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { ApiError, throwValidationError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { type Cost, mostOf } from './admission.ts'
import type { LoadedMarket } from './loaded-market.ts'
import { priceProblem } from './prices.ts'

/** A factor of the asker's own, as requests read it. */
export interface OwnFactor extends CustomFactor {
  readonly id: string
  readonly version: number
  /** As it was written; `formula` is what is computed. */
  readonly written: string
  readonly description: string
  readonly unit: string | null
  readonly decimals: number
  readonly prefer: 'small' | 'large'
  readonly keptMeanings: readonly string[]
  readonly updatedAt: Date
}

/** What a request is computed with: the own factors that it names, nested ones too, and what it costs. */
export interface Checked extends Cost {
  readonly own: readonly OwnFactor[]
}

/** All of a user's own factors of a market, oldest first. */
export async function ownFactors(db: Kysely<Database>, userId: string, kind: MarketId): Promise<OwnFactor[]> {
  const rows = await db
    .selectFrom('custom_factor')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    key: row.factor_key,
    label: row.name,
    formula: row.canonical,
    written: row.formula,
    version: row.version,
    description: row.description,
    unit: row.unit,
    decimals: row.decimals,
    prefer: row.prefer_default,
    keptMeanings: row.kept_meanings,
    updatedAt: row.updated_at,
  }))
}

/** The names that a user may write in a formula on the loaded data. */
export const namesWith = ({ ref, available, benchmarks }: LoadedMarket, own: readonly CustomFactor[]): Names =>
  namesOf(marketWith(ref.kind, own), available, { benchmarks: new Set(benchmarks.map(({ code }) => code)) })

/** Codes of the market series that the data have. */
export const seriesOf = ({ benchmarks }: Pick<LoadedMarket, 'benchmarks'>): ReadonlySet<string> =>
  new Set(benchmarks.map(({ code }) => code))

export const marketWith = (kind: MarketId, own: readonly CustomFactor[]): Market => withOwn(markets[kind], own)

/**
 * Checks a screen (settings null) or a backtest against the loaded data.
 * @throws ApiError 22xxx formula, 40000 or 23001 what the data lack
 */
export function checkedRequest(
  market: LoadedMarket,
  own: readonly OwnFactor[],
  parameters: Parameters,
  settings: Settings | null,
): CheckedRequest {
  const wrong = settings && priceProblem(market, settings.adjust)
  if (wrong) throw new ApiError(errorCodes.invalidRun, wrong)
  return checkedNeeds(needsOf(marketWith(market.ref.kind, own), market.available, parameters, settings, seriesOf(market)), own)
}

/** A request with the fields of the store that it reads. */
export type CheckedRequest = Checked & { readonly fields: ReadonlySet<string> }

/** @throws ApiError with what stands in the way */
export function checkedNeeds(needs: ReturnType<typeof needsOf>, own: readonly OwnFactor[]): CheckedRequest {
  if (!needs.ok) throwValidationError(needs.problem)
  const { cost, historyCost, needs: reads } = needs
  return { cost, historyCost, fields: reads.fields, own: own.filter(({ key }) => needs.own.includes(key)) }
}

/** @throws ApiError 22xxx: one of the refs is none, or the data lack what it reads */
export function checkedRefs(market: LoadedMarket, own: readonly OwnFactor[], refs: readonly FactorRef[]): Checked {
  const names = namesWith(market, own)
  const used = new Set<string>()
  const costs = refs.map((ref) => {
    const compiled = compileRef(ref, names)
    if (!compiled.ok) throwValidationError(compiled.problem)
    for (const key of compiled.expression.own) used.add(key)
    return compiled.expression
  })
  return { ...mostOf(costs), own: own.filter(({ key }) => used.has(key)) }
}

/** As what computes takes them. */
export const forCompute = (own: readonly OwnFactor[]): { custom?: readonly CustomFactor[] } =>
  own.length === 0 ? {} : { custom: own.map(({ key, label, formula, prefer }) => ({ key, label, formula, prefer })) }

/** Something that names an own factor. */
export type FactorUser = NonNullable<FactorMeta['users']>[number]

/** By own factor's key: the user's saved strategies that name it, the latest first. */
export async function strategiesNaming(db: Kysely<Database>, userId: string, kind: MarketId): Promise<ReadonlyMap<string, FactorUser[]>> {
  const { rows } = await sql<{ key: string; id: string; name: string }>`
    select f.factor_key as key, s.id, s.name from custom_factor f
      join strategy s on s.user_id = f.user_id and s.kind = f.kind and position(f.factor_key in s.detail::text) > 0
    where f.user_id = ${userId} and f.kind = ${kind} order by s.updated_at desc, s.id`.execute(db)
  const users = new Map<string, FactorUser[]>()
  for (const { key, id, name } of rows) users.set(key, [...(users.get(key) ?? []), { type: 'strategy', id, name }])
  return users
}

const mostUsers = 20

/** Own factors as lists show them: what the data cannot give has its reason; which others, and which strategies (`named`), use each. */
export function ownMetas(
  market: LoadedMarket,
  own: readonly OwnFactor[],
  coverage: readonly (number | null)[],
  named: ReadonlyMap<string, readonly FactorUser[]>,
): FactorMeta[] {
  const names = namesWith(market, own)
  const compiled = own.map(({ key }) => compileRef(key, names))
  return own.map((factor, i) => {
    const made = compiled[i]!
    const others = own.filter((_, k) => {
      const other = compiled[k]!
      return k !== i && other.ok && other.expression.own.includes(factor.key)
    })
    const users = [...(named.get(factor.key) ?? []), ...others.map(({ id, label }): FactorUser => ({ type: 'factor', id, name: label }))]
    return {
      id: factor.id,
      factor_key: factor.key,
      factor_name: factor.label,
      factor_type: 1,
      category: '自定义',
      unit: factor.unit,
      decimals: factor.decimals,
      prefer_default: factor.prefer,
      realtime: true,
      available: made.ok,
      ...(!made.ok && { reason: made.problem.message }),
      coverage: coverage[i] ?? null,
      description: factor.description,
      formula: factor.written,
      version: factor.version,
      used_by: users.length,
      users: users.slice(0, mostUsers),
      ...(factor.keptMeanings.length > 0 && { kept_meanings: [...factor.keptMeanings] }),
      updated_at: shanghaiTime(factor.updatedAt),
    }
  })
}

/** As a run keeps them beside its parameters: a later version changes nothing in it. */
export type StoredOwn = { readonly custom?: readonly (CustomFactor & { readonly version: number })[] }
export const storedOwn = (own: readonly OwnFactor[]): StoredOwn =>
  own.length === 0 ? {} : { custom: own.map(({ key, label, formula, version }) => ({ key, label, formula, version })) }

export const inUse = (factors: number): ApiError =>
  new ApiError(errorCodes.factorInUse, messageOf(errorCodes.factorInUse, factors).replace('策略', '自定义因子'))
