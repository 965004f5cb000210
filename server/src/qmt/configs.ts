import type { ConfigBody, ConfigChange, ConfigListItem, ConfigOptions } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { choicesOf } from '@convexa/contract/enums/table'
import { sentences } from '@convexa/contract/rules/sentences'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { changing, type Refusals } from '../strategy/strategies.ts'
import { nameOf } from '../user/names.ts'
import { listAccounts } from './accounts.ts'
import { bookAsked } from './asked-books.ts'
import { clientVersion, isOldClient } from './client-files.ts'
import { outdated } from './stored.ts'

// Every statement names the owner of a config, and so do the foreign keys: an account or a trading config of another user cannot be joined
// to it.

const mostConfigs = 20

const refusals: Refusals = { qmt_config_name: () => throwApiError(errorCodes.nameTaken) }

/** With the name of its source; null once that was deleted. */
const sourceName = sql<string | null>`case c.source_type
  when 'strategy' then (select s.name from strategy s where s.id = c.source_id and s.user_id = c.user_id and s.kind = c.kind)
  else (select g.name from strategy_group g where g.id = c.source_id and g.user_id = c.user_id and g.kind = c.kind) end`

const own = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('qmt_config as c').selectAll('c').select(sourceName.as('source_name')).where('c.user_id', '=', userId)

export type ConfigRow = Awaited<ReturnType<ReturnType<typeof own>['execute']>>[number]

/** Orders without an end that have no word yet, and books that differ. */
const questions = (now: Date) => sql<string>`(
  select count(*) from qmt_fill f where f.config_id = c.id and f.user_id = c.user_id and not f.dry_run and f.settled_filled is null
    and (f.status = 'unsure' or (f.status = 'open' and f.trade_date < ${shanghaiTime(now).slice(0, 10)})))
  + (select count(*) from jsonb_array_elements(coalesce(c.resting, '[]')) r where c.holdings_real and ${bookAsked(now)}
    and not exists (select from qmt_book_word w where w.config_id = c.id and w.user_id = c.user_id and w.code = r ->> 'code'))`

/** Seconds by which a computer's clock may be off. */
export const clockSeconds = 30

/** Three heartbeats that did not come. */
const silentMs = 180_000

/** What a client of a config told of itself that keeps it from trading. */
function clientNote({ client, heartbeat_at: heartbeatAt }: ConfigRow, now: Date): string {
  if (!client) return ''
  if (!client.dry_run && isOldClient(client.version)) return '客户端版本过旧，真实委托已停止，请重新导出（解压到原目录）'
  const off = Math.abs(client.offset_ms) / 1_000
  if (off > clockSeconds) return `客户端电脑的时钟相差 ${(off / 60).toFixed(1)} 分钟，校准前不下单`
  // What it said of its terminal is true of now only while it goes on saying so.
  return client.note && heartbeatAt && now.getTime() - heartbeatAt.getTime() < silentMs ? client.note : ''
}

/** A user's configs, the one that was changed last first. */
export async function listConfigs({ db, now }: Pick<AppContext, 'db' | 'now'>, userId: string): Promise<ConfigListItem[]> {
  const at = now()
  const rows = await own(db, userId).select(questions(at).as('questions')).orderBy('c.updated_at', 'desc').orderBy('c.id', 'desc').execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    account_id: row.account_id,
    source: { type: row.source_type, id: row.source_id, name: row.source_name ?? sentences.sourceDeleted },
    capital: row.capital,
    hold_weight_type: row.hold_weight_type,
    trading_config_id: row.trading_config_id,
    enabled: row.enabled,
    diff_count: row.dry_run?.diff_count ?? null,
    confirmed_at: row.confirmed_at && shanghaiTime(row.confirmed_at),
    exported_at: row.exported_at && shanghaiTime(row.exported_at),
    last_heartbeat: row.heartbeat_at && shanghaiTime(row.heartbeat_at),
    questions: Number(row.questions) + (row.journal_told ? 1 : 0),
    client_note: clientNote(row, at),
    updated_at: shanghaiTime(row.updated_at),
  }))
}

/** Rows of a user's configs, by name. */
export const configsOf = (db: Kysely<Database>, userId: string): Promise<ConfigRow[]> => own(db, userId).orderBy('c.name').execute()

/** null: not there, or somebody else's. */
export async function configOf(db: Kysely<Database>, userId: string, id: string): Promise<ConfigRow | null> {
  return (await own(db, userId).where('c.id', '=', id).executeTakeFirst()) ?? null
}

/** @throws ApiError 21003, 21004, 21005 too many, 40004 an account, a source or a trading config that is none of the user's */
export async function addConfig(db: Kysely<Database>, userId: string, body: ConfigBody): Promise<{ id: string }> {
  const columns = columnsOf(body)
  return changing(
    db,
    userId,
    async (transaction) => {
      await checkNamed(transaction, userId, body)
      const { count } = await transaction
        .selectFrom('qmt_config')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostConfigs) throw new ApiError(errorCodes.tooManyStrategies, `运行配置数量已达上限（${mostConfigs} 个）`)
      const id = uuid()
      await transaction
        .insertInto('qmt_config')
        .values({ id, user_id: userId, ...columns })
        .execute()
      return { id }
    },
    refusals,
  )
}

/** What it trades has to be looked at anew; switching it on or off, or a new name, changes nothing of that. @throws as `addConfig` */
export async function changeConfig(db: Kysely<Database>, userId: string, id: string, change: ConfigChange): Promise<void> {
  await changing(
    db,
    userId,
    async (transaction) => {
      const before = await own(transaction, userId).where('c.id', '=', id).forUpdate('c').executeTakeFirst()
      if (!before) throwApiError(errorCodes.notFound)
      const body = changed(before, change)
      const columns = columnsOf(body)
      // One whose source is gone can still be switched off.
      if (Object.keys(change).some((key) => key !== 'name' && key !== 'enabled')) await checkNamed(transaction, userId, body)
      const { name: _name, enabled: _enabled, ...traded } = columns
      const same = Object.entries(traded).every(([key, value]) => before[key as keyof typeof traded] === value)
      await transaction
        .updateTable('qmt_config')
        .set({
          ...columns,
          updated_at: sql<Date>`now()`,
          ...(!same && outdated),
        })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .execute()
    },
    refusals,
  )
}

/** @throws ApiError 40004 */
export async function removeConfig(db: Kysely<Database>, userId: string, id: string): Promise<void> {
  const gone = await db.deleteFrom('qmt_config').where('id', '=', id).where('user_id', '=', userId).returning('id').executeTakeFirst()
  if (!gone) throwApiError(errorCodes.notFound)
}

/** What a config can be made of. */
export async function configOptions(deps: Pick<AppContext, 'db' | 'config'>, userId: string): Promise<ConfigOptions> {
  const { db } = deps
  const [accounts, tradingConfigs, strategies, groups] = await Promise.all([
    listAccounts(deps, userId),
    db.selectFrom('qmt_trading_config').select(['id', 'name']).where('user_id', '=', userId).orderBy('updated_at', 'desc').execute(),
    db.selectFrom('strategy').select(['id', 'name', 'kind']).where('user_id', '=', userId).orderBy('updated_at', 'desc').execute(),
    db.selectFrom('strategy_group').select(['id', 'name', 'kind']).where('user_id', '=', userId).orderBy('updated_at', 'desc').execute(),
  ])
  const source = (type: 'strategy' | 'group') => (row: (typeof strategies)[number]) => ({
    value: row.id,
    label: row.name,
    type,
    kind: row.kind,
  })
  return {
    accounts: accounts.map(({ id, alias, account_masked }) => ({ value: id, label: `${alias} ${account_masked}` })),
    sources: [...strategies.map(source('strategy')), ...groups.map(source('group'))],
    trading_configs: tradingConfigs.map(({ id, name }) => ({ value: id, label: name })),
    weight_types: choicesOf(holdWeights),
    client_versions: [{ value: clientVersion, label: `客户端 ${clientVersion}` }],
  }
}

const changed = (row: ConfigRow, change: ConfigChange): ConfigBody => ({
  name: change.name ?? row.name,
  kind: change.kind ?? row.kind,
  account_id: change.account_id ?? row.account_id,
  source: change.source ?? { type: row.source_type, id: row.source_id },
  capital: change.capital ?? row.capital,
  hold_weight_type: change.hold_weight_type ?? row.hold_weight_type,
  trading_config_id: change.trading_config_id ?? row.trading_config_id,
  enabled: change.enabled ?? row.enabled,
})

const columnsOf = (body: ConfigBody) => ({
  name: nameOf(body.name),
  kind: body.kind,
  account_id: body.account_id,
  source_type: body.source.type,
  source_id: body.source.id,
  capital: body.capital,
  hold_weight_type: body.hold_weight_type,
  trading_config_id: body.trading_config_id,
  enabled: body.enabled,
})

/** All that a config names is the user's own, and its source of that market. */
async function checkNamed(transaction: Transaction<Database>, userId: string, body: ConfigBody): Promise<void> {
  const source = body.source.type === 'strategy' ? ('strategy' as const) : ('strategy_group' as const)
  const named = await Promise.all([
    transaction.selectFrom('qmt_account').select('id').where('id', '=', body.account_id).where('user_id', '=', userId).executeTakeFirst(),
    transaction
      .selectFrom('qmt_trading_config')
      .select('id')
      .where('id', '=', body.trading_config_id)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    transaction
      .selectFrom(source)
      .select('id')
      .where('id', '=', body.source.id)
      .where('user_id', '=', userId)
      .where('kind', '=', body.kind)
      .executeTakeFirst(),
  ])
  if (named.some((row) => row === undefined)) throwApiError(errorCodes.notFound)
}
