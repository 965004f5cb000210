import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { StartError } from '../base/start-error.ts'
import { audit } from '../db/audit.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { connectTimeoutMs, parsers, withSession } from '../db/session.ts'
import type { Database } from '../db/tables.ts'

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }
type Copied = Readonly<Record<'factors' | 'strategies' | 'groups' | 'tradingConfigs' | 'configs', number>>

const tables = {
  factors: 'custom_factor',
  strategies: 'strategy',
  groups: 'strategy_group',
  tradingConfigs: 'qmt_trading_config',
  configs: 'qmt_config',
} as const
const suffix = '（恢复）'
const longestName = 50

/**
 * Puts what a user had in another state of the site beside what the user has now: factors, strategies, groups and QMT configs; what is the same is
 * left. A name that is taken gets a suffix. Configs are off, and only those of accounts that are still there. Nothing else is copied: no
 * orders, grants, sessions or sealed accounts.
 * @param from connection string of the other state's database
 * @throws StartError where the user is not there
 */
export async function copyUser(db: Kysely<Database>, userId: string, from: string): Promise<Copied> {
  const lost = await readUser(from, userId)
  return inTransaction(db, async (tx) => {
    await tx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
    const ids = new Map<string, string>()
    const keys = new Map<string, string>()
    const renamed = <T>(value: T): T => {
      let text = JSON.stringify(value)
      for (const [old, now] of keys) text = text.replaceAll(old, now)
      return JSON.parse(text) as T
    }

    const factors = await copyOf(tx, userId, tables.factors, lost.factors, ['canonical'], ids, async (row) => {
      const key = String(row['factor_key'])
      const isTaken = await tx.selectFrom('custom_factor').select('id').where('factor_key', '=', key).executeTakeFirst()
      if (isTaken) keys.set(key, `custom_${randomBytes(3).toString('hex')}`)
      return {
        ...pick(row, ['kind', 'formula', 'description', 'unit', 'decimals', 'prefer_default', 'version']),
        factor_key: renamed(key),
        canonical: renamed(row['canonical']),
      }
    })
    for (const row of lost.factors.filter(({ id }) => ids.get(id) !== id)) {
      const values = { factor_id: ids.get(row.id), user_id: userId, version: row['version'] }
      await insert(tx, 'custom_factor_version', { ...values, formula: row['formula'], canonical: renamed(row['canonical']) })
    }
    const strategies = await copyOf(tx, userId, tables.strategies, lost.strategies, ['detail', 'settings'], ids, async (row) => ({
      ...pick(row, ['kind', 'remark', 'tags']),
      ...{ detail: json(renamed(row['detail'])), settings: json(renamed(row['settings'])) },
      factor_versions: json(renamed(row['factor_versions'])),
    }))
    for (const row of lost.strategies.filter(({ id }) => ids.get(id) !== id)) {
      const values = { strategy_id: ids.get(row.id), user_id: userId, version: 1 }
      await insert(tx, 'strategy_version', { ...values, detail: json(renamed(row['detail'])), settings: json(renamed(row['settings'])) })
    }
    const groups = await copyOf(tx, userId, tables.groups, lost.groups, ['rebalance', 'duplicate', 'members'], ids, async (row) =>
      pick(row, ['kind', 'remark', 'rebalance', 'duplicate']),
    )
    for (const { id, members, kind } of lost.groups.filter((row) => ids.get(row.id) !== row.id) as unknown as Group[]) {
      for (const { strategy_id, weight, place } of members) {
        const strategy = ids.get(strategy_id)
        if (strategy === undefined) continue
        await insert(tx, 'strategy_group_member', { group_id: ids.get(id), strategy_id: strategy, user_id: userId, kind, weight, place })
      }
    }
    const tradingConfigs = await copyOf(tx, userId, tables.tradingConfigs, lost.tradingConfigs, ['settings'], ids, async (row) => ({
      settings: json(row['settings']),
    }))
    const accounts = new Set((await tx.selectFrom('qmt_account').select('id').where('user_id', '=', userId).execute()).map(({ id }) => id))
    const usable = lost.configs.filter((row) => accounts.has(String(row['account_id'])))
    const configs = await copyOf(tx, userId, tables.configs, usable, ['source_id', 'capital', 'trading_config_id'], ids, async (row) => ({
      ...pick(row, ['kind', 'account_id', 'source_type', 'capital', 'hold_weight_type']),
      source_id: ids.get(String(row['source_id'])) ?? row['source_id'],
      trading_config_id: ids.get(String(row['trading_config_id'])),
      enabled: false,
    }))
    const copied = { factors, strategies, groups, tradingConfigs, configs }
    await audit(tx, { actor: 'operator', action: 'user.copy', userId, after: copied })
    return copied
  })
}

interface Group extends Row {
  readonly kind: string
  readonly members: readonly { readonly strategy_id: string; readonly weight: number; readonly place: number }[]
}

async function readUser(from: string, userId: string): Promise<Record<keyof typeof tables, readonly Row[]>> {
  const client = new pg.Client({
    connectionString: withSession(from),
    application_name: 'convexa-copy-user',
    connectionTimeoutMillis: connectTimeoutMs,
    types: parsers,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin transaction isolation level repeatable read read only')
    const { rowCount } = await client.query('select from app_user where id = $1', [userId])
    if (!rowCount) throw new StartError(`--from 的数据库里没有用户 ${userId}`)
    const read = async (table: string, more = '') =>
      (await client.query<Row>(`select t.*${more} from ${table} t where t.user_id = $1 order by t.created_at, t.id`, [userId])).rows
    const members = `, coalesce((select json_agg(json_build_object('strategy_id', m.strategy_id, 'weight', m.weight, 'place', m.place) order by m.place)
      from strategy_group_member m where m.group_id = t.id), '[]') as members`
    return {
      factors: await read(tables.factors),
      strategies: await read(tables.strategies),
      groups: await read(tables.groups, members),
      tradingConfigs: await read(tables.tradingConfigs),
      configs: await read(tables.configs),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Inserts the rows of a table that are not there as they were. `same`: columns that tell. `ids` learns under which id each is from now on.
 * @returns how many were inserted
 */
async function copyOf(
  tx: Transaction<Database>,
  userId: string,
  table: (typeof tables)[keyof typeof tables],
  rows: readonly Row[],
  same: readonly string[],
  ids: Map<string, string>,
  columns: (row: Row) => Promise<Readonly<Record<string, unknown>>>,
): Promise<number> {
  const now = (await tx.selectFrom(table).selectAll().where('user_id', '=', userId).execute()) as unknown as Row[]
  const columnsOf = (row: Row) => JSON.stringify(same.filter((name) => name !== 'members').map((name) => row[name]))
  const names = new Set(now.map((row) => nameKey(row)))
  let copied = 0
  for (const row of rows) {
    const there = now.find(({ id }) => id === row.id)
    if (there && columnsOf(there) === columnsOf(row)) {
      ids.set(row.id, row.id)
      continue
    }
    const id = uuid()
    ids.set(row.id, id)
    let name = row.name
    for (let n = 1; names.has(nameKey({ ...row, name })); n++) {
      const end = n === 1 ? suffix : `${suffix}${n}`
      name = row.name.slice(0, longestName - end.length) + end
    }
    names.add(nameKey({ ...row, name }))
    await insert(tx, table, { id, user_id: userId, name, ...(await columns(row)) })
    copied++
  }
  return copied
}

/** As the unique indexes compare names, all of them at once. */
const nameKey = (row: Row): string => `${row['kind'] ?? ''} ${row.name.toLowerCase().replaceAll(' ', '')}`

const pick = (row: Row, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]))
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

type Filled = (typeof tables)[keyof typeof tables] | 'strategy_group_member' | 'custom_factor_version' | 'strategy_version'

const insert = (tx: Transaction<Database>, table: Filled, values: object) =>
  tx
    .insertInto(table)
    .values(values as never)
    .execute()
