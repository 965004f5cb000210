import { randomBytes } from 'node:crypto'
import type { CustomizedFactor, CustomizedFactorBody, FactorVersions, MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { compile, compileRef, markets } from '@convexa/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError, throwValidationError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { checkStorageLimit } from '../usage/storage-limits.ts'
import { nameOf } from '../user/names.ts'
import { findMarket, type LoadedMarket, loadedMarket } from './loaded-market.ts'
import { inUse, namesWith, type OwnFactor, ownFactors } from './own-factors.ts'
import { lockUser } from './run-state.ts'

// A user's own factors: one lock per user, so that two changes at once cannot make a circle that neither of them saw.

type QuantDeps = Pick<AppContext, 'db' | 'config'>

/** @throws ApiError 21003, 21004 name, 21005 too many, 21008 no data to check against, 22xxx formula */
export async function addFactor(
  { db, config }: QuantDeps,
  userId: string,
  kind: MarketId,
  body: CustomizedFactorBody,
): Promise<CustomizedFactor> {
  const name = freeName(kind, body)
  const market = await loadedMarket(db, config.dataDir, kind)
  return changing(db, userId, async (transaction) => {
    await checkStorageLimit(transaction, userId, 'custom_factors', transaction.selectFrom('custom_factor').where('user_id', '=', userId))
    const [id, key] = [uuid(), newKey()]
    const own = await ownFactors(transaction, userId, kind)
    const { canonical, lookback } = checkedFormula(market, own, { key, label: name }, body.formula)
    await transaction
      .insertInto('custom_factor')
      .values({ id, user_id: userId, kind, factor_key: key, ...columnsOf(body, name), canonical })
      .execute()
    await keepVersion(transaction, { id, userId, version: 1, written: body.formula, canonical })
    return { id, factor_key: key, version: 1, formula: canonical, lookback }
  })
}

/** Another formula is another version. @throws as `addFactor`, 40004 not there, 22004 or 22010 an own factor that uses it */
export async function changeFactor(
  { db, config }: QuantDeps,
  userId: string,
  kind: MarketId,
  id: string,
  body: CustomizedFactorBody,
): Promise<CustomizedFactor> {
  return changing(db, userId, async (transaction) => {
    const own = await ownFactors(transaction, userId, kind)
    const before = own.find((one) => one.id === id) ?? throwApiError(errorCodes.notFound)
    const market = await loadedMarket(transaction, config.dataDir, kind)
    const name = freeName(kind, body)
    const others = own.filter((one) => one !== before)
    const { canonical, lookback } = checkedFormula(market, others, { key: before.key, label: name }, body.formula)
    checkUsers(market, own, before, canonical)
    const version = before.version + (canonical === before.formula ? 0 : 1)
    await transaction
      .updateTable('custom_factor')
      .set({ ...columnsOf(body, name), canonical, version, kept_meanings: [], updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .execute()
    if (version > before.version) await keepVersion(transaction, { id, userId, version, written: body.formula, canonical })
    return { id, factor_key: before.key, version, formula: canonical, lookback }
  })
}

/** @throws ApiError 40004, 21010 something uses it and it is not forced */
export async function removeFactor({ db, config }: QuantDeps, userId: string, kind: MarketId, id: string, force: boolean): Promise<void> {
  await changing(db, userId, async (transaction) => {
    const own = await ownFactors(transaction, userId, kind)
    const factor = own.find((one) => one.id === id) ?? throwApiError(errorCodes.notFound)
    if (!force) {
      const strategies = await strategiesUsing(transaction, userId, factor.key)
      if (strategies > 0) throwApiError(errorCodes.factorInUse, strategies)
      const market = await findMarket(transaction, config.dataDir, kind)
      const users = market ? usersOf(market, own, factor.key).length : 0
      if (users > 0) throw inUse(users)
    }
    await transaction.deleteFrom('custom_factor').where('id', '=', id).where('user_id', '=', userId).execute()
  })
}

/** The formulas that the factor has had. @throws ApiError 40004 */
export async function factorVersions(db: Kysely<Database>, userId: string, kind: MarketId, id: string): Promise<FactorVersions> {
  const rows = await db
    .selectFrom('custom_factor as f')
    .leftJoin('custom_factor_version as v', (join) => join.onRef('v.factor_id', '=', 'f.id').onRef('v.user_id', '=', 'f.user_id'))
    .select(['v.version', 'v.formula', 'v.created_at'])
    .where('f.id', '=', id)
    .where('f.user_id', '=', userId)
    .where('f.kind', '=', kind)
    .orderBy('v.version', 'desc')
    .limit(mostVersions)
    .execute()
  if (rows.length === 0) throwApiError(errorCodes.notFound)
  return {
    list_items: rows.flatMap(({ version, formula, created_at: at }) =>
      version === null || formula === null || at === null ? [] : { version, formula, created_at: shanghaiTime(at) },
    ),
  }
}

const mostVersions = 100

/** Columns that may hold a factor's key: what is saved joins here. */
const namers: readonly { readonly table: string; readonly owner: string; readonly column: string }[] = [
  { table: 'strategy', owner: 'user_id', column: 'detail' },
]

/** How many saved strategies name the factor. */
async function strategiesUsing(db: Kysely<Database>, userId: string, key: string): Promise<number> {
  const counts = namers.map(
    ({ table, owner, column }) =>
      sql`(select count(*) from ${sql.table(table)} where ${sql.ref(owner)} = ${userId} and position(${key} in ${sql.ref(column)}::text) > 0)`,
  )
  const { rows } = await sql<{ count: string }>`select 0 ${sql.join(
    counts.map((count) => sql`+ ${count}`),
    sql` `,
  )} as count`.execute(db)
  return Number(rows[0]?.count)
}

/** Own factors that read the one with this key, on the way too. */
function usersOf(market: LoadedMarket, own: readonly OwnFactor[], key: string): OwnFactor[] {
  const names = namesWith(market, own)
  return own.filter((one) => {
    if (one.key === key) return false
    const compiled = compileRef(one.key, names)
    return compiled.ok && compiled.expression.own.includes(key)
  })
}

/** A formula as it is written, and as it is kept. @throws ApiError 22xxx with its place */
function checkedFormula(
  market: LoadedMarket,
  others: readonly OwnFactor[],
  self: { readonly key: string; readonly label: string },
  formula: string,
): { canonical: string; lookback: number } {
  const written = namesWith(market, [...others, { ...self, formula }])
  const compiled = compile(formula, written)
  if (!compiled.ok) throwValidationError(compiled.problem)
  // Keys may be longer than the names that were written.
  const again = compile(compiled.expression.formula, written)
  const canonical = again.ok ? compiled.expression.formula : formula
  const whole = compileRef(self.key, namesWith(market, [...others, { ...self, formula: canonical }]))
  if (!whole.ok) throwValidationError(whole.problem)
  return { canonical, lookback: whole.expression.needs.lookback }
}

/** What uses the factor must still be computable when its formula is another. */
function checkUsers(market: LoadedMarket, own: readonly OwnFactor[], factor: OwnFactor, formula: string): void {
  const after = namesWith(
    market,
    own.map((one) => (one === factor ? { ...one, formula } : one)),
  )
  for (const user of usersOf(market, own, factor.key)) {
    const compiled = compileRef(user.key, after)
    if (!compiled.ok) throwValidationError(compiled.problem)
  }
}

/** A name of the user's own that no field and no built-in factor has. */
function freeName(kind: MarketId, { factor_name }: CustomizedFactorBody): string {
  const name = nameOf(factor_name)
  const { fields, factors } = markets[kind]
  if ([...fields, ...factors].some(({ key, label }) => plain(label) === plain(name) || plain(key) === plain(name)))
    throwApiError(errorCodes.nameTaken)
  return name
}

const plain = (name: string): string => name.replaceAll(' ', '').toLowerCase()

const columnsOf = (body: CustomizedFactorBody, name: string) => ({
  name,
  formula: body.formula,
  description: body.description ?? '',
  unit: body.unit ?? null,
  decimals: body.decimals ?? 4,
  prefer_default: body.prefer_default ?? 'large',
})

async function keepVersion(
  transaction: Transaction<Database>,
  { id, userId, version, written, canonical }: { id: string; userId: string; version: number; written: string; canonical: string },
): Promise<void> {
  await transaction
    .insertInto('custom_factor_version')
    .values({ factor_id: id, user_id: userId, version, formula: written, canonical })
    .execute()
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** `custom_k3f9ab`: 32⁶ of them; should one be taken already, the insert fails and is asked for again. */
const newKey = (): string => `custom_${[...randomBytes(6)].map((byte) => letters[byte % letters.length]).join('')}`

async function changing<T>(db: Kysely<Database>, userId: string, work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId)
      return work(transaction)
    })
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null
    if (constraint === 'custom_factor_name') throwApiError(errorCodes.nameTaken)
    if (constraint === 'custom_factor_factor_key_key') return changing(db, userId, work)
    throw error
  }
}
