import type { MarketId, Settings, StrategyBody, StrategyChange, StrategyDetail, StrategyListItem, StrategyVersion } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { PartsGround } from '../quant/open-parts.ts'
import { lockUser } from '../quant/run-state.ts'
import { checkStorageLimit } from '../usage/storage-limits.ts'
import { nameOf } from '../user/names.ts'
import { checkedDetail } from './checked-detail.ts'
import { similarTo } from './similar.ts'
import { glanceOf, type NewestData, newestData } from './told-glance.ts'

// Every statement names the owner of a strategy: somebody else's is not found.

type StrategyDeps = Pick<AppContext, 'db' | 'config'>

/** Versions kept of each strategy, the newest. */
const mostVersions = 20

/** All of a user's strategies of a market, the one that was changed last first. */
export async function listStrategies(deps: PartsGround, userId: string, kind: MarketId): Promise<StrategyListItem[]> {
  const { db } = deps
  const [newest, rows] = await Promise.all([
    newestData(deps, kind),
    ownStrategies(db, userId, kind).orderBy('s.updated_at', 'desc').orderBy('s.id', 'desc').execute(),
  ])
  return rows.map((row) => listItem(row, newest))
}

const ownStrategies = (db: Kysely<Database>, userId: string, kind: MarketId) =>
  db
    .selectFrom('strategy as s')
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('backtest_run as r')
          .select(({ fn }) => [
            fn.countAll<string>().as('backtest_count'),
            sql<string | null>`(array_agg(r.id order by r.finished_at desc) filter (where r.status = 2))[1]`.as('backtest_id'),
          ])
          .whereRef('r.user_id', '=', 's.user_id')
          .whereRef('r.strategy_id', '=', 's.id')
          .as('runs'),
      (join) => join.onTrue(),
    )
    .select([
      's.id',
      's.name',
      's.remark',
      's.tags',
      's.version',
      's.glance',
      's.glance_at',
      's.glance_version',
      's.created_at',
      's.updated_at',
    ])
    .select(['runs.backtest_count', 'runs.backtest_id'])
    .where('s.user_id', '=', userId)
    .where('s.kind', '=', kind)

type Listed = Awaited<ReturnType<ReturnType<typeof ownStrategies>['execute']>>[number]

const listItem = (row: Listed, newest: NewestData | null): StrategyListItem => ({
  id: row.id,
  strategy_name: row.name,
  remark: row.remark,
  glance: glanceOf(row, newest),
  tags: row.tags,
  version: row.version,
  backtest_count: Number(row.backtest_count),
  created_at: shanghaiTime(row.created_at),
  updated_at: shanghaiTime(row.updated_at),
})

/** null: not there, or somebody else's. */
export async function strategyDetail(deps: PartsGround, userId: string, kind: MarketId, id: string): Promise<StrategyDetail | null> {
  const { db } = deps
  const row = await ownStrategies(db, userId, kind)
    .select(['s.detail', 's.settings', 's.factor_versions', 's.kept_meanings', 's.glance_nav'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const [newest, factors, previous, groups, others] = await Promise.all([
    newestData(deps, kind),
    savedFactors(db, userId, row.factor_versions),
    db
      .selectFrom('strategy_version')
      .select(['version', 'detail', 'settings', 'created_at'])
      .where('strategy_id', '=', id)
      .where('user_id', '=', userId)
      .where('version', '<', row.version)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('strategy_group_member as m')
      .innerJoin('strategy_group as g', (join) => join.onRef('g.id', '=', 'm.group_id').onRef('g.user_id', '=', 'm.user_id'))
      .select(['g.id', 'g.name as group_name'])
      .where('m.strategy_id', '=', id)
      .where('g.user_id', '=', userId)
      .orderBy('g.id')
      .execute(),
    db
      .selectFrom('strategy')
      .select(['id', 'name', 'glance_nav'])
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('id', '!=', id)
      .where('glance_nav', 'is not', null)
      .execute(),
  ])
  return {
    ...listItem(row, newest),
    detail: row.detail,
    ...settingsOf(row),
    kept_meanings: row.kept_meanings,
    own_factors: factors,
    previous: previous
      ? { version: previous.version, detail: previous.detail, ...settingsOf(previous), saved_at: shanghaiTime(previous.created_at) }
      : null,
    groups,
    similar: row.glance_nav ? similarTo(row.glance_nav, others) : [],
  }
}

const settingsOf = ({ settings }: { settings: Settings | null }): { settings?: Settings } => (settings ? { settings } : {})

/** The versions of a strategy that are kept, the newest first; null: not there, or somebody else's. */
export async function strategyVersions(
  db: Kysely<Database>,
  userId: string,
  kind: MarketId,
  id: string,
): Promise<StrategyVersion[] | null> {
  const rows = await db
    .selectFrom('strategy as s')
    .innerJoin('strategy_version as v', (join) => join.onRef('v.strategy_id', '=', 's.id').onRef('v.user_id', '=', 's.user_id'))
    .select(['v.version', 'v.detail', 'v.settings', 'v.created_at'])
    .where('s.id', '=', id)
    .where('s.user_id', '=', userId)
    .where('s.kind', '=', kind)
    .orderBy('v.version', 'desc')
    .execute()
  // A strategy has its own version at least.
  if (rows.length === 0) return null
  return rows.map((row) => ({ version: row.version, detail: row.detail, ...settingsOf(row), saved_at: shanghaiTime(row.created_at) }))
}

/** The own factors that a rule was saved with, as they are now. */
async function savedFactors(db: Kysely<Database>, userId: string, saved: Readonly<Record<string, number>>) {
  const keys = Object.keys(saved)
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('custom_factor')
    .select(['factor_key', 'name', 'version'])
    .where('user_id', '=', userId)
    .where('factor_key', 'in', keys)
    .execute()
  const now = new Map(rows.map((row) => [row.factor_key, row]))
  return keys.map((key) => ({
    factor_key: key,
    factor_name: now.get(key)?.name ?? key,
    saved_version: saved[key]!,
    version: now.get(key)?.version ?? null,
  }))
}

/** @throws ApiError 21003, 21004 name, 21005 too many, 22xxx or 40000 the rule */
export async function addStrategy(deps: StrategyDeps, userId: string, kind: MarketId, body: StrategyBody): Promise<{ id: string }> {
  const name = nameOf(body.strategy_name)
  return changing(deps.db, userId, async (transaction) => {
    await checkStorageLimit(
      transaction,
      userId,
      'strategies',
      transaction.selectFrom('strategy').where('user_id', '=', userId).where('kind', '=', kind),
    )
    // Under the user's lock, as changes of own factors are: none is deleted between the check and the save.
    const { detail, factorVersions } = await checkedDetail(transaction, deps, userId, kind, body.detail)
    const id = uuid()
    const rule = ruleColumns(detail, body.settings)
    await transaction
      .insertInto('strategy')
      .values({
        id,
        user_id: userId,
        kind,
        name,
        remark: body.remark ?? '',
        tags: tagsOf(body.tags ?? []),
        ...rule,
        factor_versions: JSON.stringify(factorVersions),
      })
      .execute()
    await transaction
      .insertInto('strategy_version')
      .values({ strategy_id: id, version: 1, user_id: userId, ...rule })
      .execute()
    return { id }
  })
}

/** @throws ApiError 40004 not there, 40009 another version is the newest, 22xxx or 40000 the rule */
export async function changeStrategy(
  deps: StrategyDeps,
  userId: string,
  kind: MarketId,
  id: string,
  change: StrategyChange,
): Promise<{ id: string; version: number }> {
  return changing(deps.db, userId, async (transaction) => {
    const own = await transaction
      .selectFrom('strategy')
      .select(['version', 'settings'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .forUpdate()
      .executeTakeFirst()
    if (!own) throwApiError(errorCodes.notFound)
    if (own.version !== change.base_version) throwApiError(errorCodes.staleVersion)
    const { detail, factorVersions } = await checkedDetail(transaction, deps, userId, kind, change.detail)
    const version = own.version + 1
    const rule = ruleColumns(detail, change.settings ?? own.settings ?? undefined)
    await transaction
      .updateTable('strategy')
      .set({
        ...rule,
        version,
        followed: null,
        // In the names of now, whatever it was before.
        kept_meanings: [],
        factor_versions: JSON.stringify(factorVersions),
        ...(change.tags && { tags: tagsOf(change.tags) }),
        ...(change.remark !== undefined && { remark: change.remark }),
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .execute()
    await transaction
      .insertInto('strategy_version')
      .values({ strategy_id: id, version, user_id: userId, ...rule })
      .execute()
    await transaction
      .deleteFrom('strategy_version')
      .where('strategy_id', '=', id)
      .where('user_id', '=', userId)
      .where('version', '<=', version - mostVersions)
      .execute()
    return { id, version }
  })
}

/** Name, remark and tags are no new version of the rule: the last one to write wins. @throws ApiError 40004, 21003, 21004 */
export async function describeStrategy(
  db: Kysely<Database>,
  userId: string,
  kind: MarketId,
  id: string,
  { strategy_name, remark, tags }: { strategy_name?: string; remark?: string | undefined; tags?: string[] | undefined },
): Promise<void> {
  const set = {
    ...(strategy_name !== undefined && { name: nameOf(strategy_name) }),
    ...(remark !== undefined && { remark }),
    ...(tags && { tags: tagsOf(tags) }),
  }
  await changing(db, userId, async (transaction) => {
    const changed = await transaction
      .updateTable('strategy')
      .set({ ...set, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throwApiError(errorCodes.notFound)
  })
}

/** @throws ApiError 40004, 21006 a group has it as a member */
export async function removeStrategy(db: Kysely<Database>, userId: string, kind: MarketId, id: string): Promise<void> {
  await changing(db, userId, async (transaction) => {
    const gone = await transaction
      .deleteFrom('strategy')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throwApiError(errorCodes.notFound)
  })
}

const ruleColumns = (detail: StrategyBody['detail'], settings: Settings | undefined) => ({
  detail: JSON.stringify(detail),
  settings: settings ? JSON.stringify(settings) : null,
})

/** Each once, without space at their ends. */
const tagsOf = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.normalize('NFC').trim()))].filter(Boolean)

/** What the constraints say of what a user did. */
export type Refusals = Readonly<Record<string, () => never>>
const ofStrategies: Refusals = {
  strategy_name: () => throwApiError(errorCodes.nameTaken),
  strategy_group_name: () => throwApiError(errorCodes.nameTaken),
  strategy_group_member_strategy: () => throwApiError(errorCodes.strategyInGroup),
}

/** One change of a user's at a time, all or nothing. */
export async function changing<T>(
  db: Kysely<Database>,
  userId: string,
  work: (transaction: Transaction<Database>) => Promise<T>,
  refusals = ofStrategies,
): Promise<T> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId)
      return work(transaction)
    })
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
    refusals[constraint]?.()
    throw error
  }
}
