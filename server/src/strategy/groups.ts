import type { GroupBody, GroupDetail, GroupListItem, MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import type { PartsGround } from '../quant/open-parts.ts'
import { checkStorageLimit } from '../usage/storage-limits.ts'
import { nameOf } from '../user/names.ts'
import { combinedList, correlations, type Member, together } from './combine.ts'
import { changing } from './strategies.ts'
import { newestData } from './told-glance.ts'

/** Shares are typed as percents: what is left by rounding is forgiven. */
const shareError = 1e-6

/** All of a user's groups of a market, the one that was changed last first. */
export async function listGroups(db: Kysely<Database>, userId: string, kind: MarketId): Promise<GroupListItem[]> {
  const rows = await db
    .selectFrom('strategy_group')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const members = await membersOf(db, userId, kind)
  return rows.map((row) => listItem(row, members.get(row.id) ?? []))
}

/** null: not there, or somebody else's. */
export async function groupDetail(deps: PartsGround, userId: string, kind: MarketId, id: string): Promise<GroupDetail | null> {
  const { db } = deps
  const row = await db
    .selectFrom('strategy_group')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!row) return null
  const members = (await membersOf(db, userId, kind, id)).get(id) ?? []
  const { matrix, withGroup } = correlations(members, row.rebalance)
  const newest = await newestData(deps, kind)
  const isOfNewest = members.some(({ glance }) => glance?.data_version === newest?.version)
  return {
    ...listItem(row, members),
    members: members.map(({ id: strategy_id, name, weight, detail, glance }, i) => ({
      strategy_id,
      strategy_name: name,
      weight,
      detail,
      as_of: glance?.as_of ?? null,
      ret_1y: glance?.ret_1y ?? null,
      max_drawdown_1y: glance?.max_drawdown_1y ?? null,
      correlation: withGroup[i] ?? null,
    })),
    combined_list: combinedList(members, row.duplicate),
    correlation: matrix,
    ...(newest?.note && isOfNewest && { data_note: newest.note }),
  }
}

type GroupRow = Awaited<ReturnType<typeof oneGroup>>
const oneGroup = (db: Kysely<Database>) => db.selectFrom('strategy_group').selectAll().executeTakeFirstOrThrow()

const listItem = (row: GroupRow, members: readonly Member[]): GroupListItem => ({
  id: row.id,
  group_name: row.name,
  remark: row.remark,
  members: members.map(({ id, name, weight }) => ({ strategy_id: id, strategy_name: name, weight })),
  rebalance: row.rebalance,
  duplicate: row.duplicate,
  glance: together(members, row),
  created_at: shanghaiTime(row.created_at),
  updated_at: shanghaiTime(row.updated_at),
})

/** Members with what is kept of their glances, by group, in their order. */
async function membersOf(db: Kysely<Database>, userId: string, kind: MarketId, groupId?: string): Promise<Map<string, Member[]>> {
  let rows = db
    .selectFrom('strategy_group_member as m')
    .innerJoin('strategy as s', (join) => join.onRef('s.id', '=', 'm.strategy_id').onRef('s.user_id', '=', 'm.user_id'))
    .select(['m.group_id', 'm.weight', 's.id', 's.name', 's.detail', 's.glance', 's.glance_nav'])
    .where('m.user_id', '=', userId)
    .where('m.kind', '=', kind)
    .orderBy('m.group_id')
    .orderBy('m.place')
  if (groupId) rows = rows.where('m.group_id', '=', groupId)
  const groups = new Map<string, Member[]>()
  for (const row of await rows.execute()) groups.set(row.group_id, [...(groups.get(row.group_id) ?? []), row])
  return groups
}

/** @throws ApiError 21003, 21004 name, 21005 too many, 40000 the shares, 40004 a member that is none of the user's strategies */
export async function addGroup(db: Kysely<Database>, userId: string, kind: MarketId, body: GroupBody): Promise<{ id: string }> {
  const columns = columnsOf(body)
  return changing(db, userId, async (transaction) => {
    await checkStorageLimit(
      transaction,
      userId,
      'groups',
      transaction.selectFrom('strategy_group').where('user_id', '=', userId).where('kind', '=', kind),
    )
    const id = uuid()
    await transaction
      .insertInto('strategy_group')
      .values({ id, user_id: userId, kind, ...columns, remark: body.remark ?? '' })
      .execute()
    await setMembers(transaction, { id, userId, kind }, body)
    return { id }
  })
}

/** @throws as `addGroup`, 40004 not there */
export async function changeGroup(
  db: Kysely<Database>,
  userId: string,
  kind: MarketId,
  id: string,
  body: GroupBody,
): Promise<{ id: string }> {
  return changing(db, userId, async (transaction) => {
    const own = await transaction
      .selectFrom('strategy_group')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .forUpdate()
      .executeTakeFirst()
    if (!own) throwApiError(errorCodes.notFound)
    await transaction
      .updateTable('strategy_group')
      .set({ ...columnsOf(body), ...(body.remark !== undefined && { remark: body.remark }), updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .execute()
    await transaction.deleteFrom('strategy_group_member').where('group_id', '=', id).where('user_id', '=', userId).execute()
    await setMembers(transaction, { id, userId, kind }, body)
    return { id }
  })
}

/** The strategies stay. @throws ApiError 40004 */
export async function removeGroup(db: Kysely<Database>, userId: string, kind: MarketId, id: string): Promise<void> {
  const gone = await db
    .deleteFrom('strategy_group')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('id')
    .executeTakeFirst()
  if (!gone) throwApiError(errorCodes.notFound)
}

/** @throws ApiError 21004, 40000 */
function columnsOf({ group_name, members, rebalance, duplicate }: GroupBody) {
  const sum = members.reduce((total, { weight }) => total + weight, 0)
  if (Math.abs(sum - 1) > shareError)
    throwApiError(errorCodes.invalidRequest, `资金占比合计须为 100%（当前 ${Number((sum * 100).toFixed(2))}%）`)
  if (new Set(members.map(({ strategy_id }) => strategy_id)).size < members.length)
    throwApiError(errorCodes.invalidRequest, '同一策略只能加入一次')
  return { name: nameOf(group_name), rebalance, duplicate }
}

/** Only the user's own strategies of that market can be members. */
async function setMembers(
  transaction: Transaction<Database>,
  group: { id: string; userId: string; kind: MarketId },
  { members }: GroupBody,
): Promise<void> {
  const ids = members.map(({ strategy_id }) => strategy_id)
  const own = await transaction
    .selectFrom('strategy')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', group.userId)
    .where('kind', '=', group.kind)
    .execute()
  if (own.length < ids.length) throwApiError(errorCodes.notFound)
  await transaction
    .insertInto('strategy_group_member')
    .values(
      members.map(({ strategy_id, weight }, place) => ({
        group_id: group.id,
        strategy_id,
        user_id: group.userId,
        kind: group.kind,
        weight,
        place,
      })),
    )
    .execute()
}
